/// @file
/// Aggregated append: the lanes present reserve places behind a shared counter with one addition.
///
/// Layer: parallel, called from kernels. Participation: any lanes, no convergence needed. Shared state: `counter`, of 32
/// or 64 bits, relaxed additions; the places given out are disjoint, their order is not determined. Cost: one addition
/// per group of lanes that are here together and name the same counter; for several places a lane as many ballots as
/// `Most` has bits, and for several counters a ballot for each.
/// Preconditions: the counter does not wrap; the caller checks the capacity. Lanes here together name the same counter: a
/// function that is called with several counters is `MAGPIE_FORCE_INLINE`, so that each call is a place of its own.
#pragma once

#include "magpie/platform/platform.cuh"

MAGPIE_NAMESPACE_BEGIN

/// Reserves one place for each lane that calls; gives this lane's.
template <class Counter>
MAGPIE_FORCE_INLINE Counter append(const thread& self, Counter* counter) {
  const std::uint32_t lanes = self.active_lanes();
  const std::uint32_t before = popcount(lanes & ((1u << self.lane()) - 1u));
  Counter base = 0;
  if (before == 0) base = add_rlx_dev(counter, Counter{popcount(lanes)});
  return self.shuffle_among(lanes, base, lowest_bit(lanes)) + before;
}

/// Reserves `n` places in a row for each lane that calls, 0 <= n <= Most; gives this lane's first. n may differ from
/// lane to lane; one of 0 gets no place, and no meaning.
template <std::uint32_t Most, class Counter>
MAGPIE_FORCE_INLINE Counter append(const thread& self, Counter* counter, std::uint32_t n) {
  static_assert(Most > 0 && Most < 1u << 26, "32 lanes' places are counted in 32 bits");
  const std::uint32_t lanes = self.active_lanes();
  const std::uint32_t below = lanes & ((1u << self.lane()) - 1u);
  std::uint32_t before = 0;
  std::uint32_t total = 0;
  MAGPIE_UNROLL
  for (std::uint32_t bit = 0; Most >> bit != 0; ++bit) {
    const std::uint32_t set = self.ballot_among(lanes, (n >> bit & 1u) != 0);
    before += popcount(set & below) << bit;
    total += popcount(set) << bit;
  }
  Counter base = 0;
  if (below == 0 && total != 0) base = add_rlx_dev(counter, Counter{total});
  return self.shuffle_among(lanes, base, lowest_bit(lanes)) + before;
}

/// Reserves one place behind `counters[which]` for each lane that calls; gives this lane's. `which` may differ from lane
/// to lane.
template <class Counter>
MAGPIE_FORCE_INLINE Counter append_to(const thread& self, Counter* counters, std::uint32_t which) {
  const std::uint32_t lanes = self.active_lanes();
  const std::uint32_t lane = self.lane();
  std::uint32_t mine = 0;  // lanes that name the same counter
  Counter base = 0;
  for (std::uint32_t left = lanes; left != 0;) {
    const std::uint32_t first = lowest_bit(left);
    const std::uint32_t group = self.ballot_among(lanes, which == self.shuffle_among(lanes, which, first));
    if (lane == first) base = add_rlx_dev(counters + which, Counter{popcount(group)});
    if ((group >> lane & 1u) != 0) mine = group;
    left &= ~group;
  }
  return self.shuffle_among(lanes, base, lowest_bit(mine)) + popcount(mine & ((1u << lane) - 1u));
}

MAGPIE_NAMESPACE_END
