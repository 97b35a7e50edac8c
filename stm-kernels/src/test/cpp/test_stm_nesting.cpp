// flavors: cpu sim
// build: -DMAGPIE_TEST_PLAIN
// build: -DMAGPIE_INDEX_ALL_LOGS
/// @file
/// Inner transactions inside inner transactions, and decisions that rest on what an undone one has read.
#include "stm_test.hpp"

namespace {

using magpie::stm::outcome;

/// In its first attempt the middle transaction's own inner one cancels and the middle one asks for another attempt; in
/// the second both go well. `insist`: the middle one commits although its inner one canceled.
struct undone_cancel {
  magpie::stm::objects guard;
  magpie::array<std::uint32_t> value;
  std::uint32_t insist;

  static constexpr std::uint32_t max_objects = 1;
  static constexpr std::uint32_t max_writes = 4;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t) const {
    const auto g = tx.open(guard, 0);
    std::uint32_t x;
    if (!tx.read(g, &value[0], x)) return outcome::retry;
    int turn = 0;
    return tx.inner(3, [&](auto& middle) {
      const bool first = turn++ == 0;
      const outcome innermost = middle.inner(1, [&](auto&) { return first ? outcome::cancel : outcome::commit; });
      if (innermost != outcome::commit && insist == 0) return outcome::retry;
      return middle.write(g, &value[0], x + 1) ? outcome::commit : outcome::retry;
    });
  }
};

/// Two values are equal in every state. Even items add 1 to both; odd items look at both, in an inner transaction,
/// and cancel if they differ, which therefore must never be.
template <magpie::stm::reads Reads>
struct equal_pair {
  magpie::stm::objects things;
  magpie::array<std::uint32_t> pair;

  static constexpr std::uint32_t max_objects = 3;
  static constexpr std::uint32_t max_writes = 2;
  static constexpr magpie::stm::reads reads = Reads;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t x;
    std::uint32_t y;
    if (item % 2 == 0) {
      const auto a = tx.open(things, 0);
      const auto b = tx.open(things, 1);
      if (!tx.read(a, &pair[0], x) || !tx.read(b, &pair[1], y)) return outcome::retry;
      if (!tx.write(a, &pair[0], x + 1) || !tx.write(b, &pair[1], x + 1)) return outcome::retry;
      return outcome::commit;
    }
    const auto own = tx.open(things, 2 + item);
    if (!own) return outcome::retry;
    return tx.inner(2, [&](auto& inner) {
      const auto a = inner.open(things, 0);
      const auto b = inner.open(things, 1);
      if (!inner.read(a, &pair[0], x) || !inner.read(b, &pair[1], y)) return outcome::retry;
      return x != y ? outcome::cancel : outcome::commit;
    });
  }
};

template <magpie::stm::reads Reads>
void never_unequal(std::uint32_t threads) {
  magpie::host::object_array things(32);
  magpie::host::buffer<std::uint32_t> pair(2, 0);
  test::region_options options;
  options.threads = threads;
  const auto report =
      test::finishes(equal_pair<Reads>{things.view<magpie::stm::hand_off>(), pair.view()}, 24, options, {&things});
  CHECK_EQ(report.statistics[magpie::stm::counter::cancels], 0u);
  CHECK_EQ(pair.get()[0], 12u);
  CHECK_EQ(pair.get()[1], 12u);
}

}  // namespace

int main() {
  test::run("an undone cancel cancels nothing", [] {
    test::for_each_setting(2, [](std::uint32_t threads) {
      magpie::host::object_array guard(1);
      magpie::host::buffer<std::uint32_t> value(1, 0);
      test::region_options options;
      options.threads = threads;
      test::finishes(undone_cancel{guard.view<magpie::stm::hand_off>(), value.view(), 0}, 5, options, {&guard});
      CHECK_EQ(value.get()[0], 5u);
    });
  });
  test::run("a cancel that stands cancels all", [] {
    test::for_each_setting(2, [](std::uint32_t threads) {
      magpie::host::object_array guard(1);
      magpie::host::buffer<std::uint32_t> value(1, 0);
      test::region_options options;
      options.threads = threads;
      const auto report =
          test::finishes(undone_cancel{guard.view<magpie::stm::hand_off>(), value.view(), 1}, 5, options, {&guard});
      CHECK_EQ(report.statistics[magpie::stm::counter::cancels], 5u);
      CHECK_EQ(value.get()[0], 0u);
    });
  });
  test::run("a cancel rests on one state", [] {
    test::for_each_setting(100, [](std::uint32_t threads) {
      never_unequal<magpie::stm::reads::unvalidated>(threads);
      never_unequal<magpie::stm::reads::validated>(threads);
    });
  });
  return test::finish();
}
