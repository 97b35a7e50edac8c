/// @file
/// The `sim` machine: every thread of the grid is a fiber on one host thread; a scheduler decides at every shared
/// access who goes on. For finding wrong interleavings and replaying them, and for warps of any width without a GPU.
///
/// Layer: sim; see platform.cuh, which alone includes it, for the vocabulary. Calls simulator.hpp; called by kernels and by
/// `magpie_launch`.
///
/// Participation: collectives are called by all lanes of the warp. Lanes meet in any order; a lane that has ended, or
/// that is in another collective, ends the launch with `launch_missing_lanes`. Warps are `width` consecutive ranks,
/// 1 <= width <= 32; the grid is rounded up to whole warps, as on `cuda`.
///
/// Shared state: one host thread, so every access is sequentially consistent; orders in names are not simulated, unless
/// the launch asks for weak memory: see weak_memory.hpp. Every accessor but `ld_plain` and `st_plain`, every fence and
/// every pause is a switch point before it takes effect: between two switch points a thread runs alone. Maximum is one
/// step (`has_atomic_max`), as on the GPU; `MAGPIE_SIM_MAX_BY_CAS` makes it the compare-exchange loop of `cpu` instead,
/// each turn of it a step; regions then run at width 1 only, because their waits are unbounded and must not hold up the
/// other lanes of a warp.
///
/// `active_lanes` gives the lanes of the warp that came to the same call of it before one of them was scheduled again:
/// under round robin those in step with each other, under a random walk any subset with the caller.
///
/// Limits: up to 32,768 threads. A loop without any switch point runs until the host interrupts the launch. A division by
/// zero, a wild pointer or an overflow of a thread's stack (256 KiB) ends the launch as fault_guard.hpp says. `array`
/// always checks its bounds. An exception that leaves a kernel is a fault. A fault abandons all fibers: destructors in
/// kernels do not run.
///
/// Cost: about 10 ns a step without a switch, 20 ns with one; under weak memory 40 ns more for some hundred locations, see
/// there; 300 bytes and one lazily mapped stack a thread.
///
/// Progress: bounded by `max_steps` if that is not 0, else that of the kernel under the schedule. The schedules of
/// schedules.hpp that are fair say so. A launch may ask to end at a lasso (lasso.hpp), or to have one thread stop for
/// ever after some of its steps, as if it had died there; `magpie_simulation` in launch_args.hpp has it all.
///
/// Determinism: run_to_run. The same kernel, data and arguments give the same schedule on every host: the schedule
/// depends on seed, grid and width only through the choices at steps, never on addresses or time. Warp lock-step depends
/// on the compiled code too; its deviations from the default schedule replay it elsewhere.
///
/// See: test_platform_sim.cpp, test_platform_sim_schedules.cpp, test_platform_sim_memory.cpp, test_platform_sim_counts.cpp,
/// test_platform_collectives.cpp.
#pragma once

#include <bit>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

#define MAGPIE_DEVICE
#define MAGPIE_HOST_DEVICE
/// For what depends on the place of its call, as accessors and `append`: inlined wherever it is called.
#define MAGPIE_FORCE_INLINE inline __attribute__((always_inline))
// In builds without the optimizer, as of tests with many regions, it would make compiling take three times as long. There a
// place in the code is one of a function, whoever called it; what goes by places (lasso.hpp, access_counts.hpp, warp
// lock-step) tells less apart.
#if defined(MAGPIE_TRACE) || defined(__OPTIMIZE__)
#define MAGPIE_INLINE MAGPIE_FORCE_INLINE
#else
#define MAGPIE_INLINE inline
#endif
/// For what is rarely called and should not cost its caller registers.
#define MAGPIE_NOINLINE inline __attribute__((noinline))
/// Before host code that runs once in a module, or when a launch has failed: made small and quickly, not fast.
#define MAGPIE_COLD __attribute__((cold, noinline))
/// Before a variable of the module, which its kernels share and keep from launch to launch.
#define MAGPIE_MODULE_VARIABLE inline
/// Before a loop of few constant steps whose index must become a constant.
#define MAGPIE_UNROLL
/// Before a loop whose unrolled form would hold too many registers.
#define MAGPIE_NO_UNROLL
#define MAGPIE_NAMESPACE_BEGIN \
  namespace magpie {           \
  inline namespace magpie_sim {
#define MAGPIE_NAMESPACE_END \
  }                          \
  }
#define MAGPIE_CHECKS_BOUNDS 1

