/// @file
/// What of the `sim` machine no kernel's types are part of: the members of `simulation`, launches, faults.
///
/// Layer: sim. sim.cuh includes it at its end, so that a module is one source and nothing has to be linked. A program of
/// several sources, or one that is built without the optimizer, defines `MAGPIE_SIM_SEPARATE` wherever it is compiled and
/// adds one source that includes platform.cuh and then this file: everything a step costs besides the kernel's own code
/// is in there.
#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "magpie/sim/sim.cuh"

#if defined(MAGPIE_SIM_SEPARATE)
#define MAGPIE_SIM_INLINE
#else
#define MAGPIE_SIM_INLINE inline
#endif
/// For what goes by where it was called.
#define MAGPIE_SIM_NOINLINE MAGPIE_SIM_INLINE __attribute__((noinline))

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

MAGPIE_SIM_INLINE simulation::simulation(const char* kernel, std::uint32_t threads, std::uint32_t width,
                                         const settings& how, schedule& choices, const magpie_place& place)
    : kernel_(kernel),
      place_(place),
      width_(width),
      threads_(in_whole_warps(threads, width)),
      max_steps_(how.max_steps != 0 ? how.max_steps : ~std::uint64_t{0}),
      how_(how),
      controlled_(how.lasso || how.visits != nullptr || how.noted || how.stopped < threads_),
      choices_(choices),
      runnable_(threads_),
      fibers_(threads_),
      doing_(threads_, action::start),
      items_(threads_, magpie_place::no_item),
      parts_(threads_),
      calls_(threads_),
      warps_(threads_ / width) {
  if (how.counts != nullptr) counts_.emplace(threads_, width);
  if (how.weak) memory_.emplace(threads_);
  if (how.lasso || how.visits != nullptr) lasso_.emplace(threads_);
  if (how.trace != nullptr) trace_.emplace(*how.trace, threads_, &running_, items_.data());
  if (how.search != nullptr) log_.emplace(*how.search, threads_);
}

MAGPIE_SIM_INLINE simulation::~simulation() = default;

MAGPIE_SIM_INLINE record simulation::run(body kernel_body, const void* functor) {
  body_ = kernel_body;
  functor_ = functor;
  std::vector<fiber_stack> stacks;
  try {
    stacks = stack_pool::instance().acquire(threads_);
  } catch (const std::bad_alloc&) {
    outcome_.code = launch_no_progress;
    outcome_.message = "kernel " + std::string(kernel_) + ": no room for the stacks of " + std::to_string(threads_) +
                       " simulated threads; launch fewer";
    return outcome_;
  }
  for (std::uint32_t rank = 0; rank < threads_; ++rank) {
    fibers_[rank].prepare(stacks[rank], &simulation::enter);
    runnable_.add(rank);
  }
  simulation* const outer = current();
  access_trace* const outer_trace = access_trace::active();
  current() = this;
  access_trace::active() = trace_ ? &*trace_ : nullptr;
  launch();
  if (trace_) trace_->settle();
  if (outcome_.code == launch_ok && comes_back()) fault(launch_access_fault, kept_breach_);
  access_trace::active() = outer_trace;
  current() = outer;
  if (counts_ && outcome_.code == launch_ok) counts_->add_to(*how_.counts);
  stack_pool::instance().release(stacks);
  return outcome_;
}

MAGPIE_SIM_NOINLINE void simulation::step(action what, const void* address, step_kind kind, std::uint32_t bytes) {
  step_at(what, address, __builtin_return_address(0), kind, bytes);
}

MAGPIE_SIM_NOINLINE void simulation::moment(step_kind kind) {
  if (how_.fine) step_at(action::moment, nullptr, __builtin_return_address(0), kind);
}

MAGPIE_SIM_NOINLINE void simulation::step_if_fine(action what, const void* address, step_kind kind,
                                                  std::uint32_t bytes) {
  if (how_.fine) step_at(what, address, __builtin_return_address(0), kind, bytes);
}

