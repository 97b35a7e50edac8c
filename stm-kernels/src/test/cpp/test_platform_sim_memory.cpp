// flavors: sim sim-asan
// Weak memory on the simulator: which outcomes small programs have, over all their schedules and all values that loads
// may read. Each expected set is complete: what is not in it is forbidden, what is in it was seen.
#include <array>
#include <functional>

#include "sim_test.hpp"

using namespace magpie;

/// Registers and words of a litmus test, both 0 at first.
struct litmus_state {
  std::array<std::uint32_t, 4> words;
  std::array<std::uint32_t, 4> results;
};

using litmus_thread = std::function<void(std::uint32_t* words, std::uint32_t* results, const thread& self)>;

struct litmus {
  litmus_state* state;
  const std::vector<litmus_thread>* threads;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    (*threads)[self.rank()](state->words.data(), state->results.data(), self);
  }
};

/// The results, digits in the order of their numbers, over all launches.
std::string results_of(bool weak, std::uint32_t count, const std::vector<litmus_thread>& threads,
                       std::uint32_t width = 1) {
  litmus_state state;
  return test::outcomes(
      weak, static_cast<std::uint32_t>(threads.size()), width,
      [&] {
        state = {};
        return litmus{&state, &threads};
      },
      [&] {
        std::string text;
        for (std::uint32_t i = 0; i < count; ++i) text += std::to_string(state.results[i]);
        return text;
      });
}

#define THREAD [](std::uint32_t * w, [[maybe_unused]] std::uint32_t * r, [[maybe_unused]] const thread& self)

