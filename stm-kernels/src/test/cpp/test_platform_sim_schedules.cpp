// flavors: sim sim-asan
// The simulator's schedules: the default one and lists of choices, replay of every kind by its deviations, the rates of
// PCT, lock-step, lassos, stopped threads.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "sim_test.hpp"

using namespace magpie;

/// Every thread puts its rank on record at each of its steps, and pauses before each `pause_every`-th.
struct takes_turns {
  std::uint32_t times;
  std::uint32_t pause_every;
  std::vector<std::uint32_t>* order;
  std::uint32_t* word;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (std::uint32_t i = 1; i <= times; ++i) {
      if (i % pause_every == 0) pause(0);
      add_rlx_dev(word, 1u);
      order->push_back(self.rank());
    }
  }
};

struct torn_increments {
  std::uint32_t times;
  std::uint32_t* word;
  MAGPIE_DEVICE void operator()(const thread&) const {
    for (std::uint32_t i = 0; i < times; ++i) st_rlx_dev(word, ld_rlx_dev(word) + 1);
  }
};

/// Of everything: conflicts, pauses, waits, collectives, divergence, fences, all orders. Leaves what it saw.
struct busy {
  std::uint32_t* words;  // 8
  std::uint64_t* seen;   // one for each thread
  MAGPIE_DEVICE void operator()(const thread& self) const {
    std::uint64_t hash = self.rank();
    const auto saw = [&](std::uint64_t v) { hash = (hash ^ v) * 0x9e3779b97f4a7c15ull; };
    for (std::uint32_t i = 0; i < 6; ++i) {
      const auto at = static_cast<std::uint32_t>((hash >> 40) % 8);
      saw(ld_acq_dev(words + at));
      if (hash >> 63 != 0) {
        st_rlx_dev(words + (at + 1) % 8, static_cast<std::uint32_t>(hash >> 20) % 16);
        fence_acqrel_dev();
      } else {
        pause(0);
        saw(ld_rlx_dev(words + (at + 2) % 8));
        saw(cas_acqrel_dev(words + at, 0u, 3u));
      }
      st_rel_dev(words + (at + 3) % 8, static_cast<std::uint32_t>(hash >> 30) % 16);
      saw(self.ballot(hash >> 62 != 0));
      saw(max_acq_dev(words + at, static_cast<std::uint32_t>(hash >> 50) % 16));
      saw(self.active_lanes());
    }
    seen[self.rank()] = hash;
  }
};

/// What `busy` did under a plan.
struct busy_result {
  simulator::record run;
  std::vector<magpie_choice> taken;
  std::array<std::uint32_t, 8> words{};
  std::array<std::uint64_t, 12> seen{};
};
busy_result run_busy(magpie_simulation plan) {
  busy_result result;
  result.taken.resize(10'000);
  plan.taken = result.taken.data();
  plan.taken_capacity = result.taken.size();
  result.run = test::planned_run(busy{result.words.data(), result.seen.data()}, 12, 4, plan);
  CHECK_EQ(result.run.code, launch_ok);
  CHECK(plan.taken_count <= plan.taken_capacity);
  result.taken.resize(plan.taken_count);
  return result;
}

bool operator==(const magpie_choice& a, const magpie_choice& b) {
  return a.step == b.step && a.thread == b.thread && a.version == b.version;
}

magpie_simulation listed(const std::vector<magpie_choice>& choices) {
  magpie_simulation plan = test::plan_of();
  plan.choices = choices.data();
  plan.choice_count = choices.size();
  return plan;
}

/// A bug of depth 2: thread 1 must step between the two steps of thread 0. Of depth 3: thread 0 must then step between
/// the two steps of thread 1.
struct deep_bug {
  std::uint32_t* word;
  std::uint32_t* seen;  // 2
  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (self.rank() == 0) {
      st_rlx_dev(word, 1u);
      st_rlx_dev(word, 2u);
    } else {
      seen[0] = ld_rlx_dev(word);
      seen[1] = ld_rlx_dev(word);
    }
  }
};

