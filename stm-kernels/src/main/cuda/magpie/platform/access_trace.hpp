/// @file
/// What the threads of a launch on `sim` or `cpu` do to memory that a host names, one event after the other.
///
/// Layer: platform, used by cpu.cuh, instrumentation.hpp and the simulator, in modules that are built with `MAGPIE_TRACE`. The
/// host gives ranges and room for events in `magpie_trace` (launch_args.hpp), whose `trace_event` lists the kinds.
///
/// Accesses come from three places: the accessors of platform.cuh; plain loads and stores, as by `a[i]`, through what the
/// compiler calls before each of them (instrumentation.hpp); and the transaction, which says what the access that follows is
/// to it (`expect`). Events that are no accesses are noted whatever their address.
///
/// An event's value is what a load read, or what memory held after a store. On `cpu` that holds for accessors and atomic
/// operations, and for plain accesses as far as claims or a thread's own steps order them: memory is looked at before a plain
/// load, and after a plain store when the thread's next event is noted, and another thread may write in between.
///
/// Order. On `sim` events are in the order of the accesses: between two switch points one thread runs alone. On `cpu` a thread
/// draws an event's place from a counter that all share, before it makes the access, and after a claim or the last lock: so
/// of two events that claims order, or a thread's own steps, the earlier has the lower place. Of two accesses that race
/// either may have it. A cancel draws its place before it looks whether its claims stand: where they do, they stood there.
///
/// Functions here are not instrumented themselves: they are called for each access, of the simulator too.
///
/// Shared state: the events' count, by additions, which order threads that no untraced launch orders; an event is one thread's.
///
/// Limits: accesses of more than 8 bytes are several events. Cost: 56 bytes and some 20 ns an event, on `cpu` more where
/// threads meet at the counter; a few ns for each other access of the module.
#pragma once

#include <cstdint>
#include <cstring>

#include "magpie/platform/launch_args.hpp"
#include "magpie/platform/trace_event.hpp"

/// A function that the compiler adds no calls to.
#define MAGPIE_UNTRACED __attribute__((no_sanitize("thread")))
/// A call, never inlined: a traced module has so many of them that inlined they would be half of what is compiled.
#define MAGPIE_UNTRACED_CALL MAGPIE_UNTRACED __attribute__((noinline))

MAGPIE_NAMESPACE_BEGIN

/// By what an access is made.
enum class accessor : std::uint8_t { ld_plain, ld_own, st_plain, load, store, update };

MAGPIE_UNTRACED inline bool is_plain(accessor how) {
  return how == accessor::ld_plain || how == accessor::ld_own || how == accessor::st_plain;
}

/// The trace of one launch, or the part of it that one host thread makes.
class access_trace {
 public:
  /// Of all `threads`, of which one at a time runs: `running`, with the item `items[running]`.
  MAGPIE_UNTRACED access_trace(magpie_trace& into, std::uint32_t threads, const std::uint32_t* running,
                               const std::uint64_t* items)
      : access_trace(into, threads, running, running, items, false) {
    into_.count = 0;
  }

  /// Of one thread after the other, each of rank `*rank` and with the item `*item`, while other host threads trace theirs. The
  /// host has set the count to 0.
  MAGPIE_UNTRACED access_trace(magpie_trace& into, const std::uint32_t* rank, const std::uint64_t* item)
      : access_trace(into, 1, &first, rank, item, true) {}

  MAGPIE_UNTRACED ~access_trace() { delete[] threads_; }
  access_trace(const access_trace&) = delete;
  access_trace& operator=(const access_trace&) = delete;

  /// Whether some trace of this process may have something to do with memory at this address: most accesses, as of the
  /// simulator itself, are to none, and this is all that they cost.
  MAGPIE_UNTRACED static bool concerns(const volatile void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at >= __atomic_load_n(&ever_least, __ATOMIC_RELAXED) && at < __atomic_load_n(&ever_most, __ATOMIC_RELAXED);
  }

  /// That of the launch on this host thread, if it has one.
  MAGPIE_UNTRACED static access_trace*& active() {
    static constinit thread_local access_trace* trace = nullptr;
    return trace;
  }

  /// Another thread begins, where one runs after the other.
  MAGPIE_UNTRACED void begin_thread() {
    settle();
    mine() = {};
  }

  /// An event that is no access.
  MAGPIE_UNTRACED_CALL void event(trace_event kind, const void* address, std::uint64_t value, const void* object,
                                  const void* place) {
    settle();
    if (kind == trace_event::begin) mine().attempt = static_cast<std::uint32_t>(value);
    put(draw(1), kind, address, value, object, place, 0, false);
  }