#include "magpie/platform/access_notes.hpp"
#include "magpie/platform/fault_text.hpp"
#include "magpie/platform/launch_args.hpp"
#include "magpie/platform/range.cuh"
#include "magpie/platform/rounding.hpp"
#include "magpie/sim/simulator.hpp"
#if defined(MAGPIE_TRACE)
#include "magpie/sim/instrumentation.hpp"
#endif

MAGPIE_NAMESPACE_BEGIN

/// See cuda.cuh.
#if defined(MAGPIE_SIM_MAX_BY_CAS)
inline constexpr bool has_atomic_max = false;
#else
inline constexpr bool has_atomic_max = true;
#endif
inline constexpr std::uint32_t polls_for_the_gone = 1u << 16;

MAGPIE_INLINE void holds(bool) {}

/// Whether the module is built so that launches can be traced (access_trace.hpp).
#if defined(MAGPIE_TRACE)
inline constexpr bool tracing = true;
#else
inline constexpr bool tracing = false;
#endif

namespace simulator {

template <class T>
std::uint64_t to_bits(T v) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>, "a collective's value has at most 8 bytes");
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &v, sizeof v);  // in place also where memcpy has a hook
  return bits;
}
template <class T>
T from_bits(std::uint64_t bits) {
  T v;
  __builtin_memcpy(&v, &bits, sizeof v);
  return v;
}

/// Before an access: others may go first. Nothing the compiler knows of memory survives it. Gives the simulation if it
/// is to be told of the access.
MAGPIE_FORCE_INLINE simulation* before(action what, const void* address, step_kind kind, std::uint32_t bytes) {
  simulation* const running = simulation::current();
  if (running != nullptr) running->step(what, address, kind, bytes);
  __asm__ volatile("" ::: "memory");
  return running != nullptr && running->observes() ? running : nullptr;
}

/// Notes an access that is about to be done; the launch ends here if it may not.
template <class T>
MAGPIE_FORCE_INLINE void note(access how, const T* p) {
  if (simulation* const running = simulation::current()) running->note(how, p, sizeof(T));
}

// The words themselves. Atomic for the host's sake, who may raise a watchdog's flag from another thread; between the
// simulated threads there is no race. No compiler barrier is needed after them: the next switch point has one.
template <class T>
MAGPIE_FORCE_INLINE T get(const T* p) {
  static_assert(
      (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) && std::is_trivially_copyable_v<T>,
      "shared words have 1, 2, 4 or 8 bytes and are trivially copyable");
  T v;
  __atomic_load(p, &v, __ATOMIC_RELAXED);
  return v;
}
template <class T>
MAGPIE_FORCE_INLINE void put(T* p, T v) {
  static_assert(
      (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) && std::is_trivially_copyable_v<T>,
      "shared words have 1, 2, 4 or 8 bytes and are trivially copyable");
  __atomic_store(p, &v, __ATOMIC_RELAXED);
}

/// An accessor has made its access: atomic operations that follow are the region's own.
MAGPIE_FORCE_INLINE void accessed() {
  if constexpr (tracing) {
    if (access_trace* const trace = access_trace::active()) trace->by_accessor_no_more();
  }
}

template <class T>
MAGPIE_FORCE_INLINE T load(const T* p, order o) {
  simulation* const observer = before(action::load, p, step_load, sizeof(T));
  note(access::load, p);
  const T v = get(p);
  accessed();
  if (observer == nullptr) return v;
  return from_bits<T>(observer->loaded(p, sizeof(T), to_bits(v), o));
}
template <class T>
MAGPIE_FORCE_INLINE void store(T* p, T v, order o) {
  simulation* const observer = before(action::store, p, step_store, sizeof(T));
  note(access::store, p);
  if (observer != nullptr) observer->stored(p, sizeof(T), to_bits(get(p)), to_bits(v), o);
  put(p, v);
  accessed();
}
/// Replaces *p by f(*p) in one step; gives the old value.
template <class T, class F>
MAGPIE_FORCE_INLINE T update(T* p, order o, F&& f, step_kind kind = step_update) {
  simulation* const observer = before(action::update, p, kind, sizeof(T));
  note(access::update, p);
  const T old = get(p);
  const T v = static_cast<T>(f(old));
  if (observer != nullptr) observer->updated(p, sizeof(T), to_bits(old), to_bits(v), true, o);
  put(p, v);
  accessed();
  return old;
}
template <class T>
MAGPIE_FORCE_INLINE T compare_exchange(T* p, T expected, T desired, order o) {
  simulation* const observer = before(action::update, p, step_update, sizeof(T));
  if constexpr (tracing) {
    if (access_trace* const trace = access_trace::active()) trace->by_accessor(p);
  }
  const T old = get(p);
  const bool equal = std::memcmp(&old, &expected, sizeof(T)) == 0;
  if constexpr (tracing) {
    if (access_trace* const trace = access_trace::active(); trace != nullptr && !equal) {
      trace->expect(trace_event::atomic, nullptr);
    }
  }
  note(equal ? access::update : access::load, p);
  if (observer != nullptr) observer->updated(p, sizeof(T), to_bits(old), to_bits(equal ? desired : old), equal, o);
  if (equal) put(p, desired);
  accessed();
  return old;
}
/// Sums wrap around even where T is signed.
template <class T>
MAGPIE_FORCE_INLINE T sum(T a, T b) {
  static_assert(std::is_integral_v<T>, "read-modify-write needs an integer type");
  using wide = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b));
}

}  // namespace simulator

