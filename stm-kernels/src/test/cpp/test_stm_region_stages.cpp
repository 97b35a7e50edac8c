// flavors: cpu sim cpu-asan
// A region that runs its items in stages: what a stage wrote the next one reads, and where a launch is to end, in whichever stage,
// all threads leave at the same barrier, words are free, and every item of the stages that ran has committed or is pending.
#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::object_array;

namespace {

constexpr std::uint32_t stages = 4;
constexpr std::uint32_t never = ~0u;

/// Each item of a stage counts at its object; after each stage every thread compares a sum with what the stages should have counted.
struct counts_in_stages {
  stm::objects things;
  array<std::uint32_t> values;
  array<std::uint32_t> arrived;
  array<std::uint32_t> wrong;
  array<std::uint32_t> left_after;  ///< for each thread the stages that it ran
  std::uint32_t* stop;              ///< what the launch asks
  std::uint32_t stop_in;            ///< the stage in which item 1 asks for the end
  std::uint32_t stop_after;         ///< the stage after which a thread does that
  std::uint32_t stopper;            ///< its rank

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  struct stage {
    std::uint32_t ran;
    std::uint32_t due;
  };

  /// Items of a stage, fewer in each.
  MAGPIE_HOST_DEVICE static constexpr std::uint32_t items_of(std::uint32_t stage) { return 40 >> stage; }

  MAGPIE_DEVICE bool next(const thread& self, const stm::control& launch, stage& at, std::uint64_t& items) const {
    const auto all_met = [&] {
      return grid_barrier::wait(self, &arrived[0], at.due, [&] { return launch.is_stopped(); });
    };
    if (at.ran != 0) {
      st_plain(&left_after[self.rank()], at.ran);
      if (at.ran == stop_after && self.rank() == stopper) st_rlx_dev(stop, 1u);
      if (!all_met()) return false;
      std::uint32_t expected = 0, sum = 0;
      for (std::uint32_t s = 0; s < at.ran; ++s) expected += items_of(s);
      for (std::uint32_t i = 0; i < things.count; ++i) sum += ld_own(&values[i]);
      if (sum != expected && ld_rlx_dev(stop) == 0) red_add_rlx_dev(&wrong[0], 1u);
      if (!all_met()) return false;
      if (at.ran == stages) return false;
    }
    items = items_of(at.ran++);
    return true;
  }

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t id = item % things.count;
    const auto a = tx.open(things, id);
    std::uint32_t x;
    if (!tx.read(a, &values[id], x) || !tx.write(a, &values[id], x + 1)) return outcome::retry;
    if (item == 1 && stop_in != never && x >= stop_in) st_rlx_dev(stop, 1u);
    return outcome::commit;
  }
};

/// Gives the stages that a launch ran.
std::uint32_t run_stages(std::uint32_t threads, std::uint32_t stop_in, std::uint32_t stop_after,
                         std::uint32_t stopper) {
  const std::uint32_t n = 7, items = counts_in_stages::items_of(0);
  object_array things(n);
  std::vector<std::uint32_t> values(n), pending((items + 31) / 32), left(threads);
  std::vector<std::uint64_t> statistics(stm::counter::total);
  std::uint32_t arrived = 0, wrong = 0, stop = 0;
  stm::control control{};
  control.items = items;
  control.pending = pending.data();
  control.statistics = statistics.data();
  control.stop = &stop;
  control.first_rank = 1000;
  control.polls = 4;
  using kernel = stm::region_kernel<counts_in_stages, stm::hand_off, false>;
  static_assert(meets_grid_of<kernel>);
  static_assert(!meets_grid_of<stm::region_kernel<counts_in_stages, stm::hand_off, true>>);
  host::simulated().max_steps = test::plenty_of_steps;
  host::run(kernel{control,
                   {things.view<stm::hand_off>(),
                    {values.data(), n},
                    {&arrived, 1},
                    {&wrong, 1},
                    {left.data(), threads},
                    &stop,
                    stop_in,
                    stop_after,
                    stopper}},
            threads);
  CHECK_EQ(things.claimed(), 0u);
  CHECK_EQ(wrong, 0u);
  for (const std::uint32_t ran : left) CHECK_EQ(ran, left[0]);
  std::uint32_t sum = 0, begun = 0;
  for (const std::uint32_t value : values) sum += value;
  for (std::uint32_t s = 0; s < left[0]; ++s) begun += counts_in_stages::items_of(s);
  CHECK_EQ(statistics[test::counter::commits], sum);
  CHECK_EQ(sum + statistics[test::counter::stopped], begun);
  if (left[0] < stages) CHECK_EQ(arrived % 2, 1u);
  if (stop == 0) CHECK_EQ(arrived % 2, 0u);
  std::uint32_t waiting = 0;
  for (const std::uint32_t word : pending) waiting += popcount(word);
  CHECK(waiting <= statistics[test::counter::stopped]);
  CHECK_EQ(waiting == 0, statistics[test::counter::stopped] == 0);
  return left[0];
}

}  // namespace

int main() {
  const std::uint32_t seeds = 12;
  test::run("stages", [&] {
    test::for_each_setting(seeds,
                           [&](std::uint32_t threads) { CHECK_EQ(run_stages(threads, never, never, 0), stages); });
  });
  test::run("a stop between stages", [&] {
    test::for_each_setting(seeds, [&](std::uint32_t threads) {
      for (std::uint32_t after = 1; after <= stages; ++after) {
        CHECK_EQ(run_stages(threads, never, after, 0), after);  // the first thread asks before it arrives
        CHECK(run_stages(threads, never, after, threads - 1) >= after);
      }
    });
  });
  test::run("a stop in a stage", [&] {
    test::for_each_setting(seeds, [&](std::uint32_t threads) {
      for (const std::uint32_t in : {0u, 3u, 8u}) run_stages(threads, in, never, 0);
    });
  });
  return test::finish();
}
