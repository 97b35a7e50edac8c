/// @file
/// Under which object, and with which size, a launch reaches each datum: for checked builds of policies with descriptors.
///
/// Layer: stm, part of obstruction_free.cuh. What a commit has not stored lies in descriptors by object, and who looks for a
/// datum looks for an address: a datum that two objects stand for, or that is reached in parts, loses writes there that locks
/// on both objects would keep.
///
/// Shared state: a table in front of the launch's scratch memory, which the host fills with zeros before a launch. Each word
/// is written once, by a compare-exchange that is no step of a schedule, and stays. Relaxed: it carries no data.
///
/// Limits: a datum that finds no place is not looked at. Data that are never written may be reached in any way. Of two uses at
/// once of overlapping data with different beginnings, neither may notice; any later one does.
#pragma once

#include "magpie/platform/platform.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

class datum_table {
 public:
  static constexpr std::uint64_t places = 1u << 11;
  /// Bytes in front of the scratch memory.
  static constexpr std::uint64_t bytes = places * 4 * sizeof(std::uint64_t);

#if MAGPIE_CHECKS_BOUNDS
  datum_table() = default;
  /// @param scratch where the launch's scratch memory begins; null: nothing is looked at
  MAGPIE_INLINE explicit datum_table(std::byte* scratch)
      : entries_(scratch == nullptr ? nullptr : reinterpret_cast<entry*>(scratch - bytes)) {}

  /// A datum of `size` bytes is read, or to be written, under the object with this tracking word. A fault if that cannot be.
  MAGPIE_INLINE void reach(const std::uint32_t* word, std::uint64_t datum, std::uint64_t size, bool writes) const {
    const std::uint64_t use = reinterpret_cast<std::uintptr_t>(word) | size << size_shift;
    entry* const mine = find(datum, true);
    if (mine == nullptr) return;
    const std::uint64_t first = enter_for_host(&mine->first, use);
    const std::uint64_t second = enter_for_host(&mine->second, first == 0 || first == use ? 0 : use);
    const std::uint64_t writer = enter_for_host(&mine->writer, writes ? use : 0);
    if (writer != 0 && writer != use) refuse();
    if (writes && ((first != 0 && first != use) || second != 0)) refuse();
    for (std::uint64_t wider = 8; wider > size; wider /= 2) meet(datum & ~(wider - 1), datum, size, writes);
    if (size == 8) meet(datum + 4, datum, size, writes);
  }

 private:
  static constexpr std::uint32_t size_shift = 56;
  static constexpr std::uint32_t most_probes = 8;

  struct entry {
    std::uint64_t datum;
    std::uint64_t first;   ///< its first use: address of the tracking word | size << 56
    std::uint64_t second;  ///< the first use that is another one
    std::uint64_t writer;  ///< the first use that writes
  };

  /// The entry of a datum; a new one if `enters`. Null if there is none.
  MAGPIE_INLINE entry* find(std::uint64_t datum, bool enters) const {
    if (entries_ == nullptr) return nullptr;
    const std::uint64_t hash = (datum ^ datum >> 32) * 0xd6e8feb86659fd93u;
    for (std::uint32_t probe = 0; probe < most_probes; ++probe) {
      entry* const each = entries_ + ((hash >> 40) + probe) % places;
      const std::uint64_t found = enter_for_host(&each->datum, enters ? datum : 0);
      if (found == datum || (found == 0 && enters)) return each;
      if (found == 0) return nullptr;
    }
    return nullptr;
  }

  /// Another datum, which begins at `other`, must not overlap the one that is reached, if one of the two is written.
  MAGPIE_INLINE void meet(std::uint64_t other, std::uint64_t datum, std::uint64_t size, bool writes) const {
    if (other == datum) return;
    entry* const there = find(other, false);
    if (there == nullptr) return;
    const std::uint64_t other_size = enter_for_host(&there->first, 0) >> size_shift;
    const bool overlaps = other < datum + size && datum < other + other_size;
    if (overlaps && (writes || enter_for_host(&there->writer, 0) != 0)) refuse();
  }

  [[noreturn]] MAGPIE_INLINE static void refuse() {
    misuse_fault(
        "reaches a datum under two objects, or with two sizes: the policy obstruction_free needs one object and one "
        "size");
  }

  entry* entries_ = nullptr;
#endif
};

}  // namespace stm

MAGPIE_NAMESPACE_END
