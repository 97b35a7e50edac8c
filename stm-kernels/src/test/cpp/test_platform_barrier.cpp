// flavors: cpu sim sim-asan
// The grid's barrier: what was written before it is read after it, by plain accesses too, and the checks of these know; on weak
// memory each of its fences is needed. A launch that is to end leaves all its threads at the same barrier.
#include "test.hpp"

using namespace magpie;

/// Round after round each thread leaves a value in its slot and reads the slot of another, chosen anew.
struct leaves_and_reads {
  std::uint32_t rounds;
  bool waits;
  std::uint32_t* arrived;
  std::uint32_t* slots;  // a row for each thread
  std::uint32_t* wrong;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    std::uint32_t due = 0;
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      st_plain(&slots[self.rank()], round * 1000 + self.rank());
      if (waits) grid_barrier::wait(self, arrived, due);
      const std::uint32_t other = (self.rank() + round * 5) % self.size();
      if (ld_own(&slots[other]) != round * 1000 + other) red_add_rlx_dev(wrong, 1u);
      if (waits) grid_barrier::wait(self, arrived, due);
    }
  }
};

/// What only a launch's end makes right.
struct reads_fixed {
  bool writes_first;
  std::uint32_t* arrived;
  std::uint32_t* word;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    std::uint32_t due = 0;
    if (self.rank() == 0) touch(writes_first);
    grid_barrier::wait(self, arrived, due);
    grid_barrier::wait(self, arrived, due);
    if (self.rank() == 0) touch(!writes_first);
  }
  MAGPIE_DEVICE void touch(bool writes) const {
    if (writes) {
      st_rlx_dev(word, 1u);
    } else {
      ld_plain(word);
    }
  }
};

/// As leaves_and_reads, by relaxed accesses.
template <class Barrier>
struct leaves_and_reads_relaxed {
  std::uint32_t rounds;
  std::uint32_t* arrived;
  std::uint32_t* slots;
  std::uint32_t* wrong;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    std::uint32_t due = 0;
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      st_rlx_dev(&slots[self.rank()], round * 1000 + self.rank());
      Barrier::wait(self, arrived, due);
      const std::uint32_t other = (self.rank() + round * 5) % self.size();
      if (ld_rlx_dev(&slots[other]) != round * 1000 + other) red_add_rlx_dev(wrong, 1u);
      Barrier::wait(self, arrived, due);
    }
  }
};

/// One thread asks for the end before it comes to a barrier, late or not at all.
struct is_stopped {
  static constexpr bool meets_grid = true;
  std::uint32_t rounds;
  std::uint32_t who;
  std::uint32_t when;
  std::uint32_t late_by;  // accesses
  bool deserts;           // it and the rest of its warp
  std::uint32_t* arrived;
  std::uint32_t* stop;
  std::uint32_t* left_in;  // for each thread the round
  MAGPIE_DEVICE void operator()(const thread& self) const {
    std::uint32_t due = 0;
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      st_plain(&left_in[self.rank()], round);
      if (self.rank() == who && round == when) {
        st_rlx_dev(stop, 1u);
        for (std::uint32_t i = 0; i < late_by; ++i) {
          ld_rlx_dev(stop);
          pause_while_polling(i);
        }
      }
      if (deserts && self.rank() / self.width() == who / self.width() && round == when) return;
      if (!grid_barrier::wait(self, arrived, due, [&] { return ld_rlx_dev(stop) != 0; })) return;
    }
    st_plain(&left_in[self.rank()], rounds + 1);
  }
};

/// The round in which all threads of a launch left.
std::uint32_t left_in(std::uint32_t threads, std::uint32_t who, std::uint32_t late_by, bool deserts) {
  constexpr std::uint32_t when = 3;
  std::vector<std::uint32_t> left(threads);
  std::uint32_t arrived = 0;
  std::uint32_t stop = 0;
  host::run(is_stopped{6, who, when, late_by, deserts, &arrived, &stop, left.data()}, threads);
  for (const std::uint32_t round : left) CHECK_EQ(round, left[0]);
  CHECK(left[0] >= when);
  CHECK_EQ(arrived % 2, left[0] <= 6 ? 1u : 0u);
  if (deserts) CHECK_EQ(left[0], when);
  if (who == 0) CHECK_EQ(left[0], when);  // it asks before it arrives
  return left[0];
}

