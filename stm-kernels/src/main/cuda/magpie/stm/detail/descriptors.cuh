/// @file
/// What transactions of `obstruction_free` say of themselves to others: records of objects, and descriptors.
///
/// Layer: stm, part of obstruction_free.cuh, which has the orders and why. Views of memory, without state of their own.
///
/// A record, 64 bits for each object, is free under a version (`version << 1`), or owned: 1, how many transactions are
/// engaged in the object (10 bits), the owner's descriptor (24 bits) and its incarnation (29 bits). A descriptor, 3 for each
/// thread in the launch's scratch memory, is in 64-bit words
///
///     status        incarnation << 2 | state
///     written       entries in use of `own`
///     slots         3 each: address of a record; the object's version before; first entry and number of those borrowed
///     own           3 each: address of a datum; its value; bytes | slot << 32
///     borrowed      the same
///
/// Cost: for each thread 48 bytes, 432 for each object and 216 for each write of a transaction, and 24 more if its writes are
/// an odd number: each descriptor takes whole 16 bytes.
#pragma once

#include "magpie/stm/detail/log.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// What a record says.
namespace record {

inline constexpr std::uint64_t owned_bit = 1;
inline constexpr std::uint64_t one_engaged = 2;
inline constexpr std::uint32_t most_engaged = (1u << 10) - 1;
inline constexpr std::uint32_t most_descriptors = 1u << 24;
inline constexpr std::uint32_t incarnation_bits = (1u << 29) - 1;

MAGPIE_HOST_DEVICE constexpr std::uint64_t free_under(std::uint64_t version) { return version << 1; }
MAGPIE_HOST_DEVICE constexpr std::uint64_t owned_by(std::uint32_t descriptor, std::uint32_t incarnation,
                                                    std::uint32_t engaged) {
  return owned_bit | one_engaged * engaged | std::uint64_t{descriptor} << 11 | std::uint64_t{incarnation} << 35;
}
MAGPIE_HOST_DEVICE constexpr bool is_owned(std::uint64_t record) { return (record & owned_bit) != 0; }
MAGPIE_HOST_DEVICE constexpr std::uint64_t version_of(std::uint64_t record) { return record >> 1; }
MAGPIE_HOST_DEVICE constexpr std::uint32_t engaged_in(std::uint64_t record) {
  return static_cast<std::uint32_t>(record >> 1) & most_engaged;
}
MAGPIE_HOST_DEVICE constexpr std::uint32_t descriptor_of(std::uint64_t record) {
  return static_cast<std::uint32_t>(record >> 11) & (most_descriptors - 1);
}
MAGPIE_HOST_DEVICE constexpr std::uint32_t incarnation_of(std::uint64_t record) {
  return static_cast<std::uint32_t>(record >> 35);
}
/// Whether two records name one owner in one incarnation.
MAGPIE_HOST_DEVICE constexpr bool same_owner(std::uint64_t a, std::uint64_t b) {
  return is_owned(a) && is_owned(b) && a >> 11 == b >> 11;
}

}  // namespace record

/// A status of a descriptor.
namespace status {

enum state : std::uint32_t { active, committed, aborted };

MAGPIE_HOST_DEVICE constexpr std::uint64_t of(std::uint32_t incarnation, state now) {
  return std::uint64_t{incarnation} << 2 | now;
}
MAGPIE_HOST_DEVICE constexpr state state_of(std::uint64_t status) { return static_cast<state>(status & 3u); }
MAGPIE_HOST_DEVICE constexpr bool is_of(std::uint64_t status, std::uint32_t incarnation) {
  return status >> 2 == incarnation;
}

}  // namespace status

/// A datum and the value that it has, or gets.
struct kept_value {
  std::uint64_t address;
  std::uint64_t bits;
  std::uint64_t size;  ///< bytes | slot of the object << 32

  MAGPIE_INLINE std::uint32_t bytes() const { return static_cast<std::uint32_t>(size); }
  MAGPIE_INLINE std::uint32_t slot() const { return static_cast<std::uint32_t>(size >> 32); }
};

/// How much a descriptor has room for.
struct descriptor_rooms {
  static constexpr std::uint32_t per_thread = 3;

  std::uint32_t slots;
  std::uint32_t own;
  std::uint32_t borrowed;

  /// For transactions of so many objects and writes. A recording has a version of each object among the writes; what is
  /// borrowed, and what is gathered, may be of two other transactions as long.
  MAGPIE_HOST_DEVICE static constexpr descriptor_rooms of(std::uint64_t objects, std::uint64_t writes) {
    return {static_cast<std::uint32_t>(3 * objects), static_cast<std::uint32_t>(writes + objects),
            static_cast<std::uint32_t>(2 * (writes + objects))};
  }
  /// Bytes of a descriptor with so many slots and entries in all: a multiple of 16.
  MAGPIE_HOST_DEVICE static constexpr std::uint64_t bytes(std::uint64_t places) {
    return (16 + 24 * places + 15) & ~std::uint64_t{15};
  }
  /// Bytes of the descriptors of one thread.
  MAGPIE_HOST_DEVICE static constexpr std::uint64_t thread_bytes(std::uint64_t objects, std::uint64_t writes) {
    return per_thread * bytes(6 * objects + 3 * writes);
  }
};

/// One descriptor, in memory that other threads read.
class descriptor {
 public:
  MAGPIE_INLINE descriptor(std::byte* at, const descriptor_rooms& rooms)
      : words_(reinterpret_cast<std::uint64_t*>(at)), rooms_(rooms) {}

  MAGPIE_INLINE const descriptor_rooms& rooms() const { return rooms_; }

