// full flavors: nvcc
/// @file
/// Benchmark: transactions of many objects and long bodies, with and without eager attempts. Plain C++ over the device
/// library.
///
///     nvcc -std=c++20 -O3 -arch=sm_90 -I stm-kernels/src/main/cuda long_transactions.cu -o long_transactions
///     g++ -x c++ -std=c++20 -O3 -pthread -I stm-kernels/src/main/cuda long_transactions.cu -o long_transactions
///     ./long_transactions [largest number of objects, default 16777216; 0: single transactions only]
///
/// First single transactions of 100 to 100,000 objects each, drawn from a million: each reads a value and adds 1 to it. Their
/// milliseconds are of all passes, from the region's own log of 2 objects on.
///
/// Then many at once. An item draws its objects, one of each equal part of the array, takes the parts in an order of its own, reads each,
/// computes for a while after each read, and at last moves 1 along the ring of its objects. Prints one JSON object a
/// line: the setting, the kernel's milliseconds, thousand commits a second, aborts per commit and the most retries of
/// one item (of the median of three runs), and whether a run was stopped after 4 seconds. Exit status 1
/// if the sum has changed, or a word stayed claimed.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "magpie/host.hpp"
#include "magpie/stm.cuh"

namespace {

using magpie::stm::outcome;

MAGPIE_INLINE std::uint32_t mix(std::uint32_t x) {  // a 32-bit finalizer with full avalanche
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

template <std::uint32_t Objects>
struct ring {
  magpie::stm::guarded<std::int32_t> values;
  std::uint32_t rounds;  ///< of computation after each read; a round is two multiplications in a chain

  static constexpr std::uint32_t max_objects = Objects;
  static constexpr std::uint32_t max_writes = Objects;
  static constexpr magpie::stm::reads reads = magpie::stm::reads::validated;

  MAGPIE_INLINE std::uint32_t draw(std::uint32_t item, std::uint32_t step) const {
    const std::uint32_t part = values.guards.count / Objects;
    const std::uint32_t which = (mix(item) + step) % Objects;
    return which * part + static_cast<std::uint32_t>((std::uint64_t{mix(item * Objects + step + 1)} * part) >> 32);
  }

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t state = item;
    for (std::uint32_t step = 0; step < Objects; ++step) {
      state += static_cast<std::uint32_t>(MAGPIE_TRY(tx.get(values, draw(item, step))));
      for (std::uint32_t round = 0; round < rounds; ++round) state = mix(state);
    }
    const std::int32_t moved = state == 0 ? 2 : 1;  // what was computed is needed
    for (std::uint32_t step = 0; step < Objects; ++step) {
      const std::int32_t change = step == 0 ? -moved : step + 1 == Objects ? moved : 0;
      const std::uint32_t index = draw(item, step);
      MAGPIE_TRY(tx.set(values, index, MAGPIE_TRY(tx.get(values, index)) + change));
    }
    return outcome::commit;
  }
};

bool all_well = true;

/// Adds 1 to each of n values in steps that meet every value once.
struct one_of_many {
  magpie::stm::guarded<std::int32_t> values;
  std::uint32_t n;

  static constexpr std::uint32_t max_objects = 2;
  static constexpr std::uint32_t max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t index = (item + i * 7919u) % values.guards.count;
      MAGPIE_TRY(tx.set(values, index, MAGPIE_TRY(tx.get(values, index)) + 1));
    }
    return outcome::commit;
  }
};

