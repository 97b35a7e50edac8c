/// @file
/// The `sim` machine: every thread of the grid is a fiber on one host thread; a scheduler decides at every shared
/// access who goes on. For finding wrong interleavings and replaying them, and for warps of any width without a GPU.
///
/// Layer: platform; see platform.cuh for the vocabulary. Calls fiber.hpp; called by
/// kernels and by `magpie_launch`.
///
/// Participation: collectives are called by all lanes of the warp. Lanes meet in any order; a lane that has ended, or
/// that is in another collective, ends the launch with `launch_missing_lanes`. Warps are `width` consecutive ranks,
/// 1 <= width <= 32; the grid is rounded up to whole warps, as on `cuda`.
///
/// Shared state: one host thread, so every access is sequentially consistent; orders in names are not simulated. Every
/// accessor but `ld_plain` and `st_plain`, every fence and every pause is a switch point before it takes effect:
/// between two switch points a thread runs alone. Maximum is one step (`has_atomic_max`), as on the GPU;
/// `MAGPIE_SIM_MAX_BY_CAS` makes it the compare-exchange loop of `cpu` instead, each turn of it a step.
///
/// `active_lanes` gives the lanes of the warp that reached it between the first arrival and the moment one of them is
/// scheduled again: under round robin those in step with each other, under a random walk any subset with the caller.
///
/// Limits: up to 32,768 threads. A loop without any switch point hangs the launch; a wild pointer or an overflow of a
/// thread's stack (256 KiB) kills the process. `array` always checks its bounds. An exception that leaves a kernel is
/// reported like a bounds fault. A fault abandons all fibers: destructors in kernels do not run.
///
/// Cost: about 10 ns a step without a switch, 20 ns with one; 300 bytes and one lazily mapped stack a thread.
///
/// Progress: bounded by `max_steps` if that is not 0, else that of the kernel under the schedule. Both schedules here
/// are fair (the random walk with probability 1).
///
/// Determinism: run_to_run. The same kernel, data and arguments give the same schedule on every host: the schedule
/// depends on seed, grid and width only through the choices at steps, never on addresses or time.
///
/// See: test_platform_sim.cpp, test_platform_collectives.cpp.
#pragma once

#include <bit>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#define MAGPIE_DEVICE
#define MAGPIE_INLINE inline __attribute__((always_inline))
/// Before a loop of few constant steps whose index must become a constant.
#define MAGPIE_UNROLL
#define MAGPIE_NAMESPACE_BEGIN \
  namespace magpie {           \
  inline namespace magpie_sim {
#define MAGPIE_NAMESPACE_END \
  }                          \
  }
#define MAGPIE_CHECKS_BOUNDS 1

#include "magpie/platform/fiber.hpp"
#include "magpie/platform/launch_args.hpp"
#include "magpie/platform/range.cuh"

MAGPIE_NAMESPACE_BEGIN

