/// @file
/// The engine of the `sim` machine: fibers, the schedule that chooses among them, collectives, faults, the record of a
/// launch.
///
/// Layer: platform, used by sim.cuh, and by tests and explorers that bring a `schedule` of their own. Calls fiber.hpp.
///
/// How it works: `simulation::run` prepares a fiber for each thread and leaves the host's stack for the first one. At
/// each switch point the running fiber itself asks the schedule and switches straight to the chosen one. A thread that
/// waits in a collective is not runnable; the lane that comes last works out all results and makes the others runnable.
/// The last thread to end, or the first to meet a fault, goes back to the host's stack; all fibers are then abandoned.
///
/// Participation: one host thread runs one simulation at a time; several host threads may each run their own.
///
/// Errors: `record::code` and `record::message`. Progress: bounded by `max_steps`. Cost, determinism: see sim.cuh.
#pragma once

#include <bit>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "magpie/platform/fiber.hpp"
#include "magpie/platform/launch_args.hpp"

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

/// What a thread is about to do at a switch point.
enum class action : std::uint8_t {
  start,       ///< nothing yet
  load,
  store,
  update,      ///< read-modify-write
  fence,
  pause,
  collective,  ///< it waits in a collective, or leaves one
  gather,      ///< it is in active_lanes
  end,
};

inline const char* name_of(action what) {
  switch (what) {
    case action::start: return "start";
    case action::load: return "load";
    case action::store: return "store";
    case action::update: return "update";
    case action::fence: return "fence";
    case action::pause: return "pause";
    case action::collective: return "collective";
    case action::gather: return "active_lanes";
    case action::end: return "end";
  }
  return "?";
}

/// Ranks of the threads that can go on. All operations but `next` take constant time.
class runnable_set {
 public:
  explicit runnable_set(std::uint32_t threads) : places_(threads, absent), bits_((threads + 63ull) / 64, 0) {
    dense_.reserve(threads);
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(dense_.size()); }
  bool contains(std::uint32_t rank) const { return rank < places_.size() && places_[rank] != absent; }
  /// The i-th in no particular, but reproducible, order.
  std::uint32_t operator[](std::uint32_t i) const { return dense_[i]; }
  /// The next higher rank, or else the lowest; the lowest after `nobody`. There must be one.
  std::uint32_t next(std::uint32_t rank) const {
    const std::uint32_t from = rank + 1u < places_.size() ? rank + 1u : 0;  // nobody + 1 is 0
    std::size_t word = from / 64;
    std::uint64_t bits = bits_[word] & (~std::uint64_t{0} << (from % 64));
    while (bits == 0) {
      word = word + 1 < bits_.size() ? word + 1 : 0;
      bits = bits_[word];
    }
    return static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(bits)));
  }

  void add(std::uint32_t rank) {
    places_[rank] = count();
    dense_.push_back(rank);
    bits_[rank / 64] |= std::uint64_t{1} << (rank % 64);
  }
  void remove(std::uint32_t rank) {
    const std::uint32_t place = places_[rank];
    dense_[place] = dense_.back();
    places_[dense_[place]] = place;
    dense_.pop_back();
    places_[rank] = absent;
    bits_[rank / 64] &= ~(std::uint64_t{1} << (rank % 64));
  }

 private:
  static constexpr std::uint32_t absent = ~0u;

  std::vector<std::uint32_t> dense_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint64_t> bits_;
};

/// Where a choice is to be made.
struct switch_point {
  static constexpr std::uint32_t nobody = ~0u;

  std::uint64_t step;    ///< choices made before in this launch
  std::uint32_t thread;  ///< rank of the thread that runs, `nobody` at the first step
  action what;           ///< what that thread does next
  const void* address;   ///< of a load, store or update, else null
};

/// Decides who goes on: the one replaceable part of the simulator.
class schedule {
 public:
  virtual ~schedule() = default;
  /// Gives a rank out of `runnable`, which is not empty. `at.thread` is in it unless it waits or has ended.
  virtual std::uint32_t choose(const runnable_set& runnable, const switch_point& at) = 0;
};

