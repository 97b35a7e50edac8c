/// @file
/// The module `sat`: survey propagation on formulas in conjunctive normal form, decimation, and local search on the rest.
#define MAGPIE_ALL_POLICIES  // `--policy` chooses one, also where there is no compiler

#include "compaction.cuh"
#include "decimation.cuh"
#include "search.cuh"
#include "surveys.cuh"
