/// @file
/// Aggregated append: the lanes present reserve places behind a shared counter with one addition.
///
/// Layer: parallel, called from kernels. Participation: any lanes, no convergence needed. Shared state: `counter`,
/// relaxed additions; the places given out are disjoint, their order is not determined. Cost: one addition per group of
/// lanes that are here together. Preconditions: the counter does not wrap; the caller checks the capacity.
#pragma once

#include "magpie/platform/platform.cuh"

MAGPIE_NAMESPACE_BEGIN

/// Reserves one place for each lane that calls; gives this lane's.
MAGPIE_INLINE std::uint32_t append(const thread& self, std::uint32_t* counter) {
  const std::uint32_t lanes = self.active_lanes();
  const std::uint32_t before = popcount(lanes & ((1u << self.lane()) - 1u));
  std::uint32_t base = 0;
  if (before == 0) base = add_rlx_dev(counter, popcount(lanes));
  return self.shuffle_among(lanes, base, lowest_bit(lanes)) + before;
}

MAGPIE_NAMESPACE_END