int main() {
  test::run("message passing", [] {
    // w[0] is the message, w[1] says that it is there. Results: w[1], then w[0].
    const litmus_thread relaxed_writer = THREAD { st_rlx_dev(w, 1u), st_rlx_dev(w + 1, 1u); };
    const litmus_thread releasing_writer = THREAD { st_rlx_dev(w, 1u), st_rel_dev(w + 1, 1u); };
    const litmus_thread fencing_writer = THREAD {
      st_rlx_dev(w, 1u);
      fence_acqrel_dev();
      st_rlx_dev(w + 1, 1u);
    };
    const litmus_thread relaxed_reader = THREAD { r[0] = ld_rlx_dev(w + 1), r[1] = ld_rlx_dev(w); };
    const litmus_thread acquiring_reader = THREAD { r[0] = ld_acq_dev(w + 1), r[1] = ld_rlx_dev(w); };
    const litmus_thread fencing_reader = THREAD {
      r[0] = ld_rlx_dev(w + 1);
      fence_acqrel_dev();
      r[1] = ld_rlx_dev(w);
    };
    const litmus_thread late_reader = THREAD {
      r[0] = ld_rlx_dev(w + 1);
      r[1] = ld_rlx_dev(w);
      fence_acqrel_dev();
    };
    const std::string stale = "00 01 10 11", ordered = "00 01 11";
    for (const auto& writer : {relaxed_writer, releasing_writer, fencing_writer}) {
      CHECK_EQ(results_of(false, 2, {writer, relaxed_reader}), ordered);
      CHECK_EQ(results_of(true, 2, {writer, relaxed_reader}), stale);
      CHECK_EQ(results_of(true, 2, {writer, late_reader}), stale);
    }
    for (const auto& reader : {acquiring_reader, fencing_reader}) {
      CHECK_EQ(results_of(true, 2, {relaxed_writer, reader}), stale);
      CHECK_EQ(results_of(true, 2, {releasing_writer, reader}), ordered);
      CHECK_EQ(results_of(true, 2, {fencing_writer, reader}), ordered);
    }
  });

  test::run("message passing by read-modify-writes", [] {
    const auto reader_by = [](auto&& read) {
      return [read](std::uint32_t* w, std::uint32_t* r, const thread&) {
        r[0] = read(w + 1);
        r[1] = ld_rlx_dev(w);
      };
    };
    const litmus_thread writer = THREAD { st_rlx_dev(w, 1u), st_rel_dev(w + 1, 1u); };
    const std::string stale = "00 01 10 11", ordered = "00 01 11";
    // Compare-exchanges that succeed on 1, then some that never succeed: their order holds, too.
    for (const std::uint32_t expected : {1u, 7u}) {
      CHECK_EQ(results_of(true, 2, {writer, reader_by([=](auto* p) { return cas_acq_dev(p, expected, 5u); })}),
               ordered);
      CHECK_EQ(results_of(true, 2, {writer, reader_by([=](auto* p) { return cas_acqrel_dev(p, expected, 5u); })}),
               ordered);
      CHECK_EQ(results_of(true, 2, {writer, reader_by([=](auto* p) { return cas_rlx_dev(p, expected, 5u); })}), stale);
    }
    CHECK_EQ(results_of(true, 2, {writer, reader_by([](auto* p) { return max_acq_dev(p, 0u); })}), ordered);
    CHECK_EQ(results_of(true, 2, {writer, reader_by([](auto* p) { return max_rlx_dev(p, 0u); })}), stale);
    CHECK_EQ(results_of(true, 2, {writer, reader_by([](auto* p) { return add_rlx_dev(p, 1u); })}), stale);

    // The writer's side: what a read-modify-write releases.
    const litmus_thread reader = THREAD { r[0] = ld_acq_dev(w + 1), r[1] = ld_rlx_dev(w); };
    const litmus_thread releasing = THREAD { st_rlx_dev(w, 1u), r[2] = cas_acqrel_dev(w + 1, 0u, 1u); };
    const litmus_thread acquiring = THREAD { st_rlx_dev(w, 1u), r[2] = cas_acq_dev(w + 1, 0u, 1u); };
    const litmus_thread exchanging = THREAD { st_rlx_dev(w, 1u), r[2] = exch_rlx_dev(w + 1, 1u); };
    CHECK_EQ(results_of(true, 2, {releasing, reader}), ordered);
    CHECK_EQ(results_of(true, 2, {acquiring, reader}), stale);
    CHECK_EQ(results_of(true, 2, {exchanging, reader}), stale);
  });

  test::run("store buffering", [] {
    const auto side = [](std::uint32_t mine, auto&& fence) {
      return [=](std::uint32_t* w, std::uint32_t* r, const thread&) {
        st_rlx_dev(w + mine, 1u);
        fence();
        r[mine] = ld_rlx_dev(w + (1 - mine));
      };
    };
    const auto both = [&](bool weak, auto&& fence) { return results_of(weak, 2, {side(0, fence), side(1, fence)}); };
    CHECK_EQ(both(false, [] {}), std::string("01 10 11"));
    CHECK_EQ(both(true, [] {}), std::string("00 01 10 11"));
    CHECK_EQ(both(true, [] { fence_acqrel_dev(); }), std::string("00 01 10 11"));
    CHECK_EQ(both(true, [] { fence_sc_dev(); }), std::string("01 10 11"));
    CHECK_EQ(results_of(true, 2, {side(0, [] { fence_sc_dev(); }), side(1, [] { fence_acqrel_dev(); })}),
             std::string("00 01 10 11"));
  });

  test::run("coherence", [] {
    const litmus_thread writer = THREAD { st_rlx_dev(w, 1u), st_rlx_dev(w, 2u); };
    const litmus_thread reader = THREAD { r[0] = ld_rlx_dev(w), r[1] = ld_rlx_dev(w); };
    CHECK_EQ(results_of(true, 2, {writer, reader}), std::string("00 01 02 11 12 22"));
    // Nobody reads what is older than their own store.
    const litmus_thread other = THREAD { st_rlx_dev(w, 3u); };
    const litmus_thread own = THREAD { st_rlx_dev(w, 4u), r[0] = ld_rlx_dev(w); };
    CHECK_EQ(results_of(true, 1, {other, own}), std::string("3 4"));
    // Read-modify-writes read the newest.
    const litmus_thread adds = THREAD { r[self.rank()] = add_rlx_dev(w, 1u); };
    CHECK_EQ(results_of(true, 3, {adds, adds, adds}), std::string("012 021 102 120 201 210"));
  });

  test::run("release sequences", [] {
    // Thread 1 takes the word on from 1 to 2; thread 2 acquires it. Results: the word, the message.
    const litmus_thread reader = THREAD { r[0] = ld_acq_dev(w + 1), r[1] = ld_rlx_dev(w); };
    const litmus_thread writer = THREAD { st_rlx_dev(w, 1u), st_rel_dev(w + 1, 1u); };
    const litmus_thread fencing_writer = THREAD {
      st_rlx_dev(w, 1u);
      fence_acqrel_dev();
      st_rlx_dev(w + 1, 1u);
    };
    const litmus_thread by_exchange = THREAD { r[2] = cas_rlx_dev(w + 1, 1u, 2u); };
    const litmus_thread by_or = THREAD {
      if (ld_rlx_dev(w + 1) == 1) red_or_rlx_dev(w + 1, 2u);
    };
    const litmus_thread by_store = THREAD {
      if (ld_rlx_dev(w + 1) == 1) st_rlx_dev(w + 1, 2u);
    };
    for (const auto& first : {writer, fencing_writer}) {
      CHECK_EQ(results_of(true, 2, {first, by_exchange, reader}), std::string("00 01 11 21"));
      CHECK_EQ(results_of(true, 2, {first, by_or, reader}), std::string("00 01 11 31"));
      CHECK_EQ(results_of(true, 2, {first, by_store, reader}), std::string("00 01 11 20 21"));
    }
    const litmus_thread stores_again = THREAD {
      st_rlx_dev(w, 1u);
      st_rel_dev(w + 1, 1u);
      st_rlx_dev(w + 1, 2u);
    };
    CHECK_EQ(results_of(true, 2, {stores_again, reader}), std::string("00 01 11 20 21"));
  });

  test::run("causality", [] {
    // Thread 1 passes on what it read relaxed; an acq_rel fence makes it part of what it releases.
    const litmus_thread first = THREAD { st_rel_dev(w, 1u); };
    const litmus_thread fenced = THREAD {
      r[0] = ld_rlx_dev(w);
      fence_acqrel_dev();
      st_rlx_dev(w + 1, 1u);
    };
    const litmus_thread acquired = THREAD { r[0] = ld_acq_dev(w), st_rel_dev(w + 1, 1u); };
    const litmus_thread relaxed = THREAD { r[0] = ld_rlx_dev(w), st_rlx_dev(w + 1, 1u); };
    const litmus_thread last = THREAD { r[1] = ld_acq_dev(w + 1), r[2] = ld_rlx_dev(w); };
    const std::string ordered = "000 001 010 011 100 101 111";
    CHECK_EQ(results_of(true, 3, {first, fenced, last}), ordered);
    CHECK_EQ(results_of(true, 3, {first, acquired, last}), ordered);
    CHECK_EQ(results_of(true, 3, {first, relaxed, last}), std::string("000 001 010 011 100 101 110 111"));
  });

  test::run("independent reads of independent writes", [] {
    const litmus_thread write_0 = THREAD { st_rlx_dev(w, 1u); };
    const litmus_thread write_1 = THREAD { st_rlx_dev(w + 1, 1u); };
    const litmus_thread read_01 = THREAD { r[0] = ld_acq_dev(w), r[1] = ld_acq_dev(w + 1); };
    const litmus_thread read_10 = THREAD { r[2] = ld_acq_dev(w + 1), r[3] = ld_acq_dev(w); };
    const std::string acquiring = results_of(true, 4, {write_0, write_1, read_01, read_10});
    CHECK(acquiring.find("1010") != std::string::npos);  // the readers saw the writes in different orders
    if (test::sanitized) return;                         // 200,000 schedules and more
    const litmus_thread fenced_01 = THREAD {
      r[0] = ld_rlx_dev(w);
      fence_sc_dev();
      r[1] = ld_rlx_dev(w + 1);
    };
    const litmus_thread fenced_10 = THREAD {
      r[2] = ld_rlx_dev(w + 1);
      fence_sc_dev();
      r[3] = ld_rlx_dev(w);
    };
    const std::string fenced = results_of(true, 4, {write_0, write_1, fenced_01, fenced_10});
    CHECK(fenced.find("1011") != std::string::npos);
    CHECK(fenced.find("1010") == std::string::npos);
  });

  test::run("load buffering is not modeled", [] {
    const litmus_thread side_0 = THREAD { r[0] = ld_rlx_dev(w), st_rlx_dev(w + 1, 1u); };
    const litmus_thread side_1 = THREAD { r[1] = ld_rlx_dev(w + 1), st_rlx_dev(w, 1u); };
    CHECK_EQ(results_of(true, 2, {side_0, side_1}), std::string("00 01 10"));
  });

  test::run("collectives", [] {
    const auto lanes_by = [](auto&& meet) {
      return std::vector<litmus_thread>{[meet](std::uint32_t* w, std::uint32_t*, const thread& self) {
                                          st_rlx_dev(w, 1u);
                                          meet(self);
                                        },
                                        [meet](std::uint32_t* w, std::uint32_t* r, const thread& self) {
                                          meet(self);
                                          r[0] = ld_rlx_dev(w);
                                        }};
    };
    CHECK_EQ(results_of(true, 1, lanes_by([](const thread& self) { self.sync_warp(); }), 2), std::string("1"));
    CHECK_EQ(results_of(true, 1, lanes_by([](const thread& self) { self.ballot(true); }), 2), std::string("0 1"));
    CHECK_EQ(results_of(false, 1, lanes_by([](const thread& self) { self.ballot(true); }), 2), std::string("1"));
  });

  test::run("plain stores and other sizes", [] {
    const litmus_thread writer = THREAD {
      st_rlx_dev(w, 1u);
      *w = 2u;
    };
    const litmus_thread reader = THREAD { r[0] = ld_rlx_dev(w); };
    CHECK_EQ(results_of(true, 1, {writer, reader}), std::string("0 2"));  // a plain store replaces what was there
    const litmus_thread wide = THREAD {
      st_rlx_dev(reinterpret_cast<std::uint64_t*>(w), std::uint64_t{3} << 32 | 4);
      r[0] = ld_rlx_dev(w);
      r[1] = ld_rlx_dev(w + 1);
      st_rlx_dev(w, 5u);
      r[2] = static_cast<std::uint32_t>(ld_rlx_dev(reinterpret_cast<std::uint64_t*>(w)) >> 31);
    };
    CHECK_EQ(results_of(true, 3, {wide}), std::string("436"));
  });

  test::run("bytes and pairs of bytes", [] {
    // Messages in adjacent bytes, each a location of its own. Results: the flag, then the message.
    const auto side = [](auto word) {
      using T = decltype(word);
      const litmus_thread relaxed = THREAD {
        T* const m = reinterpret_cast<T*>(w);
        st_rlx_dev(m, T{1}), st_rlx_dev(m + 1, T{1});
      };
      const litmus_thread releasing = THREAD {
        T* const m = reinterpret_cast<T*>(w);
        st_rlx_dev(m, T{1}), st_rel_dev(m + 1, T{1});
      };
      const litmus_thread reader = THREAD {
        const T* const m = reinterpret_cast<const T*>(w);
        r[0] = ld_acq_dev(m + 1), r[1] = ld_rlx_dev(m);
      };
      CHECK_EQ(results_of(true, 2, {relaxed, reader}), std::string("00 01 10 11"));
      CHECK_EQ(results_of(true, 2, {releasing, reader}), std::string("00 01 11"));
    };
    side(std::uint8_t{});
    side(std::uint16_t{});
  });

  test::run("how far back a load can read", [] {
    const std::vector<litmus_thread> threads = {THREAD{for (std::uint32_t i = 1; i <= 100; ++i) st_rlx_dev(w, i);
    r[0] = 1;
    }, THREAD {
    r[1] = ld_rlx_dev(w); }
};
for (const auto& [version, expected] : {std::pair{0u, 100u}, {1u, 99u}, {15u, 85u}, {16u, 85u}, {~0u, 85u}}) {
  litmus_state state{};
  // Steps 0 to 100 are thread 0's, with its start; 101 is thread 1's start; its load is 102.
  const magpie_choice choice{102, magpie_choice::by_default, version};
  magpie_choice taken{};
  magpie_simulation plan = test::plan_of(schedule_explicit, 0, memory_weak);
  plan.choices = &choice;
  plan.choice_count = 1;
  plan.taken = &taken;
  plan.taken_capacity = 1;
  const auto run = test::planned_run(litmus{&state, &threads}, 2, 1, plan);
  CHECK_EQ(run.code, launch_ok);
  CHECK_EQ(run.steps, 103u);
  CHECK_EQ(state.results[1], expected);
  CHECK_EQ(plan.taken_count, version == 0 ? 0u : 1u);
  if (version == 0) continue;
  CHECK_EQ(taken.step, 102u);
  CHECK_EQ(taken.thread, magpie_choice::by_default);
  CHECK_EQ(taken.version, std::min(version, 15u));
}
});

  test::run("drawn versions", [] {
  // With two values to read, the older one is read with 1/4, 1/2, 3/4 or 15/16; round robin reads the newest.
  const std::vector<litmus_thread> threads = {THREAD{st_rlx_dev(w, 1u); },
                                                THREAD {
  r[0] = ld_rlx_dev(w + 1), r[1] = ld_rlx_dev(w); }
  }
  ;
  for (const std::uint32_t kind : {schedule_round_robin, schedule_random_walk, schedule_pct, schedule_lock_step}) {
    std::uint32_t late = 0, stale = 0;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
      litmus_state state{};
      magpie_simulation plan = test::plan_of(kind, seed, memory_weak);
      std::array<magpie_choice, 16> taken;
      plan.taken = taken.data();
      plan.taken_capacity = taken.size();
      test::planned_run(litmus{&state, &threads}, 2, 1, plan);
      bool read_older = false;
      for (std::uint64_t i = 0; i < plan.taken_count; ++i) read_older |= taken[i].version != 0;
      stale += read_older;
      late += read_older || state.results[1] == 1;
    }
    CHECK(late > 500);
    if (kind == schedule_round_robin) {
      CHECK_EQ(stale, 0u);
    } else {
      const double share = static_cast<double>(stale) / late;
      CHECK(share > 0.95 * (0.25 + 0.5 + 0.75 + 0.9375) / 4);
      CHECK(share < 1.05 * (0.25 + 0.5 + 0.75 + 0.9375) / 4);
    }
  }
  });

  return test::finish();
  }
