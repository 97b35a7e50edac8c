// flavors: cpu sim
// build(sim): -DMAGPIE_CHECKED
// full build(cpu): -DMAGPIE_CHECKED
// full build(sim): -DMAGPIE_MUTANTS
// The obstruction-free policy: transactions are stopped at each of their steps, and the others finish; those that go on
// later leave no stale value. With mutants: that each step of the rule is needed.
#if defined(MAGPIE_MACHINE_SIM)
#include "sim_test.hpp"
#endif
#include <random>

#include "stm_test.hpp"

using namespace magpie;
using stm::mutant;
using stm::outcome;
using test::object_array;

namespace {

constexpr std::uint32_t none = 0xff;

/// Of an item: what it adds it writes in an inner transaction, over something else that it wrote before.
constexpr std::uint32_t nested = 1u << 20;

/// An item: object a, object b if there is one, and which of their data, two each, it adds 1 to.
constexpr std::uint32_t adds(std::uint32_t a, std::uint32_t b, std::uint32_t to_a, std::uint32_t to_b) {
  return a | b << 8 | to_a << 16 | to_b << 18;
}

template <std::uint32_t MaxObjects>
struct adder_of {
  stm::objects things;
  array<std::uint32_t> values;
  array<const std::uint32_t> items;
  static constexpr std::uint32_t max_objects = MaxObjects, max_writes = 4;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t what = items[item];
    for (std::uint32_t k = 0; k < 2; ++k) {
      const std::uint32_t object = what >> (8 * k) & 0xffu;
      if (object == none) continue;
      const auto handle = tx.open(things, object);
      if (!handle) return outcome::retry;
      for (std::uint32_t d = 0; d < 2; ++d) {
        if ((what >> (16 + 2 * k + d) & 1u) == 0) continue;
        std::uint32_t value;
        std::uint32_t* const p = &values[2 * object + d];
        if (!tx.read(handle, p, value)) return outcome::retry;
        const auto write = [&](std::uint32_t sum) {
          return tx.write(handle, p, sum) ? outcome::commit : outcome::retry;
        };
        if ((what & nested) != 0) {
          if (write(value + 1000) != outcome::commit) return outcome::retry;
          if (tx.inner(1, [&](auto&) { return write(value + 1); }) != outcome::commit) return outcome::retry;
        } else if (write(value + 1) != outcome::commit) {
          return outcome::retry;
        }
      }
    }
    return outcome::commit;
  }
};

using adder = adder_of<2>;
/// Descriptors of as many threads as there can be find no memory anywhere.
using large_adder = adder_of<1u << 17>;

/// Opens both objects and reads, or writes, data that the items choose: under the object `under`, of `size` bytes.
struct reaches {
  stm::objects things;
  std::uint64_t* data;
  array<const std::uint32_t> under, size, writes, first_byte;
  static constexpr std::uint32_t max_objects = 2, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const stm::handle handles[2] = {tx.open(things, 0), tx.open(things, 1)};
    const auto access = [&]<class T>(T) {
      auto* const p = reinterpret_cast<T*>(reinterpret_cast<std::byte*>(data) + first_byte[item]);
      T value;
      if (writes[item] != 0) return tx.write(handles[under[item]], p, T{1});
      return tx.read(handles[under[item]], p, value);
    };
    const bool done = size[item] == 8 ? access(std::uint64_t{}) : access(std::uint32_t{});
    return done ? outcome::commit : outcome::retry;
  }
};

struct access_of {
  std::uint32_t under, size, writes, first_byte;
};

/// What a launch of two items that access the same 8 bytes is refused with; empty if it is not.
std::string refusal_of(access_of a, access_of b, access_of c) {
  object_array things(2);
  std::uint64_t datum = 0;
  const std::vector<std::uint32_t> under{a.under, b.under, c.under}, size{a.size, b.size, c.size},
      writes{a.writes, b.writes, c.writes}, first_byte{a.first_byte, b.first_byte, c.first_byte};
  test::region_options options;
  options.threads = 1;
  host::simulated() = {};
  host::simulated().width = 1;
  std::string text;
  try {
    host::run_region<stm::obstruction_free>(reaches{things.view<stm::obstruction_free>(),
                                                    &datum,
                                                    {under.data(), 3},
                                                    {size.data(), 3},
                                                    {writes.data(), 3},
                                                    {first_byte.data(), 3}},
                                            3, options);
  } catch (const std::exception& error) {
    text = error.what();
  }
  return text;
}

