/// @file
/// The module `partition`: coarser graphs by clusters (clusters.cuh), matching (matching.cuh) and contraction
/// (contraction.cuh), refinement of partitions lock-free (refine.cuh, hubs.cuh), without atomics (refine_free.cuh) and
/// by transactions (refine_stm.cuh).
#define MAGPIE_ALL_POLICIES  // `--policy` chooses one, also where there is no compiler

#include "clusters.cuh"
#include "contraction.cuh"
#include "graph.cuh"
#include "hubs.cuh"
#include "matching.cuh"
#include "refine.cuh"
#include "refine_free.cuh"
#include "refine_stm.cuh"
