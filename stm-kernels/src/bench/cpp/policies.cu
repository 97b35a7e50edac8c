// full flavors: nvcc bench
/// @file
/// Benchmark: every policy over threads, contention, visibility of reads, and kinds of back-off. Plain C++ over the device
/// library.
///
///     nvcc -std=c++20 -O3 -arch=sm_90 -I stm-kernels/src/main/cuda policies.cu -o policies
///     g++ -x c++ -std=c++20 -O3 -pthread -I stm-kernels/src/main/cuda policies.cu -o policies
///     ./policies [most milliseconds of one launch, default 2000]
///
/// A transaction reads `reads` data drawn by a hash of its number, and adds 1 to the first `writes` of them: 2 and 2 is a
/// transfer, whose reads are all visible; 8 and 1 mostly reads. `data`: of one object, which share its version as GPU-STM's stripes
/// do; 1 but at the end, where some policies are compared with 1, 4 and 16. Prints one JSON object a line: the setting, the kernel's
/// milliseconds (the median of three runs), million commits a second, aborts per commit, the most attempts of one item, what
/// did not finish, and what the policy counts. Exit status 1 if the sum of all data is not that of the commits, or if a word
/// stayed claimed.
#define MAGPIE_POLICIES_TO_COMPARE

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "magpie/host.hpp"
#include "magpie/stm.cuh"

namespace {

using magpie::stm::outcome;

template <std::uint32_t Objects, std::uint32_t Writes, magpie::stm::reads Reads, std::uint32_t Data>
struct add_to_some {
  magpie::stm::guarded<std::int32_t, magpie::stm::blocks_of<Data>> values;
  std::uint32_t salt;

  static constexpr std::uint32_t max_objects = Objects;
  static constexpr std::uint32_t max_writes = Writes;
  static constexpr magpie::stm::reads reads = Reads;

  MAGPIE_INLINE static std::uint32_t mix(std::uint32_t x) {  // a 32-bit finalizer with full avalanche
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
  }

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t n = values.guards.count * Data;
    const std::uint32_t step = 1 + mix(item ^ salt) % (n / Objects);  // so that no datum is drawn twice
    std::uint32_t at = static_cast<std::uint32_t>((std::uint64_t{mix(item + salt)} * n) >> 32);
    for (std::uint32_t k = 0; k < Objects; ++k) {
      const std::int32_t x = MAGPIE_TRY(tx.get(values, at));
      if (k < Writes && !tx.set(values, at, x + 1)) return outcome::retry;
      at = at + step < n ? at + step : at + step - n;
    }
    return outcome::commit;
  }
};

enum class back_off { policys_own, none, linear, exponential };
constexpr const char* back_offs[] = {"the policy's", "none", "linear", "exponential"};

struct setting {
  std::uint32_t data, items, threads;
  back_off kind;
};

bool all_well = true;
std::chrono::milliseconds most{2000};

template <class Policy, std::uint32_t Objects, std::uint32_t Writes, magpie::stm::reads Reads, std::uint32_t Data = 1>
void measure(const char* policy, const setting& s) {
  namespace host = magpie::host;
  namespace counter = magpie::stm::counter;
  host::object_array objects(s.data / Data);
  host::buffer<std::int32_t> values(s.data, 0);
  host::region_options options;
  options.threads = s.threads;
  options.timeout = most;
  if (s.kind != back_off::policys_own) options.back_off = s.kind == back_off::none ? 0 : 4096;
  options.linear_back_off = s.kind == back_off::linear;
  const add_to_some<Objects, Writes, Reads, Data> region{{values.view(), objects.view<Policy>()}, 12345};

  std::array<host::region_report, 3> runs{};
  std::uint64_t commits = host::run_region<Policy>(region, 1u << 12, options).statistics[counter::commits];  // warm-up
  bool stopped = false;
  for (host::region_report& run : runs) {
    if (stopped) break;
    run = host::run_region<Policy>(region, s.items, options);
    stopped = run.timed_out;
    commits += run.statistics[counter::commits];
  }
  const auto left = values.get();
  const std::int64_t sum = std::accumulate(left.begin(), left.end(), std::int64_t{0});
  const bool well = sum == static_cast<std::int64_t>(commits * Writes) && objects.claimed() == 0;
  all_well = all_well && well;
  if (!stopped) {
    std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.milliseconds < b.milliseconds; });
  }
  const auto& shown =
      stopped ? *std::find_if(runs.begin(), runs.end(), [](auto& run) { return run.timed_out; }) : runs[1];
  const auto& n = shown.statistics;
  double aborts = 0;
  for (std::uint32_t i = counter::aborts_outranked; i <= counter::aborts_requested; ++i) {
    aborts += static_cast<double>(n[i]);
  }
  const double ended = static_cast<double>(n[counter::commits]);
  const auto count = [&](std::uint32_t which) { return static_cast<unsigned long long>(n[which]); };
  std::printf(
      "{\"benchmark\":\"policies\",\"policy\":\"%s\",\"opaque\":%s,\"reads\":%u,\"writes\":%u,\"objects\":%u,\"data\":%"
      "u,"
      "\"items\":%u,"
      "\"threads\":%u,\"back_off\":\"%s\",\"ms\":%.4f,\"mcommits_per_s\":%.3f,\"aborts_per_commit\":%.4f,"
      "\"max_attempts\":%llu,\"unfinished\":%zu,\"timed_out\":%s,\"objects_read\":%llu,\"objects_read_and_written\":%"
      "llu,"
      "\"validations_skipped\":%llu,\"value_validations\":%llu,\"conflicts_removed\":%llu,\"well\":%s}\n",
      policy, Reads == magpie::stm::reads::validated ? "true" : "false", Objects, Writes, s.data / Data, Data, s.items,
      s.threads, back_offs[static_cast<std::uint32_t>(s.kind)], shown.milliseconds, ended / shown.milliseconds / 1e3,
      ended == 0 ? 0 : aborts / ended, count(counter::max_attempts), shown.unfinished.size(),
      stopped ? "true" : "false", count(counter::objects_read), count(counter::objects_read_and_written),
      count(counter::validations_skipped), count(counter::value_validations), count(counter::conflicts_removed),
      well ? "true" : "false");
  std::fflush(stdout);
}

