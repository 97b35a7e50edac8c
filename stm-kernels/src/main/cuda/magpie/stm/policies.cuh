/// @file
/// All policies. A region is compiled for `hand_off`, and for another one where `MAGPIE_POLICY` names it: then region.cuh
/// includes this. It also does where `MAGPIE_POLICIES_TO_COMPARE` is defined, for C++ code that launches regions under them.
///
/// Layer: stm, above the policies. See detail/policy.cuh for what they have in common.
#pragma once

#include "magpie/stm/detail/block_level.cuh"
#include "magpie/stm/detail/coarse_lock.cuh"
#include "magpie/stm/detail/hand_off.cuh"
#include "magpie/stm/detail/hierarchical.cuh"
#include "magpie/stm/detail/invisible_reads.cuh"
#include "magpie/stm/detail/invisible_reads_in_place.cuh"
#include "magpie/stm/detail/locks.cuh"
#include "magpie/stm/detail/obstruction_free.cuh"
#include "magpie/stm/detail/optimistic_hand_off.cuh"
#include "magpie/stm/detail/pessimistic.cuh"
#include "magpie/stm/detail/pessimistic_in_place.cuh"
#include "magpie/stm/detail/pr_stm.cuh"
#include "magpie/stm/detail/priority_rule.cuh"
