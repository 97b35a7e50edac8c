/// @file
/// Where a transaction remembers the objects it opened and the values it will write.
///
/// Layer: stm, used by transaction only. Private to one thread: no shared state. `fixed_log` has its capacity from the
/// region and lives in registers or local memory; `paged_log` has it from the launch and lives in global scratch memory,
/// for the items that overflowed the first.
#pragma once

#include "magpie/stm/detail/history.cuh"
#include "magpie/stm/detail/mutants.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// A value a transaction will store: 4 or 8 bytes.
struct logged_write {
  /// Whether a write knows its object.
  static constexpr bool keeps_place = recording || has_mutants;

  void* address;
  std::uint64_t bits;
  std::uint64_t size;  ///< in bytes; where `keeps_place` | line << 4 | place of its object among those opened << 32

  MAGPIE_INLINE static std::uint64_t size_of(std::uint64_t bytes, std::uint32_t place, std::uint32_t line) {
    return keeps_place ? bytes | line << 4 | std::uint64_t{place} << 32 : bytes;
  }
  MAGPIE_INLINE std::uint64_t bytes() const { return keeps_place ? size & 15u : size; }
  MAGPIE_INLINE std::uint32_t line() const { return static_cast<std::uint32_t>(size) >> 4; }
  MAGPIE_INLINE std::uint32_t place() const { return static_cast<std::uint32_t>(size >> 32); }
};
static_assert(sizeof(logged_write) == 24);

template <std::uint32_t Objects, std::uint32_t Writes>
class fixed_log {
 public:
  /// Whether a set of its objects fits a 32-bit mask, and unrolled loops over them are short.
  static constexpr bool fits_mask = Objects <= 8;

  MAGPIE_INLINE fixed_log(const thread&, const control&) {
    // Never read unset; but compilers cannot see that, and registers cost nothing to clear.
    if constexpr (Objects <= in_registers) {
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < object_places; ++k) words_[k] = nullptr;
    }
    if constexpr (Writes <= in_registers) {
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < write_places; ++k) writes_[k] = {};
    }
  }

  /// Not constexpr: of loops below a constant 0 nvcc warns, and these are constant anyhow once they are inlined.
  MAGPIE_INLINE std::uint32_t object_capacity() const { return Objects; }
  MAGPIE_INLINE std::uint32_t write_capacity() const { return Writes; }
  MAGPIE_INLINE std::uint32_t* word(std::uint32_t i) const { return words_[i]; }
  MAGPIE_INLINE const logged_write& write(std::uint32_t i) const { return writes_[i]; }
  /// Small logs stay in registers: every index is a constant once the loop is unrolled.
  MAGPIE_INLINE void set_word(std::uint32_t i, std::uint32_t* word) {
    if constexpr (Objects <= in_registers) {
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < object_places; ++k) {
        if (k == i) words_[k] = word;
      }
    } else {
      words_[i] = word;
    }
  }
  MAGPIE_INLINE void set_write(std::uint32_t i, const logged_write& write) {
    if constexpr (Writes <= in_registers) {
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < write_places; ++k) {
        if (k == i) writes_[k] = write;
      }
    } else {
      writes_[i] = write;
    }
  }
  /// Recording builds only.
  MAGPIE_INLINE note& note_on(std::uint32_t i) { return notes_.of[i]; }

 private:
  static constexpr std::uint32_t in_registers = 4;
  static constexpr std::uint32_t object_places = Objects > 0 ? Objects : 1;  // there are no empty arrays
  static constexpr std::uint32_t write_places = Writes > 0 ? Writes : 1;

  std::uint32_t* words_[object_places];
  logged_write writes_[write_places];
  [[no_unique_address]] notes<recording ? object_places : 0> notes_;
};

/// Scratch bytes of one thread with paged logs; the host sizes the scratch by it. An object takes 8 for its word and 8
/// for a recording build's note on it.
MAGPIE_HOST_DEVICE constexpr std::uint64_t paged_log_bytes(std::uint64_t objects, std::uint64_t writes) {
  return objects * 16 + ((writes * sizeof(logged_write) + 15) & ~std::uint64_t{15});
}

class paged_log {
 public:
  static constexpr bool fits_mask = false;

  MAGPIE_INLINE paged_log(const thread& self, const control& c)
      : objects_(c.scratch_objects), writes_(c.scratch_writes) {
    std::byte* mine = c.scratch + self.rank() * paged_log_bytes(objects_, writes_);
    words_ = reinterpret_cast<std::uint32_t**>(mine);
    logged_ = reinterpret_cast<logged_write*>(mine + objects_ * std::uint64_t{16});
  }

  MAGPIE_INLINE std::uint32_t object_capacity() const { return objects_; }
  MAGPIE_INLINE std::uint32_t write_capacity() const { return writes_; }
  MAGPIE_INLINE std::uint32_t* word(std::uint32_t i) const { return words_[i]; }
  MAGPIE_INLINE const logged_write& write(std::uint32_t i) const { return logged_[i]; }
  MAGPIE_INLINE void set_word(std::uint32_t i, std::uint32_t* word) { words_[i] = word; }
  MAGPIE_INLINE void set_write(std::uint32_t i, const logged_write& write) { logged_[i] = write; }
  MAGPIE_INLINE note& note_on(std::uint32_t i) { return reinterpret_cast<note*>(words_ + objects_)[i]; }

 private:
  std::uint32_t** words_;
  logged_write* logged_;
  std::uint32_t objects_;
  std::uint32_t writes_;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
