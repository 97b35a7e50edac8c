/// @file
/// Finds a launch of the `sim` machine back in a state it was in before, with nothing got done in between.
///
/// Layer: sim, used by simulator.hpp. Plain host C++.
///
/// The state: the words that accessors wrote; for each thread where in the code it is, the address it is about to access,
/// and what each place in the code read last since the thread began or last said `setback`; and which thread runs. It is
/// kept as one 64-bit hash, changed with each store and step. A lasso is a state that comes again while `progressed` was
/// not called and every thread that can run did a step: whoever repeats the choices made since then goes around forever,
/// under a fair schedule. What a thread keeps beyond a setback, what it counts, and plain stores are not in the state, so
/// a loop that counts in a register may look like a lasso: it is a candidate, to be confirmed by repeating it.
/// No lasso goes through a load of an older value (weak memory): the newest becomes visible in the end.
///
/// Limits: cycles of more than `most_states` steps are not seen; nor is one that counts in a word. Two states have equal
/// hashes with probability 2^-64. Cost: 16 bytes a state, up to 32 MiB.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "magpie/sim/schedules.hpp"

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

class lasso_detector {
 public:
  static constexpr std::uint64_t most_states = std::uint64_t{1} << 20;

  explicit lasso_detector(std::uint32_t threads) : threads_(threads), seen_(1024) {}

  void stored(const void* address, std::uint64_t old_bits, std::uint64_t bits) {
    if (old_bits == bits) return;
    const std::uint64_t word = mixed(reinterpret_cast<std::uintptr_t>(address));
    state_ ^= mixed(word ^ old_bits) ^ mixed(word ^ bits);
  }

  /// The access at which `thread` stands read `bits`.
  void observed(std::uint32_t thread, std::uint64_t bits) {
    where& at = threads_[thread];
    const std::uint64_t value = mixed(mixed(at.position ^ thread) ^ bits);
    for (reading& each : at.readings) {
      if (each.position == at.position) {
        state_ ^= each.value ^ value;
        each.value = value;
        return;
      }
    }
    at.readings.push_back({at.position, value});
    state_ ^= value;
  }

  /// `thread` starts over: what it read has no bearing on what it does.
  void forgot(std::uint32_t thread) {
    for (const reading& each : threads_[thread].readings) state_ ^= each.value;
    threads_[thread].readings.clear();
  }

  /// `thread` was chosen at `step`.
  void chosen(std::uint32_t thread, std::uint64_t step) { threads_[thread].last_step = step + 1; }

  /// What was done before `step` was worth it, or will not come again.
  void progressed(std::uint64_t step) { since_ = step; }

  /// To be called at each switch point.
  void arrived(const switch_point& at) {
    if (at.thread == switch_point::nobody) return;
    const std::uint64_t place = mixed(mixed(mixed(at.thread + 1ull) ^ reinterpret_cast<std::uintptr_t>(at.position)) ^
                                      reinterpret_cast<std::uintptr_t>(at.address));
    state_ ^= threads_[at.thread].place ^ place;
    threads_[at.thread].place = place;
    threads_[at.thread].position = reinterpret_cast<std::uintptr_t>(at.position);
  }

  /// Hash of the state, except for which thread runs.
  std::uint64_t state() const { return state_; }

  /// To be called after `arrived`. The earliest step with this state, if it is a lasso.
  std::optional<std::uint64_t> repeated(const runnable_set& runnable, const switch_point& at) {
    if (at.thread == switch_point::nobody) return std::nullopt;
    if (at.step - since_ >= most_states) since_ = at.step;
    if (2 * (at.step - since_ + 1) > seen_.size()) grow();
    visit& before = find(state_ ^ mixed(~std::uint64_t{at.thread}), at.step);
    if (before.step == at.step || !all_ran(runnable, before.step)) return std::nullopt;
    return before.step;
  }

 private:
  struct visit {
    std::uint64_t state = 0;
    std::uint64_t step = 0;  // before `since_`: not in use
  };
  struct reading {
    std::uint64_t position;
    std::uint64_t value;
  };
  struct where {
    std::uint64_t place = 0;
    std::uint64_t position = 0;
    std::vector<reading> readings;  // a few tens
    std::uint64_t last_step = 0;    // one more than the step at which it was chosen last, 0 = never
  };

  static std::uint64_t mixed(std::uint64_t z) {
    z = (z + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 29)) * 0x94d049bb133111ebull;
    return z ^ (z >> 32);
  }

  /// The visit of `state` since `since_`; it is made now, at `step`, if there was none.
  visit& find(std::uint64_t state, std::uint64_t step) {
    const std::size_t mask = seen_.size() - 1;
    std::size_t at = (state >> 20) & mask;
    while (in_use(seen_[at]) && seen_[at].state != state) at = (at + 1) & mask;
    if (!in_use(seen_[at])) seen_[at] = {state, step};
    return seen_[at];
  }
  bool in_use(const visit& each) const { return each.step != 0 && each.step >= since_; }

  void grow() {
    std::vector<visit> old(2 * seen_.size());
    old.swap(seen_);
    for (const visit& each : old) {
      if (in_use(each)) find(each.state, each.step);
    }
  }

  /// Whether every thread that can run was chosen at `step` or later.
  bool all_ran(const runnable_set& runnable, std::uint64_t step) {
    const auto behind = [&](std::uint32_t thread) {
      return runnable.contains(thread) && threads_[thread].last_step <= step;
    };
    if (behind(laggard_)) return false;
    for (std::uint32_t i = 0; i < runnable.count(); ++i) {
      if (!behind(runnable[i])) continue;
      laggard_ = runnable[i];  // likely the one that will be behind next time, too
      return false;
    }
    return true;
  }

  std::vector<where> threads_;
  std::vector<visit> seen_;  // a power of two, at most half in use
  std::uint64_t state_ = 0;
  std::uint64_t since_ = 0;
  std::uint32_t laggard_ = 0;
};

}  // namespace simulator

MAGPIE_NAMESPACE_END