MAGPIE_SIM_NOINLINE void simulation::note(access how, const void* address, std::uint32_t bytes) {
  if (how_.fine && is_plain(how) && trace_ && trace_->contains(address)) {
    const bool writes = how == access::st_plain;
    step_at(writes ? action::store : action::load, address, __builtin_return_address(0),
            writes ? step_store : step_load, bytes);
  }
  if (counts_) counts_->note(running_, __builtin_return_address(0), address, bytes);
  const access_rules::breach broken = rules_.note(how, address, bytes, running_ / width_);
  if (broken.of_fixed != nullptr) break_fixed(broken.of_fixed, address);
  if (broken.other != nullptr) break_rule(broken.other);
  if (trace_) trace_->accessed(how, address, bytes, __builtin_return_address(0));
  if (comes_back()) {
    fault(launch_access_fault, kept_breach_);
    leave();
  }
}

MAGPIE_SIM_NOINLINE void simulation::note_store(const void* address, std::uint32_t bytes) {
  if (const char* const broken = rules_.note_store(address, bytes)) break_fixed(broken, address);
}

MAGPIE_SIM_NOINLINE std::uint64_t simulation::loaded(const void* address, std::uint32_t bytes, std::uint64_t newest,
                                                     order o) {
  if (lasso_) lasso_->observed(running_, newest);
  if (!memory_) return newest;
  const std::uint32_t place = memory_->locate(address, bytes, newest);
  const std::uint32_t older = memory_->older(running_, place);
  const std::uint32_t version = older > 0 ? choices_.version(outcome_.steps - 1, older) : 0;
  if (version > 0) {
    mix_into_trace(~version);
    if (how_.noted) note_version(version);
    if (lasso_) lasso_->progressed(outcome_.steps);
  }
  const std::uint64_t bits = memory_->load(running_, place, version, o);
  if (trace_) trace_->read(bits);
  return bits;
}

MAGPIE_SIM_NOINLINE void simulation::stored(const void* address, std::uint32_t bytes, std::uint64_t old,
                                            std::uint64_t bits, order o) {
  if (lasso_) lasso_->stored(address, old, bits);
  if (memory_) memory_->store(running_, memory_->locate(address, bytes, old), bits, o);
}

MAGPIE_SIM_NOINLINE void simulation::updated(const void* address, std::uint32_t bytes, std::uint64_t old,
                                             std::uint64_t bits, bool writes, order o) {
  if (log_ && old == bits) log_->changes_nothing();
  if (lasso_) {
    lasso_->observed(running_, old);
    lasso_->stored(address, old, bits);
  }
  if (!memory_) return;
  const std::uint32_t place = memory_->locate(address, bytes, old);
  if (writes) {
    memory_->update(running_, place, bits, o);
  } else {
    memory_->load(running_, place, 0, o);
  }
}

MAGPIE_SIM_NOINLINE void simulation::fenced(bool sequentially_consistent) {
  if (!memory_) return;
  if (sequentially_consistent) {
    memory_->fence_sc(running_);
  } else {
    memory_->fence_acqrel(running_);
  }
}

MAGPIE_SIM_NOINLINE std::uint64_t simulation::meet(collective what, std::uint32_t lanes, std::uint64_t value,
                                                   std::uint32_t argument,
                                                   void (*combine)(lane_part* parts, std::uint32_t lanes,
                                                                   std::uint32_t width)) {
  const std::uint32_t me = running_;
  const std::uint32_t lane = me % width_;
  warp& mine = warps_[me / width_];
  lane_part* const parts = &parts_[me - lane];
  if ((lanes & mine.ended) != 0) {
    fault(launch_missing_lanes, in_warp(me) + "lane " + std::to_string(lane) + " is in " + name_of(what) + ", but " +
                                    listed(lanes & mine.ended) + " ended");
    leave();
  }
  for (std::uint32_t others = mine.waiting; others != 0; others &= others - 1) {
    const auto other = static_cast<std::uint32_t>(std::countr_zero(others));
    const lane_part& theirs = parts[other];
    const bool each_needs_the_other = ((lanes >> other) & 1u) != 0 && ((theirs.lanes >> lane) & 1u) != 0;
    if (each_needs_the_other && (theirs.what != what || theirs.lanes != lanes)) {
      fault(launch_missing_lanes, in_warp(me) + "lane " + std::to_string(lane) + " is in " + name_of(what) + ", but " +
                                      waiting_like(mine.waiting, parts, other) +
                                      (theirs.what == what ? " among other lanes" : ""));
      leave();
    }
  }
  parts[lane] = {what, lanes, argument, value, 0};
  doing_[me] = action::collective;
  mine.waiting |= 1u << lane;
  if ((mine.waiting & lanes) == lanes) {
    combine(parts, lanes, width_);
    if (memory_ && what == collective::sync_warp) memory_->barrier(me - lane, lanes);
    if (log_) log_->met(me, lane, lanes);
    mine.waiting &= ~lanes;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const auto each = static_cast<std::uint32_t>(std::countr_zero(rest));
      parts[each].what = collective::none;
      if (each != lane) {
        if (!is_stopped(me - lane + each)) runnable_.add(me - lane + each);
        --blocked_;
      }
    }
    step_at(action::collective, nullptr, __builtin_return_address(0));
  } else {
    ++blocked_;
    runnable_.remove(me);
    block(action::collective, __builtin_return_address(0));
  }
  return parts[lane].result;
}

