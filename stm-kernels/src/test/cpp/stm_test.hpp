/// @file
/// What the STM's tests share: every policy and option on every machine setting, and what holds after any run.
#pragma once

#include <functional>

#include "magpie/host.hpp"
#include "magpie/stm.cuh"
#include "magpie/stm/policies.cuh"
#include "test.hpp"

namespace test {

namespace stm = magpie::stm;
namespace counter = magpie::stm::counter;
using magpie::host::object_array;
using magpie::host::region_options;
using magpie::host::region_report;

/// Steps after which a simulated launch that must end is taken to be stuck.
inline constexpr std::uint64_t plenty_of_steps = 30'000'000;

/// Ways of giving way, and numbers of eager attempts, picked by number.
inline region_options options_of(std::uint32_t number, std::uint32_t threads) {
  region_options options;
  options.threads = threads;
  options.give_way = number % 2 != 0;
  options.polls = number / 2 % 2 != 0 ? 2 : 64;
  options.back_off = number / 4 % 2 != 0 ? 2000 : 0;
  options.linear_back_off = number % 5 == 0;
  options.eager_attempts = number % 3 == 0 ? 0 : number % 3 == 1 ? 2 : 16;
  return options;
}

/// Whether a policy promises an end to every item.
template <class Policy>
inline constexpr bool is_live =
    std::is_same_v<Policy, stm::hand_off> || std::is_same_v<Policy, stm::optimistic_hand_off>;

/// Runs under a policy that promises an end to every item: every item must finish and no word stay claimed.
template <class Policy = stm::hand_off, class Region>
region_report finishes(const Region& region, std::uint32_t items, const region_options& options,
                       std::initializer_list<const object_array*> objects) {
  magpie::host::simulated().max_steps = plenty_of_steps;
  region_report report;
  try {
    report = magpie::host::run_region<Policy>(region, items, options);
  } catch (const std::exception& error) {
    fail(__FILE__, __LINE__, error.what());
  }
  CHECK(!report.timed_out);
  CHECK_EQ(report.unfinished.size(), 0u);
  for (const object_array* each : objects) CHECK_EQ(each->claimed(), 0u);
  const auto& counts = report.statistics;
  CHECK_EQ(counts[counter::commits] + counts[counter::cancels], items);
  std::uint64_t retried = 0;
  for (std::uint32_t b = 0; b < counter::buckets; ++b) retried += counts[counter::retries_histogram + b];
  CHECK(retried >= items);
  CHECK(counts[counter::max_attempts] >= 1);
  CHECK_EQ(report.statistics[counter::stopped], 0u);
  CHECK_EQ(report.statistics[counter::attempts_exhausted], 0u);
  return report;
}

/// Runs under a policy that may livelock: attempts are bounded; what does not finish is said, and no word stays claimed
/// either way. Under one that promises an end every item must finish.
template <class Policy = stm::priority_rule, class Region>
region_report tries(const Region& region, std::uint32_t items, region_options options,
                    std::initializer_list<const object_array*> objects) {
  if constexpr (is_live<Policy>) return finishes<Policy>(region, items, options, objects);
  magpie::host::simulated().max_steps = plenty_of_steps;
  options.max_attempts = 60;
  region_report report;
  try {
    report = magpie::host::run_region<Policy>(region, items, options);
  } catch (const std::exception& error) {
    fail(__FILE__, __LINE__, error.what());
  }
  CHECK(!report.timed_out);
  CHECK_EQ(report.unfinished.size(), report.statistics[counter::attempts_exhausted]);
  for (const object_array* each : objects) CHECK_EQ(each->claimed(), 0u);
  CHECK_EQ(report.statistics[counter::commits] + report.statistics[counter::cancels] + report.unfinished.size(), items);
  return report;
}

/// Calls `test(name, Policy{})` for the policies that promise no end to every item: the published rule, or in a build with
/// MAGPIE_TEST_COMPARISONS all others to compare with.
template <class Test>
void for_each_other_policy(Test&& test) {
#if defined(MAGPIE_TEST_COMPARISONS)
  test("pessimistic", stm::pessimistic{});
  test("pessimistic_in_place", stm::pessimistic_in_place{});
  test("coarse_lock", stm::coarse_lock{});
  test("invisible_reads", stm::invisible_reads{});
  test("invisible_reads_in_place", stm::invisible_reads_in_place{});
  test("locks", stm::locks{});
  test("hierarchical", stm::hierarchical{});
  test("pr_stm", stm::pr_stm{});
  test("block_level", stm::block_level{});
  test("obstruction_free", stm::obstruction_free{});
  test("optimistic_hand_off", stm::optimistic_hand_off{});
#else
  test("priority_rule", stm::priority_rule{});
#endif
}

/// Whether this build looks at `hand_off`: that with the policies to compare with leaves it to the other.
#if defined(MAGPIE_TEST_COMPARISONS)
inline constexpr bool tests_hand_off = false;
#else
inline constexpr bool tests_hand_off = true;
#endif

/// What `use` is refused with.
inline std::string refusal(const std::function<void()>& use) {
  try {
    use();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace test