/// Runs items, and says what is wrong afterwards; nothing is wrong with items that were given up.
struct trial {
  std::uint32_t objects;
  std::vector<std::uint32_t> items;
  std::uint32_t threads;
  std::uint32_t max_attempts = 0;
  std::uint32_t back_off = 0;
  std::uint32_t unfinished = 0;     // of the last run
  std::uint64_t most_attempts = 0;  // of an item in the last run

  template <class Policy = stm::obstruction_free>
  std::string run() {
    object_array things(objects);
    std::vector<std::uint32_t> values(2 * objects, 0), expected(2 * objects, 0);
    test::region_options options;
    options.threads = threads;
    options.back_off = back_off;
    options.max_attempts = max_attempts;
    const auto n = static_cast<std::uint32_t>(items.size());
    test::region_report report;
    try {
      report = host::run_region<Policy>(adder{things.view<Policy>(), {values.data(), 2 * objects}, {items.data(), n}},
                                        n, options);
    } catch (const std::exception& error) {
      return error.what();
    }
    std::vector<bool> ended(n, true);
    for (const std::uint32_t position : report.unfinished) ended[position] = false;
    unfinished = static_cast<std::uint32_t>(report.unfinished.size());
    most_attempts = report.statistics[stm::counter::max_attempts];
    if (unfinished != 0 && max_attempts == 0) return "an item did not end";
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t bit = 0; ended[i] && bit < 4; ++bit) {
        if ((items[i] >> (16 + bit) & 1u) != 0) ++expected[2 * (items[i] >> (bit / 2 * 8) & 0xffu) + bit % 2];
      }
    }
    if (things.claimed() != 0) return "a record is owned after the launch";
    for (std::uint32_t k = 0; k < values.size(); ++k) {
      if (values[k] != expected[k]) {
        return "datum " + std::to_string(k) + " is " + std::to_string(values[k]) + ", not " +
               std::to_string(expected[k]);
      }
    }
    return "";
  }
};

#if defined(MAGPIE_MACHINE_SIM)

/// Threads of a list run so many steps each, one after the other, and stop; then the others run until they have ended, the
/// lowest rank first; at last those of the list go on, in this order or the reverse one.
class stops_at final : public simulator::schedule {
 public:
  struct stop {
    std::uint32_t thread;
    std::uint64_t steps;
  };
  explicit stops_at(std::vector<stop> stops, bool reverse = false)
      : stops_(std::move(stops)), has_ended_(stops_.size(), false), reverse_(reverse) {}

  std::uint32_t choose(const simulator::runnable_set& runnable, const simulator::switch_point&) override {
    for (; at_ < stops_.size(); ++at_, done_ = 0) {
      const stop& now = stops_[at_];
      has_ended_[at_] = !runnable.contains(now.thread);
      if (has_ended_[at_] || done_ == now.steps) continue;
      ++done_;
      return now.thread;
    }
    std::uint32_t lowest = simulator::switch_point::nobody;
    for (std::uint32_t i = 0; i < runnable.count(); ++i) {
      if (!is_stopped(runnable[i]) && runnable[i] < lowest) lowest = runnable[i];
    }
    if (lowest != simulator::switch_point::nobody) return lowest;
    for (std::size_t k = 0; k < stops_.size(); ++k) {
      const stop& next = stops_[reverse_ ? stops_.size() - 1 - k : k];
      if (runnable.contains(next.thread)) return next.thread;
    }
    return runnable[0];
  }

  /// Whether the k-th thread of the list ended within its steps.
  bool ended(std::size_t k) const { return has_ended_[k]; }

 private:
  bool is_stopped(std::uint32_t thread) const {
    for (const stop& each : stops_) {
      if (each.thread == thread) return true;
    }
    return false;
  }

  std::vector<stop> stops_;
  std::vector<bool> has_ended_;
  bool reverse_;
  std::size_t at_ = 0;
  std::uint64_t done_ = 0;
};

/// Thread 0 runs so many steps and stops; the others take a step each in turn until they have ended, the last of them in one of so
/// many turns; then thread 0 goes on. A pause takes as many turns as back-off says nanoseconds.
class in_step final : public simulator::schedule {
 public:
  in_step(std::uint64_t steps, const trial& what, std::uint32_t turns_of_last)
      : steps_(steps),
        back_off_(what.back_off),
        turns_of_last_(turns_of_last),
        sleeps_(what.threads, 0),
        pauses_(what.threads, 0) {}

