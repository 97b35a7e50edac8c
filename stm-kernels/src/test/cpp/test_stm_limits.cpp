// flavors: cpu sim cpu-asan
// full flavors: cpu
// build: -DMAGPIE_TEST_PLAIN
// full build(sim): -DMAGPIE_TEST_COMPARISONS
// Regions at their limits: transactions without accesses, objects opened again, claims lost in between, logs that are
// just large enough, ranks used again down to the last.
#include <algorithm>

#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::object_array;

template <class Make>
void under_both(const char* name, Make&& make) {
  const auto under = [&](const std::string& policy, auto rule) {
    test::run((std::string(name) + ", " + policy).c_str(), [&] { make(rule); });
  };
  if constexpr (test::tests_hand_off) under("hand_off", stm::hand_off{});
  test::for_each_other_policy(under);
}

/// Opens nothing: every third item commits, every third cancels, the others ask for one more attempt.
struct without_accesses {
  array<std::uint32_t> attempts;
  static constexpr std::uint32_t max_objects = 0, max_writes = 0;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx&, std::uint32_t item) const {
    const bool first = add_rlx_dev(&attempts[item], 1u) == 0;
    return item % 3 == 1 ? outcome::cancel : item % 3 == 2 && first ? outcome::retry : outcome::commit;
  }
};

/// Adds 1 under each of three objects. Two are opened again within an inner transaction, which opens the third and is
/// undone twice; one of them once more after it.
struct opened_again {
  stm::objects things;
  array<std::uint32_t> values;
  std::uint32_t* wrong;
  static constexpr std::uint32_t undone = 2;
  static constexpr std::uint32_t max_objects = 3, max_writes = 3;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t n = things.count, f = item % n, t = (item + 1) % n, other = (item + 2) % n;
    const auto a = tx.open(things, f);
    const auto b = tx.open(things, t);
    std::uint32_t x, y, z, attempt = 0;
    if (!tx.read(a, &values[f], x) || !tx.read(b, &values[t], y)) return outcome::retry;
    if (!tx.write(a, &values[f], x + 1)) return outcome::retry;
    const outcome inner = tx.inner(undone + 1, [&](auto& in) {
      const auto again = in.open(things, f);
      const auto last = in.open(things, t);
      const auto third = in.open(things, other);
      std::uint32_t seen;
      if (!in.read(again, &values[f], seen) || !in.read(third, &values[other], z)) return outcome::retry;
      const bool same = again.place == a.place && last.place == b.place && third.place == 2 && seen == x + 1;
      if (!same) red_add_rlx_dev(wrong, 1u);
      if (!in.write(last, &values[t], 1000u) || !in.write(third, &values[other], z + 1)) return outcome::retry;
      if (attempt++ < undone) return outcome::retry;
      return outcome::commit;
    });
    if (inner != outcome::commit) return outcome::retry;
    const auto reopened = tx.open(things, t);
    if (!tx.read(reopened, &values[t], z)) return outcome::retry;
    if (reopened.place != b.place || z != 1000u) red_add_rlx_dev(wrong, 1u);
    return tx.write(reopened, &values[t], y + 1) ? outcome::commit : outcome::retry;
  }
};

/// A thief takes the object between two opens of item 1's first attempt: the second open must give the old handle, take
/// nothing, and the attempt must fail. `log`: what was seen.
template <class Policy, stm::reads Reads>
struct robbed {
  struct seen {
    std::uint32_t attempts, same_place, word_kept, reads;
  };
  stm::objects things;
  array<std::uint32_t> values;
  seen* log;
  static constexpr std::uint32_t max_objects = 2, max_writes = 1;
  static constexpr stm::reads reads = Reads;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item == 0) return outcome::commit;
    const std::uint32_t thief = Policy::own(tx.rank() + 1);
    std::uint32_t x;
    if (++log->attempts == 2) {
      // Neither the failed attempt nor its roll-back touched the thief's claim. He gives it back.
      log->word_kept += cas_rlx_dev(things.words, thief, Policy::unclaimed) == thief ? 1u : 0u;
    }
    const auto first = tx.open(things, 0);
    if (log->attempts == 1) {
      if (cas_rlx_dev(things.words, Policy::own(tx.rank()), thief) != Policy::own(tx.rank())) return outcome::cancel;
      st_rlx_dev(&values[0], 7u);
    }
    const auto again = tx.open(things, 0);
    log->same_place += first && again && first.place == again.place ? 1u : 0u;
    if (log->attempts == 1) log->word_kept += ld_rlx_dev(things.words) == thief ? 1u : 0u;
    if (!tx.read(again, &values[0], x)) return outcome::commit;  // of no consequence: the attempt has failed
    ++log->reads;
    return tx.write(again, &values[0], x + 1) ? outcome::commit : outcome::retry;
  }
};

