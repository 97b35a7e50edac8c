/// @file
/// The module `mesh`: Delaunay refinement, by transactions (refine_stm.cuh) and by marks (refine_marked.cuh).
#define MAGPIE_ALL_POLICIES  // `--policy` chooses one, also where there is no compiler

#include "refine_marked.cuh"
#include "refine_stm.cuh"
#include "schedule.cuh"
#include "transfer.cuh"