/// Each thread does one step, in the order of ranks.
class round_robin final : public schedule {
 public:
  std::uint32_t choose(const runnable_set& runnable, const switch_point& at) override {
    return runnable.next(at.thread);
  }
};

/// Goes on with the same thread with a probability that the seed gives (0, 1/2, 7/8 or 31/32), else with any, all
/// equally likely. Generator: splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class random_walk final : public schedule {
 public:
  explicit random_walk(std::uint64_t seed) : state_(seed) {
    static constexpr std::uint32_t stay[4] = {0, 0x80000000u, 0xe0000000u, 0xf8000000u};
    stay_ = stay[draw() & 3u];
  }

  std::uint32_t choose(const runnable_set& runnable, const switch_point& at) override {
    const std::uint64_t bits = draw();
    if (static_cast<std::uint32_t>(bits) < stay_ && runnable.contains(at.thread)) return at.thread;
    return runnable[static_cast<std::uint32_t>((bits >> 32) * runnable.count() >> 32)];
  }

 private:
  std::uint64_t draw() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
  std::uint32_t stay_ = 0;
};

/// Threads of the largest grid.
inline constexpr std::uint32_t most_threads = 32'768;

/// What became of a launch.
struct record {
  std::int32_t code = launch_ok;  ///< a `launch_code`
  std::string message;            ///< one line, empty if code is `launch_ok`
  std::uint64_t steps = 0;        ///< choices made
  std::uint64_t switches = 0;     ///< choices of another thread than the one that ran
  std::uint64_t trace = 0;        ///< hash of the sequence of chosen ranks
  std::uint64_t progress = 0;     ///< times that a thread said it got something done
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
};

