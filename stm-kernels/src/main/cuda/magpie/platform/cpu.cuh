/// @file
/// The `cpu` machine: a kernel's threads are logical threads run by a pool of host threads; a warp is one thread.
///
/// Layer: platform; see platform.cuh for the vocabulary. Accessors are `std::atomic_ref`; every collective is the
/// identity, so kernels compile to plain scalar code. A logical thread runs from start to end on one host thread and is
/// never suspended by Magpie, so only running threads hold claims; host threads may be preempted by the system.
/// x86 and Arm have no atomic maximum here: it is a compare-exchange loop (`has_atomic_max` is false).
/// ThreadSanitizer does not model fences: under it (`MAGPIE_TSAN`) every access is sequentially consistent instead.
/// `MAGPIE_TRACE` builds modules whose launches can be traced, with that sanitizer's instrumentation but without its library
/// (instrumentation.hpp); nothing of it is in other builds.
#pragma once

#if defined(__SANITIZE_THREAD__) && !defined(MAGPIE_TSAN) && !defined(MAGPIE_TRACE)
#define MAGPIE_TSAN
#endif

#include <atomic>
#include <bit>
#include <cstdio>
#include <optional>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <time.h>
#include <type_traits>

#define MAGPIE_DEVICE
#define MAGPIE_HOST_DEVICE
#if defined(__OPTIMIZE__)
#define MAGPIE_INLINE inline __attribute__((always_inline))
#else  // as for debuggers and sanitizers: a region inlined into one function is hard to read and slow to compile
#define MAGPIE_INLINE inline
#endif
/// For what depends on the place of its call: nothing does here.
#define MAGPIE_FORCE_INLINE MAGPIE_INLINE
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
  inline namespace magpie_cpu {
#define MAGPIE_NAMESPACE_END \
  }                          \
  }
#if defined(MAGPIE_CHECKED)
#define MAGPIE_CHECKS_BOUNDS 1
#else
#define MAGPIE_CHECKS_BOUNDS 0
#endif

#include "magpie/platform/access_notes.hpp"
#include "magpie/platform/fault_guard.hpp"
#include "magpie/platform/fault_text.hpp"
#include "magpie/platform/launch_args.hpp"
#include "magpie/platform/range.cuh"
#include "magpie/platform/rounding.hpp"
#include "magpie/platform/trace_event.hpp"
#if defined(MAGPIE_TRACE)
#include "magpie/platform/access_trace.hpp"
#endif

MAGPIE_NAMESPACE_BEGIN

/// See cuda.cuh: here maximum is a compare-exchange loop, so waits in place end only with what they wait for.
inline constexpr bool has_atomic_max = false;

/// See cuda.cuh: about a second, as a thread may just have to wait for its turn.
inline constexpr std::uint32_t polls_for_the_gone = 1u << 20;

MAGPIE_INLINE void holds(bool) {}

namespace order {
#if defined(MAGPIE_TSAN)
inline constexpr std::memory_order relaxed = std::memory_order_seq_cst;
inline constexpr std::memory_order acquire = std::memory_order_seq_cst;
inline constexpr std::memory_order release = std::memory_order_seq_cst;
inline constexpr std::memory_order acq_rel = std::memory_order_seq_cst;
#else
inline constexpr std::memory_order relaxed = std::memory_order_relaxed;
inline constexpr std::memory_order acquire = std::memory_order_acquire;
inline constexpr std::memory_order release = std::memory_order_release;
inline constexpr std::memory_order acq_rel = std::memory_order_acq_rel;
#endif
}  // namespace order

#if defined(MAGPIE_TRACE)
#define MAGPIE_TRACE_ACCESS(how, p) const traced_access noted(accessor::how, p)
#define MAGPIE_TRACED_READ(value) noted.read(value)
#define MAGPIE_TRACED_WRITE(value) noted.wrote(value)
#define MAGPIE_TRACED_UPDATE(old, value, is_done) noted.updated(old, value, is_done)