template <class T>
MAGPIE_FORCE_INLINE T ld_plain(const T* p) {
  simulator::note(simulator::access::ld_plain, p);
  return *p;
}
template <class T>
MAGPIE_FORCE_INLINE T ld_own(const T* p) {
  simulator::note(simulator::access::ld_own, p);
  return *p;
}
template <class T>
MAGPIE_FORCE_INLINE void st_plain(T* p, std::type_identity_t<T> v) {
  simulator::note(simulator::access::st_plain, p);
  *p = v;
}
template <class T>
MAGPIE_FORCE_INLINE T ld_rlx_dev(const T* p) {
  return simulator::load(p, simulator::order::relaxed);
}
MAGPIE_FORCE_INLINE word_pair ld_rlx_pair_dev(const word_pair* p) {
  return {ld_rlx_dev(&p->first), ld_rlx_dev(&p->second)};
}
template <class T>
MAGPIE_FORCE_INLINE T ld_acq_dev(const T* p) {
  return simulator::load(p, simulator::order::acquire);
}
template <class T>
MAGPIE_FORCE_INLINE void st_rlx_dev(T* p, std::type_identity_t<T> v) {
  simulator::store(p, v, simulator::order::relaxed);
}
MAGPIE_FORCE_INLINE void st_rlx_pair_dev(word_pair* p, word_pair v) {
  st_rlx_dev(&p->first, v.first);
  st_rlx_dev(&p->second, v.second);
}
template <class T>
MAGPIE_FORCE_INLINE void st_rel_dev(T* p, std::type_identity_t<T> v) {
  simulator::store(p, v, simulator::order::release);
}
template <class T>
MAGPIE_FORCE_INLINE T cas_rlx_dev(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return simulator::compare_exchange(p, expected, desired, simulator::order::relaxed);
}
template <class T>
MAGPIE_FORCE_INLINE T cas_acq_dev(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return simulator::compare_exchange(p, expected, desired, simulator::order::acquire);
}
template <class T>
MAGPIE_FORCE_INLINE T cas_acqrel_dev(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return simulator::compare_exchange(p, expected, desired, simulator::order::acq_rel);
}
template <class T>
MAGPIE_FORCE_INLINE T exch_rlx_dev(T* p, std::type_identity_t<T> v) {
  return simulator::update(p, simulator::order::relaxed, [&](T) { return v; });
}
namespace simulator {

// The read-modify-writes; of another kind than `step_update` if nobody gets the result.
template <class T>
MAGPIE_FORCE_INLINE T add(T* p, T v, step_kind kind) {
  return update(
      p, order::relaxed, [&](T old) { return sum(old, v); }, kind);
}
template <class T>
MAGPIE_FORCE_INLINE T conjunction(T* p, T v, step_kind kind) {
  return update(
      p, order::relaxed, [&](T old) { return old & v; }, kind);
}
template <class T>
MAGPIE_FORCE_INLINE T disjunction(T* p, T v, step_kind kind) {
  return update(
      p, order::relaxed, [&](T old) { return old | v; }, kind);
}
template <class T>
MAGPIE_FORCE_INLINE T minimum(T* p, T v, step_kind kind) {
  return update(
      p, order::relaxed, [&](T old) { return v < old ? v : old; }, kind);
}
template <class T>
MAGPIE_FORCE_INLINE T maximum(T* p, T v, order o, step_kind kind = step_update) {
  if constexpr (has_atomic_max) {
    return update(
        p, o, [&](T old) { return old < v ? v : old; }, kind);
  } else {
    T old = load(p, o);
    while (old < v) {
      const T seen = compare_exchange(p, old, v, o);
      if (seen == old) break;
      old = seen;
    }
    return old;
  }
}

}  // namespace simulator

