// flavors: cpu sim cpu-tsan
// build: -DMAGPIE_TEST_PLAIN
// full build(sim): -DMAGPIE_TEST_COMPARISONS
// Few objects, opened in opposite orders by everybody at once: hand_off always ends; priority_rule is seen to livelock.
#include "stm_test.hpp"

using namespace magpie;
using test::object_array;

/// Item i opens `width_of_set` of the objects in the order of pattern i mod patterns, and adds one to each datum.
struct add_to_set {
  stm::objects things;
  array<std::int64_t> counts;
  array<const std::uint32_t> order;  // patterns x set
  std::uint32_t patterns;
  std::uint32_t set;
  static constexpr std::uint32_t max_objects = 4, max_writes = 4;
  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t k = 0; k < set; ++k) {
      const std::uint32_t id = order[item % patterns * set + k];
      const auto thing = tx.open(things, id);
      std::int64_t value;
      if (!thing || !tx.read(thing, &counts[id], value) || !tx.write(thing, &counts[id], value + 1)) {
        return stm::outcome::retry;
      }
    }
    return stm::outcome::commit;
  }
};

struct pattern {
  const char* name;
  std::uint32_t objects, set;
  std::vector<std::uint32_t> order;
};

const std::vector<pattern> patterns = {
    {"two objects, opposite orders", 2, 2, {0, 1, 1, 0}},
    {"two objects, same order", 2, 2, {0, 1}},
    {"ring of three", 3, 2, {1, 0, 2, 1, 0, 2}},
    {"rotated triples", 3, 3, {0, 1, 2, 1, 2, 0, 2, 0, 1}},
    {"quadruples in all directions", 4, 4, {0, 1, 2, 3, 3, 2, 1, 0, 1, 3, 0, 2, 2, 0, 3, 1}},
    {"one object", 1, 1, {0}},
};

struct workload {
  explicit workload(const pattern& p) : shape(p), things(p.objects), counts(p.objects) {}
  const pattern& shape;
  object_array things;
  std::vector<std::int64_t> counts;

  template <class Policy>
  add_to_set region() {
    counts.assign(shape.objects, 0);
    return {things.view<Policy>(),
            {counts.data(), shape.objects},
            {shape.order.data(), shape.order.size()},
            static_cast<std::uint32_t>(shape.order.size()) / shape.set,
            shape.set};
  }
  void check(std::uint32_t items, const std::vector<std::uint32_t>& unfinished) const {
    std::vector<std::int64_t> expected(shape.objects, 0);
    std::vector<bool> left_out(items, false);
    for (const std::uint32_t item : unfinished) left_out[item] = true;
    for (std::uint32_t item = 0; item < items; ++item) {
      if (left_out[item]) continue;
      for (std::uint32_t k = 0; k < shape.set; ++k)
        ++expected[shape.order[(item * shape.set + k) % shape.order.size()]];
    }
    for (std::uint32_t i = 0; i < shape.objects; ++i) CHECK_EQ(counts[i], expected[i]);
  }
};

#if defined(MAGPIE_MACHINE_SIM)
/// Thread 0 alone for some steps, then everybody in turn.
class head_start final : public simulator::schedule {
 public:
  explicit head_start(std::uint64_t steps) : steps_(steps) {}
  std::uint32_t choose(const simulator::runnable_set& runnable, const simulator::switch_point& at) override {
    return at.step <= steps_ && runnable.contains(0) ? 0 : runnable.next(at.thread);
  }

 private:
  std::uint64_t steps_;
};
#endif

