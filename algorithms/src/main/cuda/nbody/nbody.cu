/// @file
/// The module `nbody`: gravity among many bodies by the method of Barnes and Hut.
#define MAGPIE_ALL_POLICIES  // `--policy` chooses one, also where there is no compiler

#include "build_by_locks.cuh"
#include "build_by_order.cuh"
#include "build_by_transactions.cuh"
#include "forces.cuh"
#include "motion.cuh"
#include "summary.cuh"
