/// @file
/// What the threads of a launch on `sim` do to memory that a host names, one event after the other.
///
/// Layer: sim, used by simulator.hpp, sim.cuh and instrumentation.hpp. The host gives ranges and room for events in
/// `magpie_trace` (launch_args.hpp), whose `trace_event` lists the kinds.
///
/// Accesses come from three places: the accessors of platform.cuh, by `simulation::note`; plain loads and stores, as by
/// `a[i]`, through what the compiler calls before each of them (instrumentation.hpp); and the transaction, which says what
/// the access that follows is to it (`expect`). Events that are no accesses are noted whatever their address.
///
/// An event's value is what a load read, or what memory held after a store. Events are in the order of the accesses: between
/// two switch points one thread runs alone.
///
/// Functions here are not instrumented themselves: they are called for each access, of the simulator too.
///
/// Limits: accesses of more than 8 bytes are several events. Cost: 56 bytes and some 20 ns an event; a few ns for each other
/// access of the module.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>

#include "magpie/platform/launch_args.hpp"
#include "magpie/platform/trace_event.hpp"
#include "magpie/sim/access_rules.hpp"

/// A function that the compiler adds no calls to.
#define MAGPIE_UNTRACED __attribute__((no_sanitize("thread")))

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

/// The trace of one launch.
class access_trace {
 public:
  MAGPIE_UNTRACED access_trace(magpie_trace& into, std::uint32_t threads, const std::uint32_t* running,
                               const std::uint64_t* items)
      : into_(into), running_(running), items_(items), threads_(new part[threads]()) {
    into_.count = 0;
    for (std::uint64_t i = 0; i < into_.range_count; ++i) {
      if (into_.ranges[i].begin < least_) least_ = into_.ranges[i].begin;
      if (into_.ranges[i].end > most_) most_ = into_.ranges[i].end;
    }
    widen(least_, most_);
  }

  /// Whether some trace of this process may have something to do with memory at this address: most accesses, as of the
  /// simulator itself, are to none, and this is all that they cost.
  MAGPIE_UNTRACED static bool concerns(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at >= __atomic_load_n(&ever_least, __ATOMIC_RELAXED) && at < __atomic_load_n(&ever_most, __ATOMIC_RELAXED);
  }

  /// That of the launch on this host thread, if it has one.
  static access_trace*& active() {
    static constinit thread_local access_trace* trace = nullptr;
    return trace;
  }

  /// An event that is no access.
  MAGPIE_UNTRACED void event(trace_event kind, const void* address, std::uint64_t value, const void* object,
                             const void* place) {
    settle();
    part& mine = threads_[*running_];
    if (kind == trace_event::begin) mine.attempt = static_cast<std::uint32_t>(value);
    put(kind, address, value, object, place, 0);
  }

  /// The next access that an accessor makes is this to the transaction.
  MAGPIE_UNTRACED void expect(trace_event kind, const void* object) {
    part& mine = threads_[*running_];
    mine.expected = kind;
    mine.object = object;
  }

  /// An accessor is about to access `bytes` bytes.
  MAGPIE_UNTRACED void accessed(access how, const void* address, std::uint32_t bytes, const void* place) {
    settle();
    part& mine = threads_[*running_];
    by_accessor_ = is_plain(how) ? nullptr : address;
    plain_by_accessor_ = is_plain(how) ? address : nullptr;
    const trace_event kind = mine.expected != trace_event::none ? mine.expected : kind_of(how);
    const void* const object = mine.object;
    mine.expected = trace_event::none;
    mine.object = nullptr;
    note(kind, how == access::st_plain || how == access::store || how == access::update, address, bytes, object, place);
  }

  /// An accessor looks at this before it knows what it is about to do.
  MAGPIE_UNTRACED void by_accessor(const void* address) {
    settle();
    by_accessor_ = address;
  }

  /// The accessor is done.
  MAGPIE_UNTRACED void by_accessor_no_more() { by_accessor_ = nullptr; }

  /// The load that was just noted read this.
  MAGPIE_UNTRACED void read(std::uint64_t bits) {
    if (into_.count > 0 && into_.count <= into_.capacity) into_.events[into_.count - 1].value = bits;
  }

  /// Whether there is room for another event: the host sees what is noted now.
  MAGPIE_UNTRACED bool has_room() const { return into_.count < into_.capacity; }