MAGPIE_SIM_NOINLINE std::uint32_t simulation::gather() {
  const std::uint32_t me = running_;
  const std::uint32_t lane = me % width_;
  warp& mine = warps_[me / width_];
  lane_call* const calls = &calls_[me - lane];
  const void* const here = __builtin_return_address(0);
  const auto* const group = reinterpret_cast<const void*>(std::uintptr_t{me / width_} + 1);  // stands for its lanes
  if (how_.fine) step_at(action::gather, group, here, step_or, 1);                           // they come in any order
  calls[lane].call = here;
  mine.gathering |= 1u << lane;
  step_at(action::gather, group, here, step_update, 1);
  if (((mine.gathering >> lane) & 1u) != 0) {  // the first to go on closes the group
    std::uint32_t group = 0;
    for (std::uint32_t rest = mine.gathering; rest != 0; rest &= rest - 1) {
      const auto each = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (calls[each].call == here) group |= 1u << each;
    }
    mine.gathering &= ~group;
    for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
      calls[static_cast<std::uint32_t>(std::countr_zero(rest))].lanes = group;
    }
  }
  return calls[lane].lanes;
}

MAGPIE_SIM_INLINE void simulation::fault(launch_code code, const std::string& message) {
  outcome_.code = code;
  outcome_.message = "kernel " + std::string(kernel_) + ": " + message;
}

MAGPIE_SIM_INLINE void simulation::leave() {
  fiber::switch_to(fibers_[running_], host_);
  __builtin_unreachable();
}

MAGPIE_SIM_NOINLINE void simulation::break_rule(const char* which) {
  fault_here(launch_access_fault, std::string(which) + " (platform.cuh)");
  leave();
}

MAGPIE_SIM_NOINLINE void simulation::break_fixed(const char* which, const void* address) {
  if (!left_to_host(address)) break_rule(which);
  if (kept_breach_.empty()) kept_breach_ = text_of(place()) + ": " + which + " (platform.cuh)";
}

MAGPIE_SIM_INLINE void simulation::launch() {
  fault_guard guard(place_.functor, __builtin_frame_address(0));
  guard.ask_first([](void* self) { static_cast<simulation*>(self)->interrupt(); }, this);
  guard.runs_on([](void* self) { return static_cast<simulation*>(self)->running_stack_end(); }, this);
  if (sigsetjmp(guard.back(), 0) != 0) {  // on the host's stack again
    if (trace_) trace_->event(trace_event::faulted, nullptr, 0, nullptr, guard.left_at());
    fault_here(guard.was_interrupted() ? launch_stuck : launch_processor_fault, guard.what());
    return;
  }
  const std::uint32_t first = pick({0, switch_point::nobody, action::start, nullptr, nullptr});
  if (first == switch_point::nobody) return;
  guard.arm();
  go_to(first, host_);
  guard.disarm();
}

MAGPIE_SIM_INLINE void simulation::interrupt() {
  interrupted_ = true;
  max_steps_.store(0, std::memory_order_relaxed);
}

__attribute__((always_inline)) inline void simulation::step_at(action what, const void* address, const void* position,
                                                               step_kind kind, std::uint32_t bytes) {
  doing_[running_] = what;
  if (log_) log_->stands_before(running_, address, kind, bytes);
  const std::uint32_t before = running_;
  const std::uint32_t chosen = pick({outcome_.steps, before, what, address, position});
  if (chosen == switch_point::nobody) leave();
  if (chosen != before) go_to(chosen, fibers_[before]);
}

