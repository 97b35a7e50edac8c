// full flavors: sim
// build: -DMAGPIE_TEST_PLAIN
// full build(sim): -DMAGPIE_TEST_COMPARISONS
// Runs in rounds: what commits push runs once, in a later launch; nothing is lost by deferral; deferred items age.
#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::object_array;

/// What a run is tried with, by number.
host::rounds_options rounds_of(std::uint32_t number, std::uint32_t threads) {
  host::rounds_options options;
  static_cast<test::region_options&>(options) = test::options_of(number, threads);
  options.defer_losers = number / 3 % 2 != 0;
  if (number % 5 == 4) options.launch_items = 7;
  return options;
}

/// Runs until the worklist is empty; nothing may be left, and no word claimed. Others than hand_off may stall; then one
/// thread goes on.
template <class Policy, class Make>
std::vector<host::round_report> empties(Make&& make, host::worklist& work, host::rounds_options options,
                                        std::initializer_list<const object_array*> objects) {
  host::simulated().max_steps = test::plenty_of_steps;
  std::vector<host::round_report> rounds;
  host::rounds_report total;
  do {
    if (total.stalled) options.threads = 1;
    const std::size_t before = rounds.size();
    try {
      total = host::run_rounds<Policy>(make, work, options, [&](const host::round_report& each) {
        for (const object_array* array : objects) CHECK_EQ(array->claimed(), 0u);
        CHECK_EQ(work.carried(), each.deferred);
        CHECK_EQ(work.size(), each.deferred + each.pushed);
        rounds.push_back(each);
      });
    } catch (const std::exception& error) {
      test::fail(__FILE__, __LINE__, error.what());
    }
    CHECK(!total.timed_out);
    CHECK_EQ(total.rounds, rounds.size() - before);
  } while (total.stalled && !test::is_live<Policy> && options.threads != 1);
  CHECK(!total.stalled);
  CHECK_EQ(work.size(), 0u);
  return rounds;
}

template <class Body>
void under_both(const char* name, Body&& body) {
  const auto under = [&](const std::string& policy, auto rule) {
    test::run((std::string(name) + ", " + policy).c_str(), [&] { body(rule); });
  };
  if constexpr (test::tests_hand_off) under("hand_off", stm::hand_off{});
  test::for_each_other_policy(under);
}

/// Grows a tree of `nodes` nodes, node n's children being k n + 1 to k n + k. Each adds 1 to one of a few sums, and marks
/// itself; its parent must be marked. Every seventh cancels its first attempt's pushes by asking for another one.
template <std::uint32_t Children>
struct tree {
  stm::objects things;
  array<std::uint32_t> sums;
  array<std::uint32_t> runs;      // of each node
  array<std::uint32_t> attempts;  // of each node
  std::uint32_t* orphans;
  std::uint32_t* asked;  // how often to be deferred
  std::uint32_t nodes;
  static constexpr std::uint32_t max_objects = 2, max_writes = 3;
  static constexpr std::uint32_t max_pushes = Children;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t node) const {
    const std::uint32_t attempt = add_rlx_dev(&attempts[node], 1u);
    if (node > 0 && ld_rlx_dev(&runs[(node - 1) / Children]) != 1) red_add_rlx_dev(orphans, 1u);
    for (std::uint32_t child = Children * node + 1; child <= Children * node + Children; ++child) {
      if (child < nodes) tx.push(child);
    }
    const std::uint32_t a = node % things.count, b = (node * 7 + 1) % things.count;
    for (const std::uint32_t at : {a, b}) {
      const auto h = tx.open(things, at);
      std::uint32_t x;
      if (!tx.read(h, &sums[at], x) || !tx.write(h, &sums[at], x + 1)) return outcome::retry;
    }
    if (attempt == 0 && node % 7 == 3) return outcome::retry;
    if (attempt == 0 && node % 7 == 4) {
      red_add_rlx_dev(asked, 1u);
      return outcome::defer;
    }
    std::uint32_t n = 0;
    const auto h = tx.open(things, a);
    if (!tx.read(h, &runs[node], n) || !tx.write(h, &runs[node], n + 1)) return outcome::retry;
    return outcome::commit;
  }
};

