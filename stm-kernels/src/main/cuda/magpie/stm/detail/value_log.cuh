/// @file
/// What a transaction read, so that it can be compared with what is there now.
///
/// Layer: stm, part of versions.cuh. Private to one thread. It holds the first `room` reads of an attempt; of one that makes
/// more versions alone decide.
#pragma once

#include "magpie/stm/detail/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

class value_log {
 public:
  MAGPIE_INLINE void clear() {
    count_ = 0;
    overflowed_ = false;
  }
  template <class T>
  MAGPIE_INLINE void add(const T* p, const T& value, std::uint32_t place) {
    if (count_ == room) {
      overflowed_ = true;
      return;
    }
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    entries_[count_++] = {p, bits, sizeof(T), place};
  }
  /// Forgets what was read of objects from place `first` on.
  MAGPIE_INLINE void cut(std::uint32_t first) {
    std::uint32_t kept = 0;
    for (std::uint32_t k = 0; k < count_; ++k) {
      if (entries_[k].place < first) entries_[kept++] = entries_[k];
    }
    count_ = kept;
  }
  /// Whether more was read than is here.
  MAGPIE_INLINE bool overflowed() const { return overflowed_; }

  /// Whether every datum has the value that was read. Acquire, device scope. `tx` is told of whose object that is not so.
  template <class Tx>
  MAGPIE_INLINE bool hold(const Tx& tx) const {
    bool all = true;
    for (std::uint32_t k = 0; k < count_; ++k) {
      all = all && tx.noted(entries_[k].place, load(entries_[k]) == entries_[k].bits);
    }
    return all;
  }

  MAGPIE_INLINE void skipped() { ++skipped_; }
  MAGPIE_INLINE void compared() { ++compared_; }
  MAGPIE_INLINE void saved() { ++saved_; }
  MAGPIE_INLINE void flush(std::uint64_t* counters) const {
    if (skipped_ != 0) add_for_host(counters + counter::validations_skipped, skipped_);
    if (compared_ != 0) add_for_host(counters + counter::value_validations, compared_);
    if (saved_ != 0) add_for_host(counters + counter::conflicts_removed, saved_);
  }

 private:
  static constexpr std::uint32_t room = 16;

  struct entry {
    const void* p;
    std::uint64_t bits;
    std::uint32_t bytes;
    std::uint32_t place;
  };

  MAGPIE_INLINE static std::uint64_t load(const entry& e) {
    switch (e.bytes) {
      case 1: return ld_acq_dev(static_cast<const std::uint8_t*>(e.p));
      case 2: return ld_acq_dev(static_cast<const std::uint16_t*>(e.p));
      case 4: return ld_acq_dev(static_cast<const std::uint32_t*>(e.p));
      default: return ld_acq_dev(static_cast<const std::uint64_t*>(e.p));
    }
  }

  entry entries_[room] = {};
  std::uint32_t count_ = 0;
  bool overflowed_ = false;
  std::uint64_t skipped_ = 0;
  std::uint64_t compared_ = 0;
  std::uint64_t saved_ = 0;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