  /// Whether memory at this address is traced.
  MAGPIE_UNTRACED bool contains(const void* address) const {
    if (!may_contain(address)) return false;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (std::uint64_t i = 0; i < into_.range_count; ++i) {
      const magpie_range& range = into_.ranges[i];
      if (at < range.begin || at >= range.end) continue;
      if (range.stride == 0 || ((at - range.begin) & (range.stride - 1)) < range.datum) return true;
    }
    return false;
  }
  /// Whether some of this memory lies in a range that is traced.
  MAGPIE_UNTRACED bool overlaps(const void* address, std::size_t bytes) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (at >= most_ || at + bytes <= least_) return false;
    for (std::uint64_t i = 0; i < into_.range_count; ++i) {
      if (at < into_.ranges[i].end && at + bytes > into_.ranges[i].begin) return true;
    }
    return false;
  }
  /// Whether a plain load or store of this is no accessor's.
  MAGPIE_UNTRACED bool notes_plain(const void* address) const {
    return contains(address) && address != plain_by_accessor_;
  }
  /// Whether an atomic operation on this is none.
  MAGPIE_UNTRACED bool notes_atomic(const void* address) const { return contains(address) && address != by_accessor_; }

  /// A plain load or store is about to happen.
  MAGPIE_UNTRACED void plain(bool writes, const void* address, std::uint32_t bytes, const void* place) {
    if (!contains(address)) return;
    if (address == plain_by_accessor_) {
      plain_by_accessor_ = nullptr;
      return;
    }
    settle();
    note(writes ? trace_event::plain_write : trace_event::plain_read, writes, address, bytes, nullptr, place);
  }

  /// An atomic operation, of an accessor or not, is about to happen.
  MAGPIE_UNTRACED void atomic(trace_event kind, const void* address, std::uint32_t bytes, const void* place) {
    if (!notes_atomic(address)) return;
    settle();
    note(kind, kind != trace_event::shared_read, address, bytes, nullptr, place);
  }

  /// Before another thread may run: what the last store wrote is in memory.
  MAGPIE_UNTRACED void settle() {
    by_accessor_ = plain_by_accessor_ = nullptr;
    for (; unsettled_ < into_.count && unsettled_ < into_.capacity; ++unsettled_) {
      magpie_event& event = into_.events[unsettled_];
      if (event.writes != 0) event.value = bits_at(reinterpret_cast<const void*>(event.address), event.bytes);
    }
    unsettled_ = into_.count;
  }

  /// Whether the attempt that ends here is to be made in vain.
  MAGPIE_UNTRACED bool forces_retry() const { return threads_[*running_].attempt <= into_.forced_retries; }
  /// Whether the first attempt of an inner transaction is.
  MAGPIE_UNTRACED bool forces_inner_retry() const { return into_.forced_inner != 0; }

 private:
  // The smallest range with all that was ever traced; traces of several host threads may begin at once. Builtins, as the
  // members of std::atomic would be instrumented.
  static inline constinit std::uintptr_t ever_least = ~std::uintptr_t{0};
  static inline constinit std::uintptr_t ever_most = 0;

  MAGPIE_UNTRACED static void widen(std::uintptr_t least, std::uintptr_t most) {
    std::uintptr_t before = __atomic_load_n(&ever_least, __ATOMIC_RELAXED);
    while (least < before &&
           !__atomic_compare_exchange_n(&ever_least, &before, least, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    before = __atomic_load_n(&ever_most, __ATOMIC_RELAXED);
    while (most > before &&
           !__atomic_compare_exchange_n(&ever_most, &before, most, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }

  /// What one thread is about to do.
  struct part {
    std::uint32_t attempt;
    trace_event expected;
    const void* object;
  };

  MAGPIE_UNTRACED static trace_event kind_of(access how) {
    switch (how) {
      case access::ld_plain: return trace_event::fixed_read;
      case access::ld_own: return trace_event::plain_read;
      case access::st_plain: return trace_event::plain_write;
      case access::load: return trace_event::shared_read;
      case access::store: return trace_event::shared_write;
      case access::update: return trace_event::atomic;
    }
    return trace_event::none;
  }

  MAGPIE_UNTRACED bool may_contain(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at >= least_ && at < most_;
  }

  MAGPIE_UNTRACED void note(trace_event kind, bool writes, const void* address, std::uint32_t bytes, const void* object,
                            const void* place) {
    if (!contains(address)) return;
    for (std::uint32_t done = 0; done < bytes;) {
      const std::uint32_t piece = bytes - done < 8 ? bytes - done : 8;
      const void* const at = static_cast<const char*>(address) + done;
      put(kind, at, writes ? 0 : bits_at(at, piece), object, place, piece, writes);
      done += piece;
    }
  }

  MAGPIE_UNTRACED void put(trace_event kind, const void* address, std::uint64_t value, const void* object,
                           const void* place, std::uint32_t bytes, bool writes = false) {
    if (into_.count < into_.capacity) {
      magpie_event& event = into_.events[into_.count];
      event.address = reinterpret_cast<std::uintptr_t>(address);
      event.value = value;
      event.object = reinterpret_cast<std::uintptr_t>(object);
      event.place = place_of(place);
      event.item = items_[*running_];
      event.attempt = threads_[*running_].attempt;
      event.thread = *running_;
      event.kind = static_cast<std::uint8_t>(kind);
      event.bytes = static_cast<std::uint8_t>(bytes);
      event.writes = writes ? 1 : 0;
    }
    ++into_.count;
  }

  MAGPIE_UNTRACED static std::uint64_t bits_at(const void* address, std::uint32_t bytes) {
    std::uint64_t bits = 0;
    if (bytes == 8) {
      __builtin_memcpy(&bits, address, 8);  // in place: a call of memcpy has a hook
    } else {
      const auto* const from = static_cast<const unsigned char*>(address);
      for (std::uint32_t i = 0; i < bytes; ++i) bits |= std::uint64_t{from[i]} << (8 * i);
    }
    return bits;
  }

  /// The place as an offset in the module's file; one before, because a call returns behind itself.
  MAGPIE_UNTRACED static std::uint64_t place_of(const void* place);

  magpie_trace& into_;
  const std::uint32_t* const running_;
  const std::uint64_t* const items_;
  const std::unique_ptr<part[]> threads_;
  std::uintptr_t least_ = ~std::uintptr_t{0};
  std::uintptr_t most_ = 0;
  std::uint64_t unsettled_ = 0;
  const void* by_accessor_ = nullptr;
  const void* plain_by_accessor_ = nullptr;
};

}  // namespace simulator

MAGPIE_NAMESPACE_END

/// Where the module was loaded.
extern "C" const char __ehdr_start[] __attribute__((visibility("hidden"), weak));

MAGPIE_NAMESPACE_BEGIN

inline std::uint64_t simulator::access_trace::place_of(const void* place) {
  if (place == nullptr) return 0;
  return reinterpret_cast<std::uintptr_t>(place) - 1 - reinterpret_cast<std::uintptr_t>(&__ehdr_start);
}

MAGPIE_NAMESPACE_END
