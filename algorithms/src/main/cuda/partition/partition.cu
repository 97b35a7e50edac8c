/// @file
/// The module `partition`: coarser graphs by matching (matching.cuh) and contraction (contraction.cuh).
#include "contraction.cuh"
#include "graph.cuh"
#include "matching.cuh"
