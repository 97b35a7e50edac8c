/// @file
/// How many threads are in flight in a launch of a region that declares `scattered_accesses`, where none were asked for.
///
/// Layer: host, used by region_launch.hpp; without state. The rule, which Java's `ThreadsInFlight` has too (one table of cases
/// holds both to it, threads_in_flight_cases.txt of the tests): half of a full grid where the words of the region's objects and the
/// data that they guard exceed the L2 cache, three eighths where they exceed four of it, in whole warps. The more of its accesses
/// miss the cache, the longer a transaction is in flight, and the more lines the others bring in meanwhile, which evict those
/// that it will need again. A full grid where all fit, and where it has a thread for each item (protocol.md, "Threads in flight").
#pragma once

#include <algorithm>
#include <cstdint>

namespace magpie::host {

/// The threads.
///
/// @param full_grid as many as can be resident at once
/// @param warp_width threads of a warp
/// @param items of the launch
/// @param bytes of the words of all objects and of the data that they guard
/// @param cache_bytes of the L2 cache
constexpr std::uint32_t threads_for_scattered_accesses(std::uint32_t full_grid, std::uint32_t warp_width,
                                                       std::uint64_t items, std::uint64_t bytes,
                                                       std::uint64_t cache_bytes) {
  if (items <= full_grid || bytes <= cache_bytes) return full_grid;
  const std::uint32_t eighths = bytes <= 4 * cache_bytes ? 4 : 3;
  const auto fewer = static_cast<std::uint32_t>(std::uint64_t{full_grid} * eighths / 8);
  return std::min(full_grid, std::max(fewer / warp_width, 1u) * warp_width);
}

}  // namespace magpie::host