template <class Policy, stm::reads Reads>
void rob() {
  using region = robbed<Policy, Reads>;
  object_array things(2);
  std::vector<std::uint32_t> values(1, 5);
  typename region::seen log{};
  test::region_options options;
  options.threads = 1;
  options.eager_attempts = 0;  // what is locked is not lost
  host::simulated() = {};
  host::simulated().max_steps = test::plenty_of_steps;
  const auto report = host::run_region<Policy>(region{things.view<Policy>(), {values.data(), 1}, &log}, 2, options);
  CHECK(report.unfinished.empty());
  CHECK_EQ(log.attempts, 2u);
  CHECK_EQ(log.same_place, 2u);
  CHECK_EQ(log.word_kept, 2u);
  // A validated read must fail; another one may give any value, and the commit must fail.
  CHECK_EQ(log.reads, Reads == stm::reads::validated ? 1u : 2u);
  CHECK_EQ(values[0], 8u);
  CHECK_EQ(things.claimed(), 0u);
  CHECK_EQ(report.statistics[test::counter::commits], 2u);
}

/// Opens `objects` objects from its item's on and writes `writes` data, spread over them.
template <std::uint32_t Objects, std::uint32_t Writes>
struct sized {
  stm::objects things;
  array<std::uint32_t> values;  // `writes` of each object
  std::uint32_t objects, writes;
  static constexpr std::uint32_t max_objects = Objects, max_writes = Writes;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t n = things.count;
    for (std::uint32_t i = 0; i < objects; ++i) {
      if (!tx.open(things, (item + i) % n)) return outcome::retry;
    }
    for (std::uint32_t i = 0; i < writes; ++i) {
      const std::uint32_t at = (item + i % objects) % n;
      std::uint32_t* const p = &values[at * writes + i];
      const auto h = tx.open(things, at);
      std::uint32_t x;
      if (!tx.read(h, p, x) || !tx.write(h, p, x + 1) || !tx.write(h, p, x + 1)) return outcome::retry;
    }
    return outcome::commit;
  }
};

/// Runs items of that size; they must take `passes` passes, or, with 0, be reported as too large.
template <class Policy, std::uint32_t Objects, std::uint32_t Writes>
void fits(std::uint32_t objects, std::uint32_t writes, std::uint32_t passes, std::size_t scratch_bytes) {
  const std::uint32_t n = objects + 1, items = 3;
  object_array things(n);
  std::vector<std::uint32_t> values(n * writes, 0);
  using region = sized<Objects, Writes>;
  test::region_options options;
  options.threads = host::warp_width();
  options.scratch_bytes = scratch_bytes;
  host::simulated().max_steps = test::plenty_of_steps;
  const auto report = host::run_region<Policy>(
      region{things.view<Policy>(), {values.data(), values.size()}, objects, writes}, items, options);
  std::uint32_t sum = 0;
  for (const std::uint32_t value : values) sum += value;
  CHECK_EQ(things.claimed(), 0u);
  if (passes == 0) {
    CHECK_EQ(report.unfinished.size(), items);
    CHECK_EQ(report.statistics[test::counter::overflows], items);
    CHECK_EQ(sum, 0u);
  } else {
    CHECK(report.unfinished.empty());
    CHECK_EQ(report.statistics[test::counter::overflows], 0u);
    CHECK_EQ(report.passes, passes);
    CHECK_EQ(sum, items * writes);
  }
}