  std::uint32_t choose(const simulator::runnable_set& runnable, const simulator::switch_point& at) override {
    if (at.what == simulator::action::pause) fall_asleep(at.thread);
    has_ended_ = steps_ > 0 && !runnable.contains(0);
    if (steps_ > 0 && !has_ended_) return --steps_, 0;
    if (runnable.count() == 1 && runnable.contains(0)) return 0;
    while (true) {
      turn_ = turn_ + 1 < sleeps_.size() ? turn_ + 1 : 1;
      if (!runnable.contains(turn_)) continue;
      if (sleeps_[turn_] > 0) {
        --sleeps_[turn_];
      } else if (turn_ + 1 < sleeps_.size() || ++turns_ % turns_of_last_ == 0) {
        return turn_;
      }
    }
  }
  void progressed(std::uint32_t thread) override { pauses_[thread] = 0; }

  /// Whether thread 0 ended within its steps.
  bool ended() const { return has_ended_; }

 private:
  /// As `back_off` of region.cuh.
  void fall_asleep(std::uint32_t thread) {
    const std::uint32_t n = ++pauses_[thread];
    const std::uint32_t bound = std::min(32u << std::min(n, 20u), back_off_);
    sleeps_[thread] = bound / 2 + ((thread * 2654435761u + n * 40503u) >> 16) % (bound / 2 + 1);
  }

  std::uint64_t steps_;
  std::uint32_t back_off_;
  std::uint32_t turns_of_last_;
  std::vector<std::uint32_t> sleeps_;
  std::vector<std::uint32_t> pauses_;
  std::uint32_t turn_ = 0;
  std::uint64_t turns_ = 0;
  bool has_ended_ = false;
};

/// More steps than any launch of these tests takes: one that takes them waits for a stopped thread.
constexpr std::uint64_t enough_steps = 50'000;

template <class Policy = stm::obstruction_free>
std::string run_by(trial& what, simulator::schedule& choices) {
  host::simulated() = {};
  host::simulated().width = 1;
  host::simulated().max_steps = enough_steps;
  host::simulated().choices = &choices;
  const std::string wrong = what.run<Policy>();
  host::simulated() = {};
  return wrong;
}

/// What is wrong first when thread 0 is stopped after each number of its steps; and how many runs it took.
template <class Policy = stm::obstruction_free>
std::string each_stop(trial what, std::uint64_t& runs) {
  for (std::uint64_t n = 0;; ++n) {
    stops_at choices({{0, n}});
    const std::string wrong = run_by<Policy>(what, choices);
    ++runs;
    if (!wrong.empty()) return "thread 0 stopped after " + std::to_string(n) + " steps: " + wrong;
    if (choices.ended(0)) return "";
  }
}
/// The same of threads 0 and 1, after each two numbers.
std::string each_two_stops(trial what, std::uint64_t& runs) {
  for (std::uint64_t n = 0;; ++n) {
    for (std::uint64_t m = 0;; ++m) {
      stops_at choices({{0, n}, {1, m}});
      stops_at reverse({{0, n}, {1, m}}, true);
      std::string wrong = run_by(what, choices);
      if (wrong.empty()) wrong = run_by(what, reverse);
      runs += 2;
      if (!wrong.empty()) {
        return "threads 0 and 1 stopped after " + std::to_string(n) + " and " + std::to_string(m) + " steps: " + wrong;
      }
      if (choices.ended(0)) return "";
      if (choices.ended(1)) break;
    }
  }
}
/// The same of the first k threads, each after the same number of steps.
[[maybe_unused]] std::string each_stop_of(std::uint32_t k, trial what, std::uint64_t& runs,
                                          std::uint32_t& most_unfinished) {
  for (std::uint64_t n = 0;; ++n) {
    std::vector<stops_at::stop> stops;
    for (std::uint32_t thread = 0; thread < k; ++thread) stops.push_back({thread, n});
    stops_at choices(stops);
    const std::string wrong = run_by(what, choices);
    ++runs;
    most_unfinished = std::max(most_unfinished, what.unfinished);
    if (!wrong.empty()) return "threads stopped after " + std::to_string(n) + " steps: " + wrong;
    if (choices.ended(0)) return "";
  }
}