template <std::uint32_t Objects, std::uint32_t Writes, magpie::stm::reads Reads>
void measure_policies(const setting& s) {
  namespace stm = magpie::stm;
  measure<stm::hand_off, Objects, Writes, Reads>("hand_off", s);
  measure<stm::priority_rule, Objects, Writes, Reads>("priority_rule", s);
  measure<stm::locks, Objects, Writes, Reads>("locks", s);
  measure<stm::pessimistic, Objects, Writes, Reads>("pessimistic", s);
  measure<stm::pessimistic_in_place, Objects, Writes, Reads>("pessimistic_in_place", s);
  measure<stm::invisible_reads, Objects, Writes, Reads>("invisible_reads", s);
  measure<stm::invisible_reads_in_place, Objects, Writes, Reads>("invisible_reads_in_place", s);
  measure<stm::hierarchical, Objects, Writes, Reads>("hierarchical", s);
  measure<stm::pr_stm, Objects, Writes, Reads>("pr_stm", s);
  measure<stm::optimistic_hand_off, Objects, Writes, Reads>("optimistic_hand_off", s);
  measure<stm::block_level, Objects, Writes, Reads>("block_level", s);
  measure<stm::obstruction_free, Objects, Writes, Reads>("obstruction_free", s);
  measure<stm::coarse_lock, Objects, Writes, Reads>("coarse_lock", s);
}

/// Stripes: policies that compare values, versions alone, or nothing.
template <std::uint32_t Data>
void measure_stripes(std::uint32_t data, std::uint32_t items) {
  namespace stm = magpie::stm;
  const setting s{data, items, 0, back_off::policys_own};
  constexpr stm::reads opaque = stm::reads::validated;
  measure<stm::hand_off, 2, 2, opaque, Data>("hand_off", s);
  measure<stm::hand_off, 8, 1, opaque, Data>("hand_off", s);
  measure<stm::invisible_reads, 2, 2, opaque, Data>("invisible_reads", s);
  measure<stm::invisible_reads, 8, 1, opaque, Data>("invisible_reads", s);
  measure<stm::hierarchical, 2, 2, opaque, Data>("hierarchical", s);
  measure<stm::hierarchical, 8, 1, opaque, Data>("hierarchical", s);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) most = std::chrono::milliseconds(std::strtol(argv[1], nullptr, 10));
  using magpie::stm::reads;
  for (const std::uint32_t objects : {1u << 20, 1u << 14, 1u << 10}) {
    const std::uint32_t items = objects >= 1u << 20 ? 1u << 22 : 1u << 18;
    for (const std::uint32_t threads : {32u, 1024u, 32'768u, 0u}) {
      const setting s{objects, threads == 32 ? items / 64 : items, threads, back_off::policys_own};
      measure_policies<2, 2, reads::validated>(s);
      measure_policies<8, 1, reads::validated>(s);
    }
  }
  // What kind of back-off makes of it, where everybody meets.
  for (const back_off kind : {back_off::none, back_off::linear, back_off::exponential}) {
    measure_policies<2, 2, reads::validated>({1u << 10, 1u << 18, 0, kind});
    measure_policies<2, 2, reads::validated>({1u << 20, 1u << 22, 0, kind});
  }
  // As published: reads that nobody looks at before the commit.
  measure_policies<2, 2, reads::unvalidated>({1u << 20, 1u << 22, 0, back_off::policys_own});
  measure_policies<8, 1, reads::unvalidated>({1u << 20, 1u << 22, 0, back_off::policys_own});
  for (const std::uint32_t data : {1u << 20, 1u << 14}) {
    const std::uint32_t items = data >= 1u << 20 ? 1u << 22 : 1u << 18;
    measure_stripes<1>(data, items);
    measure_stripes<4>(data, items);
    measure_stripes<16>(data, items);
  }
  return all_well ? 0 : 1;
}
