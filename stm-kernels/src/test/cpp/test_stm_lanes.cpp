// flavors: cpu sim
// full flavors: cpu
/// @file
/// The retry loop's choice of lanes: items that wait for older ones end under every limit, and the limit holds. And its pauses.
#include <algorithm>
#include <optional>
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
  std::vector<std::uint32_t>* limits;    // after each round
  std::vector<std::uint32_t>* patience;  // the same

  void operator()(const magpie::thread& self) const {
    magpie::stm::warp_pressure pressure(self, 0, true);
    for (const std::uint32_t lost_of_8 : *losses) {
      const bool tried = self.lane() < pressure.lanes();
      const bool lost = tried && self.lane() * 8 < pressure.lanes() * lost_of_8;
      pressure.observe(self, tried, lost);
      if (self.lane() != 0) continue;
      limits->push_back(pressure.lanes());
      patience->push_back(pressure.patience());
    }
  }
};

struct adapted {
  std::vector<std::uint32_t> limits;
  std::vector<std::uint32_t> patience;
};

adapted adapt_to(const std::vector<std::uint32_t>& losses) {
  magpie::host::simulated() = {};
  magpie::host::simulated().width = 32;
  adapted after;
  magpie::host::run(limit_under_losses{&losses, &after.limits, &after.patience}, 32);
  return after;
}

std::vector<std::uint32_t> limits_under(const std::vector<std::uint32_t>& losses) { return adapt_to(losses).limits; }

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

using magpie::stm::control;

/// A launch with this `back_off`, where the first 16 attempts of an item may be eager.
template <class Policy>
control launch_with(std::uint32_t back_off) {
  control launch{};
  launch.back_off = back_off;
  launch.eager_attempts = Policy::has_eager_attempts ? 16 : 0;
  return launch;
}

/// The longest pause after so many attempts of an item whose first 16 are eager.
template <class Policy>
std::uint32_t longest_after(std::uint32_t attempts, std::uint32_t back_off, std::uint32_t patience = 0) {
  struct not_asked {};
  return magpie::stm::longest_pause<increment, Policy>(launch_with<Policy>(back_off), not_asked{}, attempts, patience);
}

/// Every item asks 20 times to be tried again; `pauses` has the longest pause after each of these attempts.
template <bool Irrevocable>
struct asks_again {
  magpie::stm::objects things;  // one for each item
  magpie::array<std::uint32_t> tries;
  magpie::array<std::uint32_t> pauses;

  static constexpr std::uint32_t most_tries = 20;
  static constexpr std::uint32_t max_objects = 1;
  static constexpr std::uint32_t max_writes = 0;
  static constexpr bool irrevocable = Irrevocable;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto thing = tx.open(things, item);
    return thing && tries[item] == most_tries ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  void rolled_back(Tx& tx, std::uint32_t item) const {
    const control launch = launch_with<magpie::stm::hand_off>(4096 | control::policys_back_off);
    const std::uint32_t lost = tries[item]++;
    pauses[item * most_tries + lost] =
        magpie::stm::longest_pause<asks_again, magpie::stm::hand_off>(launch, tx, lost + 1, 0);
  }
};

/// The longest pauses of each of some items.
template <bool Irrevocable>
std::vector<std::vector<std::uint32_t>> pauses_of(std::uint32_t items) {
  using region = asks_again<Irrevocable>;
  magpie::host::object_array things(items);
  magpie::host::buffer<std::uint32_t> tries(items, 0), pauses(items * region::most_tries, 0);
  test::region_options options;
  options.threads = 4;
  test::finishes(region{things.view<magpie::stm::hand_off>(), tries.view(), pauses.view()}, items, options, {&things});
  const auto all = pauses.get();
  std::vector<std::vector<std::uint32_t>> by_item;
  for (std::uint32_t i = 0; i < items; ++i) {
    const auto first = all.begin() + i * region::most_tries;
    by_item.emplace_back(first, first + region::most_tries);
  }
  return by_item;
}

