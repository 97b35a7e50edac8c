// flavors: cpu sim cpu-asan
// full flavors: sim
// build: -DMAGPIE_TEST_PLAIN
// full build(sim): -DMAGPIE_TEST_COMPARISONS
// What a region can do besides reading and writing: cancel, ask for another attempt, plan and apply, nest, open more
// than its log holds, write every type, be stopped; and what the report says of it.
#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::object_array;

/// Odd items cancel after writing: nothing of it may be seen.
struct cancel_odd {
  stm::objects things;
  array<std::int32_t> values;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t n = things.count, f = item % n, t = (item * 7 + 1) % n;
    const auto a = tx.open(things, f);
    const auto b = tx.open(things, t);
    std::int32_t x, y;
    if (!tx.read(a, &values[f], x) || !tx.write(a, &values[f], x - 1) || !tx.read(b, &values[t], y) ||
        !tx.write(b, &values[t], y + 1)) {
      return outcome::commit;  // of no consequence: the attempt has failed
    }
    return item % 2 != 0 ? outcome::cancel : outcome::commit;
  }
};

/// Asks for another attempt until a neighbor's word allows it.
struct ask_again {
  stm::objects things;
  array<std::int32_t> values;
  array<std::uint32_t> asked;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t id = item % things.count;
    const auto a = tx.open(things, id);
    std::int32_t x;
    if (!tx.read(a, &values[id], x) || !tx.write(a, &values[id], x + 1)) return outcome::retry;
    return add_rlx_dev(&asked[item], 1u) < item % 4 ? outcome::retry : outcome::commit;
  }
};

/// Notes which items were announced, and which of them had begun by then.
struct announced {
  stm::objects things;
  array<std::uint32_t> begun;
  array<std::uint32_t> told;
  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  MAGPIE_DEVICE void soon(std::uint32_t item) const {
    prefetch(&told[item]);
    add_rlx_dev(&told[item], ld_rlx_dev(&begun[item]) == 0 ? 1u : 100u);
  }
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (!tx.open(things, item % things.count)) return outcome::retry;
    st_rlx_dev(&begun[item], 1);
    return outcome::commit;
  }
};

/// Cautious form: rotates three values in place.
struct rotate {
  stm::objects things;
  array<std::int64_t> values;
  struct state {
    stm::handle handle[3];
    std::uint32_t id[3];
    std::int64_t value[3];
  };
  static constexpr std::uint32_t max_objects = 3, max_writes = 0;
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const std::uint32_t n = things.count;
    for (std::uint32_t k = 0; k < 3; ++k) {
      s.id[k] = (item * (k * 2 + 1) * 2654435761u >> 8) % n;
      s.handle[k] = tx.open(things, s.id[k]);
      if (!tx.read(s.handle[k], &values[s.id[k]], s.value[k])) return outcome::retry;
    }
    if (s.id[0] == s.id[1] || s.id[1] == s.id[2] || s.id[0] == s.id[2]) return outcome::cancel;
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    const std::int64_t first = tx.load(s.handle[0], &values[s.id[0]]);
    tx.store(s.handle[0], &values[s.id[0]], s.value[1]);
    tx.store(s.handle[1], &values[s.id[1]], s.value[2]);
    tx.store(s.handle[2], &values[s.id[2]], first);
  }
};

/// Outer: counts at a hub. Inner: moves one unit between two leaves; fails on purpose once, or gives up.
struct nested {
  stm::objects hubs, leaves;
  array<std::int32_t> hub_values, leaf_values;
  std::uint32_t give_up_every;  // 0 = never
  static constexpr std::uint32_t max_objects = 3, max_writes = 4;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t hub = item % hubs.count;
    const auto h = tx.open(hubs, hub);
    std::int32_t count;
    if (!tx.read(h, &hub_values[hub], count) || !tx.write(h, &hub_values[hub], count + 1)) return outcome::retry;
    std::uint32_t tries = 0;
    const outcome inner = tx.inner(3, [&](auto& inside) {
      const std::uint32_t f = (item + tries) % leaves.count, t = (f + 1 + item % (leaves.count - 1)) % leaves.count;
      const auto a = inside.open(leaves, f);
      const auto b = inside.open(leaves, t);
      std::int32_t x, y, seen;
      if (!inside.read(a, &leaf_values[f], x) || !inside.write(a, &leaf_values[f], x - 1)) return outcome::retry;
      if (!inside.read(h, &hub_values[hub], seen) || seen != count + 1) return outcome::retry;  // the outer's own write
      if (!inside.read(b, &leaf_values[t], y) || !inside.write(b, &leaf_values[t], y + 1)) return outcome::retry;
      if (give_up_every != 0 && item % give_up_every == 0) return outcome::cancel;
      return tries++ == 0 && item % 3 == 0 ? outcome::retry : outcome::commit;
    });
    return inner;
  }
};