MAGPIE_SIM_INLINE std::uint32_t simulation::pick(const switch_point& at) {
  if (trace_) trace_->settle();
  if (at.step >= max_steps_.load(std::memory_order_relaxed)) {
    // A search lets threads wait for others that sleep, or that come later. That is no run that does not end.
    if (log_ && !interrupted_ && (someone_sleeps() || log_->has_pauses())) {
      fault(someone_sleeps() ? launch_asleep : launch_too_long, "what is left takes more steps");
      return switch_point::nobody;
    }
    fault(interrupted_ ? launch_interrupted : launch_no_progress,
          "not finished after " + std::to_string(at.step) + " steps" +
              (interrupted_ ? ", when its time was up: " : ": ") + whereabouts());
    return switch_point::nobody;
  }
  if (controlled_ && !admit(at)) return switch_point::nobody;
  std::uint32_t chosen = choices_.choose(runnable_, at);
  if (log_) {
    chosen = awake(chosen, at.step);
    if (chosen == switch_point::nobody) return chosen;
    log_->goes_on(chosen);
  }
  if (!runnable_.contains(chosen)) {
    fault(launch_no_progress, "the schedule chose thread " + std::to_string(chosen) + " at step " +
                                  std::to_string(at.step) + ", which cannot run: " + whereabouts());
    return switch_point::nobody;
  }
  if (controlled_) note(at, chosen);
  ++outcome_.steps;
  mix_into_trace(chosen);
  return chosen;
}

MAGPIE_SIM_INLINE bool simulation::someone_sleeps() {
  log_->settle();
  for (std::uint32_t i = 0; i < runnable_.count(); ++i) {
    if (log_->is_asleep(runnable_[i])) return true;
  }
  return false;
}

MAGPIE_SIM_INLINE std::uint32_t simulation::awake(std::uint32_t wanted, std::uint64_t step) {
  log_->settle();
  if (step < how_.listed) return wanted;
  bool asleep = false;
  std::uint32_t rank = wanted;
  for (std::uint32_t i = 0; i < runnable_.count(); ++i, rank = runnable_.next(rank)) {
    if (!log_->is_cut(rank) && !log_->is_asleep(rank)) return rank;
    asleep = asleep || log_->is_asleep(rank);
  }
  fault(asleep ? launch_asleep : launch_cut,
        asleep ? "what is left was tried before" : "what is left pauses more often");
  return switch_point::nobody;
}

MAGPIE_SIM_INLINE void simulation::mix_into_trace(std::uint32_t choice) {
  outcome_.trace = (outcome_.trace ^ choice) * 0x9e3779b97f4a7c15ull;
  outcome_.trace ^= outcome_.trace >> 29;
}

MAGPIE_SIM_NOINLINE bool simulation::admit(const switch_point& at) {
  if (is_stopped(how_.stopped) && runnable_.contains(how_.stopped)) {
    runnable_.remove(how_.stopped);
    if (runnable_.count() == 0) {
      nobody_can_run();
      return false;
    }
  }
  if (!lasso_) return true;
  lasso_->arrived(at);
  if (!how_.lasso) return true;
  const std::optional<std::uint64_t> before = lasso_->repeated(runnable_, at);
  if (!before) return true;
  outcome_.lasso_begin = *before;
  outcome_.lasso_end = at.step;
  fault(launch_lasso, "no progress: the state of step " + std::to_string(*before) + " came again at step " +
                          std::to_string(at.step) + ": " + whereabouts());
  return false;
}

MAGPIE_SIM_INLINE void simulation::note(const switch_point& at, std::uint32_t chosen) {
  if (chosen == how_.stopped) ++stopped_steps_;
  if (lasso_) lasso_->chosen(chosen, at.step);
  if (outcome_.visits < how_.visit_capacity && outcome_.progress == 0) {
    how_.visits[outcome_.visits++] = {lasso_->state(), chosen, 0};
  }
  if (how_.noted && chosen != default_choice(runnable_, at)) note_choice({at.step, chosen, 0});
}

MAGPIE_SIM_INLINE void simulation::note_choice(const magpie_choice& choice) {
  if (outcome_.taken < how_.taken_capacity) how_.taken[outcome_.taken] = choice;
  ++outcome_.taken;
  last_noted_ = choice;
}