template <class T>
MAGPIE_FORCE_INLINE T add_rlx_dev(T* p, std::type_identity_t<T> v) {
  return simulator::add(p, v, step_update);
}
template <class T>
MAGPIE_FORCE_INLINE T and_rlx_dev(T* p, std::type_identity_t<T> v) {
  return simulator::conjunction(p, v, step_update);
}
template <class T>
MAGPIE_FORCE_INLINE T or_rlx_dev(T* p, std::type_identity_t<T> v) {
  return simulator::disjunction(p, v, step_update);
}
template <class T>
MAGPIE_FORCE_INLINE T min_rlx_dev(T* p, std::type_identity_t<T> v) {
  return simulator::minimum(p, v, step_update);
}
template <class T>
MAGPIE_FORCE_INLINE T max_rlx_dev(T* p, std::type_identity_t<T> v) {
  return simulator::maximum(p, v, simulator::order::relaxed);
}
template <class T>
MAGPIE_FORCE_INLINE T max_acq_dev(T* p, std::type_identity_t<T> v) {
  return simulator::maximum(p, v, simulator::order::acquire);
}
template <class T>
MAGPIE_FORCE_INLINE void red_add_rlx_dev(T* p, std::type_identity_t<T> v) {
  simulator::add(p, v, step_add);
}
template <class T>
MAGPIE_FORCE_INLINE void red_and_rlx_dev(T* p, std::type_identity_t<T> v) {
  simulator::conjunction(p, v, step_and);
}
/// Nothing is said about caches.
template <class T>
MAGPIE_FORCE_INLINE void st_rlx_dev_last(T* p, std::type_identity_t<T> v) {
  st_rlx_dev(p, v);
}
MAGPIE_FORCE_INLINE void red_and_rlx_dev_last(std::uint32_t* p, std::uint32_t v) { red_and_rlx_dev(p, v); }
template <class T>
MAGPIE_FORCE_INLINE void red_or_rlx_dev(T* p, std::type_identity_t<T> v) {
  simulator::disjunction(p, v, step_or);
}
template <class T>
MAGPIE_FORCE_INLINE void red_min_rlx_dev(T* p, std::type_identity_t<T> v) {
  simulator::minimum(p, v, step_min);
}
template <class T>
MAGPIE_FORCE_INLINE void red_max_rlx_dev(T* p, std::type_identity_t<T> v) {
  simulator::maximum(p, v, simulator::order::relaxed, step_max);
}

namespace simulator {

MAGPIE_FORCE_INLINE void fence(bool sequentially_consistent) {
  if (simulation* const observer = before(action::fence, nullptr, step_local, 0))
    observer->fenced(sequentially_consistent);
}

}  // namespace simulator

/// One thread runs at a time.
MAGPIE_FORCE_INLINE void add_for_host(std::uint64_t* p, std::uint64_t n) { *p += n; }
MAGPIE_FORCE_INLINE void raise_for_host(std::uint64_t* p, std::uint64_t v) {
  if (*p < v) *p = v;
}
MAGPIE_FORCE_INLINE std::uint64_t enter_for_host(std::uint64_t* p, std::uint64_t v) {
  const std::uint64_t seen = *p;
  if (seen == 0) *p = v;
  return seen;
}

MAGPIE_FORCE_INLINE void prefetch(const void*) {}

MAGPIE_FORCE_INLINE void fence_acqrel_dev() { simulator::fence(false); }
MAGPIE_FORCE_INLINE void fence_sc_dev() { simulator::fence(true); }

/// A switch point, of whatever length, and the one where the default schedule leaves a thread that could go on.
MAGPIE_FORCE_INLINE void pause(std::uint32_t) { simulator::before(simulator::action::pause, nullptr, step_pause, 0); }
/// The same.
MAGPIE_FORCE_INLINE void pause_while_polling(std::uint32_t) { pause(0); }

/// Steps of the launch so far, so that an access between two timestamps has its step between them; 0 outside a launch.
/// A switch point in fine steps only.
MAGPIE_FORCE_INLINE std::uint64_t timestamp(bool ends = false) {
  simulator::simulation* const running = simulator::simulation::current();
  if (running == nullptr) return 0;
  running->moment(ends ? step_end : step_begin);
  return running->steps();
}

