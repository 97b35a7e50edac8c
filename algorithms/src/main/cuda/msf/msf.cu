/// @file
/// The module `msf`: minimum spanning forests, edge-centric (edge_form.cuh) and vertex-centric (vertex_form.cuh), and the
/// forms that others published, to compare with: cycle_form.cuh, component_space_form.cuh, scan_form.cuh.
/// Keys of weights that are no ints from 0: weight_keys.cuh. Edges that come in chunks: stream.cuh, and where weights have 64 bits
/// ranked_weights.cuh.
#define MAGPIE_ALL_POLICIES  // `--policy` chooses one, also where there is no compiler

#include "component_space_form.cuh"
#include "cycle_form.cuh"
#include "edge_form.cuh"
#include "ranked_weights.cuh"
#include "scan_form.cuh"
#include "stream.cuh"
#include "vertex_form.cuh"
#include "weight_keys.cuh"