MAGPIE_SIM_INLINE void simulation::note_version(std::uint32_t version) {
  const std::uint64_t step = outcome_.steps - 1;
  if (last_noted_.step == step && outcome_.taken > 0) {
    --outcome_.taken;
    note_choice({step, last_noted_.thread, version});
  } else {
    note_choice({step, magpie_choice::by_default, version});
  }
}

MAGPIE_SIM_INLINE bool simulation::is_stopped(std::uint32_t rank) const {
  return rank == how_.stopped && rank < threads_ && stopped_steps_ >= how_.stopped_after;
}

MAGPIE_SIM_INLINE void simulation::nobody_can_run() {
  if (is_stopped(how_.stopped)) {
    fault(launch_thread_stopped, "thread " + std::to_string(how_.stopped) + " stopped after " +
                                     std::to_string(stopped_steps_) +
                                     " steps, and no other can go on: " + whereabouts());
  } else {
    fault(launch_no_progress, "every thread waits: " + whereabouts());
  }
}

MAGPIE_SIM_INLINE void simulation::block(action what, const void* position) {
  const std::uint32_t me = running_;
  if (runnable_.count() == 0) {
    nobody_can_run();
    leave();
  }
  const std::uint32_t chosen = pick({outcome_.steps, me, what, nullptr, position});
  if (chosen == switch_point::nobody) leave();
  go_to(chosen, fibers_[me]);
}

MAGPIE_SIM_INLINE void simulation::go_to(std::uint32_t chosen, fiber& from) {
  ++outcome_.switches;
  running_ = chosen;
  fiber::switch_to(from, fibers_[chosen]);
}

MAGPIE_SIM_INLINE void simulation::enter() {
  simulation& self = *current();
  self.fibers_[self.running_].entered();
  self.live();
}

MAGPIE_SIM_INLINE void simulation::live() {
  const std::uint32_t me = running_;
  bool escaped = true;
  try {
    body_(functor_, me, threads_, width_);
    escaped = false;
  } catch (const std::exception& error) {
    fault_here(launch_misuse, std::string("threw an exception: ") + error.what());
  } catch (...) {
    fault_here(launch_misuse, "threw an exception");
  }
  if (escaped) leave();
  finish(me);
}

MAGPIE_SIM_INLINE void simulation::finish(std::uint32_t me) {
  const std::uint32_t lane = me % width_;
  warp& mine = warps_[me / width_];
  doing_[me] = action::end;
  mine.ended |= 1u << lane;
  ++ended_;
  for (std::uint32_t others = mine.waiting; others != 0; others &= others - 1) {
    const auto other = static_cast<std::uint32_t>(std::countr_zero(others));
    const lane_part* const parts = &parts_[me - lane];
    if (((parts[other].lanes >> lane) & 1u) != 0) {
      fault(launch_missing_lanes,
            in_warp(me) + "lane " + std::to_string(lane) + " ended, but " + waiting_like(mine.waiting, parts, other));
      leave();
    }
  }
  runnable_.remove(me);
  if (ended_ == threads_) leave();
  block(action::end, nullptr);
  __builtin_unreachable();
}

MAGPIE_SIM_INLINE std::string simulation::waiting_like(std::uint32_t waiting, const lane_part* parts,
                                                       std::uint32_t lane) {
  std::uint32_t same = 0;
  for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
    const auto each = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (parts[each].what == parts[lane].what && parts[each].lanes == parts[lane].lanes) same |= 1u << each;
  }
  return listed(same) + (std::popcount(same) == 1 ? " waits in " : " wait in ") + name_of(parts[lane].what);
}

MAGPIE_SIM_INLINE std::string simulation::in_warp(std::uint32_t rank) const {
  return "warp " + std::to_string(rank / width_) + " of width " + std::to_string(width_) + ": ";
}

MAGPIE_SIM_INLINE std::string simulation::listed(std::uint32_t lanes) {
  std::string text = std::popcount(lanes) == 1 ? "lane " : "lanes ";
  bool first = true;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (((lanes >> lane) & 1u) == 0) continue;
    unsigned last = lane;
    while (last + 1 < 32 && ((lanes >> (last + 1)) & 1u) != 0) ++last;
    text += (first ? "" : ",") + std::to_string(lane) + (last > lane ? "-" + std::to_string(last) : "");
    first = false;
    lane = last;
  }
  return text;
}