/// First logs of so many objects and writes, paged ones of 16 times and 256 times as many, and a tail of twice as many.
template <class Policy, std::uint32_t Objects, std::uint32_t Writes>
void limits() {
  const std::size_t plenty = std::size_t{4} << 20;
  const std::uint32_t o = Objects, w = Writes;
  fits<Policy, o, w>(o, w, 1, plenty);
  fits<Policy, o, w>(o + 1, w, 2, plenty);
  fits<Policy, o, w>(o, w + 1, 2, plenty);
  fits<Policy, o, w>(16 * o, 16 * w, 2, plenty);
  fits<Policy, o, w>(16 * o + 1, 16 * w, 3, plenty);
  fits<Policy, o, w>(16 * o, 16 * w + 1, 3, plenty);
  const std::size_t twice = 2 * (28 * o + 36 * w) + 15;
  fits<Policy, o, w>(2 * o, 2 * w, 2, twice);
  fits<Policy, o, w>(2 * o + 1, 2 * w, 0, twice);
  fits<Policy, o, w>(2 * o, 2 * w + 1, 0, twice);
}

/// Adds 1 under each of two objects.
struct pair_sum {
  stm::objects things;
  array<std::uint32_t> values;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t n = things.count, f = item % n, t = (item * 7 + 3) % n;
    for (const std::uint32_t at : {f, t}) {
      const auto h = tx.open(things, at);
      std::uint32_t x;
      if (!tx.read(h, &values[at], x) || !tx.write(h, &values[at], x + 1)) return outcome::retry;
    }
    return outcome::commit;
  }
};

/// Launches with the same ranks `first` to `first - items + 1`, one after the other; with `bounded` attempts where the
/// policy may livelock.
template <class Policy>
void same_ranks(std::uint32_t first, std::uint32_t items, std::uint32_t threads, bool bounded) {
  const std::uint32_t n = 5, launches = 3;
  object_array things(n);
  std::vector<std::uint32_t> values(n, 0), expected(n, 0);
  for (std::uint32_t launch = 0; launch < launches; ++launch) {
    std::vector<std::uint32_t> pending((items + 31) / 32, 0);
    std::vector<std::uint64_t> statistics(stm::counter::total, 0);
    stm::control control{};
    control.items = items;
    control.pending = pending.data();
    control.statistics = statistics.data();
    control.first_rank = first;
    control.polls = 8;
    control.give_way = launch % 2;
    control.back_off = 2000;
    if (bounded) control.max_attempts = 60;
    std::vector<std::uint64_t> scratch(
        ((threads + 31) / 32 * 32 * Policy::thread_bytes(pair_sum::max_objects, pair_sum::max_writes) +
         stm::datum_table::bytes) /
        8);
    control.scratch = reinterpret_cast<std::byte*>(scratch.data());
    if constexpr (Policy::has_descriptors) control.scratch += Policy::bytes_before_scratch;
    host::simulated().max_steps = test::plenty_of_steps;
    using kernel = stm::region_kernel<pair_sum, Policy, false>;
    host::run(kernel{control, {things.view<Policy>(), {values.data(), n}}}, threads);
    for (std::uint32_t item = 0; item < items; ++item) {
      if ((pending[item / 32] >> (item % 32) & 1u) != 0) continue;
      ++expected[item % n];
      ++expected[(item * 7 + 3) % n];
    }
    if (!bounded) CHECK_EQ(statistics[test::counter::commits], items);
    CHECK_EQ(statistics[test::counter::commits] + statistics[test::counter::attempts_exhausted], items);
    CHECK_EQ(things.claimed(), 0u);
    CHECK(values == expected);
  }
}

#if defined(MAGPIE_MACHINE_SIM)
/// Item 1 writes out of bounds between its two writes.
struct stumbles {
  stm::objects things;
  array<std::uint32_t> values;
  static constexpr std::uint32_t max_objects = 2, max_writes = 0;
  using state = std::uint32_t;
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state&) const {
    const bool both = tx.open(things, item) && tx.open(things, item + 1);
    return both ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state&) const {
    tx.store({}, &values[item], 10 + item);
    tx.store({}, &values[item == 1 ? things.count : item + 1], 20 + item);
  }
};
#endif

