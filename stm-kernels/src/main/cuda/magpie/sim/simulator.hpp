/// @file
/// The engine of the `sim` machine: fibers, switch points, collectives, faults, the record of a launch.
///
/// Layer: sim, used by sim.cuh, and by tests and explorers that bring a `schedule` of their own. Calls fiber.hpp,
/// schedules.hpp, step_log.hpp, access_rules.hpp, access_counts.hpp, weak_memory.hpp, lasso.hpp, fault_guard.hpp, fault_text.hpp.
///
/// How it works: `simulation::run` prepares a fiber for each thread and leaves the host's stack for the first one. At
/// each switch point the running fiber itself asks the schedule and switches straight to the chosen one, which then does
/// the access that it stood before: one step. A thread that waits in a collective is not runnable; the lane that comes
/// last works out all results and makes the others runnable. The last thread to end, or the first to meet a fault, goes
/// back to the host's stack; all fibers are then abandoned.
///
/// Participation: one host thread runs one simulation at a time; several host threads may each run their own.
///
/// Errors: `record::code` and `record::message`. Progress: bounded by `max_steps`. Cost, determinism: see sim.cuh.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "magpie/sim/access_counts.hpp"
#include "magpie/sim/access_rules.hpp"
#include "magpie/sim/access_trace.hpp"
#include "magpie/platform/fault_guard.hpp"
#include "magpie/platform/fault_text.hpp"
#include "magpie/sim/fiber.hpp"
#include "magpie/sim/lasso.hpp"
#include "magpie/platform/launch_args.hpp"
#include "magpie/sim/schedules.hpp"
#include "magpie/sim/step_log.hpp"
#include "magpie/sim/weak_memory.hpp"

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

/// Threads of the largest grid.
inline constexpr std::uint32_t most_threads = 32'768;

/// What a launch does besides following its schedule.
struct settings {
  std::uint64_t max_steps = 0;                   ///< 0 = no bound
  bool weak = false;                             ///< loads may read older values, as weak_memory.hpp says
  bool lasso = false;                            ///< end at a lasso, as lasso.hpp says
  std::uint32_t stopped = switch_point::nobody;  ///< this thread is chosen so many times and then never again
  std::uint32_t stopped_after = 0;
  bool noted = false;  ///< count deviations from the default schedule, and write the first `taken_capacity` to `taken`
  magpie_choice* taken = nullptr;
  std::uint64_t taken_capacity = 0;
  magpie_visit* visits = nullptr;  ///< where the states go, until a thread gets something done
  std::uint64_t visit_capacity = 0;
  magpie_access_counts* counts = nullptr;  ///< where accesses are added up
  magpie_trace* trace = nullptr;           ///< where events go
  magpie_search* search = nullptr;         ///< where steps go, and who sleeps ...
  std::uint64_t listed = 0;                ///< ... after so many steps
  bool fine = false;                       ///< plain accesses to traced memory and moments of attempts are steps, too
};

/// What became of a launch.
struct record {
  std::int32_t code = launch_ok;  ///< a `launch_code`
  std::string message;            ///< one line, empty if code is `launch_ok`
  std::uint64_t steps = 0;        ///< choices made
  std::uint64_t switches = 0;     ///< choices of another thread than the one that ran
  std::uint64_t trace = 0;        ///< hash of the sequence of chosen ranks, and of the older values read
  std::uint64_t progress = 0;     ///< times that a thread said it got something done
  std::uint64_t taken = 0;        ///< deviations from the default schedule, if they were to be noted
  std::uint64_t lasso_begin = 0;  ///< if code is `launch_lasso`, the steps of the repeated state
  std::uint64_t lasso_end = 0;
  std::uint64_t visits = 0;  ///< states written
};

/// The record of the last launch on this host thread.
inline record& last_record() {
  thread_local record last;
  return last;
}

/// The warp collectives, for messages and for telling lanes apart that are in different ones.
enum class collective : std::uint8_t {
  none,
  ballot,
  any,
  all,
  shuffle,
  shuffle_down,
  shuffle_up,
  reduce_add,
  sync_warp,
  shuffle_among,
  ballot_among,
  any_among,
  converge,
};

inline const char* name_of(collective what) {
  static constexpr const char* names[] = {"none",         "ballot",     "any",        "all",       "shuffle",
                                          "shuffle_down", "shuffle_up", "reduce_add", "sync_warp", "shuffle_among",
                                          "ballot_among", "any_among",  "converge"};
  return names[static_cast<int>(what)];
}