/// How often PCT of that depth hits the bug of depth 2 or 3 in `launches`.
std::array<std::uint32_t, 2> hits(std::uint32_t depth, std::uint64_t length, std::uint32_t launches) {
  std::array<std::uint32_t, 2> found{};
  for (std::uint32_t seed = 0; seed < launches; ++seed) {
    std::uint32_t word = 0, seen[2] = {};
    magpie_simulation plan = test::plan_of(schedule_pct, seed);
    plan.depth = depth;
    plan.length = length;
    CHECK_EQ(test::planned_run(deep_bug{&word, seen}, 2, 1, plan).code, launch_ok);
    CHECK(plan.steps <= length);
    found[0] += seen[0] == 1 || seen[1] == 1;
    found[1] += seen[0] == 1 && seen[1] == 2;
  }
  return found;
}

/// The even lanes store in one place of the code, the odd ones in another; all then store in a third.
struct diverges {
  std::uint32_t* first;               // who came first: 1 even, 2 odd, for each warp
  std::uint32_t* mixed;               // set if a lane of the other group stepped between
  std::vector<std::uint32_t>* order;  // ranks at the common store, in the order of execution
  MAGPIE_DEVICE void operator()(const thread& self) const {
    std::uint32_t* const mine = first + self.rank() / self.width();
    if (self.lane() % 2 == 0) {
      cas_rlx_dev(mine, 0u, 1u);
    } else {
      cas_rlx_dev(mine, 0u, 2u);
      pause(0);  // so that the odd ones are later at the common store
    }
    self.sync_warp();
    add_rlx_dev(mixed, 1u);
    order->push_back(self.rank());
  }
};

/// Two flags that their owners take down when they see the other's: forever, if they do so in step.
struct polite {
  std::uint32_t* flags;  // 2
  bool counts;           // each attempt counts as progress
  bool decides;          // thread 1 does not give way, and thread 0 waits for it
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (;;) {
      st_rlx_dev(flags + self.rank(), 1u);
      if (ld_rlx_dev(flags + (1 - self.rank())) == 0) break;
      if (decides && self.rank() == 1) {
        while (ld_rlx_dev(flags) != 0) pause_while_polling(0);
        break;
      }
      st_rlx_dev(flags + self.rank(), 0u);
      while (decides && ld_rlx_dev(flags + 1) != 0) pause_while_polling(0);
      if (counts) progress();
      setback();
    }
    st_rlx_dev(flags + self.rank(), 0u);
  }
};

/// Thread 0 takes a lock for some steps, again and again; the others wait for it and do the same.
struct locked {
  std::uint32_t* lock;
  std::uint32_t* count;
  std::uint32_t times;
  MAGPIE_DEVICE void operator()(const thread&) const {
    for (std::uint32_t i = 0; i < times; ++i) {
      while (cas_acq_dev(lock, 0u, 1u) != 0) pause_while_polling(0);
      st_rlx_dev(count, ld_rlx_dev(count) + 1);
      st_rel_dev(lock, 0u);
    }
  }
};

/// One word is set once; the other threads poll it.
struct signaled {
  std::uint32_t* word;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (self.rank() == 0) {
      st_rlx_dev(word, 1u);
    } else {
      while (ld_rlx_dev(word) == 0) pause_while_polling(0);
    }
  }
};

struct meets {
  std::uint32_t* word;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    add_rlx_dev(word, 1u);
    self.sync_warp();
    add_rlx_dev(word, 1u);
  }
};

constexpr std::uint64_t stopping(std::uint32_t thread, std::uint32_t after) {
  return std::uint64_t{after} << 32 | thread;
}