/// See cuda.cuh.
#if defined(MAGPIE_SIM_MAX_BY_CAS)
inline constexpr bool has_atomic_max = false;
#else
inline constexpr bool has_atomic_max = true;
#endif

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
      fail(launch_missing_lanes, in_warp(me) + "lane " + std::to_string(lane) + " is in " + name_of(what) + ", but " +
                                     listed(lanes & mine.ended) + " ended");
    }
    for (std::uint32_t others = mine.waiting; others != 0; others &= others - 1) {
      const auto other = static_cast<std::uint32_t>(std::countr_zero(others));
      const lane_part& theirs = parts[other];
      const bool related = ((lanes >> other) & 1u) != 0 || ((theirs.lanes >> lane) & 1u) != 0;
      if (related && (theirs.what != what || theirs.lanes != lanes)) {
        fail(launch_missing_lanes, in_warp(me) + "lane " + std::to_string(lane) + " is in " + name_of(what) +
                                       ", but " + waiting_like(mine.waiting, parts, other) +
                                       (theirs.what == what ? " among other lanes" : ""));
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

  /// The lanes here together; see the top of this file.
  std::uint32_t gather() {
    const std::uint32_t me = running_;
    const std::uint32_t lane = me % width_;
    warp& mine = warps_[me / width_];
    mine.gathering |= 1u << lane;
    step(action::gather, nullptr);
    if (((mine.gathering >> lane) & 1u) != 0) {  // the first to go on closes the group
      const std::uint32_t group = mine.gathering;
      mine.gathering = 0;
      for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
        parts_[me - lane + static_cast<std::uint32_t>(std::countr_zero(rest))].lanes = group;
      }
    }
    return parts_[me].lanes;
  }

  /// Ends the launch: every fiber is abandoned where it stands.
  [[noreturn]] void fail(launch_code code, const std::string& message) {
    set_outcome(code, message);
    leave();
  }

  std::uint32_t running() const { return running_; }

 private:
  struct warp {
    std::uint32_t waiting = 0;    ///< lanes in a collective
    std::uint32_t gathering = 0;  ///< lanes in active_lanes
    std::uint32_t ended = 0;
  };

  void set_outcome(launch_code code, const std::string& message) {
    outcome_.code = code;
    outcome_.message = "kernel " + std::string(kernel_) + ": " + message;
  }

  /// Who goes on; `nobody` if the launch ends here, with the outcome set.
  std::uint32_t pick(action what, const void* address) {
    if (outcome_.steps == max_steps_) {
      set_outcome(launch_no_progress, "not finished after " + std::to_string(max_steps_) + " steps: " + whereabouts());
      return switch_point::nobody;
    }
    const std::uint32_t chosen = choices_.choose(runnable_, {outcome_.steps, running_, what, address});
    if (!runnable_.contains(chosen)) {
      set_outcome(launch_no_progress, "the schedule chose thread " + std::to_string(chosen) + " at step " +
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
    if (runnable_.count() == 0) fail(launch_no_progress, "every thread waits: " + whereabouts());
    const std::uint32_t chosen = pick(what, nullptr);
    if (chosen == switch_point::nobody) leave();
    go_to(chosen, fibers_[me]);
  }

  void go_to(std::uint32_t chosen, fiber& from) {
    ++outcome_.switches;
    running_ = chosen;
    fiber::switch_to(from, fibers_[chosen]);
  }

  [[noreturn]] void leave() {
    fiber::switch_to(fibers_[running_], host_);
    __builtin_unreachable();
  }

  /// First function of every fiber.
  static void enter() {
    simulation& self = *current();
    self.fibers_[self.running_].entered();
    self.live();
  }

  [[noreturn]] void live() {
    const std::uint32_t me = running_;
    std::string escaped;
    try {
      body_(functor_, me, threads_, width_);
    } catch (const std::exception& error) {
      escaped = error.what();
      if (escaped.empty()) escaped = "?";
    } catch (...) {
      escaped = "not a std::exception";
    }
    if (!escaped.empty()) {
      fail(launch_bounds_fault, "thread " + std::to_string(me) + " threw an exception: " + escaped);
    }
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
        fail(launch_missing_lanes, in_warp(me) + "lane " + std::to_string(lane) + " ended, but " +
                                       waiting_like(mine.waiting, parts, other));
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
  std::vector<warp> warps_;
  std::uint32_t running_ = switch_point::nobody;
  std::uint32_t ended_ = 0;
  std::uint32_t blocked_ = 0;
  record outcome_;
};

/// Before an access: others may go first. Nothing the compiler knows of memory survives it.
MAGPIE_INLINE void before(action what, const void* address) {
  if (simulation* const running = simulation::current()) running->step(what, address);
  __asm__ volatile("" ::: "memory");
}

// The words themselves. Atomic for the host's sake, who may raise a watchdog's flag from another thread; between the
// simulated threads there is no race. No compiler barrier is needed after them: the next switch point has one.
template <class T>
MAGPIE_INLINE T load(const T* p) {
  static_assert((sizeof(T) == 4 || sizeof(T) == 8) && std::is_trivially_copyable_v<T>,
                "shared words have 4 or 8 bytes and are trivially copyable");
  T v;
  __atomic_load(p, &v, __ATOMIC_RELAXED);
  return v;
}
template <class T>
MAGPIE_INLINE void store(T* p, T v) {
  static_assert((sizeof(T) == 4 || sizeof(T) == 8) && std::is_trivially_copyable_v<T>,
                "shared words have 4 or 8 bytes and are trivially copyable");
  __atomic_store(p, &v, __ATOMIC_RELAXED);
}
/// Replaces *p by f(*p) in one step; gives the old value.
template <class T, class F>
MAGPIE_INLINE T update(T* p, F&& f) {
  static_assert(std::is_integral_v<T>, "read-modify-write needs an integer type");
  before(action::update, p);
  const T old = load(p);
  store(p, static_cast<T>(f(old)));
  return old;
}
template <class T>
MAGPIE_INLINE T compare_exchange(T* p, T expected, T desired) {
  return update(p, [&](T old) { return old == expected ? desired : old; });
}
/// Sums wrap around also where T is signed.
template <class T>
MAGPIE_INLINE T sum(T a, T b) {
  using wide = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b));
}

template <class T>
std::uint64_t to_bits(T v) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>, "a collective's value has at most 8 bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  return bits;
}
template <class T>
T from_bits(std::uint64_t bits) {
  T v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

}  // namespace simulator