/// The same of thread 0 beside others in step; and the most attempts that an item took.
[[maybe_unused]] std::string each_stop_in_step(trial what, std::uint32_t turns_of_last, std::uint64_t& most_attempts) {
  for (std::uint64_t n = 0;; ++n) {
    in_step choices(n, what, turns_of_last);
    const std::string wrong = run_by(what, choices);
    most_attempts = std::max(most_attempts, what.most_attempts);
    if (!wrong.empty()) return "thread 0 stopped after " + std::to_string(n) + " steps: " + wrong;
    if (choices.ended()) return "";
  }
}

/// The same under drawn schedules, most of them on weak memory.
std::string drawn(trial what, std::uint32_t seeds, std::uint64_t& runs) {
  what.max_attempts = 100;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const std::string name = test::simulate_by(seed, 1);
    if (host::simulated().plan != nullptr) host::simulated().plan->length = 300;
    host::simulated().max_steps = test::plenty_of_steps;
    const std::string wrong = what.run();
    host::simulated() = {};
    ++runs;
    if (!wrong.empty()) return name + ": " + wrong;
  }
  return "";
}

/// Items of thread t among `threads` are those at t, t + threads, ...
std::vector<std::uint32_t> by_thread(const std::vector<std::vector<std::uint32_t>>& of) {
  std::size_t most = 0;
  for (const auto& each : of) most = std::max(most, each.size());
  std::vector<std::uint32_t> items;
  for (std::size_t turn = 0; turn < most; ++turn) {
    for (const auto& each : of) items.push_back(turn < each.size() ? each[turn] : adds(none, none, 0, 0));
  }
  return items;
}

trial one_datum() { return {1, {adds(0, none, 1, 0), adds(0, none, 1, 0)}, 2}; }
trial three_threads() { return {2, {adds(0, 1, 1, 1), adds(0, none, 3, 0), adds(1, 0, 1, 1)}, 3}; }
trial inner_writes() {
  const std::uint32_t a = adds(0, none, 1, 0) | nested;
  return {1, by_thread({{a}, {a, adds(0, none, 3, 0), a}}), 2};
}
trial many_items() {
  const std::uint32_t a = adds(0, none, 1, 0), b = adds(1, none, 2, 0), both = adds(1, 0, 1, 2);
  return {2, by_thread({{adds(0, 1, 1, 1), both}, {a, b, a, b, both, b, a, a, b}}), 2};
}
/// The first `stopped` threads have two objects each; the last thread has items on all of them.
[[maybe_unused]] trial many_owners(std::uint32_t stopped) {
  std::vector<std::vector<std::uint32_t>> of(stopped + 1);
  for (std::uint32_t t = 0; t < stopped; ++t) of[t] = {adds(2 * t, 2 * t + 1, 1, 1)};
  for (std::uint32_t turn = 0; turn < 2; ++turn) {
    for (std::uint32_t object = 0; object < 2 * stopped; ++object) of[stopped].push_back(adds(object, none, 1, 0));
  }
  return {2 * stopped, by_thread(of), stopped + 1};
}

/// Beside the first thread, which has both objects, one has many items on the first object, before them one on the second if it
/// `keeps` that, and another has items on the second.
[[maybe_unused]] trial apart(std::size_t many, bool keeps_second) {
  const std::uint32_t first = adds(0, none, 1, 0), second = adds(1, none, 1, 0);
  std::vector<std::uint32_t> keeps(many, first);
  keeps.insert(keeps.begin(), {first, keeps_second ? second : first});
  return {2, by_thread({{adds(0, 1, 1, 1)}, keeps, {second, second}}), 3};
}
/// Beside the first thread two or three, each with items on one of two objects or both, drawn.
[[maybe_unused]] trial mixed(std::uint32_t seed) {
  const std::uint32_t kinds[] = {adds(0, none, 1, 0), adds(1, none, 1, 0), adds(0, 1, 1, 1), adds(1, 0, 1, 1)};
  std::mt19937 draw(seed);
  std::vector<std::vector<std::uint32_t>> of(3 + draw() % 2);
  of[0] = {kinds[2]};
  for (std::size_t t = 1; t < of.size(); ++t) {
    for (int i = 0; i < 6; ++i) of[t].push_back(kinds[draw() % 4]);
  }
  return {2, by_thread(of), static_cast<std::uint32_t>(of.size())};
}

