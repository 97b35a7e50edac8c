/// @file
/// The `sim` machine: every thread of the grid is a fiber on one host thread; a scheduler decides at every shared
/// access who goes on. For finding wrong interleavings and replaying them, and for warps of any width without a GPU.
///
/// Layer: platform; see platform.cuh for the vocabulary. Calls
/// simulator.hpp; called by kernels and by `magpie_launch`.
///
/// Participation: collectives are called by all lanes of the warp. Lanes meet in any order; a lane that has ended, or
/// that is in another collective, ends the launch with `launch_missing_lanes`. Warps are `width` consecutive ranks,
/// 1 <= width <= 32; the grid is rounded up to whole warps, as on `cuda`.
///
/// Shared state: one host thread, so every access is sequentially consistent; orders in names are not simulated. Every
/// accessor but `ld_plain` and `st_plain`, every fence and every pause is a switch point before it takes effect:
/// between two switch points a thread runs alone. Maximum is one step (`has_atomic_max`), as on the GPU;
/// `MAGPIE_SIM_MAX_BY_CAS` makes it the compare-exchange loop of `cpu` instead, each turn of it a step; regions then run
/// at width 1 only, because their waits are unbounded and must not hold up the other lanes of a warp.
///
/// `active_lanes` gives the lanes of the warp that came to the same call of it before one of them was scheduled again:
/// under round robin those in step with each other, under a random walk any subset with the caller.
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
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

#define MAGPIE_DEVICE
#define MAGPIE_HOST_DEVICE
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

#include "magpie/platform/launch_args.hpp"
#include "magpie/platform/range.cuh"
#include "magpie/platform/simulator.hpp"

MAGPIE_NAMESPACE_BEGIN

/// See cuda.cuh.
#if defined(MAGPIE_SIM_MAX_BY_CAS)
inline constexpr bool has_atomic_max = false;
#else
inline constexpr bool has_atomic_max = true;
#endif

namespace simulator {

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
  before(action::update, p);
  const T old = load(p);
  store(p, static_cast<T>(f(old)));
  return old;
}
template <class T>
MAGPIE_INLINE T compare_exchange(T* p, T expected, T desired) {
  return update(p, [&](T old) { return std::memcmp(&old, &expected, sizeof(T)) == 0 ? desired : old; });
}
/// Sums wrap around also where T is signed.
template <class T>
MAGPIE_INLINE T sum(T a, T b) {
  static_assert(std::is_integral_v<T>, "read-modify-write needs an integer type");
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
/// Nothing: the poll itself is a switch point.
MAGPIE_INLINE void pause_while_polling(std::uint32_t) {}

/// Steps of the launch so far, so that an access between two timestamps has its step between them; 0 outside a launch.
/// No switch point.
MAGPIE_INLINE std::uint64_t timestamp() {
  const simulator::simulation* const running = simulator::simulation::current();
  return running != nullptr ? running->steps() : 0;
}

/// No switch point.
MAGPIE_INLINE void progress() {
  if (simulator::simulation* const running = simulator::simulation::current()) running->progress();
}

MAGPIE_INLINE std::uint32_t popcount(std::uint32_t v) { return static_cast<std::uint32_t>(std::popcount(v)); }
MAGPIE_INLINE std::uint32_t countl_zero(std::uint32_t v) { return static_cast<std::uint32_t>(std::countl_zero(v)); }
MAGPIE_INLINE std::uint32_t lowest_bit(std::uint32_t v) { return static_cast<std::uint32_t>(std::countr_zero(v)); }

/// An index out of an array's range, found outside of a launch.
struct bounds_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// In a kernel: ends the launch with code 1.
[[noreturn]] inline __attribute__((noinline)) void bounds_fault(std::uint64_t index, std::uint64_t length) {
  const auto what = [&] {
    return "index " + std::to_string(index) + " is outside an array of length " + std::to_string(length);
  };
  if (simulator::simulation* const running = simulator::simulation::current()) {
    running->fault(launch_bounds_fault, "thread " + std::to_string(running->running()) + ": " + what());
    running->leave();
  }
  throw bounds_error(what());
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

  // Inline, so that each call in a kernel is a call of its own.
  MAGPIE_INLINE std::uint32_t active_lanes() const { return simulation().gather(); }
  template <class T>
  T shuffle_among(std::uint32_t lanes, T v, std::uint32_t source) const {
    if (source > 31 || ((lanes >> lane()) & (lanes >> source) & 1u) == 0) {
      simulation().fault(launch_missing_lanes,
                         "thread " + std::to_string(rank_) + ": shuffle_among with lane mask " + std::to_string(lanes) +
                             " needs both the caller, lane " + std::to_string(lane()) + ", and the source, lane " +
                             std::to_string(source) + ", in it");
      simulation().leave();
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
