/// @file
/// For tests of the simulator: launches by a `magpie_simulation`, and all launches that a program has.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "test.hpp"

namespace test {

/// The explicit default schedule on sequential memory, nothing stopped, nothing noted.
inline magpie_simulation plan_of(std::uint32_t schedule = schedule_explicit, std::uint64_t seed = 0,
                                 std::uint32_t memory = memory_sequential) {
  magpie_simulation plan{};
  plan.schedule = schedule;
  plan.memory = memory;
  plan.seed = seed;
  plan.depth = 1;
  plan.stopped = ~std::uint64_t{0};
  return plan;
}

/// Runs `functor` by `plan`; gives the launch's record.
template <class Functor>
magpie::simulator::record planned_run(const Functor& functor, std::uint32_t threads, std::uint32_t width,
                                      magpie_simulation& plan, std::uint64_t max_steps = 0) {
  char message[512] = "";
  const magpie_launch_args args{threads, 0, threads, 0, max_steps, width, 0, &plan};
  const std::int32_t code = magpie::run_grid(
      "tried", [](const void* f, const magpie::thread& self) { (*static_cast<const Functor*>(f))(self); }, &functor,
      args, message, sizeof message);
  magpie::simulator::record last = magpie::simulator::last_record();
  CHECK_EQ(code, last.code);
  CHECK_EQ(std::string(message), last.message);
  CHECK_EQ(plan.steps, last.steps);
  CHECK_EQ(plan.switches, last.switches);
  CHECK_EQ(plan.trace, last.trace);
  CHECK_EQ(plan.taken_count, last.taken);
  CHECK_EQ(plan.lasso_begin, last.lasso_begin);
  CHECK_EQ(plan.lasso_end, last.lasso_end);
  return last;
}

/// One launch after the other, until each sequence of choices was taken once.
class all_choices final : public magpie::simulator::schedule {
 public:
  std::uint32_t choose(const magpie::simulator::runnable_set& runnable,
                       const magpie::simulator::switch_point&) override {
    return runnable[decide(runnable.count())];
  }
  std::uint32_t version(std::uint64_t, std::uint32_t older) override { return decide(older + 1); }

  /// Makes the next launch take another sequence; false if there is none.
  bool next() {
    depth_ = 0;
    while (!path_.empty() && path_.back().first + 1 == path_.back().second) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().first;
    return true;
  }

 private:
  std::uint32_t decide(std::uint32_t n) {
    if (depth_ == path_.size()) path_.push_back({0, n});
    return path_[depth_++].first;
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> path_;
  std::size_t depth_ = 0;
};

/// What `outcome` gives after each of the launches that `Functor` has, as "a b c". `fresh` makes a new functor.
template <class Fresh, class Outcome>
std::string outcomes(bool weak, std::uint32_t threads, std::uint32_t width, Fresh&& fresh, Outcome&& outcome) {
  magpie::simulator::settings how;
  how.weak = weak;
  std::set<std::string> seen;
  all_choices choices;
  do {
    const auto functor = fresh();
    using type = std::decay_t<decltype(functor)>;
    const auto& run = magpie::simulate(
        "tried", [](const void* f, const magpie::thread& self) { (*static_cast<const type*>(f))(self); }, &functor,
        threads, width, how, choices);
    CHECK_EQ(run.code, launch_ok);
    seen.insert(outcome());
  } while (choices.next());
  std::string text;
  for (const std::string& each : seen) text += (text.empty() ? "" : " ") + each;
  return text;
}

}  // namespace test