/// One lane's part in a collective. The last lane to come fills in everybody's result.
struct lane_part {
  collective what = collective::none;  ///< none: not waiting
  std::uint32_t lanes = 0;             ///< who takes part
  std::uint32_t argument = 0;
  std::uint64_t value = 0;
  std::uint64_t result = 0;
};

/// The call of active_lanes that a lane came to, and the lanes that left it together.
struct lane_call {
  const void* call = nullptr;
  std::uint32_t lanes = 0;
};

/// One launch: its fibers, its warps, its clock.
class simulation {
 public:
  using body = void (*)(const void* functor, std::uint32_t rank, std::uint32_t threads, std::uint32_t width);

  /// `threads` >= 1 is rounded up to whole warps. `place` has functor and fields of the launch.
  simulation(const char* kernel, std::uint32_t threads, std::uint32_t width, const settings& how, schedule& choices,
             const magpie_place& place = {})
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

  static constexpr std::uint32_t in_whole_warps(std::uint32_t threads, std::uint32_t width) {
    return (threads + width - 1) / width * width;
  }

  /// The simulation that runs on this host thread, if any.
  static simulation*& current() {
    static constinit thread_local simulation* running = nullptr;
    return running;
  }

  record run(body kernel_body, const void* functor) {
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
    access_trace::active() = outer_trace;
    current() = outer;
    if (counts_ && outcome_.code == launch_ok) counts_->add_to(*how_.counts);
    stack_pool::instance().release(stacks);
    return outcome_;
  }

  /// A switch point before an access. The thread's position in the code is where this was called.
  __attribute__((noinline)) void step(action what, const void* address, step_kind kind, std::uint32_t bytes) {
    step_at(what, address, __builtin_return_address(0), kind, bytes);
  }

  /// A moment of an attempt: a step if steps are fine.
  __attribute__((noinline)) void moment(step_kind kind) {
    if (how_.fine) step_at(action::moment, nullptr, __builtin_return_address(0), kind);
  }

  /// The same before an access that no accessor makes: a step if steps are fine.
  __attribute__((noinline)) void step_if_fine(action what, const void* address, step_kind kind, std::uint32_t bytes) {
    if (how_.fine) step_at(what, address, __builtin_return_address(0), kind, bytes);
  }

  /// Notes an access, and ends the launch if it breaks a rule of access_rules.hpp.
  __attribute__((noinline)) void note(access how, const void* address, std::uint32_t bytes) {
    if (how_.fine && is_plain(how) && trace_ && trace_->contains(address)) {
      const bool writes = how == access::st_plain;
      step_at(writes ? action::store : action::load, address, __builtin_return_address(0),
              writes ? step_store : step_load, bytes);
    }
    if (counts_) counts_->note(running_, __builtin_return_address(0), address, bytes);
    if (const char* const broken = rules_.note(how, address, bytes, running_ / width_)) break_rule(broken);
    if (trace_) trace_->accessed(how, address, bytes, __builtin_return_address(0));
  }

  /// Whether accesses are to be told to the members `loaded` to `fenced`, after their switch point.
  bool observes() const { return memory_.has_value() || lasso_.has_value() || log_.has_value(); }

