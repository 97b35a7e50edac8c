// The barriers of the benchmark: what was written before one is seen after it, in every order of steps and on weak memory; and
// the check that the benchmark does notices when it is not, each order left out included.
// full flavors: cpu
#include "../../bench/cpp/grid_barriers.cuh"
#include "test.hpp"

namespace {

using namespace barriers;

struct result {
  word missed;
  bool gave_up;
};

template <class Barrier>
result run(std::uint32_t blocks, word rounds, std::uint64_t patience) {
  const std::uint32_t threads = blocks * host::warp_width();
  host::buffer<word> words(Barrier::words_for(blocks), 0), gave_up(1, 0), missed(1, 0);
  host::buffer<word> data(std::size_t{2} * threads, 0);
  host::run(
      checked_pass<Barrier>{{words.view()}, rounds, patience, gave_up.view(), {data.view(), false}, missed.view()},
      threads);
  return {missed.get()[0], gave_up.get()[0] != 0};
}

/// Lets everybody go on when all blocks but one have arrived.
struct one_too_early {
  array<word> words;
  static std::size_t words_for(std::uint32_t) { return 1; }

  void operator()(const team& self, waiter& wait, word round) const {
    self.sync();
    if (self.rank() == 0) {
      fence_acqrel_dev();
      red_add_rlx_dev(&words[0], 1u);
      wait.until<orders::all>(&words[0], round * self.blocks() - 1);
    }
    self.sync();
  }
};

/// Waits for a block that does not exist.
struct one_missing {
  array<word> words;
  static std::size_t words_for(std::uint32_t) { return 1; }

  void operator()(const team& self, waiter& wait, word round) const {
    if (self.rank() == 0) {
      red_add_rlx_dev(&words[0], 1u);
      wait.until<orders::all>(&words[0], round * (self.blocks() + 1));
    }
    self.sync();
  }
};

constexpr std::uint64_t forever = ~std::uint64_t{0};  // the schedules here are fair, and so are systems

#if defined(MAGPIE_MACHINE_SIM)

/// Runs `body` under round robin and random walks, each seed on sequential or on weak memory, until it gives false.
template <class Body>
void for_schedules(std::uint32_t seeds, std::uint32_t memory, Body&& body) {
  const std::string name = test::setting();
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    magpie_simulation plan{};
    plan.schedule = schedule_random_walk;
    plan.memory = memory;
    plan.seed = seed;
    plan.stopped = ~std::uint64_t{0};
    const std::uint32_t width = 1u << seed % 3;
    host::simulated() = {seed, 0, width};
    host::simulated().plan = &plan;
    test::setting() = name + ", width " + std::to_string(width) + ", seed " + std::to_string(seed);
    if (!body()) break;
  }
  host::simulated() = {};
  test::setting() = name;
}

template <class Barrier>
void holds() {
  for (const std::uint32_t blocks : {1u, 2u, 5u, 7u, 10u}) {
    for (const std::uint32_t memory : {memory_sequential, memory_weak}) {
      for_schedules(12, memory, [&] {
        const result got = run<Barrier>(blocks, 6, forever);
        CHECK_EQ(got.missed, 0u);
        CHECK_EQ(got.gave_up, false);
        return true;
      });
    }
  }
}

/// Whether a schedule shows that the barrier does not order.
template <class Barrier>
bool is_seen_to_fail(std::uint32_t memory) {
  bool seen = false;
  for_schedules(300, memory, [&] {
    seen = run<Barrier>(5, 6, forever).missed != 0;
    return !seen;
  });
  return seen;
}

/// The order is needed: weak memory shows it, and memory without other orders than those of execution does not.
template <class Barrier>
void needs_order() {
  CHECK(is_seen_to_fail<Barrier>(memory_weak));
  for_schedules(12, memory_sequential, [&] {
    CHECK_EQ(run<Barrier>(5, 6, forever).missed, 0u);
    return true;
  });
}

#else

template <class Barrier>
void holds() {
  for (const std::uint32_t blocks : {1u, 2u, 5u}) {
    const result got = run<Barrier>(blocks, 50, forever);
    CHECK_EQ(got.missed, 0u);
    CHECK_EQ(got.gave_up, false);
  }
}

#endif

}  // namespace

int main() {
  test::run("one counter", [] { holds<one_counter<>>(); });
  test::run("hierarchical", [] { holds<hierarchical<>>(); });
  test::run("atomic-free", [] { holds<atomic_free<>>(); });

  test::run("groups of the hierarchical barrier", [] {
    for (std::uint32_t blocks = 1; blocks <= 2000; ++blocks) {
      const std::uint32_t members = hierarchical<>::members_for(blocks);
      CHECK(members * members >= blocks);
      CHECK((members - 1) * (members - 1) < blocks);
    }
  });

  test::run("a wait ends when its patience does", [] { CHECK(run<one_missing>(3, 4, 10).gave_up); });

#if defined(MAGPIE_MACHINE_SIM)
  test::run("a barrier that opens too early is noticed",
            [] { CHECK(is_seen_to_fail<one_too_early>(memory_sequential)); });
  test::run("each order is needed", [] {
    needs_order<one_counter<orders::no_release>>();
    needs_order<one_counter<orders::no_acquire>>();
    needs_order<hierarchical<orders::no_release>>();
    needs_order<hierarchical<orders::no_acquire>>();
    needs_order<hierarchical<orders::no_relay>>();
    needs_order<atomic_free<orders::no_release>>();
    needs_order<atomic_free<orders::no_acquire>>();
    needs_order<atomic_free<orders::none>>();
  });
#endif
  return test::finish();
}
