/// @file
/// The module `pointsto`: inclusion-based points-to analysis, by rounds of inclusion over constraints whose edges grow, and
/// transactions that collapse cycles.
#define MAGPIE_ALL_POLICIES  // `--policy` chooses one, also where there is no compiler

#include "collapse.cuh"
#include "constraints.cuh"
#include "difference.cuh"
#include "pull.cuh"
#include "push.cuh"