/// What went before is part of no lasso. No switch point.
MAGPIE_FORCE_INLINE void progress() {
  if (simulator::simulation* const running = simulator::simulation::current()) running->progress();
}

/// Plain accesses of before are over. No switch point.
MAGPIE_FORCE_INLINE void begin_phase() {
  if (simulator::simulation* const running = simulator::simulation::current()) running->begin_phase();
}

/// A pause.
MAGPIE_FORCE_INLINE void setback() {
  pause(0);
  if (simulator::simulation* const running = simulator::simulation::current()) running->setback();
}

namespace simulator {

/// One of many operations that do nothing. At more and more of them the trace has where.
__attribute__((noinline)) inline void goes_on_in_vain(std::uint32_t n) {
  if constexpr (tracing) {
    access_trace* const into = (n & (n - 1)) == 0 ? access_trace::active() : nullptr;
    if (into != nullptr) into->event(trace_event::in_vain, nullptr, n, nullptr, __builtin_return_address(0));
  }
  before(action::pause, nullptr, step_local, 0);
}

}  // namespace simulator

/// A switch point if many operations of the attempt came before, so that a loop over such as do nothing has an end in steps.
MAGPIE_FORCE_INLINE void in_vain(std::uint32_t n) {
  if (n >= operations_in_vain) simulator::goes_on_in_vain(n);
}

namespace simulator {

/// Behind the call of this in the code.
__attribute__((noinline)) inline const void* here() { return __builtin_return_address(0); }

}  // namespace simulator

/// An event for the launch's trace, if it has one; no access, and no switch point but, in fine steps, where an attempt takes
/// its place in the serial order.
MAGPIE_FORCE_INLINE void trace(trace_event kind, std::uint64_t value = 0, const void* object = nullptr,
                               const void* address = nullptr) {
  if constexpr (tracing) {
    if (access_trace* const into = access_trace::active()) {
      if (kind == trace_event::locked || kind == trace_event::canceled) {
        simulator::simulation::current()->moment(step_order);
      }
      into->event(kind, address, value, object, simulator::here());
    }
  }
}
/// What the next access of an accessor is to the transaction.
MAGPIE_FORCE_INLINE void trace_next(trace_event kind, const void* object) {
  if constexpr (tracing) {
    if (access_trace* const into = access_trace::active()) into->expect(kind, object);
  }
}
/// Whether the attempt that is about to end is to fail; `inner`: the first of an inner transaction.
MAGPIE_FORCE_INLINE bool forces_retry(bool inner) {
  if constexpr (tracing) {
    if (const access_trace* const from = access_trace::active()) {
      return inner ? from->forces_inner_retry() : from->forces_retry();
    }
  }
  return false;
}

MAGPIE_FORCE_INLINE std::uint32_t popcount(std::uint32_t v) { return static_cast<std::uint32_t>(std::popcount(v)); }
MAGPIE_FORCE_INLINE std::uint32_t countl_zero(std::uint32_t v) {
  return static_cast<std::uint32_t>(std::countl_zero(v));
}
MAGPIE_FORCE_INLINE std::uint32_t lowest_bit(std::uint32_t v) {
  return static_cast<std::uint32_t>(std::countr_zero(v));
}

/// A rule that a kernel broke, found outside of a launch.
struct kernel_fault : std::runtime_error {
  kernel_fault(launch_code why, const std::string& what) : std::runtime_error(what), code(why) {}
  launch_code code;
};

/// Ends the launch: `index` is out of the range of the array, of `length` elements, that begins at `base`.
[[noreturn]] void bounds_fault(std::uint64_t index, std::uint64_t length, const void* base = nullptr);
/// The same for a matrix.
[[noreturn]] void bounds_fault(std::uint64_t row, std::uint64_t column, std::uint64_t rows, std::uint64_t columns,
                               const void* base);

/// Ends the launch: a region broke the rule that `what` names.
[[noreturn]] void misuse_fault(const char* what);

/// The thread begins `item`: what a fault names. No switch point.
MAGPIE_FORCE_INLINE void working_on(std::uint64_t item) {
  if (simulator::simulation* const running = simulator::simulation::current()) running->working_on(item);
}

/// The simulated thread that runs a kernel; see cuda.cuh for the contract of each member.
struct thread {
  MAGPIE_FORCE_INLINE std::uint32_t rank() const { return rank_; }
  MAGPIE_FORCE_INLINE std::uint32_t size() const { return size_; }
  MAGPIE_FORCE_INLINE std::uint32_t lane() const { return rank_ % width_; }
  MAGPIE_FORCE_INLINE std::uint32_t width() const { return width_; }

