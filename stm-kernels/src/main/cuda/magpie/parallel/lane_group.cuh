/// @file
/// Lanes of a warp that step through a loop together although they leave it at different times.
///
/// Layer: parallel. On a GPU a warp whose lanes took different paths runs them one after another, and where they meet
/// again is the compiler's choice: out of a loop that lanes leave for several reasons, or in several rounds, they often
/// come one by one, and stay apart for all that follows. A loop with `lanes.any(condition)` for its condition brings
/// them together once per round; `lanes.converge()` does so at one place.
///
/// Participation: every lane of the group, the same number of times, also those that have nothing to do. Memory order:
/// none that code may rely on. Cost: one vote of the warp; nothing at width 1.
#pragma once

#include "magpie/platform/platform.cuh"

MAGPIE_NAMESPACE_BEGIN

/// The lanes of `lanes`, a mask; the caller is one of them.
struct lane_group {
  const thread& self;
  std::uint32_t lanes;

  /// Whether the predicate holds on any of them.
  MAGPIE_INLINE bool any(bool predicate) const { return self.any_among(lanes, predicate); }
  MAGPIE_INLINE void converge() const { self.converge(lanes); }
};

/// All lanes of the warp.
MAGPIE_INLINE lane_group whole_warp(const thread& self) { return {self, self.ballot(true)}; }

/// A lane that goes its way without regard to others.
struct single_lane {
  MAGPIE_INLINE bool any(bool predicate) const { return predicate; }
  MAGPIE_INLINE void converge() const {}
};

MAGPIE_NAMESPACE_END
