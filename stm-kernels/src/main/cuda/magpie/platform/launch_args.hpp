/// @file
/// What a host passes to a module built for `cpu` or `sim`, and what it gets back. Plain C layout, no padding.
#pragma once

#include <cstdint>

/// One launch, or a part of one. `cpu` runs logical threads [first, last) of `threads`; `sim` runs the whole grid.
struct magpie_launch_args {
  std::uint64_t threads;    ///< threads of the whole grid, at least 1, below 2^32
  std::uint64_t first;      ///< cpu: first logical thread of this part
  std::uint64_t last;       ///< cpu: one past the last
  std::uint64_t seed;       ///< sim: 0 = round robin, else seed of a random walk over schedules
  std::uint64_t max_steps;  ///< sim: bound of scheduling steps, 0 = none
  std::uint32_t width;      ///< sim: threads of a warp, 1 to 32
  std::uint32_t reserved;   ///< 0
};
static_assert(sizeof(magpie_launch_args) == 48);

/// Results of `magpie_launch`.
enum launch_code : std::int32_t {
  launch_ok = 0,
  launch_bounds_fault = 1,      ///< an index outside its array (checked builds)
  launch_missing_lanes = 2,     ///< a collective that some lanes of the warp cannot reach (sim)
  launch_no_progress = 3,       ///< the step bound was reached, or every thread is blocked (sim)
  launch_unknown_kernel = 4,    ///< no kernel of that index
};
