// flavors: cpu sim cpu-tsan
// full flavors: cpu
// build: -DMAGPIE_TEST_PLAIN
// full build: -DMAGPIE_INDEX_ALL_LOGS
// full build(cpu sim cpu-tsan): -DMAGPIE_TEST_COMPARISONS
// A region never sees a mix of two states, not even in an attempt that will be rolled back.
#include "stm_test.hpp"

using namespace magpie;
using test::object_array;

/// Pairs (x, y) with x == y at every commit; odd items add to a pair, even ones look at it. What an attempt saw is
/// judged at once, in plain words, outside of the transaction.
template <stm::reads Reads>
struct pairs {
  stm::objects things;  // 2 for each pair
  array<std::int64_t> values;
  std::uint32_t n;
  std::uint32_t* looks;
  std::uint32_t* broken;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr stm::reads reads = Reads;
  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t first = item * 2654435761u % n * 2 + (item / 2) % 2, second = first ^ 1u;
    const auto a = tx.open(things, first);
    const auto b = tx.open(things, second);
    std::int64_t x, y;
    if (!a || !b || !tx.read(a, &values[first], x) || !tx.read(b, &values[second], y)) return stm::outcome::retry;
    red_add_rlx_dev(looks, 1u);
    if (x != y) red_add_rlx_dev(broken, 1u);
    if (item % 2 == 0) return stm::outcome::commit;
    if (!tx.write(a, &values[first], x + 1) || !tx.write(b, &values[second], y + 1)) return stm::outcome::retry;
    // It sees its own writes.
    std::int64_t again;
    if (!tx.read(b, &values[second], again)) return stm::outcome::retry;
    if (again != y + 1) red_add_rlx_dev(broken, 1u);
    return stm::outcome::commit;
  }
};

template <stm::reads Reads, class Policy>
std::uint32_t look(std::uint32_t n, std::uint32_t items, const test::region_options& options) {
  object_array things(2 * n);
  std::vector<std::int64_t> values(2 * n, -5);
  std::uint32_t looks = 0, broken = 0;
  const pairs<Reads> region{things.view<Policy>(), {values.data(), 2 * n}, n, &looks, &broken};
  test::region_report report;
  if constexpr (std::is_same_v<Policy, stm::hand_off>) {
    report = test::finishes(region, items, options, {&things});
  } else {
    report = test::tries<Policy>(region, items, options, {&things});
  }
  std::vector<std::int64_t> expected(n, -5);
  std::vector<bool> left_out(items, false);
  for (const std::uint32_t item : report.unfinished) left_out[item] = true;
  for (std::uint32_t item = 1; item < items; item += 2) {
    if (!left_out[item]) ++expected[item * 2654435761u % n];
  }
  for (std::uint32_t i = 0; i < 2 * n; ++i) CHECK_EQ(values[i], expected[i / 2]);  // serializable either way
  if (std::is_same_v<Policy, stm::hand_off>) CHECK(looks > 0);  // elsewhere threads in step may lose every attempt
  return broken;
}

int main() {
  const std::uint32_t items = test::simulated ? test::scaled(200, 80) : test::scaled(100'000, 5'000);
  std::uint32_t number = 0;
  for (const std::uint32_t n : {1u, 3u, 20u}) {
    if constexpr (test::tests_hand_off) {
      test::run(("validated, hand_off, " + std::to_string(n) + " pairs").c_str(), [&] {
        test::for_each_setting(test::scaled(16, 4), [&](std::uint32_t threads) {
          const auto broken = look<stm::reads::validated, stm::hand_off>(n, items, test::options_of(number++, threads));
          CHECK_EQ(broken, 0u);
        });
      });
    }
    test::for_each_other_policy([&]<class Policy>(const std::string& name, Policy) {
      test::run(("validated, " + name + ", " + std::to_string(n) + " pairs").c_str(), [&] {
        test::for_each_setting(test::scaled(16, 4), [&](std::uint32_t threads) {
          const auto broken = look<stm::reads::validated, Policy>(n, items, test::options_of(number++, threads));
          CHECK_EQ(broken, 0u);
        });
      });
    });
  }
#if defined(MAGPIE_TEST_COMPARISONS)
  test::for_each_other_policy([&]<class Policy>(const std::string& name, Policy) {
    test::run(("unvalidated, " + name).c_str(), [&] {
      test::for_each_setting(test::scaled(16, 4), [&](std::uint32_t threads) {
        look<stm::reads::unvalidated, Policy>(3, items, test::options_of(number++, threads));
      });
    });
  });
#endif
  // The opposite, so that the check above means something: without validation broken pairs are seen, and rolled back.
  if constexpr (test::tests_hand_off) {
    test::run("unvalidated", [&] {
      std::uint64_t broken = 0;
      test::for_each_setting(test::scaled(16, 8), [&](std::uint32_t threads) {
        broken += look<stm::reads::unvalidated, stm::hand_off>(3, items, test::options_of(number++, threads));
      });
      if (test::simulated) CHECK(broken > 0);
    });
  }
  return test::finish();
}