template <class T>
MAGPIE_INLINE T ld_plain(const T* p) {
  return *p;
}
template <class T>
MAGPIE_INLINE void st_plain(T* p, std::type_identity_t<T> v) {
  *p = v;
}
template <class T>
MAGPIE_INLINE T ld_rlx_dev(const T* p) {
  simulator::before(simulator::action::load, p);
  return simulator::load(p);
}
template <class T>
MAGPIE_INLINE T ld_acq_dev(const T* p) {
  return ld_rlx_dev(p);
}
template <class T>
MAGPIE_INLINE void st_rlx_dev(T* p, std::type_identity_t<T> v) {
  simulator::before(simulator::action::store, p);
  simulator::store(p, v);
}
template <class T>
MAGPIE_INLINE void st_rel_dev(T* p, std::type_identity_t<T> v) {
  st_rlx_dev(p, v);
}
template <class T>
MAGPIE_INLINE T cas_rlx_dev(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return simulator::compare_exchange(p, expected, desired);
}
template <class T>
MAGPIE_INLINE T cas_acq_dev(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return simulator::compare_exchange(p, expected, desired);
}
template <class T>
MAGPIE_INLINE T cas_acqrel_dev(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return simulator::compare_exchange(p, expected, desired);
}
template <class T>
MAGPIE_INLINE T exch_rlx_dev(T* p, std::type_identity_t<T> v) {
  return simulator::update(p, [&](T) { return v; });
}
template <class T>
MAGPIE_INLINE T add_rlx_dev(T* p, std::type_identity_t<T> v) {
  return simulator::update(p, [&](T old) { return simulator::sum(old, v); });
}
template <class T>
MAGPIE_INLINE T and_rlx_dev(T* p, std::type_identity_t<T> v) {
  return simulator::update(p, [&](T old) { return old & v; });
}
template <class T>
MAGPIE_INLINE T or_rlx_dev(T* p, std::type_identity_t<T> v) {
  return simulator::update(p, [&](T old) { return old | v; });
}
template <class T>
MAGPIE_INLINE T min_rlx_dev(T* p, std::type_identity_t<T> v) {
  return simulator::update(p, [&](T old) { return v < old ? v : old; });
}
template <class T>
MAGPIE_INLINE T max_rlx_dev(T* p, std::type_identity_t<T> v) {
  if constexpr (has_atomic_max) {
    return simulator::update(p, [&](T old) { return old < v ? v : old; });
  } else {
    T old = ld_rlx_dev(p);
    while (old < v) {
      const T seen = cas_rlx_dev(p, old, v);
      if (seen == old) break;
      old = seen;
    }
    return old;
  }
}
template <class T>
MAGPIE_INLINE T max_acq_dev(T* p, std::type_identity_t<T> v) {
  return max_rlx_dev(p, v);
}
template <class T>
MAGPIE_INLINE void red_add_rlx_dev(T* p, std::type_identity_t<T> v) {
  add_rlx_dev(p, v);
}
template <class T>
MAGPIE_INLINE void red_and_rlx_dev(T* p, std::type_identity_t<T> v) {
  and_rlx_dev(p, v);
}
template <class T>
MAGPIE_INLINE void red_or_rlx_dev(T* p, std::type_identity_t<T> v) {
  or_rlx_dev(p, v);
}
template <class T>
MAGPIE_INLINE void red_min_rlx_dev(T* p, std::type_identity_t<T> v) {
  min_rlx_dev(p, v);
}
template <class T>
MAGPIE_INLINE void red_max_rlx_dev(T* p, std::type_identity_t<T> v) {
  max_rlx_dev(p, v);
}

MAGPIE_INLINE void fence_acqrel_dev() { simulator::before(simulator::action::fence, nullptr); }
MAGPIE_INLINE void fence_sc_dev() { simulator::before(simulator::action::fence, nullptr); }

