/// @file
/// The module `msf`: minimum spanning forests, edge-centric (edge_form.cuh) and vertex-centric (vertex_form.cuh).
#define MAGPIE_ALL_POLICIES  // `--policy` chooses one, also where there is no compiler

#include "edge_form.cuh"
#include "vertex_form.cuh"