int main() {
  const std::uint32_t items = test::simulated ? test::scaled(100, 48) : test::scaled(20'000, 2'000);
  for (const pattern& shape : patterns) {
    workload work(shape);
    if constexpr (test::tests_hand_off) {
      test::run((std::string("hand_off, ") + shape.name).c_str(), [&] {
        std::uint32_t number = 0;
        test::for_each_setting(test::scaled(24, 4), [&](std::uint32_t threads) {
          const auto region = work.region<stm::hand_off>();
          const auto report = test::finishes(region, items, test::options_of(number++, threads), {&work.things});
          work.check(items, report.unfinished);
        });
      });
    }
    test::for_each_other_policy([&]<class Policy>(const std::string& name, Policy) {
      test::run((name + ", " + shape.name).c_str(), [&] {
        std::uint32_t number = 0;
        test::for_each_setting(test::scaled(12, 4), [&](std::uint32_t threads) {
          const auto region = work.region<Policy>();
          const auto report = test::tries<Policy>(region, items, test::options_of(number++, threads), {&work.things});
          work.check(items, report.unfinished);
        });
      });
    });
  }

#if defined(MAGPIE_MACHINE_SIM) && defined(MAGPIE_TEST_COMPARISONS)
  test::run("the smallest cases under many schedules", [] {
    const std::string name = test::setting();
    test::for_each_other_policy([&]<class Policy>(const std::string& policy, Policy) {
      for (const pattern& shape : patterns) {
        workload work(shape);
        const std::uint32_t items = shape.set + 1;
        for (std::uint32_t seed = 0; seed < test::scaled(400, 40); ++seed) {
          host::simulated() = {seed, 0, seed % 2 == 0 || !has_atomic_max ? 1u : 4u, nullptr};
          test::setting() = name + ": " + policy + ", " + shape.name + ", seed " + std::to_string(seed);
          const auto region = work.region<Policy>();
          work.check(items,
                     test::tries<Policy>(region, items, test::options_of(seed, items), {&work.things}).unfinished);
        }
      }
    });
    test::setting() = name;
  });

  test::run("two in step", [] {
    // As below: which policies end in livelock, and that those without one never do.
    const std::string name = test::setting();
    const std::uint32_t attempts = 2000;
    test::for_each_other_policy([&]<class Policy>(const std::string& policy, Policy) {
      std::uint32_t livelocks = 0;
      for (std::uint32_t ahead = 0; ahead < 40; ++ahead) {
        head_start choices(ahead);
        host::simulated() = {0, test::plenty_of_steps, 1, &choices};
        test::setting() = name + ": " + policy + ", head start " + std::to_string(ahead);
        workload work(patterns[0]);
        test::region_options options;
        options.threads = 2;
        options.max_attempts = attempts;
        options.back_off = 0;
        const auto tried = host::run_region<Policy>(work.region<Policy>(), 2, options);
        CHECK_EQ(work.things.claimed(), 0u);
        work.check(2, tried.unfinished);
        livelocks += tried.unfinished.size() == 2 ? 1u : 0u;
      }
      if constexpr (std::is_same_v<Policy, stm::coarse_lock> || std::is_same_v<Policy, stm::locks>) {
        CHECK_EQ(livelocks, 0u);
      }
      std::printf("    %s: %u of 40 head starts end in livelock\n", policy.c_str(), livelocks);
    });
    host::simulated().choices = nullptr;
    test::setting() = name;
  });
#elif defined(MAGPIE_MACHINE_SIM)
  test::run("the smallest cases under many schedules", [] {
    const std::string name = test::setting();
    std::uint64_t given_up = 0;
    for (const pattern& shape : patterns) {
      workload work(shape);
      const std::uint32_t items = shape.set + 1;
      for (std::uint32_t seed = 0; seed < test::scaled(1500, 100); ++seed) {
        host::simulated() = {seed, 0, seed % 2 == 0 || !has_atomic_max ? 1u : 4u, nullptr};
        test::setting() = name + ": " + shape.name + ", seed " + std::to_string(seed);
        auto options = test::options_of(seed, items);
        const auto report = test::finishes(work.region<stm::hand_off>(), items, options, {&work.things});
        work.check(items, report.unfinished);
        if (seed % 4 == 0) {
          const auto region = work.region<stm::priority_rule>();
          const auto tried = test::tries(region, items, options, {&work.things});
          work.check(items, tried.unfinished);
          given_up += tried.unfinished.size();
        }
      }
    }
    test::setting() = name;
    CHECK(given_up > 0);
  });

  test::run("two in step", [] {
    // Two transactions in step, opposite opening orders, a few steps apart: under priority_rule they may
    // abort each other forever (how often is said); under hand_off the end is near whatever the head start.
    const std::string name = test::setting();
    const std::uint32_t attempts = 2000;
    std::uint32_t livelocks = 0;
    for (std::uint32_t ahead = 0; ahead < 40; ++ahead) {
      head_start choices(ahead);
      host::simulated() = {0, test::plenty_of_steps, 1, &choices};
      test::setting() = name + ", head start " + std::to_string(ahead);
      workload work(patterns[0]);
      test::region_options options;
      options.threads = 2;
      options.max_attempts = attempts;
      const auto tried = host::run_region<stm::priority_rule>(work.region<stm::priority_rule>(), 2, options);
      CHECK_EQ(work.things.claimed(), 0u);
      work.check(2, tried.unfinished);
      if (tried.unfinished.size() == 2) {
        ++livelocks;
        CHECK_EQ(tried.statistics[test::counter::commits], 0u);
        CHECK_EQ(tried.statistics[test::counter::max_attempts], attempts);
      }
      const auto report = test::finishes(work.region<stm::hand_off>(), 2, options, {&work.things});
      CHECK(report.statistics[test::counter::max_attempts] < 20);
    }
    host::simulated().choices = nullptr;
    std::printf("    priority_rule: %u of 40 head starts end in livelock\n", livelocks);
  });
#endif
  return test::finish();
}