int main() {
  test::run("the default schedule", [] {
    std::vector<std::uint32_t> order;
    std::uint32_t word = 0;
    magpie_simulation plan = test::plan_of();
    const auto run = test::planned_run(takes_turns{3, 100, &order, &word}, 3, 1, plan);
    CHECK(order == (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1, 2, 2, 2}));
    CHECK_EQ(run.steps, 12u);
    CHECK_EQ(run.switches, 3u);
    CHECK_EQ(plan.taken_count, 0u);
    order.clear();
    CHECK_EQ(test::planned_run(takes_turns{3, 2, &order, &word}, 3, 1, plan).code, launch_ok);
    CHECK(order == (std::vector<std::uint32_t>{0, 1, 2, 0, 0, 1, 1, 2, 2}));
    CHECK_EQ(plan.taken_count, 0u);
  });

  test::run("explicit choices", [] {
    std::uint32_t word = 0;
    const auto updates = [&](std::vector<magpie_choice> choices, std::uint64_t taken) {
      word = 0;
      magpie_simulation plan = listed(choices);
      CHECK_EQ(test::planned_run(torn_increments{1, &word}, 2, 1, plan).code, launch_ok);
      CHECK_EQ(plan.taken_count, taken);
      return word;
    };
    // Step 0 starts thread 0, 1 is its load, 2 its store; then the same for thread 1.
    CHECK_EQ(updates({}, 0), 2u);
    CHECK_EQ(updates({{2, 1, 0}}, 1), 1u);  // between load and store: one update is lost
    CHECK_EQ(updates({{0, 1, 0}}, 1), 2u);  // thread 1 first
    CHECK_EQ(updates({{2, 1, 0}, {4, 0, 0}}, 2), 1u);
    // Choices that cannot be are softened, and do not count.
    CHECK_EQ(updates({{2, 7, 0}}, 0), 2u);  // no such thread
    CHECK_EQ(updates({{5, 0, 0}}, 0), 2u);  // it has ended
    CHECK_EQ(updates({{2, 1, 0}, {5, 1, 0}, {6, 0, 0}}, 1), 1u);
    CHECK_EQ(updates({{2, 0, 0}, {2, magpie_choice::by_default, 3}}, 0), 2u);  // what is the default; no old value
    CHECK_EQ(updates({{4, 0, 0}, {2, 1, 0}}, 0), 2u);                          // out of order
    CHECK_EQ(updates({{1000, 1, 0}}, 0), 2u);                                  // beyond the end
  });

  test::run("replay", [] {
    const std::string name = test::setting();
    std::uint64_t deviations = 0, versions = 0;
    for (const std::uint32_t kind : {schedule_round_robin, schedule_random_walk, schedule_pct, schedule_lock_step}) {
      for (const std::uint32_t memory : {memory_sequential, memory_weak}) {
        std::set<std::uint64_t> traces;
        for (std::uint64_t seed = 0; seed < test::scaled(100, 20); ++seed) {
          test::setting() = name + ", schedule " + std::to_string(kind) + ", memory " + std::to_string(memory) +
                            ", seed " + std::to_string(seed);
          magpie_simulation plan = test::plan_of(kind, seed, memory);
          plan.depth = 4;
          plan.length = 300;
          const busy_result given = run_busy(plan);
          const busy_result again = run_busy(plan);
          magpie_simulation replay = listed(given.taken);
          replay.memory = memory;
          const busy_result replayed = run_busy(replay);
          for (const busy_result& each : {again, replayed}) {
            CHECK_EQ(each.run.trace, given.run.trace);
            CHECK_EQ(each.run.steps, given.run.steps);
            CHECK_EQ(each.run.switches, given.run.switches);
            CHECK(each.taken == given.taken);
            CHECK(each.words == given.words);
            CHECK(each.seen == given.seen);
          }
          deviations += given.taken.size();
          for (const magpie_choice& each : given.taken) versions += each.version != 0;
          for (std::size_t i = 1; i < given.taken.size(); ++i) CHECK(given.taken[i - 1].step < given.taken[i].step);
          traces.insert(given.run.trace);
        }
        if (kind != schedule_round_robin) CHECK(traces.size() > test::scaled(90, 18));
      }
    }
    CHECK(deviations > 10'000);
    CHECK(versions > 1'000);
  });

  test::run("more deviations than room", [] {
    std::array<magpie_choice, 4> taken{};
    taken[3] = {1, 2, 3};
    std::uint32_t word = 0;
    magpie_simulation plan = test::plan_of(schedule_round_robin);
    plan.taken = taken.data();
    plan.taken_capacity = 3;
    test::planned_run(torn_increments{10, &word}, 4, 1, plan);
    CHECK(plan.taken_count > 60);
    CHECK(taken[3] == (magpie_choice{1, 2, 3}));
    CHECK(taken[2] == (magpie_choice{3, 3, 0}));
    plan.taken = nullptr;
    plan.taken_capacity = 0;
    const std::uint64_t needed = plan.taken_count;
    test::planned_run(torn_increments{10, &word}, 4, 1, plan);
    CHECK_EQ(plan.taken_count, needed);
  });

  test::run("the seed's schedules by name", [] {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      std::uint32_t words[2] = {};
      magpie_simulation plan = test::plan_of(seed == 0 ? schedule_round_robin : schedule_random_walk, seed);
      const auto planned = test::planned_run(torn_increments{20, &words[0]}, 9, 3, plan);
      host::simulated() = {seed, 0, 3};
      host::run(torn_increments{20, &words[1]}, 9);
      CHECK_EQ(simulator::last_record().trace, planned.trace);
      CHECK_EQ(words[0], words[1]);
      magpie_simulation outcome = plan;
      host::simulated().plan = &outcome;
      host::run(torn_increments{20, &words[1]}, 9);
      CHECK_EQ(outcome.trace, planned.trace);
      CHECK_EQ(outcome.steps, planned.steps);
    }
    host::simulated() = {};
  });

  test::run("PCT", [] {
    const std::uint32_t launches = test::scaled(20'000, 4'000);
    const std::uint64_t length = 6;  // one start and two steps for each
    // One order of the threads and one place for each change hit the bugs, so the bound is their rate; within 4 sigma.
    const auto near = [&](std::uint32_t found, double rate) {
      const double expected = rate * launches;
      return std::abs(found - expected) < 4 * std::sqrt(expected);
    };
    CHECK(hits(1, length, launches) == (std::array<std::uint32_t, 2>{0, 0}));
    const auto with_one_change = hits(2, length, launches);
    CHECK(near(with_one_change[0], 1.0 / (2 * 6)));
    CHECK_EQ(with_one_change[1], 0u);
    const auto with_two_changes = hits(3, length, launches);
    CHECK(with_two_changes[0] > with_one_change[0]);
    CHECK(near(with_two_changes[1], 1.0 / (2 * 6 * 6)));
    // Whoever polls at a high priority does not starve the one it polls for.
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      std::uint32_t lock = 0, count = 0;
      magpie_simulation plan = test::plan_of(schedule_pct, seed);
      plan.depth = 5;
      plan.length = 500;
      CHECK_EQ(test::planned_run(locked{&lock, &count, 5}, 7, 1, plan, 100'000).code, launch_ok);
      CHECK_EQ(count, 35u);
    }
  });

  test::run("lock-step", [] {
    std::array<std::uint32_t, 3> firsts{};
    std::uint32_t ascending = 0, descending = 0, alternating = 0, consecutive = 0;
    const std::uint32_t launches = 300;
    for (std::uint64_t seed = 0; seed < launches; ++seed) {
      // All lanes of a warp that is alone load, then all store: each turn of the loop adds one.
      std::uint32_t word = 0;
      magpie_simulation plan = test::plan_of(schedule_lock_step, seed);
      CHECK_EQ(test::planned_run(torn_increments{10, &word}, 8, 8, plan).code, launch_ok);
      CHECK_EQ(word, 10u);

      std::uint32_t first[2] = {}, mixed = 0;
      std::vector<std::uint32_t> order;
      plan = test::plan_of(schedule_lock_step, seed);
      CHECK_EQ(test::planned_run(diverges{first, &mixed, &order}, 16, 8, plan).code, launch_ok);
      ++firsts[first[0]];
      const auto warp_of = [](std::uint32_t rank) { return rank / 8; };
      std::uint32_t changes = 0;
      for (std::size_t i = 1; i < order.size(); ++i) changes += warp_of(order[i - 1]) != warp_of(order[i]);
      CHECK(changes == 1);  // a turn is one warp's
      order.resize(8);
      ascending += std::is_sorted(order.begin(), order.end());
      descending += std::is_sorted(order.rbegin(), order.rend());
      consecutive += first[0] == first[1];
      alternating += first[0] != first[1];
    }
    CHECK_EQ(firsts[0], 0u);
    CHECK(firsts[1] > launches / 4);
    CHECK(firsts[2] > launches / 4);
    CHECK_EQ(ascending + descending, launches);
    CHECK(ascending > launches / 4);
    CHECK(descending > launches / 4);
    CHECK(consecutive > launches / 4);
    CHECK(alternating > launches / 4);
    // Warps interleave: updates are lost between them, but not always all.
    std::set<std::uint32_t> sums;
    for (std::uint64_t seed = 0; seed < launches; ++seed) {
      std::uint32_t word = 0;
      magpie_simulation plan = test::plan_of(schedule_lock_step, seed);
      test::planned_run(torn_increments{10, &word}, 12, 3, plan);
      sums.insert(word);
    }
    CHECK(*sums.begin() < 20);
    CHECK(*sums.rbegin() > 30);
    // Divergent lanes that wait for each other do not starve each other.
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      std::uint32_t lock = 0, count = 0;
      magpie_simulation plan = test::plan_of(schedule_lock_step, seed);
      CHECK_EQ(test::planned_run(locked{&lock, &count, 5}, 9, 3, plan, 100'000).code, launch_ok);
      CHECK_EQ(count, 45u);
    }
  });

  test::run("lassos", [] {
    std::uint32_t flags[2] = {};
    std::vector<magpie_choice> taken(1000);
    magpie_simulation plan = test::plan_of(schedule_round_robin);
    plan.lasso = 1;
    plan.taken = taken.data();
    plan.taken_capacity = taken.size();
    const auto found = test::planned_run(polite{flags, false, false}, 2, 1, plan, 10'000);
    CHECK_EQ(found.code, launch_lasso);
    CHECK_CONTAINS(found.message, "kernel tried: no progress: the state of step " + std::to_string(plan.lasso_begin) +
                                      " came again at step " + std::to_string(plan.lasso_end) + ": 2 threads, 0 ended");
    CHECK(plan.lasso_begin > 0);
    CHECK(plan.lasso_begin < plan.lasso_end);
    CHECK_EQ(plan.lasso_end, plan.steps);

    // The choices of the cycle, repeated, keep the threads going round.
    const std::uint64_t period = plan.lasso_end - plan.lasso_begin;
    taken.resize(plan.taken_count);
    std::vector<magpie_choice> repeated = taken;
    for (std::uint64_t round = 1; round <= 1000; ++round) {
      for (const magpie_choice& each : taken) {
        if (each.step >= plan.lasso_begin) repeated.push_back({each.step + round * period, each.thread, each.version});
      }
    }
    magpie_simulation replay = listed(repeated);
    flags[0] = flags[1] = 0;
    const std::uint64_t steps = plan.lasso_end + 1000 * period;
    CHECK_EQ(test::planned_run(polite{flags, false, false}, 2, 1, replay, steps).code, launch_no_progress);
    CHECK_EQ(replay.taken_count, repeated.size());

    // No lasso where something gets done, where one of the two ends it, or where others have not run.
    const auto end_of = [&](const auto& functor, std::uint32_t threads, std::uint32_t kind, std::uint64_t seed,
                            std::uint32_t memory) {
      flags[0] = flags[1] = 0;
      magpie_simulation each = test::plan_of(kind, seed, memory);
      each.lasso = 1;
      const auto run = test::planned_run(functor, threads, 1, each, 10'000);
      if (run.code != launch_lasso) CHECK(each.lasso_begin == 0 && each.lasso_end == 0);
      return run.code;
    };
    CHECK_EQ(end_of(polite{flags, true, false}, 2, schedule_round_robin, 0, memory_sequential), launch_no_progress);
    for (const std::uint32_t kind :
         {schedule_explicit, schedule_round_robin, schedule_random_walk, schedule_pct, schedule_lock_step}) {
      for (const std::uint32_t memory : {memory_sequential, memory_weak}) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
          std::uint32_t word = 0, lock = 0, count = 0;
          CHECK_EQ(end_of(polite{flags, false, true}, 2, kind, seed, memory), launch_ok);
          CHECK_EQ(end_of(signaled{&word}, 5, kind, seed, memory), launch_ok);
          CHECK_EQ(end_of(locked{&lock, &count, 5}, 4, kind, seed, memory), launch_ok);
          CHECK_EQ(count, 20u);
        }
      }
    }
    // A random walk runs into the livelock for a while, too; some seed sees the same state twice.
    std::uint32_t lassos = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      lassos += end_of(polite{flags, false, false}, 2, schedule_random_walk, seed, memory_sequential) == launch_lasso;
    }
    CHECK(lassos > 0);
    CHECK(lassos < 100);
  });

  test::run("stopped threads", [] {
    // Thread 1 stops: after n steps its start and n - 1 additions are done.
    for (const std::uint32_t kind :
         {schedule_explicit, schedule_round_robin, schedule_random_walk, schedule_pct, schedule_lock_step}) {
      for (std::uint32_t after = 0; after < 6; ++after) {
        std::vector<std::uint32_t> order;
        std::uint32_t word = 0;
        magpie_simulation plan = test::plan_of(kind, after);
        plan.stopped = stopping(1, after);
        const auto run = test::planned_run(takes_turns{5, 100, &order, &word}, 3, 1, plan, 1'000);
        const std::uint32_t done = after == 0 ? 0 : after - 1;
        CHECK_EQ(run.code, launch_thread_stopped);
        CHECK_EQ(run.message,
                 "kernel tried: thread 1 stopped after " + std::to_string(after) +
                     " steps, and no other can go on: 3 threads, 2 ended, 0 wait in collectives; thread 1 at " +
                     (after == 0 ? "start" : "update"));
        CHECK_EQ(word, 10 + done);
        CHECK_EQ(std::count(order.begin(), order.end(), 1u), done);
      }
      // It ends before it is to stop.
      std::vector<std::uint32_t> order;
      std::uint32_t word = 0;
      magpie_simulation plan = test::plan_of(kind, 1);
      plan.stopped = stopping(1, 6);
      CHECK_EQ(test::planned_run(takes_turns{5, 100, &order, &word}, 3, 1, plan, 1'000).code, launch_ok);
      CHECK_EQ(word, 15u);
    }
    // A thread that stops with the lock keeps the others waiting: forever, as a lasso shows.
    std::uint32_t lock = 0, count = 0;
    magpie_simulation plan = test::plan_of();
    plan.stopped = stopping(0, 3);
    CHECK_EQ(test::planned_run(locked{&lock, &count, 5}, 3, 1, plan, 1'000).code, launch_no_progress);
    CHECK_EQ(plan.steps, 1'000u);
    plan.lasso = 1;
    lock = count = 0;
    CHECK_EQ(test::planned_run(locked{&lock, &count, 5}, 3, 1, plan, 1'000).code, launch_lasso);
    CHECK(plan.steps < 20);
    // A lane that stops before a collective, and one that stops in it.
    for (const auto& [after, sum, waiting] : {std::tuple{1u, 3u, 3u}, {2u, 7u, 0u}}) {
      std::uint32_t word = 0;
      plan = test::plan_of();
      plan.stopped = stopping(2, after);
      const auto run = test::planned_run(meets{&word}, 4, 4, plan, 1'000);
      CHECK_EQ(run.code, launch_thread_stopped);
      CHECK_CONTAINS(run.message, std::to_string(waiting) + " wait in collectives");
      CHECK_EQ(word, sum);
    }
    // The list of a launch with a stopped thread replays it.
    std::vector<std::uint32_t> order, replayed;
    std::uint32_t word = 0;
    std::vector<magpie_choice> taken(1'000);
    plan = test::plan_of(schedule_random_walk, 5);
    plan.stopped = stopping(1, 2);
    plan.taken = taken.data();
    plan.taken_capacity = taken.size();
    test::planned_run(takes_turns{5, 2, &order, &word}, 3, 1, plan);
    taken.resize(plan.taken_count);
    magpie_simulation replay = listed(taken);
    replay.stopped = plan.stopped;
    CHECK_EQ(test::planned_run(takes_turns{5, 2, &replayed, &word}, 3, 1, replay).trace, plan.trace);
    CHECK(order == replayed);
  });

  test::run("plans that cannot be", [] {
    std::uint32_t word = 0;
    magpie_simulation plan = test::plan_of(9);
    const torn_increments work{1, &word};
    const auto body = [](const void* f, const thread& self) { (*static_cast<const torn_increments*>(f))(self); };
    const auto refused = [&](std::uint64_t threads) {
      char message[512] = "";
      plan.steps = plan.lasso_end = 77;
      const magpie_launch_args args{threads, 0, 0, 0, 0, 1, 0, &plan};
      CHECK_EQ(run_grid("tried", body, &work, args, message, sizeof message), launch_no_progress);
      CHECK_EQ(plan.steps, 0u);
      CHECK_EQ(plan.lasso_end, 0u);
      CHECK_EQ(word, 0u);
      return std::string(message);
    };
    CHECK_EQ(refused(2), std::string("kernel tried: there is no schedule 9 or no memory 0"));
    plan = test::plan_of(schedule_random_walk, 1, 2);
    CHECK_EQ(refused(2), std::string("kernel tried: there is no schedule 2 or no memory 2"));
    plan = test::plan_of();
    CHECK_CONTAINS(refused(0), "cannot be simulated");
  });

  return test::finish();
}