MAGPIE_SIM_INLINE std::string simulation::whereabouts() const {
  std::string text = std::to_string(threads_) + " threads, " + std::to_string(ended_) + " ended, " +
                     std::to_string(blocked_) + " wait in collectives;";
  unsigned shown = 0;
  for (std::uint32_t rank = 0; rank < threads_ && shown < 8; ++rank) {
    if (doing_[rank] == action::end) continue;
    const lane_part& part = parts_[rank];
    text += std::string(shown == 0 ? " " : ", ") + "thread " + std::to_string(rank) + " at " +
            (part.what != collective::none ? name_of(part.what) : name_of(doing_[rank])) +
            (items_[rank] != magpie_place::no_item ? " of item " + std::to_string(items_[rank]) : "");
    ++shown;
  }
  if (threads_ - ended_ > shown) text += ", ...";
  return text;
}

MAGPIE_SIM_INLINE void simulation::setback() {
  if (lasso_) lasso_->forgot(running_);
}

MAGPIE_SIM_INLINE void simulation::begin_phase() { rules_.begin_phase(); }
MAGPIE_SIM_INLINE void simulation::progress() {
  ++outcome_.progress;
  choices_.progressed(running_);
  if (lasso_) lasso_->progressed(outcome_.steps);
}

/// The launch is about to fault at this place of the code.
inline void trace_fault(const void* place) {
  if (access_trace* const into = access_trace::active()) into->event(trace_event::faulted, nullptr, 0, nullptr, place);
}

}  // namespace simulator

[[noreturn]] MAGPIE_SIM_NOINLINE void bounds_fault(std::uint64_t index, std::uint64_t length, const void* base) {
  simulator::trace_fault(__builtin_return_address(0));
  if (simulator::simulation* const running = simulator::simulation::current()) {
    running->fault_here(launch_bounds_fault, bounds_text(running->place(), index, length, base));
    running->leave();
  }
  throw kernel_fault(launch_bounds_fault, bounds_text({}, index, length, base));
}
[[noreturn]] MAGPIE_SIM_NOINLINE void bounds_fault(std::uint64_t row, std::uint64_t column, std::uint64_t rows,
                                                   std::uint64_t columns, const void* base) {
  simulator::trace_fault(__builtin_return_address(0));
  if (simulator::simulation* const running = simulator::simulation::current()) {
    running->fault_here(launch_bounds_fault, bounds_text(running->place(), row, column, rows, columns, base));
    running->leave();
  }
  throw kernel_fault(launch_bounds_fault, bounds_text({}, row, column, rows, columns, base));
}

[[noreturn]] MAGPIE_SIM_NOINLINE void misuse_fault(const char* what) {
  simulator::trace_fault(__builtin_return_address(0));
  if (simulator::simulation* const running = simulator::simulation::current()) {
    running->fault_here(launch_misuse, what);
    running->leave();
  }
  throw kernel_fault(launch_misuse, what);
}

MAGPIE_SIM_INLINE const simulator::record& simulate(const char* kernel, void (*body)(const void*, const thread&),
                                                    const void* functor, std::uint32_t threads, std::uint32_t width,
                                                    const simulator::settings& how, simulator::schedule& choices,
                                                    const char* fields) {
  struct bound {
    void (*body)(const void*, const thread&);
    const void* functor;
  } call{body, functor};
  simulator::simulation run(kernel, threads, width, how, choices, {functor, fields});
  simulator::last_record() = run.run(
      [](const void* to, std::uint32_t rank, std::uint32_t size, std::uint32_t lanes) {
        const bound& target = *static_cast<const bound*>(to);
        target.body(target.functor, thread{rank, size, lanes});
      },
      &call);
  return simulator::last_record();
}

