// full flavors: nvcc
/// @file
/// Benchmark of progress: every lane of a warp, a block, a grid opens the same 2 to 4 objects in opposite and rotated
/// orders. Plain C++ over the device library; built like transfers.cu.
///
///     ./opposite_orders [launches a setting, default 1000]
///
/// Prints one JSON object a line and setting: over all launches the most attempts of one item, attempts per commit, the
/// items that did not commit within the bound of attempts, and the milliseconds of the slowest launch. Exit status 1 if
/// the objects' counters do not add up to the commits, a word stayed claimed, or `hand_off` left an item unfinished.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "magpie/host.hpp"
#include "magpie/stm.cuh"

namespace {

using magpie::stm::outcome;

/// Adds 1 to each of the counters 0..objects-1, opened from `item` on, up or down by its parity.
struct increment_all {
  magpie::stm::objects guards;
  magpie::array<std::uint32_t> counts;

  static constexpr std::uint32_t max_objects = 4;
  static constexpr std::uint32_t max_writes = 4;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t n = guards.count;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t step = item % 2 == 0 ? k : n - k;
      const std::uint32_t which = (item / 2 + step) % n;
      const auto guard = tx.open(guards, which);
      std::uint32_t count;
      if (!tx.read(guard, &counts[which], count)) return outcome::retry;
      if (!tx.write(guard, &counts[which], count + 1)) return outcome::retry;
    }
    return outcome::commit;
  }
};

template <class Policy>
bool measure(const char* policy, const char* shape, std::uint32_t threads, std::uint32_t objects, unsigned launches,
             bool live) {
  using namespace magpie;
  host::object_array guards(objects);
  host::buffer<std::uint32_t> counts(objects, 0);
  host::region_options options;
  options.threads = threads;
  options.max_attempts = 20'000;
  options.timeout = std::chrono::milliseconds(2000);
  std::uint64_t commits = 0, attempts = 0, most = 0, unfinished = 0;
  unsigned timed_out = 0;
  double slowest = 0;
  for (unsigned launch = 0; launch < launches && timed_out < 3; ++launch) {
    const auto report = host::run_region<Policy>(increment_all{guards.view<Policy>(), counts.view()}, threads, options);
    const auto& n = report.statistics;
    commits += n[stm::counter::commits];
    attempts += n[stm::counter::commits];
    for (std::uint32_t i = stm::counter::aborts_outranked; i <= stm::counter::aborts_requested; ++i) attempts += n[i];
    most = std::max(most, n[stm::counter::max_attempts]);
    unfinished += report.unfinished.size();
    timed_out += report.timed_out;
    slowest = std::max(slowest, report.milliseconds);
  }
  bool well = guards.claimed() == 0 && (!live || unfinished == 0);
  for (const std::uint32_t count : counts.get()) well = well && count == static_cast<std::uint32_t>(commits);
  std::printf(
      "{\"benchmark\":\"opposite_orders\",\"policy\":\"%s\",\"shape\":\"%s\",\"threads\":%u,\"objects\":%u,"
      "\"launches\":%u,\"commits\":%llu,\"attempts_per_commit\":%.2f,\"max_attempts\":%llu,\"unfinished\":%llu,"
      "\"timed_out\":%u,\"slowest_ms\":%.3f,\"well\":%s}\n",
      policy, shape, threads, objects, launches, static_cast<unsigned long long>(commits),
      static_cast<double>(attempts) / static_cast<double>(commits), static_cast<unsigned long long>(most),
      static_cast<unsigned long long>(unfinished), timed_out, slowest, well ? "true" : "false");
  std::fflush(stdout);
  return well;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned launches = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1000;
  struct shape {
    const char* name;
    std::uint32_t threads;
  };
  bool well = true;
  for (const shape& each : {shape{"warp", 32}, shape{"block", 256}, shape{"grid", 4'224}}) {
    for (std::uint32_t objects = 2; objects <= 4; ++objects) {
      well &= measure<magpie::stm::hand_off>("hand_off", each.name, each.threads, objects, launches, true);
      well &= measure<magpie::stm::priority_rule>("priority_rule", each.name, each.threads, objects, launches, false);
    }
  }
  return well ? 0 : 1;
}