  template <class Index>
  MAGPIE_FORCE_INLINE strided_range<Index> items(Index n) const {
    return {static_cast<Index>(rank()), n, static_cast<Index>(size())};
  }
  template <class Index>
  MAGPIE_FORCE_INLINE strided_range<Index> warp_items(Index n) const {
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
    return simulator::from_bits<T>(meet(simulator::collective::reduce_add, simulator::to_bits(v), 0, &sum_of<T>));
  }
  std::uint32_t reduce_min(std::uint32_t v) const {
    return simulator::from_bits<std::uint32_t>(
        meet(simulator::collective::reduce_min, simulator::to_bits(v), 0, &least_of));
  }
  void sync_warp() const { meet(simulator::collective::sync_warp, 0, 0, &votes); }

  // Inline, so that each call in a kernel is a call of its own.
  MAGPIE_FORCE_INLINE std::uint32_t active_lanes() const { return simulation().gather(); }
  template <class T>
  T shuffle_among(std::uint32_t lanes, T v, std::uint32_t source) const {
    if (source > 31 || ((lanes >> lane()) & (lanes >> source) & 1u) == 0) {
      simulation().fault(launch_missing_lanes, "thread " + std::to_string(rank_) + ": shuffle_among with lane mask " +
                                                   std::to_string(lanes) + " needs both the caller, lane " +
                                                   std::to_string(lane()) + ", and the source, lane " +
                                                   std::to_string(source) + ", in it");
      simulation().leave();
    }
    return simulator::from_bits<T>(
        simulation().meet(simulator::collective::shuffle_among, lanes, simulator::to_bits(v), source, &from_argument));
  }
  std::uint32_t ballot_among(std::uint32_t lanes, bool predicate) const {
    return votes_among(simulator::collective::ballot_among, lanes, predicate);
  }
  bool any_among(std::uint32_t lanes, bool predicate) const {
    return votes_among(simulator::collective::any_among, lanes, predicate) != 0;
  }
  void converge(std::uint32_t lanes) const { votes_among(simulator::collective::converge, lanes, false); }

  std::uint32_t rank_;
  std::uint32_t size_;
  std::uint32_t width_;

 private:
  std::uint32_t votes_among(simulator::collective what, std::uint32_t lanes, bool predicate) const {
    if (((lanes >> lane()) & 1u) == 0) {
      simulation().fault(launch_missing_lanes, "thread " + std::to_string(rank_) + ": " + simulator::name_of(what) +
                                                   " with lane mask " + std::to_string(lanes) +
                                                   " needs the caller, lane " + std::to_string(lane()) + ", in it");
      simulation().leave();
    }
    return static_cast<std::uint32_t>(simulation().meet(what, lanes, predicate, 0, &votes));
  }

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
  /// Everybody gets the least.
  static void least_of(simulator::lane_part* parts, std::uint32_t lanes, std::uint32_t width) {
    std::uint32_t least = ~0u;
    for (std::uint32_t lane = 0; lane < width; ++lane) {
      const std::uint32_t v = simulator::from_bits<std::uint32_t>(parts[lane].value);
      least = v < least ? v : least;
    }
    for_each_lane(lanes, [&](std::uint32_t lane) { parts[lane].result = simulator::to_bits(least); });
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

/// Runs a grid under `choices`, one fiber per thread, on the caller's thread. `fields` are those of the functor's table,
/// for messages. Gives and keeps the record.
const simulator::record& simulate(const char* kernel, void (*body)(const void*, const thread&), const void* functor,
                                  std::uint32_t threads, std::uint32_t width, const simulator::settings& how,
                                  simulator::schedule& choices, const char* fields = "");

/// Runs the whole grid of args.threads threads in warps of args.width; args.first and args.last are not used. The
/// schedule is that of args.simulation; where this is null, seed 0 = round robin, else the seed of a random walk.
/// `traced`: the kernel tells of its accesses. Returns a `launch_code`.
std::int32_t run_grid(const char* kernel, void (*body)(const void*, const thread&), const void* functor,
                      const magpie_launch_args& args, char* message, std::uint64_t message_bytes,
                      const char* fields = "", bool traced = tracing);

MAGPIE_NAMESPACE_END

#if !defined(MAGPIE_SIM_SEPARATE)
#include "magpie/sim/engine.hpp"
#endif
