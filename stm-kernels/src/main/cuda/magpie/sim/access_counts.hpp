/// @file
/// Counts what the threads of a launch on `sim` access: the quantities of the threaded many-core memory model (Ma,
/// Agrawal and Chamberlain, "A memory access model for highly-threaded many-core architectures", 2014).
///
/// Layer: sim, used by simulator.hpp.
///
/// - work: accesses of all threads, each accessor one, but one of a pair of words two; reads and writes of a thread's own
///   variables are none.
/// - span: accesses of the thread that does most. With fewer threads than items it is the time on so many processors.
/// - transfers: sectors of 32 bytes that warps access, at each place in the code the lanes' first, second, .. time there
///   being one access of the warp, as if its lanes ran in step: what a GPU without caches would move.
///
/// Determinism: work and span depend on the kernel, its data and the schedule; transfers also on the compiled code, and on
/// where arrays begin within a sector.
/// Cost: about 200 ns and 64 bytes per access.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "magpie/platform/launch_args.hpp"

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

/// The counts of one launch.
class access_counts {
 public:
  access_counts(std::uint32_t threads, std::uint32_t width) : accesses_(threads), width_(width) {}

  /// Notes an access of `bytes` bytes, at most a sector's, at a place in the code.
  void note(std::uint32_t thread, const void* place, const void* address, std::uint32_t bytes) {
    ++accesses_[thread];
    const auto code = reinterpret_cast<std::uintptr_t>(place);
    const std::uint32_t turn = turns_[{thread, code}]++;
    const auto first = reinterpret_cast<std::uintptr_t>(address) / sector_bytes;
    const auto last = (reinterpret_cast<std::uintptr_t>(address) + bytes - 1) / sector_bytes;
    const std::uint64_t step = std::uint64_t{thread / width_} << 32 | turn;
    for (std::uintptr_t sector = first; sector <= last; ++sector) moved_.insert({step, code, sector});
  }

  void add_to(magpie_access_counts& sums) const {
    ++sums.launches;
    for (const std::uint64_t each : accesses_) sums.work += each;
    sums.span += *std::max_element(accesses_.begin(), accesses_.end());
    sums.transfers += moved_.size();
  }

 private:
  static constexpr std::uintptr_t sector_bytes = 32;

  struct at {
    std::uint32_t thread;
    std::uintptr_t code;
    bool operator==(const at&) const = default;
  };
  struct transfer {
    std::uint64_t step;  ///< warp and turn
    std::uintptr_t code;
    std::uintptr_t sector;
    bool operator==(const transfer&) const = default;
  };
  struct hash {
    static std::size_t mixed(std::uint64_t a, std::uint64_t b) {
      std::uint64_t z = (a ^ b * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
      return z ^ z >> 31;
    }
    std::size_t operator()(const at& a) const { return mixed(a.thread, a.code); }
    std::size_t operator()(const transfer& t) const { return mixed(mixed(t.step, t.code), t.sector); }
  };

  std::vector<std::uint64_t> accesses_;
  std::uint32_t width_;
  std::unordered_map<at, std::uint32_t, hash> turns_;
  std::unordered_set<transfer, hash> moved_;
};

}  // namespace simulator

MAGPIE_NAMESPACE_END
