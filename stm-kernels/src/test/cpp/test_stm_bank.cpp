// build(cpu cpu-asan sim-asan cpu-tsan): -DMAGPIE_TEST_PLAIN
// full build(sim): -DMAGPIE_TEST_PLAIN
// full build(cpu sim cpu-tsan): -DMAGPIE_TEST_COMPARISONS
// Transfers between accounts: totals and every single balance are those of the items that committed.
#include "stm_test.hpp"

using namespace magpie;
using test::object_array;

/// Moves amount[item] if the account has it, and notes in the same transaction that it did.
struct transfer {
  stm::objects accounts;
  array<std::int32_t> balance;
  array<const std::uint32_t> from, to;
  array<const std::int32_t> amount;
  array<std::int64_t> moved;  // per item: belongs to account from[item]
  static constexpr std::uint32_t max_objects = 2, max_writes = 3;
  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t f = from[item], t = to[item];
    const auto a = tx.open(accounts, f);
    const auto b = tx.open(accounts, t);
    std::int32_t x, y;
    if (!a || !b || !tx.read(a, &balance[f], x) || !tx.read(b, &balance[t], y)) return stm::outcome::retry;
    if (x < amount[item]) return stm::outcome::cancel;
    if (!tx.write(a, &balance[f], x - amount[item]) || !tx.write(b, &balance[t], y + amount[item]) ||
        !tx.write(a, &moved[item], std::int64_t{1} << 40)) {
      return stm::outcome::retry;
    }
    return stm::outcome::commit;
  }
};

struct bank {
  std::uint32_t n, items;
  std::vector<std::uint32_t> from, to;
  std::vector<std::int32_t> amount, balance;
  std::vector<std::int64_t> moved;
  object_array accounts;

  bank(std::uint32_t accounts_, std::uint32_t items_, std::uint64_t seed)
      : n(accounts_), items(items_), from(items_), to(items_), amount(items_), accounts(accounts_) {
    test::random draw(seed);
    for (std::uint32_t i = 0; i < items; ++i) {
      from[i] = draw.below(n);
      to[i] = (from[i] + 1 + draw.below(n - 1)) % n;
      amount[i] = static_cast<std::int32_t>(draw.below(60));
    }
    reset();
  }
  void reset() {
    balance.assign(n, 100);
    moved.assign(items, 0);
  }
  template <class Policy>
  transfer region() {
    return {accounts.view<Policy>(), {balance.data(), n},    {from.data(), items},
            {to.data(), items},      {amount.data(), items}, {moved.data(), items}};
  }
  /// Gives the number of commits.
  std::uint64_t check(const test::region_report& report) const {
    std::vector<std::int32_t> expected(n, 100);
    std::uint64_t commits = 0;
    for (std::uint32_t i = 0; i < items; ++i) {
      CHECK(moved[i] == 0 || moved[i] == std::int64_t{1} << 40);
      if (moved[i] == 0) continue;
      ++commits;
      expected[from[i]] -= amount[i];
      expected[to[i]] += amount[i];
    }
    for (std::uint32_t a = 0; a < n; ++a) {
      CHECK_EQ(balance[a], expected[a]);
      CHECK(balance[a] >= 0);
    }
    for (const std::uint32_t position : report.unfinished) CHECK_EQ(moved[position], 0);
    CHECK_EQ(report.statistics[test::counter::commits], commits);
    return commits;
  }
};

int main() {
  // Millions of transfers where threads are real and nothing slows them down.
  const std::uint32_t items = test::simulated ? test::scaled(300, 120) : test::scaled(1'000'000, 10'000);
  const std::uint32_t most = test::simulated || test::sanitized ? 1u << 14 : 1u << 20;
  for (const std::uint32_t accounts : {2u, 16u, 1024u, most}) {
    bank b(accounts, items, accounts);
    if constexpr (test::tests_hand_off) {
      test::run(("hand_off, " + std::to_string(accounts) + " accounts").c_str(), [&] {
        std::uint32_t number = 0;
        test::for_each_setting(test::scaled(16, 4), [&](std::uint32_t threads) {
          const auto options = test::options_of(number++, threads);
          b.reset();
          const auto report = test::finishes(b.region<stm::hand_off>(), items, options, {&b.accounts});
          CHECK(b.check(report) > 0);
        });
      });
    }
    test::for_each_other_policy([&]<class Policy>(const std::string& name, Policy) {
      test::run((name + ", " + std::to_string(accounts) + " accounts").c_str(), [&] {
        std::uint32_t number = 0;
        std::uint64_t commits = 0;  // of all settings: lanes in step that do not back off may lose every attempt
        test::for_each_setting(test::scaled(8, 2), [&](std::uint32_t threads) {
          const auto options = test::options_of(number++, threads);
          b.reset();
          commits += b.check(test::tries<Policy>(b.region<Policy>(), items, options, {&b.accounts}));
        });
        CHECK(commits > 0);
      });
    });
  }
  return test::finish();
}
