// flavors: cpu sim cpu-asan
// full flavors: cpu
// Passes over items that overflow: the rule by its table of cases, and that every item that fits the memory ends.
#include <algorithm>
#include <fstream>

#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::object_array;

/// Adds 1 to `n` objects from its item's on if it is one of the large ones, which are every `every`-th, else to one.
struct few_large {
  stm::objects cells;
  array<std::uint32_t> value;
  std::uint32_t n, every;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t i = 0; i < (item % every == 0 ? n : 1); ++i) {
      const std::uint32_t at = (item + i) % cells.count;
      const auto a = tx.open(cells, at);
      std::uint32_t v;
      if (!tx.read(a, &value[at], v) || !tx.write(a, &value[at], v + 1)) return outcome::retry;
    }
    return outcome::commit;
  }
};

/// The same in rounds, each item once more as item + 1000; large items are deferred once.
struct few_large_in_rounds {
  stm::objects cells;
  array<std::uint32_t> value;
  array<std::uint32_t> ranks;  // of each item's last attempt
  array<std::uint32_t> runs;   // attempts that had room
  std::uint32_t n, every;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t i = 0; i < (item % every == 0 ? n : 1); ++i) {
      const std::uint32_t at = (item + i) % cells.count;
      const auto a = tx.open(cells, at);
      std::uint32_t v;
      if (!tx.read(a, &value[at], v) || !tx.write(a, &value[at], v + 1)) return outcome::retry;
    }
    ranks[item] = tx.rank();
    if (runs[item]++ == 0 && item % every == 0) return outcome::defer;
    if (item < 1000) tx.push(item + 1000);
    return outcome::commit;
  }
};

/// The bytes of one log of few_large for n objects.
constexpr std::size_t log_of(std::uint32_t n) { return stm::paged_log_bytes(n, n); }

test::region_report run_few_large(std::uint32_t items, std::uint32_t n, std::uint32_t every, std::size_t scratch_bytes,
                                  std::uint32_t threads) {
  object_array cells(997);
  host::buffer<std::uint32_t> value(997, 0);
  test::region_options options;
  options.threads = threads;
  options.scratch_bytes = scratch_bytes;
  const auto report =
      test::finishes(few_large{cells.view<stm::hand_off>(), value.view(), n, every}, items, options, {&cells});
  std::uint64_t sum = 0;
  for (const std::uint32_t each : value.get()) sum += each;
  const std::uint32_t large = (items + every - 1) / every;
  CHECK_EQ(sum, std::uint64_t{large} * n + items - large);
  return report;
}