template <class Policy, std::uint32_t Children>
void grow(std::uint32_t nodes, std::uint32_t n, const host::rounds_options& options) {
  object_array things(n);
  std::vector<std::uint32_t> sums(n, 0), runs(nodes, 0), attempts(nodes, 0), expected(n, 0);
  std::uint32_t orphans = 0, asked = 0;
  host::worklist work({0});
  const auto rounds = empties<Policy>(
      [&] {
        return tree<Children>{things.view<Policy>(),
                              {sums.data(), n},
                              {runs.data(), nodes},
                              {attempts.data(), nodes},
                              &orphans,
                              &asked,
                              nodes};
      },
      work, options, {&things});
  std::uint64_t pushed = 0, deferred = 0, ended = 0;
  for (const auto& round : rounds) {
    pushed += round.pushed;
    deferred += round.deferred;
    ended += round.items - round.deferred;
    CHECK_EQ(round.unfinished, 0u);
    if (std::is_same_v<Policy, stm::hand_off> && !round.statistics[test::counter::aborts_requested]) {
      CHECK(round.deferred < round.items);  // the oldest ends
    }
    CHECK_EQ(round.statistics[test::counter::commits], round.items - round.deferred);
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    CHECK_EQ(runs[node], 1u);
    ++expected[node % n];
    ++expected[(node * 7 + 1) % n];
  }
  CHECK_EQ(orphans, 0u);
  CHECK_EQ(pushed, nodes - 1);
  CHECK_EQ(ended, nodes);
  CHECK(deferred >= asked);
  if (!options.defer_losers && options.max_attempts == 0) CHECK_EQ(deferred, asked);
  CHECK(sums == expected);
}

/// Pushes in an inner transaction that is undone, in one that is not, and around them.
struct nested_pushes {
  stm::objects things;
  array<std::uint32_t> pushed;  // how often each item ran
  static constexpr std::uint32_t max_objects = 1, max_writes = 0, max_pushes = 3;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    add_rlx_dev(&pushed[item], 1u);
    if (item >= 10) return item % 10 == 7 ? outcome::cancel : outcome::commit;
    if (!tx.open(things, item % things.count)) return outcome::retry;
    tx.push(10 * item + 10);
    std::uint32_t attempt = 0;
    const outcome inner = tx.inner(3, [&](auto& in) {
      in.push(10 * item + 11);
      if (attempt++ < 2) {
        in.push(10 * item + 12);
        return outcome::retry;
      }
      return outcome::commit;
    });
    if (inner != outcome::commit) return outcome::retry;
    tx.push(10 * item + 17);
    return item % 2 == 0 ? outcome::commit : outcome::cancel;
  }
};

/// Commits when it was deferred `item % 4` times; every attempt's rank must be the first one's.
struct aging {
  stm::objects things;
  array<std::uint32_t> ranks, deferrals;
  std::uint32_t* wrong;
  static constexpr std::uint32_t max_objects = 1, max_writes = 0, max_pushes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (ranks[item] != 0 && ranks[item] != tx.rank()) red_add_rlx_dev(wrong, 1u);
    ranks[item] = tx.rank();
    if (!tx.open(things, item % things.count)) return outcome::retry;
    if (deferrals[item] < item % 4) {
      ++deferrals[item];
      return outcome::defer;
    }
    if (item + 100 < ranks.size()) tx.push(item + 100);
    return outcome::commit;
  }
};

/// Never ends by itself: `verdict` forever.
struct endless {
  outcome verdict;
  std::uint32_t* attempts;
  static constexpr std::uint32_t max_objects = 0, max_writes = 0, max_pushes = 0;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx&, std::uint32_t) const {
    add_rlx_dev(attempts, 1u);
    return verdict;
  }
};

/// Pushes one item too many.
struct overfull {
  static constexpr std::uint32_t max_objects = 0, max_writes = 0, max_pushes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t k = 0; k < 2 + item % 2; ++k) {
      if (item < 10 && !tx.push(item + 10)) return outcome::commit;  // of no consequence: the attempt has failed
    }
    return outcome::commit;
  }
};

/// Needs logs twice as large as its own, and pushes from there.
struct outgrown {
  stm::objects things;
  array<std::uint32_t> runs;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2, max_pushes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t k = 0; k < (item % 3 == 0 ? 4u : 1u); ++k) {
      const std::uint32_t at = (item + k) % things.count;
      const auto h = tx.open(things, at);
      std::uint32_t x;
      if (!tx.read(h, &runs[at], x) || !tx.write(h, &runs[at], x + 1)) return outcome::retry;
    }
    if (item < 40) tx.push(item + 40);
    return outcome::commit;
  }
};

