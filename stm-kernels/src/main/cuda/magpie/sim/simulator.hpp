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
#include "magpie/platform/access_trace.hpp"
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
  reduce_min,
  sync_warp,
  shuffle_among,
  ballot_among,
  any_among,
  converge,
};

inline const char* name_of(collective what) {
  static constexpr const char* names[] = {"none",          "ballot",       "any",        "all",        "shuffle",
                                          "shuffle_down",  "shuffle_up",   "reduce_add", "reduce_min", "sync_warp",
                                          "shuffle_among", "ballot_among", "any_among",  "converge"};
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
             const magpie_place& place = {});
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;
  ~simulation();

  static constexpr std::uint32_t in_whole_warps(std::uint32_t threads, std::uint32_t width) {
    return (threads + width - 1) / width * width;
  }

  /// The simulation that runs on this host thread, if any.
  static simulation*& current() {
    static constinit thread_local simulation* running = nullptr;
    return running;
  }

  record run(body kernel_body, const void* functor);

  /// A switch point before an access. The thread's position in the code is where this was called.
  void step(action what, const void* address, step_kind kind, std::uint32_t bytes);

  /// A moment of an attempt: a step if steps are fine.
  void moment(step_kind kind);

  /// The same before an access that no accessor makes: a step if steps are fine.
  void step_if_fine(action what, const void* address, step_kind kind, std::uint32_t bytes);

  /// Notes an access, and ends the launch if it breaks a rule of access_rules.hpp.
  void note(access how, const void* address, std::uint32_t bytes);

  /// Notes a store to traced memory that no accessor makes.
  void note_store(const void* address, std::uint32_t bytes);

  /// Whether accesses are to be told to the members `loaded` to `fenced`, after their switch point.
  bool observes() const { return memory_.has_value() || lasso_.has_value() || log_.has_value(); }

  /// A load of `bytes` bytes from memory that holds `newest`: gives what it reads.
  std::uint64_t loaded(const void* address, std::uint32_t bytes, std::uint64_t newest, order o);

  /// A store that is about to change memory from `old` to `bits`.
  void stored(const void* address, std::uint32_t bytes, std::uint64_t old, std::uint64_t bits, order o);

  /// A read-modify-write that is about to change memory from `old` to `bits`; `writes` is false for a failed
  /// compare-exchange.
  void updated(const void* address, std::uint32_t bytes, std::uint64_t old, std::uint64_t bits, bool writes, order o);

  void fenced(bool sequentially_consistent);

  /// Meets the other `lanes` of the warp in a collective; `combine` fills in the results once all are there.
  std::uint64_t meet(collective what, std::uint32_t lanes, std::uint64_t value, std::uint32_t argument,
                     void (*combine)(lane_part* parts, std::uint32_t lanes, std::uint32_t width));

  /// The lanes here together: lanes of the warp that came to the same call of this function, until one goes on.
  std::uint32_t gather();

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
  void fault(launch_code code, const std::string& message);

  /// Ends the launch: every fiber is abandoned where it stands, and nothing on its stack destroyed.
  [[noreturn]] void leave();

  std::uint32_t running() const { return running_; }
  /// Choices made so far.
  std::uint64_t steps() const { return outcome_.steps; }
  /// The running thread starts over.
  void setback();
  /// The running thread got something done: no lasso reaches back to before.
  void progress();
  /// All threads stand at a barrier of the grid.
  void begin_phase();

 private:
  struct warp {
    std::uint32_t waiting = 0;    ///< lanes in a collective
    std::uint32_t gathering = 0;  ///< lanes in active_lanes
    std::uint32_t ended = 0;
  };

  [[noreturn]] void break_rule(const char* which);

  /// An access breaks the rule of `ld_plain`: ends the launch, or keeps it in mind as long as the host may look for itself.
  void break_fixed(const char* which, const void* address);

  /// Whether the host looks for itself at what an access to this breaks, if the trace will have had room for all events.
  bool left_to_host(const void* address) const {
    return trace_ && !how_.weak && how_.visits == nullptr && !trace_->is_incomplete() && trace_->contains(address);
  }

  /// Whether the host will not look at what was left to it.
  bool comes_back() const { return !kept_breach_.empty() && trace_->is_incomplete(); }

  /// From the first choice until the launch is left.
  void launch();

  /// Called by a signal handler.
  const void* running_stack_end() const { return fibers_[running_].stack_end(); }

  /// Called by a signal handler: the next choice is none.
  void interrupt();

  void step_at(action what, const void* address, const void* position, step_kind kind = step_local,
               std::uint32_t bytes = 0);

  /// Who goes on; `nobody` if the launch ends here, with the outcome set.
  std::uint32_t pick(const switch_point& at);

  /// Whether a search keeps a thread from going on that could.
  bool someone_sleeps();

  /// `wanted` or the next thread that a search lets go on; `nobody` if the launch ends here.
  std::uint32_t awake(std::uint32_t wanted, std::uint64_t step);

  void mix_into_trace(std::uint32_t choice);

  /// Stops whom it is time to stop, and looks for a lasso. False if the launch ends here.
  bool admit(const switch_point& at);

  void note(const switch_point& at, std::uint32_t chosen);

  void note_choice(const magpie_choice& choice);

  /// The load of the step that runs reads an older value.
  void note_version(std::uint32_t version);

  /// Whether `rank` is the thread to be stopped and has done all its steps.
  bool is_stopped(std::uint32_t rank) const;

  void nobody_can_run();

  /// The running thread, which is not runnable any more, makes way.
  void block(action what, const void* position);

  void go_to(std::uint32_t chosen, fiber& from);

  /// First function of every fiber.
  static void enter();

  [[noreturn]] void live();

  [[noreturn]] void finish(std::uint32_t me);

  /// "lanes 0-2 wait in ballot": those in the same collective as `lane`.
  static std::string waiting_like(std::uint32_t waiting, const lane_part* parts, std::uint32_t lane);

  std::string in_warp(std::uint32_t rank) const;

  /// "lane 3" or "lanes 0-2,5".
  static std::string listed(std::uint32_t lanes);

  /// Where the threads stand: counts, then the first few that have not ended.
  std::string whereabouts() const;

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
  std::string kept_breach_;  // of the rule of `ld_plain`, the first that was left to the host
  std::optional<access_counts> counts_;
  std::optional<weak_memory> memory_;
  std::optional<lasso_detector> lasso_;
  std::optional<access_trace> trace_;
  std::optional<step_log> log_;
  record outcome_;
};

}  // namespace simulator

MAGPIE_NAMESPACE_END
