/// @file
/// What a load may read on the `sim` machine under weak memory, and what becomes visible with it.
///
/// Layer: sim, used by simulator.hpp. Plain host C++; one launch's memory, on one host thread.
///
/// The model is that of views (Kang, Hur, Lahav, Vafeiadis, Dreyer: A promising semantics for relaxed-memory
/// concurrency, POPL 2017, without promises; the same executions as CDSChecker by Norris and Demsky, OOPSLA 2013, orders
/// by coherence and happens-before):
///
/// - A location's values form its modification order, which is the order of execution. Each is a message that carries
///   what its writer released with it: a view, that is, for each location the oldest message that may still be read.
/// - A thread has its current view; what it read relaxed and an acquire fence would add to that; and the view that its
///   last release fence left for its later relaxed stores.
/// - A load reads any message of its location that is not older than the current view says, and moves the view there. An
///   acquire load adds the message's view to the current one; a relaxed one keeps it for a fence.
/// - A release store's message carries the current view, a relaxed one's that of the last release fence.
/// - A read-modify-write reads the newest message; its own carries that one's view on, so that release sequences go
///   through it. Any plain store ends them, the releaser's own too (as C++20; PTX lets those of the releaser go on).
///   A compare-exchange that fails only reads, but the newest.
/// - `fence_acqrel` is both fences. `fence_sc` also joins the views of all earlier such fences, and leaves its own.
/// - `sync_warp` makes the lanes' current views one. Other collectives order nothing.
///
/// Not modeled: load buffering (a load that reads from a store which program order puts behind it); modification orders
/// that differ from the execution's; scopes (all is device scope); `ld_plain` and `st_plain`, which act on the memory at
/// once. A location whose memory is not what its newest message says was written by a plain store, an access of another
/// size or the host: it starts over with that value, known to all. Older values are kept up to `most_older` a location.
///
/// Cost: an access takes a hash look-up; where a view that others hold on to is moved, a copy of 4 bytes for each
/// location accessed so far. Memory: at worst that for each message kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

/// The order in an accessor's name.
enum class order : std::uint8_t { relaxed, acquire, release, acq_rel };

inline constexpr bool acquires(order o) { return o == order::acquire || o == order::acq_rel; }
inline constexpr bool releases(order o) { return o == order::release || o == order::acq_rel; }

