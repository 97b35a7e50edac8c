/// @file
/// What each step of a launch does to what threads share, for a search that leaves out schedules which differ only in the
/// order of steps that do not depend on each other.
///
/// Layer: sim, used by simulator.hpp. The host gives room for the steps, the steps of the threads that sleep, and a bound
/// of pauses, in `magpie_search` (launch_args.hpp).
///
/// Two steps of different threads depend on each other if they access common bytes, unless both only read, or both add,
/// or both do another of these operations without a result; where an attempt ends and another one begins; and where two
/// attempts take their places in the serial order. What a read-modify-write leaves as it was it only reads; but where two
/// accesses overlap without being of the same bytes, that is not looked at: so a third step that depends on neither
/// cannot change whether two depend on each other.
///
/// A launch in fine steps (`magpie_simulation::fine`) does one access in each, and no thread gets to know of another but by
/// these and by collectives. Plain accesses to memory that is not traced are not among them: access_rules.hpp ends a
/// launch in which warps share what they access so, whatever the order.
///
/// Cost: 16 bytes and a few ns a step.
#pragma once

#include <cstdint>
#include <vector>

#include "magpie/platform/launch_args.hpp"

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

/// Whether the order of two steps of different threads matters.
inline bool dependent(const magpie_step& a, const magpie_step& b) {
  if (a.kind < step_load || b.kind < step_load) return false;
  if (a.kind >= step_begin || b.kind >= step_begin) {
    return (a.kind == step_begin && b.kind == step_end) || (a.kind == step_end && b.kind == step_begin) ||
           (a.kind == step_order && b.kind == step_order);
  }
  if (a.address + a.bytes <= b.address || b.address + b.bytes <= a.address) return false;
  const auto reads = [](std::uint8_t kind) { return kind == step_load || kind == step_look; };
  if (a.address == b.address && a.bytes == b.bytes) {
    return !(reads(a.kind) && reads(b.kind)) && !(a.kind == b.kind && a.kind >= step_add);
  }
  return a.kind != step_load || b.kind != step_load;
}

/// The steps of one launch, and who sleeps.
class step_log {
 public:
  step_log(magpie_search& into, std::uint32_t threads)
      : into_(into), next_(threads), asleep_(threads), pauses_(threads) {
    into_.count = 0;
    for (std::uint32_t rank = 0; rank < threads; ++rank) next_[rank].thread = rank;
    for (std::uint64_t i = 0; i < into_.asleep_count; ++i) asleep_[into_.asleep[i].thread] = true;
  }

  /// A thread stands before this.
  void stands_before(std::uint32_t thread, const void* address, step_kind kind, std::uint32_t bytes) {
    next_[thread] = {reinterpret_cast<std::uintptr_t>(address), thread,
                     static_cast<std::uint16_t>(bytes < 0xffff ? bytes : 0xffff), kind, 0};
  }

  /// The last step is over: wakes who depends on it.
  void settle() {
    if (!stepped_) return;
    stepped_ = false;
    if (steps_++ < into_.asleep_from) return;
    for (std::uint64_t i = 0; i < into_.asleep_count; ++i) {
      if (dependent(into_.asleep[i], last_)) asleep_[into_.asleep[i].thread] = false;
    }
  }

  bool is_asleep(std::uint32_t thread) const { return asleep_[thread]; }
  /// Whether the thread stands before a pause that it may not do.
  bool is_cut(std::uint32_t thread) const {
    return next_[thread].kind == step_pause && pauses_[thread] >= into_.most_pauses;
  }

  /// Whether threads have paused: then others may have been let wait without need.
  bool has_pauses() const {
    for (const std::uint64_t each : pauses_) {
      if (each != 0) return true;
    }
    return false;
  }

  /// The thread does its step.
  void goes_on(std::uint32_t thread) {
    last_ = next_[thread];
    if (last_.kind == step_pause) ++pauses_[thread];
    put(last_);
    stepped_ = true;
    next_[thread] = {0, thread, 0, step_local, 0};
  }
  /// The read-modify-write that runs leaves its word as it was.
  void changes_nothing() {
    if (last_.kind != step_update) return;
    last_.kind = step_look;
    if (into_.count <= into_.capacity) into_.steps[into_.count - 1].kind = step_look;
  }
  /// A collective lets `lanes` of the warp go, in which the thread is `lane`.
  void met(std::uint32_t thread, std::uint32_t lane, std::uint32_t lanes) {
    put({lanes, thread, static_cast<std::uint16_t>(lane), step_met, 0});
  }

 private:
  void put(const magpie_step& step) {
    if (into_.count < into_.capacity) into_.steps[into_.count] = step;
    ++into_.count;
  }

  magpie_search& into_;
  std::vector<magpie_step> next_;  // what each thread stands before
  std::vector<bool> asleep_;
  std::vector<std::uint64_t> pauses_;
  magpie_step last_{};
  std::uint64_t steps_ = 0;
  bool stepped_ = false;
};

}  // namespace simulator

MAGPIE_NAMESPACE_END