  /// A load of `bytes` bytes from memory that holds `newest`: gives what it reads.
  __attribute__((noinline)) std::uint64_t loaded(const void* address, std::uint32_t bytes, std::uint64_t newest,
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

  /// A store that is about to change memory from `old` to `bits`.
  __attribute__((noinline)) void stored(const void* address, std::uint32_t bytes, std::uint64_t old, std::uint64_t bits,
                                        order o) {
    if (lasso_) lasso_->stored(address, old, bits);
    if (memory_) memory_->store(running_, memory_->locate(address, bytes, old), bits, o);
  }

  /// A read-modify-write that is about to change memory from `old` to `bits`; `writes` is false for a failed
  /// compare-exchange.
  __attribute__((noinline)) void updated(const void* address, std::uint32_t bytes, std::uint64_t old,
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

  __attribute__((noinline)) void fenced(bool sequentially_consistent) {
    if (!memory_) return;
    if (sequentially_consistent) {
      memory_->fence_sc(running_);
    } else {
      memory_->fence_acqrel(running_);
    }
  }

  /// Meets the other `lanes` of the warp in a collective; `combine` fills in the results once all are there.
  __attribute__((noinline)) std::uint64_t meet(collective what, std::uint32_t lanes, std::uint64_t value,
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
        fault(launch_missing_lanes, in_warp(me) + "lane " + std::to_string(lane) + " is in " + name_of(what) +
                                        ", but " + waiting_like(mine.waiting, parts, other) +
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

  /// The lanes here together: lanes of the warp that came to the same call of this function, until one goes on.
  __attribute__((noinline)) std::uint32_t gather() {
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

  /// States why the launch ends where the running thread stands; `leave` must follow.
  void fault_here(launch_code code, const std::string& message) { fault(code, text_of(place()) + ": " + message); }

  /// Where the running thread stands.
  magpie_place place() const {
    magpie_place here = place_;
    here.thread = running_;
    here.item = items_[running_];
    return here;
  }
  /// The running thread begins an item.
  void working_on(std::uint64_t item) { items_[running_] = item; }

  /// States why the launch ends; `leave` must follow, when the message's memory is given back.
  void fault(launch_code code, const std::string& message) {
    outcome_.code = code;
    outcome_.message = "kernel " + std::string(kernel_) + ": " + message;
  }

  /// Ends the launch: every fiber is abandoned where it stands, and nothing on its stack destroyed.
  [[noreturn]] void leave() {
    fiber::switch_to(fibers_[running_], host_);
    __builtin_unreachable();
  }

  std::uint32_t running() const { return running_; }
  /// Choices made so far.
  std::uint64_t steps() const { return outcome_.steps; }
  /// The running thread starts over.
  void setback() {
    if (lasso_) lasso_->forgot(running_);
  }

  /// The running thread got something done: no lasso reaches back to before.
  void progress() {
    ++outcome_.progress;
    choices_.progressed(running_);
    if (lasso_) lasso_->progressed(outcome_.steps);
  }

 private:
  struct warp {
    std::uint32_t waiting = 0;    ///< lanes in a collective
    std::uint32_t gathering = 0;  ///< lanes in active_lanes
    std::uint32_t ended = 0;
  };

  [[noreturn]] __attribute__((noinline)) void break_rule(const char* which) {
    fault_here(launch_access_fault, std::string(which) + " (platform.cuh)");
    leave();
  }

  /// From the first choice until the launch is left.
  void launch() {
    fault_guard guard(place_.functor, __builtin_frame_address(0));
    guard.ask_first([](void* self) { static_cast<simulation*>(self)->interrupt(); }, this);
    guard.runs_on([](void* self) { return static_cast<simulation*>(self)->running_stack_end(); }, this);
    if (sigsetjmp(guard.back(), 0) != 0) {  // on the host's stack again
      fault_here(guard.was_interrupted() ? launch_interrupted : launch_processor_fault, guard.what());
      return;
    }
    const std::uint32_t first = pick({0, switch_point::nobody, action::start, nullptr, nullptr});
    if (first == switch_point::nobody) return;
    guard.arm();
    go_to(first, host_);
    guard.disarm();
  }

  /// Called by a signal handler.
  const void* running_stack_end() const { return fibers_[running_].stack_end(); }

  /// Called by a signal handler: the next choice is none.
  void interrupt() {
    interrupted_ = true;
    max_steps_.store(0, std::memory_order_relaxed);
  }

  __attribute__((always_inline)) void step_at(action what, const void* address, const void* position,
                                              step_kind kind = step_local, std::uint32_t bytes = 0) {
    doing_[running_] = what;
    if (log_) log_->stands_before(running_, address, kind, bytes);
    const std::uint32_t before = running_;
    const std::uint32_t chosen = pick({outcome_.steps, before, what, address, position});
    if (chosen == switch_point::nobody) leave();
    if (chosen != before) go_to(chosen, fibers_[before]);
  }

  /// Who goes on; `nobody` if the launch ends here, with the outcome set.
  std::uint32_t pick(const switch_point& at) {
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

  /// Whether a search keeps a thread from going on that could.
  bool someone_sleeps() {
    log_->settle();
    for (std::uint32_t i = 0; i < runnable_.count(); ++i) {
      if (log_->is_asleep(runnable_[i])) return true;
    }
    return false;
  }

  /// `wanted` or the next thread that a search lets go on; `nobody` if the launch ends here.
  std::uint32_t awake(std::uint32_t wanted, std::uint64_t step) {
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

  void mix_into_trace(std::uint32_t choice) {
    outcome_.trace = (outcome_.trace ^ choice) * 0x9e3779b97f4a7c15ull;
    outcome_.trace ^= outcome_.trace >> 29;
  }

  /// Stops whom it is time to stop, and looks for a lasso. False if the launch ends here.
  __attribute__((noinline)) bool admit(const switch_point& at) {
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

  void note(const switch_point& at, std::uint32_t chosen) {
    if (chosen == how_.stopped) ++stopped_steps_;
    if (lasso_) lasso_->chosen(chosen, at.step);
    if (outcome_.visits < how_.visit_capacity && outcome_.progress == 0) {
      how_.visits[outcome_.visits++] = {lasso_->state(), chosen, 0};
    }
    if (how_.noted && chosen != default_choice(runnable_, at)) note_choice({at.step, chosen, 0});
  }

  void note_choice(const magpie_choice& choice) {
    if (outcome_.taken < how_.taken_capacity) how_.taken[outcome_.taken] = choice;
    ++outcome_.taken;
    last_noted_ = choice;
  }

  /// The load of the step that runs reads an older value.
  void note_version(std::uint32_t version) {
    const std::uint64_t step = outcome_.steps - 1;
    if (last_noted_.step == step && outcome_.taken > 0) {
      --outcome_.taken;
      note_choice({step, last_noted_.thread, version});
    } else {
      note_choice({step, magpie_choice::by_default, version});
    }
  }

  /// Whether `rank` is the thread to be stopped and has done all its steps.
  bool is_stopped(std::uint32_t rank) const {
    return rank == how_.stopped && rank < threads_ && stopped_steps_ >= how_.stopped_after;
  }

  void nobody_can_run() {
    if (is_stopped(how_.stopped)) {
      fault(launch_thread_stopped, "thread " + std::to_string(how_.stopped) + " stopped after " +
                                       std::to_string(stopped_steps_) +
                                       " steps, and no other can go on: " + whereabouts());
    } else {
      fault(launch_no_progress, "every thread waits: " + whereabouts());
    }
  }

  /// The running thread, which is not runnable any more, makes way.
  void block(action what, const void* position) {
    const std::uint32_t me = running_;
    if (runnable_.count() == 0) {
      nobody_can_run();
      leave();
    }
    const std::uint32_t chosen = pick({outcome_.steps, me, what, nullptr, position});
    if (chosen == switch_point::nobody) leave();
    go_to(chosen, fibers_[me]);
  }

  void go_to(std::uint32_t chosen, fiber& from) {
    ++outcome_.switches;
    running_ = chosen;
    fiber::switch_to(from, fibers_[chosen]);
  }

  /// First function of every fiber.
  static void enter() {
    simulation& self = *current();
    self.fibers_[self.running_].entered();
    self.live();
  }

  [[noreturn]] void live() {
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

  [[noreturn]] void finish(std::uint32_t me) {
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

  /// "lanes 0-2 wait in ballot": those in the same collective as `lane`.
  static std::string waiting_like(std::uint32_t waiting, const lane_part* parts, std::uint32_t lane) {
    std::uint32_t same = 0;
    for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
      const auto each = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (parts[each].what == parts[lane].what && parts[each].lanes == parts[lane].lanes) same |= 1u << each;
    }
    return listed(same) + (std::popcount(same) == 1 ? " waits in " : " wait in ") + name_of(parts[lane].what);
  }

  std::string in_warp(std::uint32_t rank) const {
    return "warp " + std::to_string(rank / width_) + " of width " + std::to_string(width_) + ": ";
  }

  /// "lane 3" or "lanes 0-2,5".
  static std::string listed(std::uint32_t lanes) {
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

  /// Where the threads stand: counts, then the first few that have not ended.
  std::string whereabouts() const {
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

  const char* kernel_;
  magpie_place place_;
  std::uint32_t width_;
  std::uint32_t threads_;
  std::atomic<std::uint64_t> max_steps_;  // the present bound; a signal handler makes it 0
  volatile bool interrupted_ = false;
  settings how_;
  bool controlled_;  // there is more to do at a switch point than to ask the schedule
  schedule& choices_;
  body body_ = nullptr;
  const void* functor_ = nullptr;
  runnable_set runnable_;
  fiber host_;
  std::vector<fiber> fibers_;
  std::vector<action> doing_;
  std::vector<std::uint64_t> items_;
  std::vector<lane_part> parts_;
  std::vector<lane_call> calls_;
  std::vector<warp> warps_;
  std::uint32_t running_ = switch_point::nobody;
  std::uint32_t ended_ = 0;
  std::uint32_t blocked_ = 0;
  std::uint32_t stopped_steps_ = 0;  // of the thread to be stopped
  magpie_choice last_noted_{};
  access_rules rules_;
  std::optional<access_counts> counts_;
  std::optional<weak_memory> memory_;
  std::optional<lasso_detector> lasso_;
  std::optional<access_trace> trace_;
  std::optional<step_log> log_;
  record outcome_;
};

}  // namespace simulator

MAGPIE_NAMESPACE_END