/// Counts what its hooks hear.
struct watched {
  stm::objects things;
  array<std::uint32_t> sums;
  array<std::uint32_t> attempts, commits, roll_backs;  // per item
  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  using state = std::uint32_t;
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s = item + 1000;
    ++attempts[item];
    if (!tx.open(things, item % things.count)) return outcome::retry;
    return item % 5 == 0 ? outcome::cancel : item % 5 == 1 && attempts[item] < 3 ? outcome::retry : outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state&) const {
    std::uint32_t* const sum = &sums[item % things.count];
    tx.store({}, sum, tx.load({}, sum) + 1);
  }
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item, const state& s) const {
    if (s == item + 1000) ++commits[item];
  }
  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx&, std::uint32_t item, state& s) const {
    if (s == item + 1000) ++roll_backs[item];
  }
};

/// The same without a plan.
struct watched_body {
  array<std::uint32_t> attempts, commits, roll_backs;  // per item
  static constexpr std::uint32_t max_objects = 0, max_writes = 0;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx&, std::uint32_t item) const {
    ++attempts[item];
    return item % 5 == 0 ? outcome::cancel : item % 5 == 1 && attempts[item] < 3 ? outcome::defer : outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item) const {
    ++commits[item];
  }
  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx&, std::uint32_t item) const {
    ++roll_backs[item];
  }
};

void check_hooks(const std::vector<std::uint32_t>& attempts, const std::vector<std::uint32_t>& commits,
                 const std::vector<std::uint32_t>& roll_backs) {
  for (std::uint32_t item = 0; item < attempts.size(); ++item) {
    CHECK_EQ(commits[item], item % 5 == 0 ? 0u : 1u);
    CHECK_EQ(roll_backs[item], attempts[item] - commits[item]);
    if (item % 5 == 1) CHECK(attempts[item] >= 3);
  }
}