namespace simulator {

/// The settings that a host asks for, with those of `args` that have no place in `plan`.
inline settings settings_of(const magpie_launch_args& args, const magpie_simulation& plan, bool traced) {
  settings how;
  how.max_steps = args.max_steps;
  how.weak = plan.memory == memory_weak;
  how.lasso = plan.lasso != 0;
  how.stopped = static_cast<std::uint32_t>(plan.stopped);
  how.stopped_after = static_cast<std::uint32_t>(plan.stopped >> 32);
  how.noted = true;
  how.taken = plan.taken;
  how.taken_capacity = plan.taken_capacity;
  how.visits = plan.visits;
  how.visit_capacity = plan.visits != nullptr ? plan.visit_capacity : 0;
  how.counts = plan.counts;
  how.trace = traced ? plan.accesses : nullptr;
  how.search = plan.search;
  how.listed = plan.choice_count;
  how.fine = plan.fine != 0;
  return how;
}

/// Calls `use(schedule&)` with the schedule that `plan` describes; false if there is none of that kind.
template <class F>
bool with_schedule(const magpie_simulation& plan, std::uint32_t threads, std::uint32_t width, F&& use) {
  switch (plan.schedule) {
    case schedule_explicit: {
      explicit_choices listed(plan.choices, plan.choice_count);
      use(listed);
      return true;
    }
    case schedule_round_robin: {
      round_robin in_turn;
      use(in_turn);
      return true;
    }
    case schedule_random_walk: {
      random_walk at_random(plan.seed);
      use(at_random);
      return true;
    }
    case schedule_pct: {
      pct by_priority(threads, plan.seed, plan.depth, plan.length);
      use(by_priority);
      return true;
    }
    case schedule_lock_step: {
      lock_step in_step(threads, width, plan.seed);
      use(in_step);
      return true;
    }
    case schedule_ordered: {
      ordered in_order(plan.choices, plan.choice_count, threads, width);
      use(in_order);
      return true;
    }
    default: return false;
  }
}

inline void report(const record& outcome, magpie_simulation& plan) {
  plan.taken_count = outcome.taken;
  plan.steps = outcome.steps;
  plan.switches = outcome.switches;
  plan.trace = outcome.trace;
  plan.lasso_begin = outcome.lasso_begin;
  plan.lasso_end = outcome.lasso_end;
  plan.visit_count = outcome.visits;
}

}  // namespace simulator

MAGPIE_SIM_INLINE std::int32_t run_grid(const char* kernel, void (*body)(const void*, const thread&),
                                        const void* functor, const magpie_launch_args& args, char* message,
                                        std::uint64_t message_bytes, const char* fields, bool traced) {
  magpie_simulation* const plan = args.simulation;
  if (plan != nullptr) simulator::report({}, *plan);
  if (args.width < 1 || args.width > 32 || args.threads < 1 || args.threads > simulator::most_threads) {
    std::snprintf(message, message_bytes,
                  "kernel %s: %llu threads in warps of %u cannot be simulated: 1 to %u threads, width 1 to 32", kernel,
                  static_cast<unsigned long long>(args.threads), args.width, simulator::most_threads);
    return launch_no_progress;
  }
  const auto threads = static_cast<std::uint32_t>(args.threads);
  const auto launch = [&](const simulator::settings& how, simulator::schedule& choices) {
    const simulator::record& outcome = simulate(kernel, body, functor, threads, args.width, how, choices, fields);
    if (outcome.code != launch_ok) std::snprintf(message, message_bytes, "%s", outcome.message.c_str());
    if (plan != nullptr) simulator::report(outcome, *plan);
    return outcome.code;
  };
  if (plan == nullptr) {
    simulator::settings how;
    how.max_steps = args.max_steps;
    simulator::round_robin in_turn;
    simulator::random_walk at_random(args.seed);
    return launch(how, args.seed == 0 ? static_cast<simulator::schedule&>(in_turn) : at_random);
  }
  std::int32_t code = launch_no_progress;
  const std::uint32_t whole_warps = simulator::simulation::in_whole_warps(threads, args.width);
  const bool known = plan->memory <= memory_weak &&
                     simulator::with_schedule(*plan, whole_warps, args.width, [&](simulator::schedule& choices) {
                       code = launch(simulator::settings_of(args, *plan, traced), choices);
                     });
  if (!known) {
    std::snprintf(message, message_bytes, "kernel %s: there is no schedule %u or no memory %u", kernel, plan->schedule,
                  plan->memory);
  }
  return code;
}

MAGPIE_NAMESPACE_END

#undef MAGPIE_SIM_NOINLINE
#undef MAGPIE_SIM_INLINE
