// flavors: cpu sim
// full flavors: cpu
/// @file
/// The retry loop's choice of lanes: items that wait for older ones end under every limit, and the limit holds. And its pauses.
#include <vector>

#include "stm_test.hpp"

namespace {

using magpie::stm::outcome;

/// Item i asks to be tried again until item i - 1, an older one, has committed.
struct chain {
  magpie::stm::objects links;
  magpie::array<std::uint32_t> done;

  static constexpr std::uint32_t max_objects = 2;
  static constexpr std::uint32_t max_writes = 1;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t before = 1;
    if (item > 0) {
      const auto previous = tx.open(links, item - 1);
      if (!tx.read(previous, &done[item - 1], before)) return outcome::retry;
    }
    if (before == 0) return outcome::retry;
    const auto own = tx.open(links, item);
    if (!tx.write(own, &done[item], 1)) return outcome::retry;
    return outcome::commit;
  }
};

/// Adds 1 to one counter that all items share.
struct increment {
  magpie::stm::objects guard;
  magpie::array<std::uint32_t> count;

  static constexpr std::uint32_t max_objects = 1;
  static constexpr std::uint32_t max_writes = 1;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t) const {
    const auto g = tx.open(guard, 0);
    std::uint32_t n;
    if (!tx.read(g, &count[0], n) || !tx.write(g, &count[0], n + 1)) return outcome::retry;
    return outcome::commit;
  }
};

#if defined(MAGPIE_MACHINE_SIM)
/// Counts how many transactions are in their bodies at once.
struct crowd {
  magpie::stm::objects things;  // one for each item
  std::uint32_t* inside;
  std::uint32_t* most;

  static constexpr std::uint32_t max_objects = 1;
  static constexpr std::uint32_t max_writes = 0;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t item) const {
    magpie::max_rlx_dev(most, magpie::add_rlx_dev(inside, 1u) + 1);
    const auto thing = tx.open(things, item);
    magpie::add_rlx_dev(inside, ~0u);
    return thing ? outcome::commit : outcome::retry;
  }
};

/// One warp: what becomes of its limit while `losses[round]` of 8 attempts are lost.
struct limit_under_losses {
  const std::vector<std::uint32_t>* losses;
  std::vector<std::uint32_t>* limits;  // after each round

  void operator()(const magpie::thread& self) const {
    magpie::stm::warp_pressure pressure(self, 0, true);
    for (const std::uint32_t lost_of_8 : *losses) {
      const bool tried = self.lane() < pressure.lanes();
      const bool lost = tried && self.lane() * 8 < pressure.lanes() * lost_of_8;
      pressure.observe(self, tried, lost);
      if (self.lane() == 0) limits->push_back(pressure.lanes());
    }
  }
};

std::vector<std::uint32_t> limits_under(const std::vector<std::uint32_t>& losses) {
  magpie::host::simulated() = {};
  magpie::host::simulated().width = 32;
  std::vector<std::uint32_t> limits;
  magpie::host::run(limit_under_losses{&losses, &limits}, 32);
  return limits;
}

/// The most at once in one warp of 4 lanes.
template <class Policy>
std::uint32_t most_at_once(std::uint32_t threads, std::uint32_t lanes) {
  magpie::host::simulated() = {};
  magpie::host::simulated().width = 4;
  constexpr std::uint32_t items = 40;
  magpie::host::object_array things(items);
  std::uint32_t inside = 0, most = 0;
  test::region_options options;
  options.threads = threads;
  options.lanes = lanes;
  test::tries<Policy>(crowd{things.view<Policy>(), &inside, &most}, items, options, {&things});
  return most;
}
#endif

/// The longest pause after so many attempts of an item whose first 16 are eager.
template <class Policy>
std::uint32_t longest_after(std::uint32_t attempts, std::uint32_t asked, std::uint32_t patience = 0) {
  magpie::stm::control launch{};
  launch.back_off = asked;
  launch.eager_attempts = Policy::has_eager_attempts ? 16 : 0;
  return magpie::stm::longest_pause<Policy>(launch, attempts, patience);
}

}  // namespace