#if defined(MAGPIE_MACHINE_SIM)
/// Item 0 asks 40 times to be tried again, others 6 times. Counts attempts that lost among their item's first 15, by whether
/// they were eager, and those of them whose pauses are not as they should.
struct seeks_again {
  magpie::stm::objects things;  // one for each item
  magpie::array<std::uint32_t> tries;
  magpie::array<std::uint32_t> lost;
  magpie::array<std::uint32_t> wrong;

  static constexpr std::uint32_t max_objects = 1;
  static constexpr std::uint32_t max_writes = 0;
  struct state {};

  void seek(const magpie::lane_group&, std::uint32_t, std::uint32_t, state&) const {}
  template <class Tx>
  outcome plan(Tx& tx, std::uint32_t item, state&) const {
    const auto thing = tx.open(things, item);
    return thing && tries[item] == (item == 0 ? 40 : 6) ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  void apply(Tx&, const magpie::lane_group&, std::uint32_t, const state&) const {}
  template <class Tx>
  void rolled_back(Tx& tx, std::uint32_t item, state&) const {
    const std::uint32_t attempts = ++tries[item];
    if (attempts > 15) return;
    const control launch = launch_with<magpie::stm::hand_off>(4096 | control::policys_back_off);
    const std::uint32_t longest =
        magpie::stm::longest_pause<seeks_again, magpie::stm::hand_off>(launch, tx, attempts, 0);
    const std::uint32_t grown = std::min(32u << attempts, 4096u);
    magpie::add_rlx_dev(&lost[tx.is_eager()], 1u);
    if (longest != (tx.is_eager() ? std::min(grown, 256u) : grown)) magpie::add_rlx_dev(&wrong[tx.is_eager()], 1u);
  }
};
#endif

/// Notes what its launch has for `back_off`. Has no items of its own.
struct notes_back_off {
  magpie::array<std::uint32_t> noted;

  static constexpr std::uint32_t max_objects = 1;
  static constexpr std::uint32_t max_writes = 0;
  struct stage {
    bool ran;
  };

  bool next(const magpie::thread& self, const control& launch, stage& at, std::uint64_t& items) const {
    if (at.ran) return false;
    at.ran = true;
    items = launch.items;
    if (self.rank() == 0) noted[0] = launch.back_off;
    return true;
  }
  template <class Tx>
  outcome operator()(Tx&, std::uint32_t) const {
    return outcome::commit;
  }
};

template <class Policy>
std::uint32_t back_off_of(std::optional<std::uint32_t> asked, bool is_linear) {
  magpie::host::buffer<std::uint32_t> noted(1, 0);
  test::region_options options;
  options.threads = 1;
  options.back_off = asked;
  options.linear_back_off = is_linear;
  magpie::host::run_region<Policy>(notes_back_off{noted.view()}, 1, options);
  return noted.get()[0];
}

}  // namespace