inline const char* name_of(collective what) {
  static constexpr const char* names[] = {"none",         "ballot",     "any",        "all",       "shuffle",
                                          "shuffle_down", "shuffle_up", "reduce_add", "sync_warp", "shuffle_among"};
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

/// Where a lane is in active_lanes, and with whom it left it.
struct lane_group {
  const void* call = nullptr;
  std::uint32_t lanes = 0;
};

/// One launch: its fibers, its warps, its clock.
class simulation {
 public:
  using body = void (*)(const void* functor, std::uint32_t rank, std::uint32_t threads, std::uint32_t width);

  /// `threads` >= 1 is rounded up to whole warps. `max_steps` 0 = no bound.
  simulation(const char* kernel, std::uint32_t threads, std::uint32_t width, std::uint64_t max_steps, schedule& choices)
      : kernel_(kernel),
        width_(width),
        threads_((threads + width - 1) / width * width),
        max_steps_(max_steps != 0 ? max_steps : ~std::uint64_t{0}),
        choices_(choices),
        runnable_(threads_),
        fibers_(threads_),
        doing_(threads_, action::start),
        parts_(threads_),
        groups_(threads_),
        warps_(threads_ / width) {}

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
    current() = this;
    const std::uint32_t first = pick(action::start, nullptr);
    if (first != switch_point::nobody) go_to(first, host_);
    current() = outer;
    stack_pool::instance().release(stacks);
    return outcome_;
  }

  /// A switch point before an access.
  __attribute__((noinline)) void step(action what, const void* address) {
    doing_[running_] = what;
    const std::uint32_t before = running_;
    const std::uint32_t chosen = pick(what, address);
    if (chosen == switch_point::nobody) leave();
    if (chosen != before) go_to(chosen, fibers_[before]);
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
      const bool related = ((lanes >> other) & 1u) != 0 || ((theirs.lanes >> lane) & 1u) != 0;
      if (related && (theirs.what != what || theirs.lanes != lanes)) {
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
      mine.waiting &= ~lanes;
      for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto each = static_cast<std::uint32_t>(std::countr_zero(rest));
        parts[each].what = collective::none;
        if (each != lane) {
          runnable_.add(me - lane + each);
          --blocked_;
        }
      }
      step(action::collective, nullptr);
    } else {
      ++blocked_;
      runnable_.remove(me);
      block(action::collective);
    }
    return parts[lane].result;
  }

  /// The lanes here together: lanes of the warp that came to the same call of this function, until one goes on.
  __attribute__((noinline)) std::uint32_t gather() {
    const std::uint32_t me = running_;
    const std::uint32_t lane = me % width_;
    warp& mine = warps_[me / width_];
    lane_group* const groups = &groups_[me - lane];
    const void* const here = __builtin_return_address(0);
    groups[lane].call = here;
    mine.gathering |= 1u << lane;
    step(action::gather, nullptr);
    if (((mine.gathering >> lane) & 1u) != 0) {  // the first to go on closes the group
      std::uint32_t group = 0;
      for (std::uint32_t rest = mine.gathering; rest != 0; rest &= rest - 1) {
        const auto each = static_cast<std::uint32_t>(std::countr_zero(rest));
        if (groups[each].call == here) group |= 1u << each;
      }
      mine.gathering &= ~group;
      for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
        groups[static_cast<std::uint32_t>(std::countr_zero(rest))].lanes = group;
      }
    }
    return groups[lane].lanes;
  }

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
  void progress() { ++outcome_.progress; }

 private:
  struct warp {
    std::uint32_t waiting = 0;    ///< lanes in a collective
    std::uint32_t gathering = 0;  ///< lanes in active_lanes
    std::uint32_t ended = 0;
  };

  /// Who goes on; `nobody` if the launch ends here, with the outcome set.
  std::uint32_t pick(action what, const void* address) {
    if (outcome_.steps == max_steps_) {
      fault(launch_no_progress, "not finished after " + std::to_string(max_steps_) + " steps: " + whereabouts());
      return switch_point::nobody;
    }
    const std::uint32_t chosen = choices_.choose(runnable_, {outcome_.steps, running_, what, address});
    if (!runnable_.contains(chosen)) {
      fault(launch_no_progress, "the schedule chose thread " + std::to_string(chosen) + " at step " +
                                          std::to_string(outcome_.steps) + ", which cannot run: " + whereabouts());
      return switch_point::nobody;
    }
    ++outcome_.steps;
    outcome_.trace = (outcome_.trace ^ chosen) * 0x9e3779b97f4a7c15ull;
    outcome_.trace ^= outcome_.trace >> 29;
    return chosen;
  }

  /// The running thread, which is not runnable any more, makes way.
  void block(action what) {
    const std::uint32_t me = running_;
    if (runnable_.count() == 0) {
      fault(launch_no_progress, "every thread waits: " + whereabouts());
      leave();
    }
    const std::uint32_t chosen = pick(what, nullptr);
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
      fault(launch_bounds_fault, "thread " + std::to_string(me) + " threw an exception: " + error.what());
    } catch (...) {
      fault(launch_bounds_fault, "thread " + std::to_string(me) + " threw an exception");
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
        fault(launch_missing_lanes, in_warp(me) + "lane " + std::to_string(lane) + " ended, but " +
                                       waiting_like(mine.waiting, parts, other));
        leave();
      }
    }
    runnable_.remove(me);
    if (ended_ == threads_) leave();
    block(action::end);
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
              (part.what != collective::none ? name_of(part.what) : name_of(doing_[rank]));
      ++shown;
    }
    if (threads_ - ended_ > shown) text += ", ...";
    return text;
  }

  const char* kernel_;
  std::uint32_t width_;
  std::uint32_t threads_;
  std::uint64_t max_steps_;
  schedule& choices_;
  body body_ = nullptr;
  const void* functor_ = nullptr;
  runnable_set runnable_;
  fiber host_;
  std::vector<fiber> fibers_;
  std::vector<action> doing_;
  std::vector<lane_part> parts_;
  std::vector<lane_group> groups_;
  std::vector<warp> warps_;
  std::uint32_t running_ = switch_point::nobody;
  std::uint32_t ended_ = 0;
  std::uint32_t blocked_ = 0;
  record outcome_;
};

}  // namespace simulator

MAGPIE_NAMESPACE_END