int main() {
  test::run("the rule", [] {
    const std::string source = __FILE__;
    std::ifstream cases(source.substr(0, source.find_last_of('/')) + "/larger_logs_cases.txt");
    CHECK(cases.is_open());
    std::uint32_t found = 0;
    for (std::string text; std::getline(cases, text);) {
      if (text.empty() || text[0] == '#') continue;
      test::setting() = text;
      std::istringstream line(text);
      std::uint32_t pass, objects, writes, width;
      std::uint64_t scratch, threads, wanted_objects, wanted_writes, wanted_threads;
      std::string arrow, alone;
      CHECK(line >> pass >> objects >> writes >> scratch >> width >> threads >> arrow);
      CHECK(line >> wanted_objects >> wanted_writes >> wanted_threads);
      line >> alone;
      const host::larger_logs logs =
          host::larger_logs_of(pass, objects, writes, scratch, width, threads, stm::hand_off::thread_bytes);
      CHECK_EQ(logs.objects, wanted_objects);
      CHECK_EQ(logs.writes, wanted_writes);
      CHECK_EQ(logs.threads, wanted_threads);
      CHECK_EQ(logs.alone, alone == "alone");
      if (logs.objects > 0) CHECK(logs.threads * stm::paged_log_bytes(logs.objects, logs.writes) <= scratch);
      using beside = stm::obstruction_free;
      const host::larger_logs both =
          host::larger_logs_of(pass, objects, writes, scratch, width, threads, beside::thread_bytes);
      const auto bytes = [](std::uint64_t o, std::uint64_t w) {
        return stm::paged_log_bytes(o, w) + beside::thread_bytes(o, w);
      };
      if (both.objects > 0) CHECK(both.threads * bytes(both.objects, both.writes) <= scratch);
      if (both.alone) {
        const std::uint64_t o = std::max(objects, 1u), w = std::max(writes, 1u), more = both.objects / o + 1;
        CHECK(bytes(more * o, more * w) > scratch || more * std::max(o, w) > 0x7fffffffu);
      }
      ++found;
    }
    CHECK(found > 20);
  });

  test::run("an item that just fits the memory", [] {
    for (const std::uint32_t width : {1u, 4u, 32u}) {
      host::simulated() = {0, 0, width};
      for (const std::uint32_t n : {2u, 16u, 17u, 100u, 300u}) {
        for (const std::size_t spare : {0, 1, 15, 16}) {  // logs that have room, but for fewer than a warp's lanes
          run_few_large(40, n, 40, log_of(n) * (1 + spare) + spare, 64);
          run_few_large(40, n, 7, log_of(n) * (1 + spare) + spare, 3);
        }
      }
      if (!test::simulated) break;
    }
  });

#if defined(MAGPIE_MACHINE_SIM)
  test::run("passes run what is pending", [] {
    host::simulated() = {0, 0, 32};
    const auto steps_of_last = [](std::uint32_t items, std::uint32_t n, std::size_t scratch_bytes) {
      CHECK_EQ(run_few_large(items, n, items, scratch_bytes, 64).passes, 2u);
      return simulator::last_record().steps;
    };
    CHECK_EQ(steps_of_last(4000, 100, log_of(100)), steps_of_last(500, 100, log_of(100)));  // alone
    CHECK_EQ(steps_of_last(4000, 16, 64 * log_of(16)), steps_of_last(500, 16, 64 * log_of(16)));
  });
#endif

  test::run("as many pending as can be listed, and others", [] {
    test::for_each_setting(4, [&](std::uint32_t threads) {
      for (const std::uint32_t every : {320u, 64u, 32u, 31u, 3u, 1u}) {  // 1 to 10 of 320 are listed
        CHECK(run_few_large(320, 16, every, std::size_t{1} << 20, threads).passes >= 2);
        CHECK(run_few_large(320, 20, every, std::size_t{1} << 20, threads).passes >= 3);
      }
    });
  });

  test::run("alone in rounds", [] {
    test::for_each_setting(4, [&](std::uint32_t threads) {
      const std::uint32_t items = 60, n = 50, every = 9;
      object_array cells(200);
      host::buffer<std::uint32_t> value(200, 0), ranks(2000, 0), runs(2000, 0);
      std::vector<std::uint32_t> all(items);
      std::iota(all.begin(), all.end(), 0u);
      host::worklist work(all);
      host::rounds_options options;
      options.threads = threads;
      options.scratch_bytes = log_of(n);
      std::vector<std::uint32_t> first;
      host::simulated().max_steps = test::plenty_of_steps;
      const auto report = host::run_rounds<stm::hand_off>(
          [&] {
            return few_large_in_rounds{cells.view<stm::hand_off>(), value.view(), ranks.view(), runs.view(), n, every};
          },
          work, options,
          [&](const host::round_report& round) {
            if (round.round == 0) first = ranks.get();
            if (round.round == 1) {
              // What ran alone and was deferred kept its rank.
              CHECK_EQ(round.carried, (items + every - 1) / every);
              const auto second = ranks.get();
              for (std::uint32_t item = 0; item < items; ++item) {
                CHECK_EQ(second[item], first[item]);
                CHECK_EQ(first[item], host::highest_rank - item);
              }
            }
          });
      CHECK(report.unfinished.empty());
      CHECK_EQ(work.size(), 0u);
      std::uint64_t sum = 0, expected = 0;
      for (const std::uint32_t each : value.get()) sum += each;
      for (std::uint32_t item = 0; item < items; ++item) {
        expected += item % every == 0 ? n : 1;
        expected += (item + 1000) % every == 0 ? n : 1;
      }
      CHECK_EQ(sum, expected);
      CHECK_EQ(cells.claimed(), 0u);
    });
  });
  return test::finish();
}