int main() {
  constexpr bool is_bounded = !magpie::scalar_warps;
  test::run("pauses, short before eager attempts", [] {
    using magpie::stm::hand_off;
    using magpie::stm::priority_rule;
    constexpr std::uint32_t linear = control::linear_back_off;
    constexpr std::uint32_t policys = control::policys_back_off;
    // They double from 64 on. Those from one eager attempt to the next stop at 256, except on processors.
    CHECK_EQ(longest_after<hand_off>(1, 4096 | policys), 64u);
    CHECK_EQ(longest_after<hand_off>(3, 4096 | policys), 256u);
    CHECK_EQ(longest_after<hand_off>(4, 4096 | policys), is_bounded ? 256u : 512u);
    CHECK_EQ(longest_after<hand_off>(15, 4096 | policys, 2), is_bounded ? 256u : 16384u);
    CHECK_EQ(longest_after<hand_off>(15, 100 | policys), 100u);
    CHECK_EQ(longest_after<hand_off>(16, 4096 | policys), 4096u);
    CHECK_EQ(longest_after<hand_off>(16, 4096 | policys, 2), 16384u);
    CHECK_EQ(longest_after<hand_off>(1000, 4096 | policys), 4096u);
    CHECK_EQ(longest_after<priority_rule>(7, 4096 | policys), 4096u);
    // Or grow by 32.
    CHECK_EQ(longest_after<hand_off>(7, 4096 | linear | policys), 224u);
    CHECK_EQ(longest_after<hand_off>(15, 4096 | linear | policys), is_bounded ? 256u : 480u);
    CHECK_EQ(longest_after<hand_off>(17, 4096 | linear | policys), 544u);
    // Those that a launch asks for are kept.
    CHECK_EQ(longest_after<hand_off>(4, 4096), 512u);
    CHECK_EQ(longest_after<hand_off>(15, 4096, 2), 16384u);
    CHECK_EQ(longest_after<hand_off>(15, 4096 | linear), 480u);
    CHECK_EQ(longest_after<hand_off>(20, control::longest_back_off, 2), 32u << 20);
  });
  test::run("pauses that are asked for, and those of the policy", [] {
    using magpie::stm::hand_off;
    constexpr std::uint32_t linear = control::linear_back_off;
    constexpr std::uint32_t policys = control::policys_back_off;
    CHECK_EQ(back_off_of<hand_off>(std::nullopt, false), 4096 | policys);
    CHECK_EQ(back_off_of<hand_off>(std::nullopt, true), 4096 | linear | policys);
    CHECK_EQ(back_off_of<hand_off>(0, false), 0u);
    CHECK_EQ(back_off_of<hand_off>(4096, false), 4096u);
    CHECK_EQ(back_off_of<hand_off>(4096, true), 4096 | linear);
    CHECK_EQ(back_off_of<hand_off>(~0u, false), control::longest_back_off);
    CHECK_EQ(back_off_of<magpie::stm::priority_rule>(std::nullopt, false), policys);
  });
  test::run("pauses of an irrevocable region, which has no eager attempts, and of another", [] {
    for (const auto& each : pauses_of<false>(9)) {
      CHECK_EQ(each[1], 128u);
      CHECK_EQ(each[14], is_bounded ? 256u : 4096u);
      CHECK_EQ(each[15], 4096u);
    }
    for (const auto& each : pauses_of<true>(9)) {
      CHECK_EQ(each[1], 128u);
      CHECK_EQ(each[6], 4096u);
      CHECK_EQ(each[14], 4096u);
    }
  });
#if defined(MAGPIE_MACHINE_SIM)
  test::run("pauses of a warp that seeks, where an item claims", [] {
    constexpr std::uint32_t items = 40;
    magpie::host::simulated() = {};
    magpie::host::simulated().width = 4;
    magpie::host::object_array things(items);
    magpie::host::buffer<std::uint32_t> tries(items, 0), lost(2, 0), wrong(2, 0);
    test::region_options options;
    options.threads = 4;
    options.lanes = 4;
    test::finishes(seeks_again{things.view<magpie::stm::hand_off>(), tries.view(), lost.view(), wrong.view()}, items,
                   options, {&things});
    CHECK(lost.get()[0] > 0 && lost.get()[1] > 0);
    CHECK(wrong.get() == std::vector<std::uint32_t>({0, 0}));
  });
#endif
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
  test::run("a warp of one lane that still loses pauses longer, and comes back at once", [] {
    // The window of one lane is 4 rounds.
    std::vector<std::uint32_t> losses = {8, 8, 8, 8, 8, 8};
    losses.insert(losses.end(), 12, 8);
    losses.insert(losses.end(), 4, 0);
    const adapted after = adapt_to(losses);
    CHECK_EQ(after.limits[losses.size() - 5], 1u);
    CHECK_EQ(after.patience[losses.size() - 5], 2u);
    CHECK_EQ(*std::max_element(after.patience.begin(), after.patience.end()), 2u);
    CHECK_EQ(after.limits.back(), 4u);
    CHECK_EQ(after.patience.back(), 0u);
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
