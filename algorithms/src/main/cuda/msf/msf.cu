/// @file
/// The module `msf`: minimum spanning forests, edge-centric (edge_form.cuh) and vertex-centric (vertex_form.cuh).
#include "edge_form.cuh"
#include "vertex_form.cuh"
