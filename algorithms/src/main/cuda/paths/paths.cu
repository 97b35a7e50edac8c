/// @file
/// The module `paths`: shortest paths from one vertex of a directed graph, with arcs of length 1 (breadth-first search) or as
/// long as their weights.
#define MAGPIE_ALL_POLICIES  // `--policy` chooses one, also where there is no compiler

#include "order.cuh"
#include "predecessors.cuh"
#include "pull.cuh"
#include "push.cuh"
#include "split.cuh"
#include "steps.cuh"
#include "transactional.cuh"