int main() {
#if defined(MAGPIE_MACHINE_SIM)
  under_both("a fault within a commit", [](auto policy) {
    if constexpr (!stm::runs_under<stumbles, decltype(policy)>) {
      CHECK(decltype(policy)::has_descriptors || decltype(policy)::writes_in_place);
    } else {
      host::simulated() = {0, 0, 1};
      host::simulated().max_steps = test::plenty_of_steps;
      object_array things(4);
      std::vector<std::uint32_t> values(4, 0);
      test::region_options options;
      options.threads = 1;
      bool fault = false;
      try {
        host::run_region<decltype(policy)>(stumbles{things.view<decltype(policy)>(), {values.data(), 4}}, 3, options);
      } catch (const std::exception& error) {
        fault = true;
        CHECK_CONTAINS(error.what(), "4");
      }
      CHECK(fault);
      CHECK(things.locked() == (std::vector<std::uint32_t>{1, 2}));
      CHECK_EQ(things.claimed(), 2u);
      CHECK(values == (std::vector<std::uint32_t>{10, 11, 0, 0}));  // object 1 is suspect, 0 and 3 are whole
    }
  });
#endif

  under_both("without accesses", [](auto policy) {
    test::for_each_setting(4, [&](std::uint32_t threads) {
      const std::uint32_t items = 90;
      std::vector<std::uint32_t> attempts(items, 0);
      host::simulated().max_steps = test::plenty_of_steps;
      const auto report = host::run_region<decltype(policy)>(without_accesses{{attempts.data(), items}}, items,
                                                             test::options_of(0, threads));
      CHECK(report.unfinished.empty());
      CHECK_EQ(report.passes, 1u);
      CHECK_EQ(report.statistics[test::counter::commits], 2 * items / 3);
      CHECK_EQ(report.statistics[test::counter::cancels], items / 3);
      CHECK_EQ(report.statistics[test::counter::aborts_requested], items / 3);
      CHECK_EQ(report.statistics[test::counter::objects_histogram], 2 * items / 3);
      for (std::uint32_t item = 0; item < items; ++item) CHECK_EQ(attempts[item], item % 3 == 2 ? 2u : 1u);
    });
  });

  under_both("opened again", [](auto policy) {
    test::for_each_setting(8, [&](std::uint32_t threads) {
      const std::uint32_t n = 9, items = test::simulated ? 60 : 2000;
      object_array things(n);
      std::vector<std::uint32_t> values(n, 0);
      std::uint32_t wrong = 0;
      const opened_again region{things.view<decltype(policy)>(), {values.data(), n}, &wrong};
      test::region_report report;
      if constexpr (std::is_same_v<decltype(policy), stm::hand_off>) {
        report = test::finishes(region, items, test::options_of(0, threads), {&things});
      } else {
        report = test::tries<decltype(policy)>(region, items, test::options_of(0, threads), {&things});
      }
      CHECK_EQ(wrong, 0u);
      std::vector<std::uint32_t> expected(n, 0);
      for (std::uint32_t item = 0; item < items; ++item) {
        if (std::find(report.unfinished.begin(), report.unfinished.end(), item) != report.unfinished.end()) continue;
        for (std::uint32_t k = 0; k < 3; ++k) ++expected[(item + k) % n];
      }
      CHECK(values == expected);
    });
  });

#if !defined(MAGPIE_TEST_COMPARISONS)  // where nothing is claimed, or larger logs hold less
  under_both("opened again after its claim was lost", [](auto policy) {
    rob<decltype(policy), stm::reads::validated>();
    rob<decltype(policy), stm::reads::unvalidated>();
  });

  under_both("logs that just hold what is needed", [](auto policy) {
#if defined(MAGPIE_MACHINE_SIM)
    for (const std::uint32_t width : {1u, 4u}) {
      host::simulated() = {0, 0, width};
      limits<decltype(policy), 3, 2>();
      limits<decltype(policy), 9, 5>();  // too many objects for a mask
    }
#else
    limits<decltype(policy), 3, 2>();
    limits<decltype(policy), 9, 5>();
#endif
  });

#endif

  under_both("the same ranks again", [](auto policy) {
    const bool bounded = !std::is_same_v<decltype(policy), stm::hand_off>;
    test::for_each_setting(8, [&](std::uint32_t threads) {
      const std::uint32_t items = test::simulated ? 64 : 2000;
      same_ranks<decltype(policy)>(items, items, threads, bounded);  // down to rank 1
      same_ranks<decltype(policy)>(1u << 30, items, threads, bounded);
      same_ranks<decltype(policy)>(0x7fffffffu, items, threads, bounded);
    });
  });
  return test::finish();
}