/// For each location a time: the place in its modification order. A handle on shared data: copies cost nothing, and who
/// changes one that is shared gets data of its own. Null is the view of nothing: every time 0.
class view {
 public:
  view() = default;
  view(const view& other) : data_(other.data_) {
    if (data_ != nullptr) ++data_->holders;
  }
  view(view&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  view& operator=(view other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~view() {
    if (data_ != nullptr && --data_->holders == 0) delete data_;
  }

  bool is_null() const { return data_ == nullptr; }
  std::uint32_t operator[](std::uint32_t location) const {
    return data_ != nullptr && location < data_->times.size() ? data_->times[location] : 0;
  }
  /// No earlier than `time` at `location` from now on.
  void raise(std::uint32_t location, std::uint32_t time) {
    if (time <= (*this)[location]) return;
    own(location + 1);
    data_->times[location] = time;
  }
  /// The later of both everywhere.
  void join(const view& other) {
    if (other.data_ == data_ || other.data_ == nullptr) return;
    if (data_ == nullptr || covered_by(other)) {
      *this = other;
      return;
    }
    if (other.covered_by(*this)) return;
    const std::vector<std::uint32_t>& theirs = other.data_->times;
    own(theirs.size());
    std::uint32_t* const mine = data_->times.data();
    for (std::size_t i = 0; i < theirs.size(); ++i) mine[i] = std::max(mine[i], theirs[i]);
  }

 private:
  struct shared {
    std::uint32_t holders = 1;
    std::vector<std::uint32_t> times;
  };

  /// Nowhere later than `other`. Neither is null.
  bool covered_by(const view& other) const {
    const std::vector<std::uint32_t>& mine = data_->times;
    const std::vector<std::uint32_t>& theirs = other.data_->times;
    if (mine.size() > theirs.size()) return false;
    std::uint32_t later = 0;
    for (std::size_t i = 0; i < mine.size(); ++i) later |= mine[i] > theirs[i] ? 1u : 0u;
    return later == 0;
  }

  /// Makes the data this view's own, with room for `locations`.
  void own(std::size_t locations) {
    if (data_ == nullptr) {
      data_ = new shared;
    } else if (data_->holders > 1) {
      shared* const copy = new shared{1, data_->times};
      --data_->holders;
      data_ = copy;
    }
    if (data_->times.size() < locations) data_->times.resize(locations, 0);
  }

  shared* data_ = nullptr;
};

/// Addresses numbered in the order of their first access.
class location_table {
 public:
  std::uint32_t number_of(const void* address) {
    if (2 * (count_ + 1) > places_.size()) grow();
    place& found = find(address);
    if (found.address == nullptr) found = {address, count_++};
    return found.number;
  }

 private:
  struct place {
    const void* address = nullptr;
    std::uint32_t number = 0;
  };

  place& find(const void* address) {
    const std::size_t mask = places_.size() - 1;
    std::size_t at = (reinterpret_cast<std::uintptr_t>(address) * 0x9e3779b97f4a7c15ull >> 32) & mask;
    while (places_[at].address != nullptr && places_[at].address != address) at = (at + 1) & mask;
    return places_[at];
  }

  void grow() {
    std::vector<place> old(places_.empty() ? 64 : 2 * places_.size());
    old.swap(places_);
    for (const place& each : old) {
      if (each.address != nullptr) find(each.address) = each;
    }
  }

  std::vector<place> places_;  // a power of two, at most half full
  std::uint32_t count_ = 0;
};

/// The memory of one launch of `threads` threads.
class weak_memory {
 public:
  /// Values before the newest that are kept of a location.
  static constexpr std::uint32_t most_older = 15;

  explicit weak_memory(std::uint32_t threads) : threads_(threads) {}

  /// The place of `address`, whose memory holds `bits` of `bytes` bytes. To be asked at the access, for it alone.
  std::uint32_t locate(const void* address, std::uint32_t bytes, std::uint64_t bits) {
    const std::uint32_t number = table_.number_of(address);
    if (number == locations_.size()) {
      locations_.emplace_back();
      locations_.back().messages[0] = {bits, {}};
      locations_.back().bytes = bytes;
    }
    location& here = locations_[number];
    if (here.newest().value != bits || here.bytes != bytes) {
      here.append(bits, {});
      here.oldest = here.last;
      here.bytes = bytes;
    }
    return number;
  }

  /// How many values before the newest `thread` could read at a location.
  std::uint32_t older(std::uint32_t thread, std::uint32_t number) const {
    const location& here = locations_[number];
    return here.last - std::max(here.oldest, threads_[thread].current[number]);
  }

  /// Reads the value `version` before the newest, `version` <= `older`.
  std::uint64_t load(std::uint32_t thread, std::uint32_t number, std::uint32_t version, order o) {
    location& here = locations_[number];
    const std::uint32_t time = here.last - version;
    const message& read = here.messages[time % here.messages.size()];
    take_in(threads_[thread], number, time, read.released, o);
    return read.value;
  }

  void store(std::uint32_t thread, std::uint32_t number, std::uint64_t bits, order o) {
    write(threads_[thread], number, bits, {}, o);
  }

  /// A read-modify-write that leaves `bits`.
  void update(std::uint32_t thread, std::uint32_t number, std::uint64_t bits, order o) {
    const view carried = locations_[number].newest().released;
    take_in(threads_[thread], number, locations_[number].last, carried, o);
    write(threads_[thread], number, bits, carried, o);
  }

  void fence_acqrel(std::uint32_t thread) {
    knowledge& mine = threads_[thread];
    mine.current.join(mine.pending);
    mine.pending = {};
    mine.released = mine.current;
  }

  void fence_sc(std::uint32_t thread) {
    knowledge& mine = threads_[thread];
    mine.current.join(mine.pending);
    mine.pending = {};
    mine.current.join(fenced_);
    fenced_ = mine.current;
    mine.released = mine.current;
  }

  /// A barrier of the threads `first` + i for each bit i of `lanes`.
  void barrier(std::uint32_t first, std::uint32_t lanes) {
    view all;
    for (std::uint32_t i = 0; i < 32; ++i) {
      if (((lanes >> i) & 1u) != 0) all.join(threads_[first + i].current);
    }
    for (std::uint32_t i = 0; i < 32; ++i) {
      if (((lanes >> i) & 1u) != 0) threads_[first + i].current = all;
    }
  }

 private:
  struct message {
    std::uint64_t value = 0;
    view released;
  };

  /// Its messages at times `oldest` to `last`, each at its time modulo their number.
  struct location {
    std::array<message, most_older + 1> messages;
    std::uint32_t oldest = 0;
    std::uint32_t last = 0;
    std::uint32_t bytes = 0;

    const message& newest() const { return messages[last % messages.size()]; }
    void append(std::uint64_t value, view released) {
      ++last;
      messages[last % messages.size()] = {value, std::move(released)};
      if (last - oldest > most_older) ++oldest;
    }
  };

  struct knowledge {
    view current;
    view pending;   // to be added by the next acquire fence
    view released;  // what relaxed stores carry
  };

  static void take_in(knowledge& mine, std::uint32_t number, std::uint32_t time, const view& released, order o) {
    if (acquires(o)) {
      mine.current.join(released);
    } else {
      mine.pending.join(released);
    }
    mine.current.raise(number, time);
  }

  void write(knowledge& mine, std::uint32_t number, std::uint64_t bits, view carried, order o) {
    location& here = locations_[number];
    mine.current.raise(number, here.last + 1);
    carried.join(releases(o) ? mine.current : mine.released);
    here.append(bits, std::move(carried));
  }

  location_table table_;
  std::vector<location> locations_;
  std::vector<knowledge> threads_;
  view fenced_;  // joined by every sequentially consistent fence
};

}  // namespace simulator

MAGPIE_NAMESPACE_END