/// A switch point, of whatever length.
MAGPIE_INLINE void pause(std::uint32_t) { simulator::before(simulator::action::pause, nullptr); }

MAGPIE_INLINE std::uint32_t popcount(std::uint32_t v) { return static_cast<std::uint32_t>(std::popcount(v)); }
MAGPIE_INLINE std::uint32_t countl_zero(std::uint32_t v) { return static_cast<std::uint32_t>(std::countl_zero(v)); }
MAGPIE_INLINE std::uint32_t lowest_bit(std::uint32_t v) { return static_cast<std::uint32_t>(std::countr_zero(v)); }

/// An index out of an array's range, found outside of a launch.
struct bounds_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// In a kernel: ends the launch with code 1.
[[noreturn]] inline __attribute__((noinline)) void bounds_fault(std::uint64_t index, std::uint64_t length) {
  const std::string what =
      "index " + std::to_string(index) + " is outside an array of length " + std::to_string(length);
  if (simulator::simulation* const running = simulator::simulation::current()) {
    running->fail(launch_bounds_fault, "thread " + std::to_string(running->running()) + ": " + what);
  }
  throw bounds_error(what);
}

/// The simulated thread that runs a kernel; see cuda.cuh for the contract of each member.
struct thread {
  MAGPIE_INLINE std::uint32_t rank() const { return rank_; }
  MAGPIE_INLINE std::uint32_t size() const { return size_; }
  MAGPIE_INLINE std::uint32_t lane() const { return rank_ % width_; }
  MAGPIE_INLINE std::uint32_t width() const { return width_; }

  template <class Index>
  MAGPIE_INLINE strided_range<Index> items(Index n) const {
    return {static_cast<Index>(rank()), n, static_cast<Index>(size())};
  }
  template <class Index>
  MAGPIE_INLINE strided_range<Index> warp_items(Index n) const {
    return {static_cast<Index>(rank() - lane()), n, static_cast<Index>(size())};
  }

  std::uint32_t ballot(bool predicate) const {
    return static_cast<std::uint32_t>(meet(simulator::collective::ballot, predicate, 0, &votes));
  }
  bool any(bool predicate) const { return meet(simulator::collective::any, predicate, 0, &votes) != 0; }
  bool all(bool predicate) const { return meet(simulator::collective::all, predicate, 0, &votes) == all_lanes(); }
  template <class T>
  T shuffle(T v, std::uint32_t source) const {
    return simulator::from_bits<T>(
        meet(simulator::collective::shuffle, simulator::to_bits(v), source % width_, &from_argument));
  }
  template <class T>
  T shuffle_down(T v, std::uint32_t distance) const {
    const std::uint32_t source = distance < width_ - lane() ? lane() + distance : lane();
    return simulator::from_bits<T>(
        meet(simulator::collective::shuffle_down, simulator::to_bits(v), source, &from_argument));
  }
  template <class T>
  T shuffle_up(T v, std::uint32_t distance) const {
    const std::uint32_t source = distance <= lane() ? lane() - distance : lane();
    return simulator::from_bits<T>(
        meet(simulator::collective::shuffle_up, simulator::to_bits(v), source, &from_argument));
  }
  template <class T>
  T reduce_add(T v) const {
    return simulator::from_bits<T>(
        meet(simulator::collective::reduce_add, simulator::to_bits(v), 0, &sum_of<T>));
  }
  void sync_warp() const { meet(simulator::collective::sync_warp, 0, 0, &votes); }

  std::uint32_t active_lanes() const { return simulation().gather(); }
  template <class T>
  T shuffle_among(std::uint32_t lanes, T v, std::uint32_t source) const {
    if (source > 31 || ((lanes >> lane()) & (lanes >> source) & 1u) == 0) {
      simulation().fail(launch_missing_lanes, "thread " + std::to_string(rank_) + ": shuffle_among with lane mask " +
                                                  std::to_string(lanes) + " needs both the caller, lane " +
                                                  std::to_string(lane()) + ", and the source, lane " +
                                                  std::to_string(source) + ", in it");
    }
    return simulator::from_bits<T>(simulation().meet(simulator::collective::shuffle_among, lanes, simulator::to_bits(v),
                                                     source, &from_argument));
  }

  std::uint32_t rank_;
  std::uint32_t size_;
  std::uint32_t width_;

 private:
  static simulator::simulation& simulation() { return *simulator::simulation::current(); }

  std::uint32_t all_lanes() const { return width_ == 32 ? ~0u : (1u << width_) - 1u; }