int main() {
  test::run("pauses, short before eager attempts", [] {
    using magpie::stm::hand_off;
    using magpie::stm::priority_rule;
    constexpr std::uint32_t linear = magpie::stm::control::linear_back_off;
    // They double from 64 on. Those before eager attempts stop at 256, except on processors.
    constexpr bool is_bounded = !magpie::scalar_warps;
    CHECK_EQ(longest_after<hand_off>(1, 4096), 64u);
    CHECK_EQ(longest_after<hand_off>(3, 4096), 256u);
    CHECK_EQ(longest_after<hand_off>(4, 4096), is_bounded ? 256u : 512u);
    CHECK_EQ(longest_after<hand_off>(15, 4096, 2), is_bounded ? 256u : 16384u);
    CHECK_EQ(longest_after<hand_off>(15, 100), 100u);
    CHECK_EQ(longest_after<hand_off>(16, 4096), 4096u);
    CHECK_EQ(longest_after<hand_off>(16, 4096, 2), 16384u);
    CHECK_EQ(longest_after<hand_off>(1000, 4096), 4096u);
    CHECK_EQ(longest_after<priority_rule>(7, 4096), 4096u);
    // Or grow by 32.
    CHECK_EQ(longest_after<hand_off>(7, 4096 | linear), 224u);
    CHECK_EQ(longest_after<hand_off>(15, 4096 | linear), is_bounded ? 256u : 480u);
    CHECK_EQ(longest_after<hand_off>(17, 4096 | linear), 544u);
  });
#if defined(MAGPIE_MACHINE_SIM)
  test::run("lanes that a policy chooses", [] {
    for (const std::uint32_t threads : {4u, 3u, 2u}) {
      CHECK_EQ(most_at_once<magpie::stm::pessimistic>(threads, 0), threads);
      CHECK_EQ(most_at_once<magpie::stm::block_level>(threads, 0), 1u);
      CHECK_EQ(most_at_once<magpie::stm::block_level>(threads, 32), threads);
    }
  });
  test::run("a limit that follows the losses", [] {
    // All lost: half as many after each window, which is of 4 attempts at least. None lost: four times as many.
    CHECK(limits_under({8, 8, 8, 8, 8, 8, 0, 0, 0, 0, 0, 0}) ==
          (std::vector<std::uint32_t>{16, 8, 4, 2, 2, 1, 1, 1, 1, 4, 16, 32}));
    // Half of them lost is no reason to change; few lost are one to double.
    CHECK(limits_under({8, 4, 4, 4}) == (std::vector<std::uint32_t>{16, 16, 16, 16}));
    CHECK(limits_under({8, 8, 2, 2}) == (std::vector<std::uint32_t>{16, 8, 16, 32}));
  });
#endif
  constexpr std::uint32_t items = 64;
  for (const std::uint32_t lanes : {0u, 1u, 2u, 5u, 32u}) {
    test::run(("a chain of items, lanes " + std::to_string(lanes)).c_str(), [&] {
      test::for_each_setting(test::scaled(16, 6), [&](std::uint32_t threads) {
        magpie::host::object_array links(items);
        magpie::host::buffer<std::uint32_t> done(items, 0);
        test::region_options options;
        options.threads = threads;
        options.lanes = lanes;
        const chain region{links.view<magpie::stm::hand_off>(), done.view()};
        // Fewer lanes than items of a warp that wait for each other cannot end unless the oldest run first.
        test::finishes(region, items, options, {&links});
        for (const std::uint32_t each : done.get()) CHECK_EQ(each, 1u);
      });
    });
    test::run(("one hot counter, lanes " + std::to_string(lanes)).c_str(), [&] {
      test::for_each_setting(test::scaled(16, 6), [&](std::uint32_t threads) {
        magpie::host::object_array guard(1);
        magpie::host::buffer<std::uint32_t> count(1, 0);
        test::region_options options;
        options.threads = threads;
        options.lanes = lanes;
        test::finishes(increment{guard.view<magpie::stm::hand_off>(), count.view()}, 300, options, {&guard});
        CHECK_EQ(count.get()[0], 300u);
      });
    });
  }
  return test::finish();
}