/// An access that an accessor is about to make, for the launch's trace. The accessor's own atomic operation is none of its own.
class traced_access {
 public:
  template <class T>
  MAGPIE_INLINE traced_access(accessor how, const T* p) : into_(access_trace::active()) {
    if (into_ != nullptr) note(how, p, sizeof(T));
  }
  traced_access(const traced_access&) = delete;
  traced_access& operator=(const traced_access&) = delete;
  MAGPIE_INLINE ~traced_access() {
    if (into_ != nullptr) into_->by_accessor_no_more();
  }

  template <class T>
  MAGPIE_INLINE T read(T value) const {
    if constexpr (sizeof(T) <= 8) {
      if (into_ != nullptr) into_->read(bits_of(value));
    }
    return value;
  }
  template <class T>
  MAGPIE_INLINE void wrote(T value) const {
    if constexpr (sizeof(T) <= 8) {
      if (into_ != nullptr) into_->wrote(bits_of(value));
    }
  }
  /// Gives the old value.
  template <class T>
  MAGPIE_INLINE T updated(T old, T value, bool is_done) const {
    if (into_ == nullptr) return old;
    if (is_done) {
      into_->wrote(bits_of(value));
    } else {
      into_->left(bits_of(old));
    }
    return old;
  }

 private:
  /// Zero-extended.
  template <class T>
  MAGPIE_INLINE static std::uint64_t bits_of(T value) {
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);  // in place also where memcpy has a hook
    return bits;
  }
  /// Not inline: an event's place is that of the call.
  __attribute__((noinline)) void note(accessor how, const void* p, std::uint32_t bytes) const {
    into_->accessed(how, p, bytes, __builtin_return_address(0));
  }

  access_trace* const into_;
};

/// Integers wrap around, as they do in memory.
template <class T>
MAGPIE_INLINE T traced_sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using wide = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b));
  } else {
    return a + b;
  }
}
#else
#define MAGPIE_TRACE_ACCESS(how, p)
#define MAGPIE_TRACED_READ(value) value
#define MAGPIE_TRACED_WRITE(value)
#define MAGPIE_TRACED_UPDATE(old, value, is_done) old
#endif