  std::uint64_t meet(simulator::collective what, std::uint64_t value, std::uint32_t argument,
                     void (*combine)(simulator::lane_part*, std::uint32_t, std::uint32_t)) const {
    return simulation().meet(what, all_lanes(), value, argument, combine);
  }

  template <class F>
  static void for_each_lane(std::uint32_t lanes, F&& f) {
    for (; lanes != 0; lanes &= lanes - 1) f(static_cast<std::uint32_t>(std::countr_zero(lanes)));
  }
  /// Everybody gets the mask of the lanes whose value is not 0.
  static void votes(simulator::lane_part* parts, std::uint32_t lanes, std::uint32_t) {
    std::uint32_t mask = 0;
    for_each_lane(lanes, [&](std::uint32_t lane) { mask |= parts[lane].value != 0 ? 1u << lane : 0u; });
    for_each_lane(lanes, [&](std::uint32_t lane) { parts[lane].result = mask; });
  }
  /// Everybody gets the value of the lane its argument names.
  static void from_argument(simulator::lane_part* parts, std::uint32_t lanes, std::uint32_t) {
    for_each_lane(lanes, [&](std::uint32_t lane) { parts[lane].result = parts[parts[lane].argument].value; });
  }
  /// Everybody gets the sum, added up in the same tree as on `cuda` where the width is a power of two.
  template <class T>
  static void sum_of(simulator::lane_part* parts, std::uint32_t lanes, std::uint32_t width) {
    T values[32] = {};
    for (std::uint32_t lane = 0; lane < width; ++lane) values[lane] = simulator::from_bits<T>(parts[lane].value);
    T total{};
    if (std::has_single_bit(width)) {
      for (std::uint32_t distance = width / 2; distance > 0; distance /= 2) {
        for (std::uint32_t lane = 0; lane < distance; ++lane) values[lane] = add(values[lane], values[lane + distance]);
      }
      total = values[0];
    } else {
      for (std::uint32_t lane = 0; lane < width; ++lane) total = add(total, values[lane]);
    }
    for_each_lane(lanes, [&](std::uint32_t lane) { parts[lane].result = simulator::to_bits(total); });
  }
  template <class T>
  static T add(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return simulator::sum(a, b);
    } else {
      return a + b;
    }
  }
};

/// Runs a grid under `choices`, one fiber per thread, on the caller's thread. Gives and keeps the record.
inline const simulator::record& simulate(const char* kernel, void (*body)(const void*, const thread&),
                                         const void* functor, std::uint32_t threads, std::uint32_t width,
                                         std::uint64_t max_steps, simulator::schedule& choices) {
  struct bound {
    void (*body)(const void*, const thread&);
    const void* functor;
  } call{body, functor};
  simulator::simulation run(kernel, threads, width, max_steps, choices);
  simulator::last_record() = run.run(
      [](const void* to, std::uint32_t rank, std::uint32_t size, std::uint32_t lanes) {
        const bound& target = *static_cast<const bound*>(to);
        target.body(target.functor, thread{rank, size, lanes});
      },
      &call);
  return simulator::last_record();
}

/// Runs the whole grid of args.threads threads in warps of args.width; args.first and args.last are not used. Seed 0 =
/// round robin, else the seed of a random walk. Returns a `launch_code`.
inline std::int32_t run_grid(const char* kernel, void (*body)(const void*, const thread&), const void* functor,
                             const magpie_launch_args& args, char* message, std::uint64_t message_bytes) {
  if (args.width < 1 || args.width > 32 || args.threads < 1 || args.threads > simulator::most_threads) {
    std::snprintf(message, message_bytes,
                  "kernel %s: %llu threads in warps of %u cannot be simulated: 1 to %u threads, width 1 to 32", kernel,
                  static_cast<unsigned long long>(args.threads), args.width, simulator::most_threads);
    return launch_no_progress;
  }
  simulator::round_robin in_turn;
  simulator::random_walk at_random(args.seed);
  simulator::schedule& choices = args.seed == 0 ? static_cast<simulator::schedule&>(in_turn) : at_random;
  const simulator::record& outcome = simulate(kernel, body, functor, static_cast<std::uint32_t>(args.threads),
                                              args.width, args.max_steps, choices);
  if (outcome.code != launch_ok) std::snprintf(message, message_bytes, "%s", outcome.message.c_str());
  return outcome.code;
}

MAGPIE_NAMESPACE_END