/// What is wrong under some schedule of those that all of the tests have.
[[maybe_unused]] std::string wrong_anywhere(std::uint64_t& runs) {
  std::string wrong = each_stop(one_datum(), runs);
  if (wrong.empty()) wrong = each_stop(inner_writes(), runs);
  if (wrong.empty()) wrong = each_stop(three_threads(), runs);
  if (wrong.empty()) wrong = each_stop(many_items(), runs);
  if (wrong.empty()) wrong = each_two_stops(three_threads(), runs);
  for (trial each : {one_datum(), three_threads(), many_items()}) {
    if (wrong.empty()) wrong = drawn(each, 2000, runs);
  }
  return wrong;
}

#endif

}  // namespace

int main() {
  test::run("more descriptors than records can name", [] {
    object_array things(1);
    std::vector<std::uint32_t> values(2, 0);
    const std::uint32_t item = adds(0, none, 1, 0);
    test::region_options options;
    options.threads = stm::obstruction_free::most_threads + 1;
    const auto view = things.view<stm::obstruction_free>();
    CHECK_CONTAINS(test::refusal([&] {
                     host::run_region<stm::obstruction_free>(adder{view, {values.data(), 2}, {&item, 1}}, 1, options);
                   }),
                   "at most 5592405 threads");
    CHECK_EQ(values[0], 0u);
  });
  // Sanitizers end the program where memory for so many is asked for.
  if (!test::sanitized)
    test::run("more descriptors than there is memory for", [] {
      object_array things(1);
      std::vector<std::uint32_t> values(2, 0);
      const std::uint32_t item = adds(0, none, 1, 0);
      test::region_options options;
      options.threads = stm::obstruction_free::most_threads / 32 * 32;
      const auto view = things.view<stm::obstruction_free>();
      const std::string refusal = test::refusal([&] {
        host::run_region<stm::obstruction_free>(large_adder{view, {values.data(), 2}, {&item, 1}}, 1, options);
      });
      CHECK_CONTAINS(refusal, std::to_string(48 + 432 * (1u << 17) + 216 * 4) + " bytes for each of 5592384 threads");
      CHECK_CONTAINS(refusal, "ask for fewer with region_options::threads");
      CHECK_EQ(values[0], 0u);
    });
#if MAGPIE_CHECKS_BOUNDS
  test::run("a datum under two objects, or in parts", [] {
    const std::string refused = "reaches a datum under two objects, or with two sizes";
    const access_of none_more{0, 4, 0, 0};
    for (const std::uint32_t writes : {0u, 1u}) {
      CHECK_CONTAINS(refusal_of({0, 4, 1, 0}, {1, 4, writes, 0}, {0, 4, 0, 0}), refused);
      CHECK_CONTAINS(refusal_of({0, 8, 1, 0}, {0, 4, writes, 0}, {0, 8, 0, 0}), refused);
      CHECK_CONTAINS(refusal_of({0, 8, 1, 0}, {0, 4, writes, 4}, {0, 8, 0, 0}), refused);
      CHECK_CONTAINS(refusal_of({0, 4, 1, 4}, {0, 8, writes, 0}, {0, 4, 0, 4}), refused);
      CHECK_CONTAINS(refusal_of({0, 4, 0, 0}, {1, 4, 0, 0}, {writes, 4, 1, 0}), refused);
    }
    CHECK_EQ(refusal_of({0, 4, 0, 0}, {1, 4, 0, 0}, none_more), std::string());
    CHECK_EQ(refusal_of({0, 4, 1, 0}, {0, 4, 1, 4}, none_more), std::string());
    CHECK_EQ(refusal_of({0, 4, 1, 0}, {1, 4, 1, 4}, none_more), std::string());
  });
#endif
#if defined(MAGPIE_MACHINE_SIM)
#if defined(MAGPIE_MUTANTS)
  for (const auto& [rule, name] :
       std::vector<std::pair<mutant, const char*>>{{mutant::active_owner_ignored, "active_owner_ignored"},
                                                   {mutant::values_not_borrowed, "values_not_borrowed"},
                                                   {mutant::stale_store_kept, "stale_store_kept"},
                                                   {mutant::repair_unchecked, "repair_unchecked"},
                                                   {mutant::superseded_value_read, "superseded_value_read"},
                                                   {mutant::weak_fence_after_commit, "weak_fence_after_commit"},
                                                   {mutant::weak_fence_after_repair, "weak_fence_after_repair"},
                                                   {mutant::descriptor_reused, "descriptor_reused"}}) {
    test::run(name, [&, rule = rule] {
      std::uint64_t runs = 0;
      stm::chosen_mutant = rule;
      const std::string wrong = wrong_anywhere(runs);
      std::printf("    %llu runs: %s\n", static_cast<unsigned long long>(runs), wrong.c_str());
      CHECK(!wrong.empty());
    });
  }
  stm::chosen_mutant = mutant::none;
#else
  const auto holds = [](const char* name, const auto& tried) {
    test::run(name, [&] {
      std::uint64_t runs = 0;
      CHECK_EQ(tried(runs), std::string());
      CHECK(runs > 1);
      std::printf("    %llu runs\n", static_cast<unsigned long long>(runs));
    });
  };
  holds("one datum, stopped anywhere", [](auto& runs) { return each_stop(one_datum(), runs); });
  holds("three threads, one stopped anywhere", [](auto& runs) { return each_stop(three_threads(), runs); });
  holds("three threads, two stopped anywhere", [](auto& runs) { return each_two_stops(three_threads(), runs); });
  holds("inner writes, stopped anywhere", [](auto& runs) { return each_two_stops(inner_writes(), runs); });
  holds("many items beside one stopped anywhere", [](auto& runs) { return each_stop(many_items(), runs); });
  test::run("a blocking policy waits for one that is stopped", [] {
    std::uint64_t runs = 0;
    CHECK_CONTAINS(each_stop<stm::block_level>(one_datum(), runs), "not finished");
  });
  holds("one datum, drawn schedules", [](auto& runs) { return drawn(one_datum(), test::scaled(4000, 1000), runs); });
  holds("three threads, drawn schedules",
        [](auto& runs) { return drawn(three_threads(), test::scaled(4000, 1000), runs); });
  holds("many items, drawn schedules", [](auto& runs) { return drawn(many_items(), test::scaled(2000, 500), runs); });
  test::run("in step, with pauses every item ends soon", [] {
    std::uint32_t livelocks = 0;
    std::uint64_t most = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      test::setting() = "items drawn by seed " + std::to_string(seed);
      trial what = mixed(seed);
      std::uint64_t unbounded = 0;
      livelocks += each_stop_in_step(what, 1, unbounded).empty() ? 0 : 1;
      what.back_off = stm::obstruction_free::default_back_off;
      CHECK_EQ(each_stop_in_step(what, 1, most), std::string());
    }
    std::printf("    %u of 60 do not end without pauses; with them at most %llu attempts\n", livelocks,
                static_cast<unsigned long long>(most));
    CHECK(livelocks > 0);
    CHECK(most <= 10);
  });
  test::run("a thread that gathers makes others fail at objects that its items do not want", [] {
    for (const std::size_t many : {20, 40}) {
      std::uint64_t most = 0, most_without = 0;
      CHECK_EQ(each_stop_in_step(apart(many, true), 6, most), std::string());
      CHECK_EQ(each_stop_in_step(apart(many, false), 6, most_without), std::string());
      std::printf("    beside %zu items up to %llu attempts, else %llu\n", many, static_cast<unsigned long long>(most),
                  static_cast<unsigned long long>(most_without));
      CHECK(most > many / 2);
      CHECK(most <= many + 10);
      CHECK(most_without <= 10);
    }
  });
  test::run("what stopped commits left fits one descriptor", [] {
    std::uint64_t runs = 0;
    std::uint32_t unfinished = 0;
    CHECK_EQ(each_stop_of(3, many_owners(3), runs, unfinished), std::string());
    CHECK_EQ(unfinished, 0u);
  });
  test::run("and does not fit", [] {
    std::uint64_t runs = 0;
    std::uint32_t unfinished = 0;
    trial what = many_owners(6);
    what.max_attempts = 20;
    CHECK_EQ(each_stop_of(6, what, runs, unfinished), std::string());
    CHECK(unfinished > 0);
    CHECK(unfinished < what.items.size() / 2);
  });
#endif
#endif
  return test::finish();
}