template <class T>
MAGPIE_INLINE T ld_plain(const T* p) {
  MAGPIE_TRACE_ACCESS(ld_plain, p);
  return MAGPIE_TRACED_READ(*p);
}
template <class T>
MAGPIE_INLINE T ld_own(const T* p) {
  MAGPIE_TRACE_ACCESS(ld_own, p);
  return MAGPIE_TRACED_READ(*p);
}
template <class T>
MAGPIE_INLINE void st_plain(T* p, std::type_identity_t<T> v) {
  MAGPIE_TRACE_ACCESS(st_plain, p);
  *p = v;
  MAGPIE_TRACED_WRITE(v);
}
template <class T>
MAGPIE_INLINE T ld_rlx_dev(const T* p) {
  MAGPIE_NOTE_ACCESS(p);
  MAGPIE_TRACE_ACCESS(load, p);
  return MAGPIE_TRACED_READ(std::atomic_ref<T>(const_cast<T&>(*p)).load(order::relaxed));
}
MAGPIE_INLINE word_pair ld_rlx_pair_dev(const word_pair* p) { return {ld_rlx_dev(&p->first), ld_rlx_dev(&p->second)}; }
template <class T>
MAGPIE_INLINE T ld_acq_dev(const T* p) {
  MAGPIE_NOTE_ACCESS(p);
  MAGPIE_TRACE_ACCESS(load, p);
  return MAGPIE_TRACED_READ(std::atomic_ref<T>(const_cast<T&>(*p)).load(order::acquire));
}
template <class T>
MAGPIE_INLINE void st_rlx_dev(T* p, std::type_identity_t<T> v) {
  MAGPIE_NOTE_ACCESS(p);
  MAGPIE_TRACE_ACCESS(store, p);
  std::atomic_ref<T>(*p).store(v, order::relaxed);
  MAGPIE_TRACED_WRITE(v);
}
MAGPIE_INLINE void st_rlx_pair_dev(word_pair* p, word_pair v) {
  st_rlx_dev(&p->first, v.first);
  st_rlx_dev(&p->second, v.second);
}
template <class T>
MAGPIE_INLINE void st_rel_dev(T* p, std::type_identity_t<T> v) {
  MAGPIE_NOTE_ACCESS(p);
  MAGPIE_TRACE_ACCESS(store, p);
  std::atomic_ref<T>(*p).store(v, order::release);
  MAGPIE_TRACED_WRITE(v);
}
template <class T>
MAGPIE_INLINE T cas_rlx_dev(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  MAGPIE_NOTE_ATOMIC(p);
  MAGPIE_TRACE_ACCESS(update, p);
  [[maybe_unused]] const bool done =
      std::atomic_ref<T>(*p).compare_exchange_strong(expected, desired, order::relaxed, order::relaxed);
  return MAGPIE_TRACED_UPDATE(expected, desired, done);
}
template <class T>
MAGPIE_INLINE T cas_acq_dev(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  MAGPIE_NOTE_ATOMIC(p);
  MAGPIE_TRACE_ACCESS(update, p);
  [[maybe_unused]] const bool done =
      std::atomic_ref<T>(*p).compare_exchange_strong(expected, desired, order::acquire, order::acquire);
  return MAGPIE_TRACED_UPDATE(expected, desired, done);
}
template <class T>
MAGPIE_INLINE T cas_acqrel_dev(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  MAGPIE_NOTE_ATOMIC(p);
  MAGPIE_TRACE_ACCESS(update, p);
  [[maybe_unused]] const bool done =
      std::atomic_ref<T>(*p).compare_exchange_strong(expected, desired, order::acq_rel, order::acquire);
  return MAGPIE_TRACED_UPDATE(expected, desired, done);
}
template <class T>
MAGPIE_INLINE T exch_rlx_dev(T* p, std::type_identity_t<T> v) {
  MAGPIE_NOTE_ATOMIC(p);
  MAGPIE_TRACE_ACCESS(update, p);
  const T old = std::atomic_ref<T>(*p).exchange(v, order::relaxed);
  return MAGPIE_TRACED_UPDATE(old, v, true);
}
template <class T>
MAGPIE_INLINE T add_rlx_dev(T* p, std::type_identity_t<T> v) {
  MAGPIE_NOTE_ATOMIC(p);
  MAGPIE_TRACE_ACCESS(update, p);
  const T old = std::atomic_ref<T>(*p).fetch_add(v, order::relaxed);
  return MAGPIE_TRACED_UPDATE(old, traced_sum<T>(old, v), true);
}
template <class T>
MAGPIE_INLINE T and_rlx_dev(T* p, std::type_identity_t<T> v) {
  MAGPIE_NOTE_ATOMIC(p);
  MAGPIE_TRACE_ACCESS(update, p);
  const T old = std::atomic_ref<T>(*p).fetch_and(v, order::relaxed);
  return MAGPIE_TRACED_UPDATE(old, static_cast<T>(old & v), true);
}
template <class T>
MAGPIE_INLINE T or_rlx_dev(T* p, std::type_identity_t<T> v) {
  MAGPIE_NOTE_ATOMIC(p);
  MAGPIE_TRACE_ACCESS(update, p);
  const T old = std::atomic_ref<T>(*p).fetch_or(v, order::relaxed);
  return MAGPIE_TRACED_UPDATE(old, static_cast<T>(old | v), true);
}
template <class T>
MAGPIE_INLINE T min_rlx_dev(T* p, std::type_identity_t<T> v) {
  MAGPIE_NOTE_ATOMIC(p);
  MAGPIE_TRACE_ACCESS(update, p);
  std::atomic_ref<T> word(*p);
  T old = word.load(order::relaxed);
  while (v < old && !word.compare_exchange_weak(old, v, order::relaxed, order::relaxed)) {
  }
  return MAGPIE_TRACED_UPDATE(old, v < old ? v : old, true);
}
template <class T>
MAGPIE_INLINE T max_rlx_dev(T* p, std::type_identity_t<T> v) {
  MAGPIE_NOTE_ATOMIC(p);
  MAGPIE_TRACE_ACCESS(update, p);
  std::atomic_ref<T> word(*p);
  T old = word.load(order::relaxed);
  while (old < v && !word.compare_exchange_weak(old, v, order::relaxed, order::relaxed)) {
  }
  return MAGPIE_TRACED_UPDATE(old, old < v ? v : old, true);
}
template <class T>
MAGPIE_INLINE T max_acq_dev(T* p, std::type_identity_t<T> v) {
  MAGPIE_NOTE_ATOMIC(p);
  MAGPIE_TRACE_ACCESS(update, p);
  std::atomic_ref<T> word(*p);
  T old = word.load(order::acquire);
  while (old < v && !word.compare_exchange_weak(old, v, order::acquire, order::acquire)) {
  }
  return MAGPIE_TRACED_UPDATE(old, old < v ? v : old, true);
}
template <class T>
MAGPIE_INLINE void red_add_rlx_dev(T* p, std::type_identity_t<T> v) {
  add_rlx_dev(p, v);
}
template <class T>
MAGPIE_INLINE void red_and_rlx_dev(T* p, std::type_identity_t<T> v) {
  and_rlx_dev(p, v);
}
/// Nothing is said about caches.
template <class T>
MAGPIE_INLINE void st_rlx_dev_last(T* p, std::type_identity_t<T> v) {
  st_rlx_dev(p, v);
}
MAGPIE_INLINE void red_and_rlx_dev_last(std::uint32_t* p, std::uint32_t v) { red_and_rlx_dev(p, v); }
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