  /// The next access that an accessor makes is this to the transaction.
  MAGPIE_UNTRACED void expect(trace_event kind, const void* object) {
    mine().expected = kind;
    mine().object = object;
  }

  /// An accessor is about to access `bytes` bytes.
  MAGPIE_UNTRACED_CALL void accessed(accessor how, const void* address, std::uint32_t bytes, const void* place) {
    settle();
    by_accessor_ = is_plain(how) ? nullptr : address;
    plain_by_accessor_ = is_plain(how) ? address : nullptr;
    const trace_event kind = mine().expected != trace_event::none ? mine().expected : kind_of(how);
    const void* const object = mine().object;
    mine().expected = trace_event::none;
    mine().object = nullptr;
    note(kind, how == accessor::st_plain || how == accessor::store || how == accessor::update, address, bytes, object,
         place);
  }

  /// An accessor looks at this before it knows what it is about to do.
  MAGPIE_UNTRACED void by_accessor(const void* address) {
    settle();
    by_accessor_ = address;
  }

  /// The accessor is done.
  MAGPIE_UNTRACED void by_accessor_no_more() { by_accessor_ = nullptr; }

  /// The load that was just noted read this; of 16 bytes the first 8, and those above.
  MAGPIE_UNTRACED_CALL void read(std::uint64_t bits, std::uint64_t above = 0) {
    for (std::uint64_t i = last_; i < last_end_ && i < capacity_; ++i) events_[i].value = i == last_ ? bits : above;
  }

  /// The store or update that was just noted left this in memory.
  MAGPIE_UNTRACED_CALL void wrote(std::uint64_t bits, std::uint64_t above = 0) {
    read(bits, above);
    last_ = last_end_;
  }

  /// The update that was just noted found this, and left it as it was.
  MAGPIE_UNTRACED_CALL void left(std::uint64_t bits, std::uint64_t above = 0) {
    for (std::uint64_t i = last_; i < last_end_ && i < capacity_; ++i) events_[i].writes = 0;
    wrote(bits, above);
  }

  /// Whether some event found no room.
  MAGPIE_UNTRACED bool is_incomplete() const { return into_.count > capacity_; }

