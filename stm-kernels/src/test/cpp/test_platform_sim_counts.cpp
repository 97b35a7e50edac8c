/// @file
/// What the simulator counts of accesses, for kernels whose counts are known.
// flavors: sim sim-asan

#include "magpie/kernel.cuh"
#include "sim_test.hpp"

namespace {

constexpr std::uint32_t threads = 64;
constexpr std::uint32_t width = 16;
constexpr std::uint32_t items = 256;

alignas(64) std::uint32_t words[8 * items];

/// Loads items, `stride` words apart; thread 0 loads `more` again.
struct load_items {
  std::uint32_t stride;
  std::uint32_t more;

  void operator()(const magpie::thread& self) const {
    for (std::uint32_t i : self.items(items)) magpie::ld_plain(&words[std::size_t{i} * stride]);
    if (self.rank() != 0) return;
    for (std::uint32_t i = 0; i < more; ++i) magpie::ld_plain(&words[i]);
  }
};

template <class Functor>
magpie_access_counts counted(const Functor& functor, std::uint32_t schedule, std::uint64_t seed) {
  magpie_access_counts counts{};
  magpie_simulation plan = test::plan_of(schedule, seed);
  plan.counts = &counts;
  test::planned_run(functor, threads, width, plan);
  return counts;
}

/// Counts do not depend on the order of threads.
template <class Functor>
magpie_access_counts counted(const Functor& functor) {
  const magpie_access_counts expected = counted(functor, schedule_round_robin, 0);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const magpie_access_counts found = counted(functor, schedule_random_walk, seed);
    CHECK_EQ(found.work, expected.work);
    CHECK_EQ(found.span, expected.span);
    CHECK_EQ(found.transfers, expected.transfers);
  }
  return expected;
}

void neighboring_lanes_share_sectors() {
  const magpie_access_counts found = counted(load_items{1, 0});
  CHECK_EQ(found.launches, 1u);
  CHECK_EQ(found.work, std::uint64_t{items});
  CHECK_EQ(found.span, std::uint64_t{items / threads});
  CHECK_EQ(found.transfers, std::uint64_t{items / 8});
}

void scattered_lanes_do_not() {
  CHECK_EQ(counted(load_items{8, 0}).transfers, std::uint64_t{items});
  CHECK_EQ(counted(load_items{2, 0}).transfers, std::uint64_t{items / 4});
}

/// A thread's own repetitions are accesses one after the other, of the same sectors or not.
void one_busy_thread_is_the_span() {
  const magpie_access_counts found = counted(load_items{1, 100});
  CHECK_EQ(found.work, std::uint64_t{items + 100});
  CHECK_EQ(found.span, std::uint64_t{items / threads + 100});
  CHECK_EQ(found.transfers, std::uint64_t{items / 8 + 100});
}

/// Adds from all threads to one word, and stores a pair of words of 8 bytes.
struct add_and_store {
  void operator()(const magpie::thread& self) const {
    magpie::add_rlx_dev(&words[0], 1u);
    magpie::st_rlx_pair_dev(reinterpret_cast<magpie::word_pair*>(&words[8 + 4 * self.rank()]), {1, 2});
  }
};

void shared_accesses_count_too() {
  const magpie_access_counts found = counted(add_and_store{});
  CHECK_EQ(found.work, std::uint64_t{3 * threads});
  CHECK_EQ(found.span, 3u);
  // A sector for each warp's additions; for each two lanes one for their first words and one for their second.
  CHECK_EQ(found.transfers, std::uint64_t{threads / width + 2 * threads / 2});
}

void launches_add_up_and_faults_do_not() {
  magpie_access_counts counts{};
  magpie_simulation plan = test::plan_of();
  plan.counts = &counts;
  test::planned_run(load_items{1, 0}, threads, width, plan);
  test::planned_run(load_items{1, 0}, threads, width, plan);
  CHECK_EQ(counts.launches, 2u);
  CHECK_EQ(counts.work, std::uint64_t{2 * items});
  magpie::simulator::record ended = test::planned_run(add_and_store{}, threads, width, plan, 5);
  CHECK_EQ(ended.code, static_cast<std::int32_t>(launch_no_progress));
  CHECK_EQ(counts.launches, 2u);
}

}  // namespace

int main() {
  test::run("neighboring lanes share sectors", neighboring_lanes_share_sectors);
  test::run("scattered lanes do not", scattered_lanes_do_not);
  test::run("one busy thread is the span", one_busy_thread_is_the_span);
  test::run("shared accesses count too", shared_accesses_count_too);
  test::run("launches add up, and faults do not", launches_add_up_and_faults_do_not);
  return test::finish();
}
