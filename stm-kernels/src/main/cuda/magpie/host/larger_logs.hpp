/// @file
/// Which logs the items get that overflowed those before: of what size, and in how many threads at once.
///
/// Layer: host, used by region_launch.hpp; without state. The rule, which Java's `LargerLogs` has too (one table of cases
/// holds both to it, larger_logs_cases.txt of the tests): each pass has logs 16 times as large as the one before, in as
/// many threads as the scratch memory then has room for, in whole warps. Where there is no room for a warp, or one log of
/// that size would be more than all of the memory, the rest runs item by item with a log as large as the memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "magpie/stm/detail/log.cuh"

namespace magpie::host {

/// The logs of one pass.
struct larger_logs {
  std::uint64_t objects;  ///< of one transaction; 0: there is no room for even one log as large as the region's own
  std::uint64_t writes;   ///< of one transaction
  std::uint64_t threads;  ///< at once: whole warps, or 1 if `alone`
  bool alone;             ///< each item in a launch of its own; no pass follows
};

/// The logs of the pass-th pass over items that overflowed, counted from 1.
///
/// @param max_objects, max_writes the region's
/// @param scratch_bytes memory for all logs of a pass
/// @param warp_width threads of a warp
/// @param most_threads bound of the threads at once, at least 1; less than a warp counts as one
/// @param beside bytes of one thread besides its log, by the log's objects and writes: the policy's `thread_bytes`
constexpr larger_logs larger_logs_of(std::uint32_t pass, std::uint32_t max_objects, std::uint32_t max_writes,
                                     std::uint64_t scratch_bytes, std::uint32_t warp_width, std::uint64_t most_threads,
                                     std::uint64_t (*beside)(std::uint64_t, std::uint64_t)) {
  const auto bytes_of = [&](std::uint64_t objects, std::uint64_t writes) {
    return stm::paged_log_bytes(objects, writes) + beside(objects, writes);
  };
  constexpr std::uint64_t growth = 16;
  constexpr std::uint64_t most_places = 0x7fffffffu;  // of one log
  const std::uint64_t objects = std::max(max_objects, 1u);
  const std::uint64_t writes = std::max(max_writes, 1u);
  // Of two, as these are not rounded up: so it is never too small.
  std::uint64_t largest = scratch_bytes / (stm::paged_object_bytes * objects + stm::paged_write_bytes * writes +
                                           (beside(2 * objects, 2 * writes) - beside(0, 0)) / 2);
  while (largest > 0 && bytes_of(largest * objects, largest * writes) > scratch_bytes) --largest;
  largest = std::min(largest, most_places / std::max(objects, writes));
  std::uint64_t scale = 1;
  for (std::uint32_t i = 0; i < pass && scale < largest; ++i) scale *= growth;
  if (scale < largest) {
    const std::uint64_t fit = scratch_bytes / bytes_of(scale * objects, scale * writes);
    const std::uint64_t threads =
        std::min(fit, std::max<std::uint64_t>(most_threads, warp_width)) / warp_width * warp_width;
    if (threads > 0) return {scale * objects, scale * writes, threads, false};
  }
  return {largest * objects, largest * writes, 1, true};
}

}  // namespace magpie::host