/// Item i opens i mod 40 + 1 objects and adds 1 to each, though its first log holds two.
struct large {
  stm::objects things;
  array<std::int32_t> values;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static std::uint32_t size(std::uint32_t item) { return item % 40 + 1; }
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t k = 0; k < size(item); ++k) {
      const std::uint32_t id = (item * 13 + k * 3) % things.count;
      const auto a = tx.open(things, id);
      std::int32_t x;
      if (!tx.read(a, &values[id], x) || !tx.write(a, &values[id], x + 1)) return outcome::retry;
    }
    return outcome::commit;
  }
};

/// Every type; the same object twice; a datum written twice.
struct every_type {
  stm::objects things;
  std::int32_t* i32;
  std::uint32_t* u32;
  std::int64_t* i64;
  std::uint64_t* u64;
  float* f32;
  double* f64;
  std::uint32_t* wrong;
  static constexpr std::uint32_t max_objects = 1, max_writes = 6;
  template <class Tx, class T>
  static bool add(Tx& tx, stm::handle a, T* p) {
    T first, again;
    return tx.read(a, p, first) && tx.write(a, p, static_cast<T>(first - 1)) && tx.read(a, p, again) &&
           again == static_cast<T>(first - 1) && tx.write(a, p, static_cast<T>(first + 1));
  }
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t) const {
    const auto a = tx.open(things, 0);
    const auto b = tx.open(things, 0);
    if (a && b && a.place != b.place) add_rlx_dev(wrong, 1u);
    const bool done =
        add(tx, a, i32) && add(tx, b, u32) && add(tx, a, i64) && add(tx, b, u64) && add(tx, a, f32) && add(tx, b, f64);
    if (!done && !tx.failed()) add_rlx_dev(wrong, 1u);
    return outcome::commit;
  }
};

/// Never ready: only a bound or the watchdog ends it.
struct never_ready {
  stm::objects things;
  array<std::int32_t> values;
  std::uint32_t* stop_after;  // raises the watchdog's flag itself after so many attempts; null = never
  std::uint32_t* stop;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto a = tx.open(things, item % things.count);
    const auto b = tx.open(things, (item + 1) % things.count);
    std::int32_t x;
    if (!b || !tx.read(a, &values[item % things.count], x)) return outcome::retry;
    if (!tx.write(a, &values[item % things.count], x + 1)) return outcome::retry;
    if (stop_after != nullptr && add_rlx_dev(stop_after, ~0u) == 1u) st_rlx_dev(stop, 1u);
    return item % 8 == 0 ? outcome::commit : outcome::retry;
  }
};

/// Commits at once; item 0 raises the watchdog's flag.
struct raises_the_flag {
  stm::objects things;
  array<std::int32_t> values;
  std::uint32_t* stop;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(things, item);
    if (!tx.write(own, &values[item], 1)) return outcome::retry;
    if (item == 0) st_rlx_dev(stop, 1u);
    return outcome::commit;
  }
};

template <class Make>
void under_both(const char* name, std::uint32_t seeds, Make&& make) {
  std::uint32_t number = 0;
  const auto under = [&](const std::string& policy, auto rule) {
    test::run((std::string(name) + ", " + policy).c_str(), [&] {
      test::for_each_setting(seeds, [&](std::uint32_t threads) { make(rule, test::options_of(number++, threads)); });
    });
  };
  if constexpr (test::tests_hand_off) under("hand_off", stm::hand_off{});
  test::for_each_other_policy(under);
}

template <class Policy, class Region>
test::region_report run(Policy, const Region& region, std::uint32_t items, const test::region_options& options,
                        std::initializer_list<const object_array*> objects) {
  if constexpr (std::is_same_v<Policy, stm::hand_off>) {
    return test::finishes(region, items, options, objects);
  } else {
    return test::tries<Policy>(region, items, options, objects);
  }
}

std::vector<bool> done(std::uint32_t items, const test::region_report& report) {
  std::vector<bool> finished(items, true);
  for (const std::uint32_t item : report.unfinished) finished[item] = false;
  return finished;
}