int main() {
  under_both("a tree", [](auto policy) {
    using rule = decltype(policy);
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled(16, 6), [&](std::uint32_t threads) {
      auto options = rounds_of(number++, threads);
      if constexpr (rule::tag != stm::hand_off::tag) options.max_attempts = 20;  // then they are deferred
      const std::uint32_t nodes = test::simulated ? 200 : test::scaled(20'000, 2'000);
      grow<rule, 3>(nodes, 4, options);
      grow<rule, 6>(nodes, 64, options);
    });
  });

  under_both("pushes of inner transactions", [](auto policy) {
    using rule = decltype(policy);
    test::for_each_setting(8, [&](std::uint32_t threads) {
      object_array things(16);
      std::vector<std::uint32_t> runs(120, 0);
      host::worklist work({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
      host::rounds_options options;
      options.threads = threads;
      const auto rounds = empties<rule>(
          [&] {
            return nested_pushes{things.view<rule>(), {runs.data(), runs.size()}};
          },
          work, options, {&things});
      CHECK_EQ(rounds.size(), 2u);
      CHECK_EQ(rounds[0].pushed, 15u);
      CHECK_EQ(rounds[1].statistics[test::counter::commits], 10u);
      for (std::uint32_t item = 10; item < 110; ++item) {
        const bool expected = (item / 10 - 1) % 2 == 0 && (item % 10 == 0 || item % 10 == 1 || item % 10 == 7);
        CHECK_EQ(runs[item], expected ? 1u : 0u);
      }
    });
  });

  under_both("deferred items age", [](auto policy) {
    using rule = decltype(policy);
    test::for_each_setting(8, [&](std::uint32_t threads) {
      const std::uint32_t items = 100, all = 400;
      object_array things(all);
      std::vector<std::uint32_t> ranks(all, 0), deferrals(all, 0), first(items);
      std::uint32_t wrong = 0;
      std::iota(first.begin(), first.end(), 0u);
      host::worklist work(first);
      host::rounds_options options;
      options.threads = threads;
      empties<rule>(
          [&] {
            return aging{things.view<rule>(), {ranks.data(), all}, {deferrals.data(), all}, &wrong};
          },
          work, options, {&things});
      CHECK_EQ(wrong, 0u);
      std::vector<std::uint32_t> sorted = ranks;
      std::sort(sorted.begin(), sorted.end());
      CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
      CHECK_EQ(sorted.back(), host::highest_rank);
      CHECK_EQ(sorted.front(), host::highest_rank - all + 1);
      for (std::uint32_t item = 0; item < all; ++item) {
        CHECK_EQ(deferrals[item], item % 4);
        if (item >= 100) CHECK(ranks[item] < ranks[item - 100]);
      }
    });
  });

  under_both("ranks handed out again", [](auto policy) {
    using rule = decltype(policy);
    test::for_each_setting(4, [&](std::uint32_t threads) {
      // The interval has room for the first items and a few more: it starts over almost every round.
      const std::uint32_t items = 100, all = 1000, first_rank = 130;
      object_array things(all);
      std::vector<std::uint32_t> ranks(all, 0), deferrals(all, 0), first(items);
      std::uint32_t changed = 0;
      std::iota(first.begin(), first.end(), 0u);
      host::worklist work(first);
      host::rounds_options options;
      options.threads = threads;
      options.first_rank = first_rank;
      std::vector<std::uint32_t> before;  // the deferred items by rank
      host::simulated().max_steps = test::plenty_of_steps;
      host::run_rounds<rule>(
          [&] {
            return aging{things.view<rule>(), {ranks.data(), all}, {deferrals.data(), all}, &changed};
          },
          work, options,
          [&](const host::round_report&) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> by_rank;
            for (std::uint32_t i = 0; i < work.carried(); ++i) by_rank.push_back({work.ranks()[i], work.items()[i]});
            std::sort(by_rank.begin(), by_rank.end());
            std::vector<std::uint32_t> now;
            for (const auto& [rank, item] : by_rank) {
              CHECK(rank > 0 && rank <= first_rank);
              now.push_back(item);
            }
            // Those deferred before as well are in the order that they had, above all others.
            std::size_t at = 0;
            for (const std::uint32_t item : before) {
              const auto found = std::find(now.begin(), now.end(), item);
              if (found == now.end()) continue;
              CHECK(found - now.begin() >= static_cast<std::ptrdiff_t>(at));
              at = found - now.begin();
            }
            before = now;
          });
      CHECK_EQ(work.size(), 0u);
      CHECK(changed > 0);
      for (std::uint32_t item = 0; item < all; ++item) CHECK_EQ(deferrals[item], item % 4);
    });
  });

  under_both("logs that grow", [](auto policy) {
    using rule = decltype(policy);
    std::uint32_t number = 0;
    test::for_each_setting(8, [&](std::uint32_t threads) {
      const std::uint32_t n = 9;
      object_array things(n);
      std::vector<std::uint32_t> runs(n, 0), first(40), expected(n, 0);
      std::iota(first.begin(), first.end(), 0u);
      host::worklist work(first);
      auto options = rounds_of(number++, threads);
      options.scratch_bytes = 1 << 20;
      if constexpr (rule::tag != stm::hand_off::tag) options.max_attempts = 20;
      empties<rule>([&] { return outgrown{things.view<rule>(), {runs.data(), n}}; }, work, options, {&things});
      for (std::uint32_t item = 0; item < 80; ++item) {
        for (std::uint32_t k = 0; k < (item % 3 == 0 ? 4u : 1u); ++k) ++expected[(item + k) % n];
      }
      CHECK(runs == expected);
    });
  });

  test::run("too many pushes", [] {
    test::for_each_setting(4, [&](std::uint32_t threads) {
      host::worklist work({0, 1, 2, 3});
      host::rounds_options options;
      options.threads = threads;
      options.scratch_bytes = 4096;
      const auto report = host::run_rounds<stm::hand_off>([] { return overfull{}; }, work, options);
      std::vector<std::uint32_t> unfinished = report.unfinished;
      std::sort(unfinished.begin(), unfinished.end());
      CHECK(unfinished == (std::vector<std::uint32_t>{1, 3}));
      CHECK_EQ(report.rounds, 2u);
      CHECK_EQ(report.statistics[test::counter::pushed], 4u);
      CHECK_EQ(report.statistics[test::counter::too_many_pushes], 2u);
      CHECK_EQ(report.statistics[test::counter::overflows], 0u);
      CHECK_EQ(report.statistics[test::counter::retries_histogram],
               8u);  // larger logs would not help: one attempt each
      CHECK_EQ(work.size(), 0u);
    });
  });

  test::run("no end", [] {
    test::for_each_setting(4, [&](std::uint32_t threads) {
      std::uint32_t attempts = 0;
      host::worklist work({5, 6, 7});
      host::rounds_options options;
      options.threads = threads;
      options.idle_rounds = 2;
      auto report = host::run_rounds<stm::hand_off>([&] { return endless{outcome::defer, &attempts}; }, work, options);
      CHECK(report.stalled);
      CHECK_EQ(report.rounds, 2u);
      CHECK_EQ(attempts, 6u);
      CHECK_EQ(work.carried(), 3u);
      options.max_rounds = 1;
      report = host::run_rounds<stm::hand_off>([&] { return endless{outcome::defer, &attempts}; }, work, options);
      CHECK(!report.stalled);
      CHECK_EQ(attempts, 9u);
      options.max_attempts = 4;
      report = host::run_rounds<stm::hand_off>([&] { return endless{outcome::retry, &attempts}; }, work, options);
      CHECK_EQ(attempts, 21u);
      options.defer_losers = true;
      report = host::run_rounds<stm::hand_off>([&] { return endless{outcome::retry, &attempts}; }, work, options);
      CHECK_EQ(attempts, 24u);
      auto items = work.items();
      std::sort(items.begin(), items.end());
      CHECK(items == (std::vector<std::uint32_t>{5, 6, 7}));
      report = host::run_rounds<stm::hand_off>([&] { return endless{outcome::cancel, &attempts}; }, work, options);
      CHECK_EQ(work.size(), 0u);
      CHECK_EQ(report.statistics[test::counter::deferred], 0u);
      CHECK_EQ(report.statistics[test::counter::cancels], 3u);
      // Outside of rounds there is no next launch.
      attempts = 0;
      test::region_options alone;
      alone.threads = threads;
      alone.max_attempts = 3;
      const auto single = host::run_region<stm::hand_off>(endless{outcome::defer, &attempts}, 2, alone);
      CHECK_EQ(attempts, 6u);
      CHECK_EQ(single.unfinished.size(), 2u);
      CHECK_EQ(single.statistics[test::counter::attempts_exhausted], 2u);
    });
  });

  if (!test::simulated) {
    test::run("the watchdog", [] {
      for (const std::uint32_t launch_items : {100u, 2u}) {
        std::uint32_t attempts = 0;
        host::worklist work({1, 2, 3, 4, 5});
        host::rounds_options options;
        options.threads = 3;
        options.launch_items = launch_items;
        options.timeout = std::chrono::milliseconds(20);
        const auto report = host::run_rounds<stm::hand_off>(
            [&] {
              return endless{outcome::retry, &attempts};
            },
            work, options);
        CHECK(report.timed_out);
        CHECK_EQ(report.rounds, 1u);
        CHECK(report.unfinished.empty());
        auto items = work.items();
        std::sort(items.begin(), items.end());
        CHECK(items == (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
      }
    });
  }

  under_both("hooks", [](auto policy) {
    using rule = decltype(policy);
    if constexpr (!stm::runs_under<watched, rule>) {
      CHECK(rule::has_descriptors || rule::writes_in_place);
    } else {
      test::for_each_setting(8, [&](std::uint32_t threads) {
        const std::uint32_t n = 6, items = 100;
        object_array things(n);
        std::vector<std::uint32_t> sums(n, 0), attempts(items, 0), commits(items, 0), roll_backs(items, 0);
        test::region_options options;
        options.threads = threads;
        options.back_off = 2000;
        host::simulated().max_steps = test::plenty_of_steps;
        const auto report = host::run_region<rule>(watched{things.view<rule>(),
                                                           {sums.data(), n},
                                                           {attempts.data(), items},
                                                           {commits.data(), items},
                                                           {roll_backs.data(), items}},
                                                   items, options);
        CHECK(report.unfinished.empty());
        check_hooks(attempts, commits, roll_backs);
        attempts.assign(items, 0);
        commits.assign(items, 0);
        roll_backs.assign(items, 0);
        host::run_region<rule>(
            watched_body{{attempts.data(), items}, {commits.data(), items}, {roll_backs.data(), items}}, items,
            options);
        check_hooks(attempts, commits, roll_backs);
      });
    }
  });
  return test::finish();
}