  /// Whether memory at this address is traced.
  MAGPIE_UNTRACED_CALL bool contains(const void* address) const {
    if (!may_contain(address)) return false;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (std::uint64_t i = 0; i < range_count_; ++i) {
      const magpie_range& range = ranges_[i];
      if (at < range.begin || at >= range.end) continue;
      if (range.stride == 0 || ((at - range.begin) & (range.stride - 1)) < range.datum) return true;
    }
    return false;
  }
  /// Whether some of this memory lies in a range that is traced.
  MAGPIE_UNTRACED bool overlaps(const void* address, std::size_t bytes) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (at >= most_ || at + bytes <= least_) return false;
    for (std::uint64_t i = 0; i < range_count_; ++i) {
      if (at < ranges_[i].end && at + bytes > ranges_[i].begin) return true;
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
  MAGPIE_UNTRACED_CALL void plain(bool writes, const void* address, std::uint32_t bytes, const void* place) {
    if (!contains(address)) return;
    if (address == plain_by_accessor_) {
      plain_by_accessor_ = nullptr;
      return;
    }
    settle();
    note(writes ? trace_event::plain_write : trace_event::plain_read, writes, address, bytes, nullptr, place);
  }

  /// An atomic operation, of an accessor or not, is about to happen. Whether it is noted: then what it read or left is to be
  /// told afterwards.
  MAGPIE_UNTRACED_CALL bool atomic(trace_event kind, const void* address, std::uint32_t bytes, const void* place) {
    if (!notes_atomic(address)) return false;
    settle();
    note(kind, kind != trace_event::shared_read, address, bytes, nullptr, place);
    return true;
  }

  /// Before another thread may run, or the next event of this one: what the last store wrote is in memory.
  MAGPIE_UNTRACED_CALL void settle() {
    by_accessor_ = plain_by_accessor_ = nullptr;
    for (; last_ < last_end_ && last_ < capacity_; ++last_) {
      magpie_event& event = events_[last_];
      if (event.writes != 0) event.value = bits_at(reinterpret_cast<const void*>(event.address), event.bytes);
    }
    last_ = last_end_;
  }

  /// Whether the attempt that ends here must be rolled back and repeated.
  MAGPIE_UNTRACED bool forces_retry() const { return mine().attempt <= into_.forced_retries; }
  /// Whether the first attempt of an inner transaction must be.
  MAGPIE_UNTRACED bool forces_inner_retry() const { return into_.forced_inner != 0; }

 private:
  // The smallest range with all that was ever traced; traces of several host threads may begin at once. Builtins, as the
  // members of std::atomic would be instrumented.
  static inline constinit std::uintptr_t ever_least = ~std::uintptr_t{0};
  static inline constinit std::uintptr_t ever_most = 0;

  static constexpr std::uint32_t first = 0;

  /// What one thread is about to do.
  struct part {
    std::uint32_t attempt;
    trace_event expected;
    const void* object;
  };

  MAGPIE_UNTRACED access_trace(magpie_trace& into, std::uint32_t threads, const std::uint32_t* running,
                               const std::uint32_t* rank, const std::uint64_t* items, bool shares)
      : into_(into),
        events_(into.events),
        capacity_(into.capacity),
        ranges_(into.ranges),
        range_count_(into.range_count),
        shares_(shares),
        running_(running),
        rank_(rank),
        items_(items),
        threads_(new part[threads]()) {
    for (std::uint64_t i = 0; i < range_count_; ++i) {
      if (ranges_[i].begin < least_) least_ = ranges_[i].begin;
      if (ranges_[i].end > most_) most_ = ranges_[i].end;
    }
    widen(least_, most_);
  }

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

  MAGPIE_UNTRACED static trace_event kind_of(accessor how) {
    switch (how) {
      case accessor::ld_plain: return trace_event::fixed_read;
      case accessor::ld_own: return trace_event::plain_read;
      case accessor::st_plain: return trace_event::plain_write;
      case accessor::load: return trace_event::shared_read;
      case accessor::store: return trace_event::shared_write;
      case accessor::update: return trace_event::atomic;
    }
    return trace_event::none;
  }

  MAGPIE_UNTRACED part& mine() { return threads_[*running_]; }
  MAGPIE_UNTRACED const part& mine() const { return threads_[*running_]; }

  MAGPIE_UNTRACED bool may_contain(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at >= least_ && at < most_;
  }

  /// The place of the next of so many events.
  MAGPIE_UNTRACED std::uint64_t draw(std::uint32_t events) {
    if (shares_) return __atomic_fetch_add(&into_.count, events, __ATOMIC_SEQ_CST);
    const std::uint64_t place = into_.count;
    into_.count += events;
    return place;
  }

  MAGPIE_UNTRACED_CALL void note(trace_event kind, bool writes, const void* address, std::uint32_t bytes,
                                 const void* object, const void* place) {
    if (!contains(address)) return;
    last_ = draw((bytes + 7) / 8);
    last_end_ = last_;
    for (std::uint32_t done = 0; done < bytes;) {
      const std::uint32_t piece = bytes - done < 8 ? bytes - done : 8;
      const void* const at = static_cast<const char*>(address) + done;
      put(last_end_++, kind, at, writes ? 0 : bits_at(at, piece), object, place, piece, writes);
      done += piece;
    }
  }

  MAGPIE_UNTRACED_CALL void put(std::uint64_t at, trace_event kind, const void* address, std::uint64_t value,
                                const void* object, const void* place, std::uint32_t bytes, bool writes) {
    if (at >= capacity_) return;
    magpie_event& event = events_[at];
    event.address = reinterpret_cast<std::uintptr_t>(address);
    event.value = value;
    event.object = reinterpret_cast<std::uintptr_t>(object);
    event.place = place_of(place);
    event.item = items_[*running_];
    event.attempt = mine().attempt;
    event.thread = *rank_;
    event.kind = static_cast<std::uint8_t>(kind);
    event.bytes = static_cast<std::uint8_t>(bytes);
    event.writes = writes ? 1 : 0;
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
  magpie_event* const events_;
  const std::uint64_t capacity_;
  const magpie_range* const ranges_;
  const std::uint64_t range_count_;
  const bool shares_;  // the count with others
  const std::uint32_t* const running_;
  const std::uint32_t* const rank_;
  const std::uint64_t* const items_;
  part* const threads_;
  std::uintptr_t least_ = ~std::uintptr_t{0};
  std::uintptr_t most_ = 0;
  std::uint64_t last_ = 0;  // the events of the last access, as far as their values are not known yet
  std::uint64_t last_end_ = 0;
  const void* by_accessor_ = nullptr;
  const void* plain_by_accessor_ = nullptr;
};

MAGPIE_NAMESPACE_END

/// Where the module was loaded.
extern "C" const char __ehdr_start[] __attribute__((visibility("hidden"), weak));

MAGPIE_NAMESPACE_BEGIN

inline std::uint64_t access_trace::place_of(const void* place) {
  if (place == nullptr) return 0;
  return reinterpret_cast<std::uintptr_t>(place) - 1 - reinterpret_cast<std::uintptr_t>(&__ehdr_start);
}

MAGPIE_NAMESPACE_END