int main() {
  const std::uint32_t items = test::simulated ? test::scaled(200, 96) : test::scaled(20'000, 2'000);
  const std::uint32_t seeds = test::tests_hand_off ? test::scaled(8, 2) : 3;

  under_both("cancel", seeds, [&](auto policy, const test::region_options& options) {
    const std::uint32_t n = 10;
    object_array things(n);
    std::vector<std::int32_t> values(n, 0), expected(n, 0);
    const cancel_odd region{things.view<decltype(policy)>(), {values.data(), n}};
    const auto report = run(policy, region, items, options, {&things});
    const auto finished = done(items, report);
    std::uint64_t canceled = 0;
    for (std::uint32_t item = 0; item < items; ++item) {
      if (!finished[item]) continue;
      if (item % 2 != 0) {
        ++canceled;
        continue;
      }
      expected[item % n] -= 1;
      expected[(item * 7 + 1) % n] += 1;
    }
    for (std::uint32_t i = 0; i < n; ++i) CHECK_EQ(values[i], expected[i]);
    CHECK_EQ(report.statistics[test::counter::cancels], canceled);
  });

  under_both("ask again", seeds, [&](auto policy, const test::region_options& options) {
    const std::uint32_t n = 50;
    object_array things(n);
    std::vector<std::int32_t> values(n, 0), expected(n, 0);
    std::vector<std::uint32_t> asked(items, 0);
    const ask_again region{things.view<decltype(policy)>(), {values.data(), n}, {asked.data(), items}};
    const auto report = run(policy, region, items, options, {&things});
    const auto finished = done(items, report);
    std::uint64_t requested = 0;
    for (std::uint32_t item = 0; item < items; ++item) {
      if (!finished[item]) continue;
      ++expected[item % n];
      CHECK(asked[item] > item % 4);
      requested += item % 4;
    }
    for (std::uint32_t i = 0; i < n; ++i) CHECK_EQ(values[i], expected[i]);
    CHECK(report.statistics[test::counter::aborts_requested] >= requested);
    CHECK(report.statistics[test::counter::max_attempts] >= 4);
  });

  under_both("plan and apply", seeds, [&](auto policy, const test::region_options& options) {
    if constexpr (!stm::runs_under<rotate, decltype(policy)>) {
      CHECK(decltype(policy)::has_descriptors || decltype(policy)::writes_in_place);
    } else {
      const std::uint32_t n = 12;
      object_array things(n);
      std::vector<std::int64_t> values(n);
      for (std::uint32_t i = 0; i < n; ++i) values[i] = std::int64_t{1} << (3 * i);
      const std::vector<std::int64_t> before = values;
      const rotate region{things.view<decltype(policy)>(), {values.data(), n}};
      run(policy, region, items, options, {&things});
      CHECK(values != before);
      std::vector<std::int64_t> sorted = values;
      std::sort(sorted.begin(), sorted.end());
      for (std::uint32_t i = 0; i < n; ++i) CHECK_EQ(sorted[i], before[i]);  // a permutation: nothing lost or doubled
    }
  });

  under_both("inner", seeds, [&](auto policy, test::region_options options) {
    for (const std::uint32_t give_up_every : {0u, 5u}) {
      object_array hubs(3), leaves(9);
      std::vector<std::int32_t> hub_values(3, 0), leaf_values(9, 0);
      const nested region{hubs.view<decltype(policy)>(),
                          leaves.view<decltype(policy)>(),
                          {hub_values.data(), 3},
                          {leaf_values.data(), 9},
                          give_up_every};
      const auto report = run(policy, region, items, options, {&hubs, &leaves});
      const auto finished = done(items, report);
      std::vector<std::int32_t> hub_expected(3, 0);
      std::uint64_t canceled = 0;
      for (std::uint32_t item = 0; item < items; ++item) {
        const bool gives_up = give_up_every != 0 && item % give_up_every == 0;
        if (finished[item] && gives_up) ++canceled;
        if (finished[item] && !gives_up) ++hub_expected[item % 3];
      }
      for (std::uint32_t i = 0; i < 3; ++i) CHECK_EQ(hub_values[i], hub_expected[i]);
      std::int32_t sum = 0;
      for (const std::int32_t value : leaf_values) sum += value;
      CHECK_EQ(sum, 0);
      CHECK_EQ(report.statistics[test::counter::cancels], canceled);
      CHECK(report.statistics[test::counter::inner_retries] > 0);
    }
  });

  under_both("larger logs", seeds, [&](auto policy, test::region_options options) {
    const std::uint32_t n = 200, wide_items = 80;
    object_array things(n);
    std::vector<std::int32_t> values(n, 0), expected(n, 0);
    const large region{things.view<decltype(policy)>(), {values.data(), n}};
    options.scratch_bytes = 1 << 20;
    const auto report = run(policy, region, wide_items, options, {&things});
    const auto finished = done(wide_items, report);
    for (std::uint32_t item = 0; item < wide_items; ++item) {
      for (std::uint32_t k = 0; finished[item] && k < large::size(item); ++k) ++expected[(item * 13 + k * 3) % n];
    }
    for (std::uint32_t i = 0; i < n; ++i) CHECK_EQ(values[i], expected[i]);
    CHECK(report.passes >= 2);
    CHECK_EQ(report.statistics[test::counter::overflows], 0u);
    std::uint64_t at_commit = 0;
    for (std::uint32_t b = 0; b < test::counter::buckets; ++b)
      at_commit += report.statistics[test::counter::objects_histogram + b];
    CHECK_EQ(at_commit, wide_items - report.unfinished.size());
    if (report.unfinished.empty()) CHECK_EQ(report.statistics[test::counter::objects_histogram + 6], 18u);  // 32 to 40
  });

  test::run("logs larger than the scratch memory", [&] {
    test::for_each_setting(2, [&](std::uint32_t threads) {
      const std::uint32_t n = 200, wide_items = 80;
      object_array things(n);
      std::vector<std::int32_t> values(n, 0), expected(n, 0);
      auto options = test::options_of(0, threads);
      const std::uint32_t most = 18;
      options.scratch_bytes = stm::paged_log_bytes(most, most);  // nine times the first log
      const auto report =
          host::run_region<stm::hand_off>(large{things.view<stm::hand_off>(), {values.data(), n}}, wide_items, options);
      std::vector<std::uint32_t> too_large;
      for (std::uint32_t item = 0; item < wide_items; ++item) {
        if (large::size(item) > most) too_large.push_back(item);
        for (std::uint32_t k = 0; large::size(item) <= most && k < large::size(item); ++k)
          ++expected[(item * 13 + k * 3) % n];
      }
      CHECK(report.unfinished == too_large);
      CHECK_EQ(report.statistics[test::counter::overflows], too_large.size());
      for (std::uint32_t i = 0; i < n; ++i) CHECK_EQ(values[i], expected[i]);
      CHECK_EQ(things.claimed(), 0u);
    });
  });

  under_both("every type", seeds, [&](auto policy, const test::region_options& options) {
    object_array things(1);
    std::int32_t i32 = -20;
    std::uint32_t u32 = 0xfffffff0u, wrong = 0;
    std::int64_t i64 = -(1ll << 40);
    std::uint64_t u64 = ~0ull - 3;
    float f32 = 0.5f;
    double f64 = 1e15;
    const std::uint32_t few = 60;
    const auto report =
        run(policy, every_type{things.view<decltype(policy)>(), &i32, &u32, &i64, &u64, &f32, &f64, &wrong}, few,
            options, {&things});
    const std::uint32_t n = few - static_cast<std::uint32_t>(report.unfinished.size());
    CHECK(n > 0);
    CHECK_EQ(wrong, 0u);
    CHECK_EQ(i32, -20 + static_cast<std::int32_t>(n));
    CHECK_EQ(u32, 0xfffffff0u + n);
    CHECK_EQ(i64, -(1ll << 40) + n);
    CHECK_EQ(u64, ~0ull - 3 + n);
    CHECK_EQ(f32, 0.5f + static_cast<float>(n));
    CHECK_EQ(f64, 1e15 + n);
  });

  under_both("bounded attempts", seeds, [&](auto policy, test::region_options options) {
    const std::uint32_t n = 7, few = 64;
    object_array things(n);
    std::vector<std::int32_t> values(n, 0);
    options.max_attempts = 5;
    const auto report = host::run_region<decltype(policy)>(
        never_ready{things.view<decltype(policy)>(), {values.data(), n}, nullptr, nullptr}, few, options);
    CHECK(report.unfinished.size() >= few - few / 8);
    CHECK_EQ(report.statistics[test::counter::attempts_exhausted], report.unfinished.size());
    CHECK_EQ(report.statistics[test::counter::max_attempts], 5u);
    CHECK_EQ(things.claimed(), 0u);
    std::int32_t sum = 0;
    for (const std::int32_t value : values) sum += value;
    CHECK_EQ(static_cast<std::size_t>(sum), few - report.unfinished.size());
  });

  test::run("the watchdog's flag", [&] {
    test::for_each_setting(seeds, [&](std::uint32_t threads) {
      // The region raises the flag itself, at a random moment of the schedule: everything must wind up.
      const std::uint32_t n = 5, few = 100;
      object_array things(n);
      std::vector<std::int32_t> values(n, 0);
      std::uint32_t stop_after = 150, stop = 0;
      std::vector<std::uint32_t> pending(4, 0);
      std::vector<std::uint64_t> statistics(stm::counter::total, 0);
      stm::control control{};
      control.items = few;
      control.pending = pending.data();
      control.statistics = statistics.data();
      control.stop = &stop;
      control.first_rank = 1000;
      control.polls = 4;
      using kernel = stm::region_kernel<never_ready, stm::hand_off, false>;
      host::simulated().max_steps = test::plenty_of_steps;
      host::run(kernel{control, {things.view<stm::hand_off>(), {values.data(), n}, &stop_after, &stop}}, threads);
      std::uint32_t left = 0;
      for (const std::uint32_t word : pending) left += popcount(word);
      CHECK(left >= few - few / 8 - 1);
      CHECK_EQ(statistics[test::counter::stopped], left);
      CHECK_EQ(statistics[test::counter::commits], few - left);
      CHECK_EQ(things.claimed(), 0u);
    });
  });

  test::run("the watchdog's flag, where no attempt is lost", [&] {
    test::for_each_setting(seeds, [&](std::uint32_t) {
      const std::uint32_t n = 4000;
      object_array things(n);
      std::vector<std::int32_t> values(n, 0);
      std::uint32_t stop = 0;
      std::vector<std::uint32_t> pending(n / 32, 0);
      std::vector<std::uint64_t> statistics(stm::counter::total, 0);
      stm::control control{};
      control.items = n;
      control.pending = pending.data();
      control.statistics = statistics.data();
      control.stop = &stop;
      control.first_rank = n;
      using kernel = stm::region_kernel<raises_the_flag, stm::hand_off, false>;
      host::simulated().max_steps = test::plenty_of_steps;
      host::run(kernel{control, {things.view<stm::hand_off>(), {values.data(), n}, &stop}}, host::warp_width());
      std::uint32_t left = 0;
      for (const std::uint32_t word : pending) left += popcount(word);
      CHECK(left > n / 2);
      CHECK_EQ(statistics[test::counter::stopped], left);
      CHECK_EQ(statistics[test::counter::commits], n - left);
      for (std::uint32_t i = 0; i < n; ++i) CHECK_EQ(values[i], 1 - static_cast<int>(pending[i / 32] >> (i % 32) & 1u));
    });
  });

#if !defined(MAGPIE_MACHINE_SIM)
  test::run("the watchdog's time", [&] {
    object_array things(3);
    std::vector<std::int32_t> values(3, 0);
    auto options = test::options_of(0, 4);
    options.timeout = std::chrono::milliseconds(50);
    const auto report = host::run_region<stm::hand_off>(
        never_ready{things.view<stm::hand_off>(), {values.data(), 3}, nullptr, nullptr}, 9, options);
    CHECK(report.timed_out);
    CHECK(report.unfinished.size() >= 7);
    CHECK_EQ(report.statistics[test::counter::stopped], report.unfinished.size());
    CHECK_EQ(things.claimed(), 0u);
  });
#endif

  test::run("no items, one item, a list of items", [&] {
    object_array things(10);
    std::vector<std::int32_t> values(10, 0);
    const ask_again none{things.view<stm::hand_off>(), {values.data(), 10}, {nullptr, 0}};
    CHECK_EQ(host::run_region<stm::hand_off>(none, 0).passes, 0u);
    std::vector<std::uint32_t> asked(100, 0);
    const ask_again some{things.view<stm::hand_off>(), {values.data(), 10}, {asked.data(), 100}};
    test::finishes(some, 1, {}, {&things});
    CHECK_EQ(values[0], 1);
    const std::vector<std::uint32_t> list = {99, 42, 12, 42, 0};
    const auto report = host::run_region<stm::hand_off>(some, 5, {}, list.data());
    CHECK(report.unfinished.empty());
    CHECK_EQ(values[9], 1);
    CHECK_EQ(values[2], 3);
    CHECK_EQ(values[0], 2);
  });

  test::run("items to come", [] {
    constexpr std::uint32_t n = 5000, threads = 4;
    object_array things(10);
    std::vector<std::uint32_t> begun(n, 0);
    std::vector<std::uint32_t> told(n, 0);
    test::finishes(announced{things.view<stm::hand_off>(), {begun.data(), n}, {told.data(), n}}, n,
                   test::options_of(0, threads), {&things});
    std::uint32_t sum = 0;
    for (const std::uint32_t each : told) {
      CHECK(each <= 1);
      sum += each;
    }
#if defined(MAGPIE_MACHINE_SIM)
    CHECK_EQ(sum, 0u);
#else
    CHECK(sum >= n - 32 * threads);
    CHECK(sum < n);
#endif
  });
  return test::finish();
}