MAGPIE_INLINE void add_for_host(std::uint64_t* p, std::uint64_t n) { red_add_rlx_dev(p, n); }
MAGPIE_INLINE void raise_for_host(std::uint64_t* p, std::uint64_t v) { red_max_rlx_dev(p, v); }
MAGPIE_INLINE std::uint64_t enter_for_host(std::uint64_t* p, std::uint64_t v) {
  const std::uint64_t seen = ld_rlx_dev(p);
  return seen != 0 ? seen : cas_rlx_dev(p, std::uint64_t{0}, v);
}

MAGPIE_INLINE void prefetch(const void* p) {
  __builtin_prefetch(p, 1);
  asm volatile("");  // else GCC takes a function of nothing but prefetches for one without effect, and drops its calls
}

MAGPIE_INLINE void fence_acqrel_dev() {
#if !defined(MAGPIE_TSAN)
  std::atomic_thread_fence(std::memory_order_acq_rel);
#endif
}
MAGPIE_INLINE void fence_sc_dev() {
#if !defined(MAGPIE_TSAN)
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// Lets other threads run: a processor hint for short pauses, the system's scheduler from 1,000 ns on.
MAGPIE_INLINE void pause(std::uint32_t nanoseconds) {
  if (nanoseconds >= 1000) {
    sched_yield();
  } else {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

/// Between two polls of a wait; `poll` counts them. After a few, whoever is waited for may need this core.
MAGPIE_INLINE void pause_while_polling(std::uint32_t poll) { pause(poll < 16 ? 0 : 1000); }

/// Nanoseconds of a steady clock that all threads read.
inline std::uint64_t timestamp([[maybe_unused]] bool ends = false) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::uint64_t{1'000'000'000} * static_cast<std::uint64_t>(now.tv_sec) +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// Nobody listens here.
MAGPIE_INLINE void progress() {}
MAGPIE_INLINE void begin_phase() {}
MAGPIE_INLINE void setback() {}

/// Whether the module is built so that launches can be traced (access_trace.hpp).
#if defined(MAGPIE_TRACE)
inline constexpr bool tracing = true;

/// Behind the call of this in the code.
__attribute__((noinline)) inline const void* here() { return __builtin_return_address(0); }

/// An event for the launch's trace, if it has one; no access.
MAGPIE_INLINE void trace(trace_event kind, std::uint64_t value = 0, const void* object = nullptr,
                         const void* address = nullptr) {
  if (access_trace* const into = access_trace::active()) into->event(kind, address, value, object, here());
}
/// What the next access of an accessor is to the transaction.
MAGPIE_INLINE void trace_next(trace_event kind, const void* object) {
  if (access_trace* const into = access_trace::active()) into->expect(kind, object);
}
/// An event for more and more operations: nothing else tells where a loop is that makes no access.
MAGPIE_INLINE void in_vain(std::uint32_t n) {
  if (n >= operations_in_vain && (n & (n - 1)) == 0) trace(trace_event::in_vain, n);
}
#else
inline constexpr bool tracing = false;
MAGPIE_INLINE void in_vain(std::uint32_t) {}
MAGPIE_INLINE void trace(trace_event, std::uint64_t = 0, const void* = nullptr, const void* = nullptr) {}
MAGPIE_INLINE void trace_next(trace_event, const void*) {}
#endif
/// Retries are forced where a recording wants it; see history.cuh.
MAGPIE_INLINE bool forces_retry(bool) { return false; }

MAGPIE_INLINE std::uint32_t popcount(std::uint32_t v) { return static_cast<std::uint32_t>(std::popcount(v)); }
MAGPIE_INLINE std::uint32_t countl_zero(std::uint32_t v) { return static_cast<std::uint32_t>(std::countl_zero(v)); }
MAGPIE_INLINE std::uint32_t lowest_bit(std::uint32_t v) { return static_cast<std::uint32_t>(std::countr_zero(v)); }

/// A rule that a kernel broke; ends the launch.
struct kernel_fault : std::runtime_error {
  kernel_fault(launch_code why, const std::string& what) : std::runtime_error(what), code(why) {}
  launch_code code;
};

/// Where this host thread stands in a launch.
inline magpie_place& this_place() {
  thread_local magpie_place here;
  return here;
}

/// The launch is about to fault where the function was called that says so.
#if defined(MAGPIE_TRACE)
#define MAGPIE_TRACE_FAULT() MAGPIE_TRACE_FAULT_AT(__builtin_return_address(0))
#define MAGPIE_TRACE_FAULT_AT(place) trace_fault(place)
inline void trace_fault(const void* place) {
  if (access_trace* const into = access_trace::active()) into->event(trace_event::faulted, nullptr, 0, nullptr, place);
}
#else
#define MAGPIE_TRACE_FAULT() static_cast<void>(0)
#define MAGPIE_TRACE_FAULT_AT(place) static_cast<void>(0)
#endif

/// Ends the launch: `index` is out of the range of the array, of `length` elements, that begins at `base`.
[[noreturn]] inline __attribute__((noinline)) void bounds_fault(std::uint64_t index, std::uint64_t length,
                                                                const void* base = nullptr) {
  MAGPIE_TRACE_FAULT();
  throw kernel_fault(launch_bounds_fault, bounds_text(this_place(), index, length, base));
}
/// The same for a matrix.
[[noreturn]] inline __attribute__((noinline)) void bounds_fault(std::uint64_t row, std::uint64_t column,
                                                                std::uint64_t rows, std::uint64_t columns,
                                                                const void* base) {
  MAGPIE_TRACE_FAULT();
  throw kernel_fault(launch_bounds_fault, bounds_text(this_place(), row, column, rows, columns, base));
}

/// Ends the launch: a region broke the rule that `what` names.
[[noreturn]] inline __attribute__((noinline)) void misuse_fault(const char* what) {
  MAGPIE_TRACE_FAULT();
  throw kernel_fault(launch_misuse, what);
}

/// The thread begins `item`: what a fault names, in checked builds, and a trace.
MAGPIE_INLINE void working_on([[maybe_unused]] std::uint64_t item) {
#if MAGPIE_CHECKS_BOUNDS || defined(MAGPIE_TRACE)
  this_place().item = item;
#endif
}

#if defined(MAGPIE_TRACE)
/// While it lives, this host thread's part of a launch is traced, if the host wants it.
class traced_launch {
 public:
  explicit traced_launch(const magpie_launch_args& args) {
    if (args.simulation == nullptr || args.simulation->accesses == nullptr) return;
    trace_.emplace(*args.simulation->accesses, &this_place().thread, &this_place().item);
    access_trace::active() = &*trace_;
  }
  traced_launch(const traced_launch&) = delete;
  traced_launch& operator=(const traced_launch&) = delete;
  ~traced_launch() {
    if (!trace_) return;
    access_trace::active() = nullptr;
    trace_->settle();
  }
  void begin_thread() {
    if (trace_) trace_->begin_thread();
  }

 private:
  std::optional<access_trace> trace_;
};

/// What an access that no accessor makes is: an event, and where others may get in between; an update is noted as one, too.
__attribute__((noinline)) inline void pause_before([[maybe_unused]] const void* address) {
  MAGPIE_NOTE_ACCESS(address);
}
__attribute__((noinline)) inline void note_update([[maybe_unused]] const void* address,
                                                  [[maybe_unused]] std::uint32_t bytes) {
#if defined(MAGPIE_RECORD)
  note_atomic(address, bytes);
#endif
}
MAGPIE_UNTRACED_CALL inline void hook_plain(bool writes, const void* address, std::uint32_t bytes, const void* place) {
  if (!access_trace::concerns(address)) return;
  access_trace* const trace = access_trace::active();
  if (trace == nullptr) return;
  if (trace->notes_plain(address)) pause_before(address);
  trace->plain(writes, address, bytes, place);
}
/// The trace that is to be told what the operation read or left; null: none is.
MAGPIE_UNTRACED_CALL inline access_trace* hook_atomic(trace_event kind, const volatile void* address,
                                                      std::uint32_t bytes, const void* place) {
  if (!access_trace::concerns(address)) return nullptr;
  access_trace* const trace = access_trace::active();
  if (trace == nullptr) return nullptr;
  const void* const at = const_cast<const void*>(address);
  if (trace->notes_atomic(at)) {
    pause_before(at);
    if (kind == trace_event::atomic) note_update(at, bytes);
  }
  return trace->atomic(kind, at, bytes, place) ? trace : nullptr;
}
#else
/// Nothing is traced.
struct traced_launch {
  explicit traced_launch(const magpie_launch_args&) {}
  void begin_thread() {}
};
#endif

/// The logical thread that runs a kernel; see cuda.cuh for the contract of each member. Width 1.
struct thread {
  MAGPIE_INLINE std::uint32_t rank() const { return rank_; }
  MAGPIE_INLINE std::uint32_t size() const { return size_; }
  MAGPIE_INLINE std::uint32_t lane() const { return 0; }
  static constexpr std::uint32_t width() { return 1; }

  /// This thread's share of [0, n): one contiguous piece.
  template <class Index>
  MAGPIE_INLINE strided_range<Index> items(Index n) const {
    const std::uint64_t wide = n;
    return {static_cast<Index>(wide * rank_ / size_), static_cast<Index>(wide * (rank_ + 1ull) / size_), Index{1}};
  }
  template <class Index>
  MAGPIE_INLINE strided_range<Index> warp_items(Index n) const {
    return items(n);
  }

  MAGPIE_INLINE std::uint32_t ballot(bool predicate) const { return predicate ? 1u : 0u; }
  MAGPIE_INLINE bool any(bool predicate) const { return predicate; }
  MAGPIE_INLINE bool all(bool predicate) const { return predicate; }
  template <class T>
  MAGPIE_INLINE T shuffle(T v, std::uint32_t) const {
    return v;
  }
  template <class T>
  MAGPIE_INLINE T shuffle_down(T v, std::uint32_t) const {
    return v;
  }
  template <class T>
  MAGPIE_INLINE T shuffle_up(T v, std::uint32_t) const {
    return v;
  }
  template <class T>
  MAGPIE_INLINE T reduce_add(T v) const {
    return v;
  }
  MAGPIE_INLINE std::uint32_t reduce_min(std::uint32_t v) const { return v; }
  MAGPIE_INLINE void sync_warp() const {}
  MAGPIE_INLINE std::uint32_t active_lanes() const { return 1; }
  template <class T>
  MAGPIE_INLINE T shuffle_among(std::uint32_t, T v, std::uint32_t) const {
    return v;
  }
  MAGPIE_INLINE std::uint32_t ballot_among(std::uint32_t, bool predicate) const { return predicate ? 1u : 0u; }
  MAGPIE_INLINE bool any_among(std::uint32_t, bool predicate) const { return predicate; }
  MAGPIE_INLINE void converge(std::uint32_t) const {}

  std::uint32_t rank_;
  std::uint32_t size_;
};

MAGPIE_NAMESPACE_END

#include "magpie/platform/shared_grid.hpp"

MAGPIE_NAMESPACE_BEGIN

/// Runs logical threads of a grid of args.threads, one after another, on the caller's thread: those that it takes from args.grid, or
/// else [args.first, args.last). Several callers may run parts of one grid at the same time. `fields` are those of the functor's
/// table, for messages; `next` is the functor's `next_pass`, which without args.grid is not called. Returns a `launch_code`.
inline std::int32_t run_grid(const char* kernel, void (*body)(const void*, const thread&), const void* functor,
                             const magpie_launch_args& args, char* message, std::uint64_t message_bytes,
                             const char* fields = "", shared_grid::pass_function next = nullptr) {
  traced_launch traced(args);
  std::optional<shared_grid> shared;
  // The functor is the launch's own: between two passes, nobody else uses it.
  if (args.grid != nullptr) shared.emplace(*args.grid, args.helps == 0, next, const_cast<void*>(functor));
  const auto ended = [&](launch_code code, const std::string& what) {
    std::snprintf(message, message_bytes, "kernel %s: %s: %s", kernel, text_of(this_place()).c_str(), what.c_str());
    if (shared.has_value()) shared->end();
    return code;
  };
  const auto run_thread = [&](std::uint32_t rank, std::uint32_t threads) {
    traced.begin_thread();
    this_place().thread = rank;
    this_place().item = magpie_place::no_item;
    body(functor, thread{rank, threads});
  };
  const auto run = [&]() -> launch_code {
    try {
      if (shared.has_value()) {
        for (std::uint32_t rank, threads; shared->take(rank, threads);) run_thread(rank, threads);
        return launch_ok;
      }
      for (std::uint64_t rank = args.first; rank < args.last; ++rank) {
        run_thread(static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(args.threads));
      }
      return launch_ok;
    } catch (const kernel_fault& fault) {
      return ended(fault.code, fault.what());
    } catch (const std::exception& error) {
      return ended(launch_misuse, std::string("threw an exception: ") + error.what());
    } catch (...) {
      return ended(launch_misuse, "threw an exception");
    }
  };
  this_place() = {functor, fields, 0, magpie_place::no_item};
  fault_guard guard(functor, __builtin_frame_address(0));
  if (sigsetjmp(guard.back(), 0) == 0) {
    guard.arm();
    return run();
  }
  if (!guard.was_interrupted()) MAGPIE_TRACE_FAULT_AT(guard.left_at());
  return ended(guard.was_interrupted() ? launch_interrupted : launch_processor_fault, guard.what());
}

MAGPIE_NAMESPACE_END

#if defined(MAGPIE_TRACE)
#include "magpie/platform/instrumentation.hpp"
#endif