#if defined(MAGPIE_MACHINE_SIM)
/// Whether some schedule on such a memory shows that a barrier does not order.
template <class Barrier>
bool is_seen_to_fail(std::uint32_t memory, std::uint32_t seeds) {
  bool seen = false;
  for (std::uint32_t seed = 0; seed < seeds && !seen; ++seed) {
    magpie_simulation plan{};
    plan.schedule = schedule_random_walk;
    plan.memory = memory;
    plan.seed = seed;
    plan.stopped = ~std::uint64_t{0};
    const std::uint32_t width = 1u << seed % 3;
    host::simulated() = {seed, 0, width};
    host::simulated().plan = &plan;
    std::vector<std::uint32_t> slots(5 * width);
    std::uint32_t arrived = 0;
    std::uint32_t wrong = 0;
    host::run(leaves_and_reads_relaxed<Barrier>{6, &arrived, slots.data(), &wrong}, 5 * width);
    seen = wrong != 0;
  }
  host::simulated() = {};
  return seen;
}
#endif

template <class Functor>
std::int32_t run_code(const Functor& functor, std::uint32_t threads, std::uint32_t width, std::uint64_t seed) {
  char message[512] = "";
  const magpie_launch_args args{threads, 0, threads, seed, 0, width, 0};
  return run_grid(
      "tried", [](const void* f, const thread& self) { (*static_cast<const Functor*>(f))(self); }, &functor, args,
      message, sizeof message);
}

int main() {
  test::run("what was written before", [] {
    const std::vector<std::uint32_t> widths =
        test::simulated ? std::vector<std::uint32_t>{1, 3, 4, 32} : std::vector<std::uint32_t>{1};
    for (const std::uint32_t width : widths) {
      for (std::uint64_t seed = 0; seed < (test::simulated ? 20u : 1u); ++seed) {
        const std::uint32_t threads = test::simulated ? 3 * width : 1;  // on cpu a slice need not run beside others
        std::vector<std::uint32_t> slots(threads);
        std::uint32_t arrived = 0;
        std::uint32_t wrong = 0;
        CHECK_EQ(run_code(leaves_and_reads{6, true, &arrived, slots.data(), &wrong}, threads, width, seed), launch_ok);
        CHECK_EQ(wrong, 0u);
        CHECK_EQ(arrived, 2 * 12 * threads / width);
      }
    }
  });
#if !defined(MAGPIE_MACHINE_SIM)
  test::run("a launch that is to end", [] {
    for (std::uint32_t threads = 1; threads <= 4; ++threads) {
      for (std::uint32_t who = 0; who < threads; ++who) {
        left_in(threads, who, 0, false);
        left_in(threads, who, 100, false);
        if (threads > 1) left_in(threads, who, 0, true);
      }
    }
  });
  return test::finish();
#else
  test::run("a launch that is to end", [] {
    bool at_once = false;
    bool later = false;
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      for (const std::uint32_t width : {1u, 4u}) {
        for (const std::uint32_t warp : {0u, 1u, 2u}) {
          test::simulate_by(seed, width);
          left_in(3 * width, warp * width, 0, true);
          for (const std::uint32_t late_by : {0u, 200u}) {
            test::simulate_by(seed, width);
            const std::uint32_t left = left_in(3 * width, warp * width, late_by, false);
            if (warp != 0) (left == 3 ? at_once : later) = true;
          }
        }
      }
    }
    host::simulated() = {};
    CHECK(at_once);
    CHECK(later);
  });
  test::run("each fence is needed", [] {
    using without_release = grid_barrier_with<false, true>;
    using without_acquire = grid_barrier_with<true, false>;
    using without_both = grid_barrier_with<false, false>;
    CHECK(!is_seen_to_fail<grid_barrier>(memory_weak, 60));
    CHECK(is_seen_to_fail<without_release>(memory_weak, 300));
    CHECK(is_seen_to_fail<without_acquire>(memory_weak, 300));
    CHECK(!is_seen_to_fail<without_both>(memory_sequential, 12));
  });
  test::run("without a barrier", [] {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      std::vector<std::uint32_t> slots(12);
      std::uint32_t arrived = 0;
      std::uint32_t wrong = 0;
      CHECK_EQ(run_code(leaves_and_reads{6, false, &arrived, slots.data(), &wrong}, 12, 4, seed), launch_access_fault);
    }
  });
  test::run("what a barrier does not empty", [] {
    for (const bool writes_first : {false, true}) {
      std::uint32_t arrived = 0;
      std::uint32_t word = 0;
      CHECK_EQ(run_code(reads_fixed{writes_first, &arrived, &word}, 8, 4, 1), launch_access_fault);
    }
  });
  return test::finish();
#endif
}