  MAGPIE_INLINE std::uint64_t* status() const { return words_; }
  /// Entries of `own` in use. Of a descriptor that begins anew meanwhile this may be anything: no more than there are.
  MAGPIE_INLINE std::uint32_t written() const { return at_most(ld_rlx_dev(words_ + 1), rooms_.own); }
  MAGPIE_INLINE void set_written(std::uint32_t n) const { st_rlx_dev(words_ + 1, std::uint64_t{n}); }

  MAGPIE_INLINE std::uint64_t* record(std::uint32_t slot) const {
    return reinterpret_cast<std::uint64_t*>(ld_rlx_dev(slot_at(slot)));
  }
  MAGPIE_INLINE std::uint64_t version(std::uint32_t slot) const { return ld_rlx_dev(slot_at(slot) + 1); }
  MAGPIE_INLINE void set_record(std::uint32_t slot, const std::uint64_t* record) const {
    st_rlx_dev(slot_at(slot), reinterpret_cast<std::uintptr_t>(record));
  }
  /// The object's version before, and which entries are borrowed for it.
  MAGPIE_INLINE void set_slot(std::uint32_t slot, std::uint64_t version, std::uint32_t first, std::uint32_t n) const {
    st_rlx_dev(slot_at(slot) + 1, version);
    st_rlx_dev(slot_at(slot) + 2, first | std::uint64_t{n} << 32);
  }
  MAGPIE_INLINE void set_own(std::uint32_t i, const kept_value& value) const { set(own_at(i), value); }
  MAGPIE_INLINE kept_value own(std::uint32_t i) const { return get(own_at(i)); }
  MAGPIE_INLINE void set_borrowed(std::uint32_t i, const kept_value& value) const { set(borrowed_at(i), value); }

  /// The slot of a record that names this descriptor; `no_place` if that was a while ago.
  MAGPIE_INLINE std::uint32_t find(const std::uint64_t* record_address) const {
    for (std::uint32_t slot = 0; slot < rooms_.slots; ++slot) {
      if (record(slot) == record_address) return slot;
    }
    return no_place;
  }

  /// Whether what it commits writes a datum of this object.
  MAGPIE_INLINE bool writes(std::uint32_t slot) const {
    const std::uint32_t n = written();
    for (std::uint32_t i = 0; i < n; ++i) {
      if (static_cast<std::uint32_t>(ld_rlx_dev(own_at(i) + 2) >> 32) == slot) return true;
    }
    return false;
  }

  /// Calls `visit(value)` for what is committed of the object, as far as memory may not have it, until that gives false:
  /// what was borrowed for it, and, if `commits`, what this transaction writes in its place. Gives whether all was visited.
  template <class Visit>
  MAGPIE_INLINE bool each_value(std::uint32_t slot, bool commits, Visit&& visit) const {
    const std::uint32_t n = commits ? written() : 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const kept_value value = own(i);
      if (value.slot() == slot && !visit(value)) return false;
    }
    const std::uint64_t range = ld_rlx_dev(slot_at(slot) + 2);
    const std::uint32_t first = at_most(range & 0xffffffffu, rooms_.borrowed);
    const std::uint32_t last = first + at_most(range >> 32, rooms_.borrowed - first);
    for (std::uint32_t i = first; i < last; ++i) {
      const kept_value value = get(borrowed_at(i));
      bool replaced = false;
      for (std::uint32_t k = 0; k < n && !replaced; ++k) {
        replaced = ld_rlx_dev(own_at(k)) == value.address && own(k).slot() == slot;
      }
      if (!replaced && !visit(value)) return false;
    }
    return true;
  }

 private:
  MAGPIE_INLINE static std::uint32_t at_most(std::uint64_t n, std::uint32_t most) {
    return n < most ? static_cast<std::uint32_t>(n) : most;
  }
  MAGPIE_INLINE std::uint64_t* slot_at(std::uint64_t i) const { return words_ + 2 + 3 * i; }
  MAGPIE_INLINE std::uint64_t* own_at(std::uint64_t i) const { return slot_at(rooms_.slots + i); }
  MAGPIE_INLINE std::uint64_t* borrowed_at(std::uint64_t i) const { return own_at(rooms_.own + i); }
  MAGPIE_INLINE static void set(std::uint64_t* at, const kept_value& value) {
    st_rlx_dev(at, value.address);
    st_rlx_dev(at + 1, value.bits);
    st_rlx_dev(at + 2, value.size);
  }
  MAGPIE_INLINE static kept_value get(const std::uint64_t* at) {
    return {ld_rlx_dev(at), ld_rlx_dev(at + 1), ld_rlx_dev(at + 2)};
  }

  std::uint64_t* words_;
  descriptor_rooms rooms_;
};

/// The descriptors of a launch: number 3 r and the two after it are those of the thread of rank r.
class descriptors {
 public:
  descriptors() = default;
  /// @param first those of the thread of rank 0; those of the next lie `stride` bytes behind
  MAGPIE_INLINE descriptors(std::byte* first, std::uint64_t stride, const descriptor_rooms& rooms)
      : first_(first), stride_(stride), rooms_(rooms) {}

  MAGPIE_INLINE descriptor operator[](std::uint32_t number) const {
    constexpr std::uint32_t n = descriptor_rooms::per_thread;
    const std::uint64_t bytes = descriptor_rooms::bytes(std::uint64_t{rooms_.slots} + rooms_.own + rooms_.borrowed);
    return {first_ + number / n * stride_ + number % n * bytes, rooms_};
  }

 private:
  std::byte* first_ = nullptr;
  std::uint64_t stride_ = 0;
  descriptor_rooms rooms_{};
};

}  // namespace stm

MAGPIE_NAMESPACE_END