void measure_one(std::uint32_t n) {
  using namespace magpie;
  constexpr std::uint32_t count = 1u << 20;
  host::object_array objects(count);
  host::buffer<std::int32_t> values(count, 0);
  host::region_options options;
  options.timeout = std::chrono::milliseconds(60'000);
  const one_of_many region{{values.view(), objects.view<stm::hand_off>()}, n};
  std::vector<double> ms;
  std::int64_t commits = 0;
  bool stopped = false;
  while (ms.size() < 5 && !stopped) {
    const auto run = host::run_region<stm::hand_off>(region, 1, options);
    stopped = run.timed_out;
    ms.push_back(run.milliseconds);
    commits += static_cast<std::int64_t>(run.statistics[stm::counter::commits]);
  }
  std::sort(ms.begin(), ms.end());
  const auto ends = values.get();
  const bool well = std::accumulate(ends.begin(), ends.end(), std::int64_t{0}) == commits * n &&
                    objects.claimed() == 0 && commits == 5;
  all_well = all_well && well;
  std::printf(
      "{\"benchmark\":\"one long transaction\",\"objects\":%u,\"of\":%u,"
      "\"ms\":%.4f,\"ms_min\":%.4f,\"ms_max\":%.4f,\"stopped\":%s,\"sum_kept\":%s}\n",
      n, count, ms[ms.size() / 2], ms.front(), ms.back(), stopped ? "true" : "false", well ? "true" : "false");
  std::fflush(stdout);
}

template <std::uint32_t Objects>
void measure(std::uint32_t count, std::uint32_t items, std::uint32_t rounds, std::uint32_t eager) {
  using namespace magpie;
  host::object_array objects(count);
  host::buffer<std::int32_t> values(count, 1000);
  host::region_options options;
  options.eager_attempts = eager;
  options.timeout = std::chrono::milliseconds(4000);
  const ring<Objects> region{{values.view(), objects.view<stm::hand_off>()}, rounds};

  std::array<host::region_report, 3> runs{};
  bool stopped = false;
  bool all_ended = true;
  host::run_region<stm::hand_off>(region, std::min(items, 1u << 14), options);  // warm-up
  for (host::region_report& run : runs) {
    if (stopped) break;
    run = host::run_region<stm::hand_off>(region, items, options);
    stopped = run.timed_out;
    all_ended = all_ended && run.statistics[stm::counter::commits] + run.unfinished.size() == items;
  }
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.milliseconds < b.milliseconds; });
  const auto& median = runs[1];
  const auto& n = median.statistics;
  const double commits = static_cast<double>(n[stm::counter::commits]);
  double aborts = 0;
  for (std::uint32_t i = stm::counter::aborts_outranked; i <= stm::counter::aborts_requested; ++i) {
    aborts += static_cast<double>(n[i]);
  }
  const auto ends = values.get();
  const bool well = std::accumulate(ends.begin(), ends.end(), std::int64_t{0}) == std::int64_t{1000} * count &&
                    objects.claimed() == 0 && all_ended;
  all_well = all_well && well;
  std::printf(
      "{\"benchmark\":\"long transactions\",\"objects\":%u,\"of\":%u,\"items\":%u,\"rounds\":%u,\"eager_attempts\":%u,"
      "\"ms\":%.4f,\"ms_min\":%.4f,\"ms_max\":%.4f,\"kcommits_per_s\":%.1f,"
      "\"aborts_per_commit\":%.4f,\"max_retries\":%llu,\"timed_out\":%s,\"sum_kept\":%s}\n",
      Objects, count, items, rounds, eager, median.milliseconds, runs[0].milliseconds, runs[2].milliseconds,
      stopped ? 0.0 : items / median.milliseconds, aborts / commits,
      static_cast<unsigned long long>(n[stm::counter::max_attempts] - 1), stopped ? "true" : "false",
      well ? "true" : "false");
  std::fflush(stdout);
}

template <std::uint32_t Objects>
void measure_all(std::uint32_t largest) {
  // From hardly any conflict to one object in sixteen to each thread of a full GPU.
  for (const std::uint32_t count : {1u << 24, 1u << 20, 1u << 17, 1u << 14}) {
    if (count > largest) continue;
    for (const std::uint32_t rounds : {0u, 100u, 1000u}) {
      const std::uint32_t most = count >= 1u << 20 ? 1u << 20 : 1u << 17;
      const std::uint32_t items = most / (rounds == 1000 ? 4 : 1) / (Objects >= 32 ? 16 : 1);
      for (const std::uint32_t eager : {0u, 4u, 16u}) measure<Objects>(count, items, rounds, eager);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint32_t largest = argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 1u << 24;
  for (const std::uint32_t n : {100u, 1000u, 2000u, 8000u, 100'000u}) measure_one(n);
  if (largest == 0) return all_well ? 0 : 1;
  measure_all<2>(largest);
  measure_all<4>(largest);
  measure_all<8>(largest);
  measure_all<32>(largest);
  return all_well ? 0 : 1;
}
