/// @file
/// Where a transaction remembers the objects it opened and the values it will write.
///
/// Layer: stm, used by transaction only. Private to one thread: no shared state. `fixed_log` has its capacity from the
/// region and lives in registers or local memory; `paged_log` has it from the launch and lives in global scratch memory,
/// for the items that overflowed the first.
///
/// Long logs find an object, and the last write of a datum, by a hashed index: paged ones, and fixed ones for more than
/// `most_compared`. In others all that is there is compared, which is fastest up to a few dozen, and unrolled where it stays
/// in registers.
#pragma once

#include "magpie/stm/detail/history.cuh"
#include "magpie/stm/detail/mutants.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// A value a transaction will store, or one that it replaced, under policies that write in place: 4 or 8 bytes.
struct logged_write {
  /// Whether a write knows its object.
  static constexpr bool keeps_place = recording || has_mutants;

  void* address;
  std::uint64_t bits;
  std::uint64_t size;  ///< in bytes; where `keeps_place` | line << 4 | place of its object among those opened << 32

  MAGPIE_INLINE static std::uint64_t size_of(std::uint64_t bytes, std::uint32_t place, std::uint32_t line) {
    return keeps_place ? size_with_place(bytes, place, line) : bytes;
  }
  MAGPIE_INLINE std::uint64_t bytes() const { return keeps_place ? bytes_beside_place() : size; }
  /// Under policies whose writes know their object in every build.
  MAGPIE_INLINE static std::uint64_t size_with_place(std::uint64_t bytes, std::uint32_t place, std::uint32_t line) {
    return bytes | line << 4 | std::uint64_t{place} << 32;
  }
  MAGPIE_INLINE std::uint64_t bytes_beside_place() const { return size & 15u; }
  MAGPIE_INLINE std::uint32_t line() const { return static_cast<std::uint32_t>(size) >> 4; }
  MAGPIE_INLINE std::uint32_t place() const { return static_cast<std::uint32_t>(size >> 32); }
};
static_assert(sizeof(logged_write) == 24);

/// The same where every write is of 4 bytes, and knows no more of itself: half as many registers.
struct logged_word {
  void* address;
  std::uint32_t bits;

  logged_word() = default;
  MAGPIE_INLINE logged_word(const logged_write& write)  // NOLINT: implicit, for logs
      : address(write.address), bits(static_cast<std::uint32_t>(write.bits)) {}
  MAGPIE_INLINE operator logged_write() const { return {address, bits, sizeof bits}; }  // NOLINT
};

/// No place of a log.
inline constexpr std::uint32_t no_place = ~0u;

/// Fixed logs for more objects, or more writes, than this have an index of them.
#if defined(MAGPIE_INDEX_ALL_LOGS)  // for tests
inline constexpr std::uint32_t most_compared = 0;
#else
inline constexpr std::uint32_t most_compared = 256;
#endif

/// Finds the places of a log by the address that lies there: a hash table with linear probing, of 2 slots for each place.
///
/// A slot names a place, and that place names its slot. What a slot holds counts only if the place is in use and names this
/// slot, so nothing is ever cleared: the memory may hold anything at first, and an attempt begins, and an inner transaction
/// is undone, by the log's length alone; initcheck of compute-sanitizer tells of these reads. That is right because places are
/// taken in order and given back from the last one on: the slots that a place was probed past are those of places before it,
/// which are in use as long as it is.
class place_index {
 public:
  /// @param slots twice as many as `slot_of`, which has one for each place
  MAGPIE_INLINE place_index(std::uint32_t* slot_of, std::uint32_t* slots, std::uint32_t places)
      : slot_of_(slot_of), slots_(slots), size_(2 * places) {}

  /// Words of an index.
  MAGPIE_HOST_DEVICE static constexpr std::uint64_t words(std::uint64_t places) { return 3 * places; }

  /// The slot of `size` where the search for `key` begins. Two rounds of shift and multiplication: ids in steps of any
  /// length, as regions have them, lie as if drawn at random.
  MAGPIE_HOST_DEVICE static std::uint32_t first_slot(const void* key, std::uint32_t size) {
    std::uint64_t hash = reinterpret_cast<std::uintptr_t>(key);
    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
    return static_cast<std::uint32_t>((hash >> 32) * size >> 32);
  }

  /// Calls `visit(place)` for those of the first `used` places that may have `key`, in any order, until it gives true.
  /// Gives the slot of that place, else the free one where `key` would come next.
  template <class Visit>
  MAGPIE_INLINE std::uint32_t probe(const void* key, std::uint32_t used, Visit&& visit) const {
    std::uint32_t slot = first_slot(key, size_);
    while (true) {
      const std::uint32_t place = slots_[slot];
      if (place >= used || slot_of_[place] != slot || visit(place)) return slot;
      slot = slot + 1 == size_ ? 0 : slot + 1;
    }
  }

  /// Enters `place`, the first one not in use, under `key`.
  MAGPIE_INLINE void enter(const void* key, std::uint32_t place) {
    const std::uint32_t slot = probe(key, place, [](std::uint32_t) { return false; });
    slots_[slot] = place;
    slot_of_[place] = slot;
  }

 private:
  std::uint32_t* slot_of_;
  std::uint32_t* slots_;
  std::uint32_t size_;
};

/// The first of a log's `used` objects whose tracking word is `word`, in the order of the index.
template <class Log>
MAGPIE_INLINE std::uint32_t place_of_word(const Log& log, const place_index& index, const std::uint32_t* word,
                                          std::uint32_t used) {
  std::uint32_t found = no_place;
  index.probe(word, used, [&](std::uint32_t place) {
    if (log.word(place) != word) return false;
    found = place;
    return true;
  });
  return found;
}
/// The last of a log's `used` writes to `address`: an inner transaction has its own besides those of the outer one.
template <class Log>
MAGPIE_INLINE std::uint32_t place_of_write(const Log& log, const place_index& index, const void* address,
                                           std::uint32_t used) {
  std::uint32_t found = no_place;
  index.probe(address, used, [&](std::uint32_t place) {
    if (log.write(place).address == address && (found == no_place || place > found)) found = place;
    return false;
  });
  return found;
}

/// Memory of an index of a fixed log; 0: takes no room. Zeroed once, because compilers may do anything with what they see
/// is unset. `Key`: what it is of, so that two of no room have different types and share an address.
template <std::uint32_t Places, class Key>
struct fixed_index {
  std::uint32_t slot_of[Places] = {};
  std::uint32_t slots[2 * Places] = {};
  MAGPIE_INLINE place_index view() { return {slot_of, slots, Places}; }
};
template <class Key>
struct fixed_index<0, Key> {};

/// What a log keeps of an object besides its word, where a policy has versions.
struct opened_version {
  std::uint32_t seen;  ///< the version under which it was opened, as the policy writes it
  std::uint32_t more;  ///< the policy's own
};

/// What a log keeps of an object besides its word and, in a recording, its note.
enum class kept : std::uint32_t {
  nothing,
  version,  ///< an `opened_version`
  datum,    ///< the 32 bits that lie with its word in a fused cell: see fused_cells.cuh
  cell,     ///< nothing of a fused cell, whose word and datum traces see apart
};

/// That of N objects; `nothing` and `cell` take no room.
template <kept Kept, std::uint32_t N>
struct kept_of_objects {};
template <kept Kept, std::uint32_t N>
  requires(Kept == kept::version || Kept == kept::datum)
struct kept_of_objects<Kept, N> {
  std::conditional_t<Kept == kept::version, opened_version, std::uint32_t> of[N] = {};
};

template <std::uint32_t Objects, std::uint32_t Writes, kept Kept = kept::nothing>
class fixed_log {
  static constexpr std::uint32_t in_registers = 4;

 public:
  /// Whether its objects are fused cells, and whether it then has their data.
  static constexpr bool has_fused_cells = Kept == kept::datum || Kept == kept::cell;
  static constexpr bool holds_data = Kept == kept::datum;
  static constexpr bool holds_words = holds_data && !logged_write::keeps_place;
  /// Whether a set of its objects fits a 32-bit mask, and unrolled loops over them are short.
  static constexpr bool fits_mask = Objects <= 8;
  static constexpr std::uint32_t most_objects = Objects;
  static constexpr std::uint32_t most_writes = Writes;
  static constexpr bool indexes_objects = Objects > most_compared;
  /// Whether its objects lie in registers, and are compared.
  static constexpr bool keeps_in_registers = Objects > 0 && !indexes_objects && Objects <= in_registers;
  static constexpr bool indexes_writes = Writes > most_compared;
  static constexpr bool keeps_writes_in_registers = Writes <= in_registers;

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
  MAGPIE_INLINE std::conditional_t<holds_words, logged_write, const logged_write&> write(std::uint32_t i) const {
    return writes_[i];
  }
  /// Logs object i, the first one not in use. Small logs stay in registers: every index is a constant once the loop is
  /// unrolled.
  MAGPIE_INLINE void set_word(std::uint32_t i, std::uint32_t* word) {
    if constexpr (Objects <= in_registers) {
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < object_places; ++k) {
        if (k == i) words_[k] = word;
      }
    } else {
      words_[i] = word;
    }
    if constexpr (indexes_objects) object_index_.view().enter(word, i);
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
  /// After `set_write` of the first one not in use.
  MAGPIE_INLINE void enter_write(std::uint32_t i) {
    if constexpr (indexes_writes) write_index_.view().enter(writes_[i].address, i);
  }
  MAGPIE_INLINE std::uint32_t find(const std::uint32_t* word, std::uint32_t used) const {
    return place_of_word(*this, object_index_.view(), word, used);
  }
  MAGPIE_INLINE std::uint32_t find_write(const void* address, std::uint32_t used) const {
    return place_of_write(*this, write_index_.view(), address, used);
  }
  /// Recording builds only.
  MAGPIE_INLINE note& note_on(std::uint32_t i) { return notes_.of[i]; }
  /// With versions only.
  MAGPIE_INLINE opened_version& version(std::uint32_t i) { return kept_.of[i]; }
  MAGPIE_INLINE const opened_version& version(std::uint32_t i) const { return kept_.of[i]; }
  /// With data only: the datum of object i.
  MAGPIE_INLINE std::uint32_t datum(std::uint32_t i) const {
    if constexpr (Objects <= in_registers) {
      std::uint32_t found = 0;
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < object_places; ++k) {
        if (k == i) found = kept_.of[k];
      }
      return found;
    } else {
      return kept_.of[i];
    }
  }
  MAGPIE_INLINE void set_datum(std::uint32_t i, std::uint32_t datum) {
    if constexpr (Objects <= in_registers) {
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < object_places; ++k) {
        if (k == i) kept_.of[k] = datum;
      }
    } else {
      kept_.of[i] = datum;
    }
  }

 private:
  static constexpr std::uint32_t object_places = Objects > 0 ? Objects : 1;  // there are no empty arrays
  static constexpr std::uint32_t write_places = Writes > 0 ? Writes : 1;

  std::uint32_t* words_[object_places];
  std::conditional_t<holds_words, logged_word, logged_write> writes_[write_places];
  [[no_unique_address]] notes<recording ? object_places : 0> notes_;
  [[no_unique_address]] kept_of_objects<Kept, object_places> kept_;
  // Mutable: a view of an index is one for reading and writing.
  [[no_unique_address]] mutable fixed_index<indexes_objects ? object_places : 0, std::uint32_t> object_index_;
  [[no_unique_address]] mutable fixed_index<indexes_writes ? write_places : 0, logged_write> write_index_;
};

/// Scratch bytes that an object takes in a paged log: 8 for its word, 8 for a recording build's note on it, 12 in the index.
inline constexpr std::uint64_t paged_object_bytes = 28;
/// The same of a write.
inline constexpr std::uint64_t paged_write_bytes = sizeof(logged_write) + 12;

/// Scratch bytes of one thread with paged logs; the host sizes the scratch by it.
MAGPIE_HOST_DEVICE constexpr std::uint64_t paged_log_bytes(std::uint64_t objects, std::uint64_t writes) {
  return (objects * paged_object_bytes + writes * paged_write_bytes + 15) & ~std::uint64_t{15};
}

/// In this order: words, notes, versions or data, writes; then of the objects' index and of the writes', slots of places and
/// places of slots. The host gives room for logs without versions, so that one with versions, or data, has 7 objects where another
/// has 9. `Policy`: whose `thread_bytes` follow the log.
template <kept Kept, class Policy = void>
class paged_log_of {
  static constexpr bool keeps_more = Kept == kept::version || Kept == kept::datum;

 public:
  /// Scratch bytes of one thread, and of them those before what follows the log.
  MAGPIE_HOST_DEVICE static constexpr std::uint64_t thread_bytes(std::uint64_t objects, std::uint64_t writes) {
    if constexpr (std::is_void_v<Policy>) {
      return paged_log_bytes(objects, writes);
    } else {
      return paged_log_bytes(objects, writes) + Policy::thread_bytes(objects, writes);
    }
  }

  static constexpr bool has_fused_cells = Kept == kept::datum || Kept == kept::cell;
  static constexpr bool holds_data = Kept == kept::datum;
  static constexpr bool fits_mask = false;
  static constexpr bool keeps_in_registers = false;
  static constexpr bool keeps_writes_in_registers = false;
  static constexpr bool indexes_objects = true;
  static constexpr bool indexes_writes = true;

  MAGPIE_INLINE paged_log_of(const thread& self, const control& c)
      : objects_(c.scratch_objects), writes_(c.scratch_writes) {
    std::byte* mine = c.scratch + self.rank() * thread_bytes(objects_, writes_);
    if constexpr (keeps_more) {
      constexpr std::uint64_t with_version = paged_object_bytes + sizeof(opened_version);
      objects_ = static_cast<std::uint32_t>(objects_ * paged_object_bytes / with_version);
    }
    words_ = reinterpret_cast<std::uint32_t**>(mine);
    logged_ = reinterpret_cast<logged_write*>(mine + objects_ * std::uint64_t{keeps_more ? 24 : 16});
  }

  MAGPIE_INLINE std::uint32_t object_capacity() const { return objects_; }
  MAGPIE_INLINE std::uint32_t write_capacity() const { return writes_; }
  MAGPIE_INLINE std::uint32_t* word(std::uint32_t i) const { return words_[i]; }
  MAGPIE_INLINE const logged_write& write(std::uint32_t i) const { return logged_[i]; }
  MAGPIE_INLINE void set_word(std::uint32_t i, std::uint32_t* word) {
    words_[i] = word;
    object_index().enter(word, i);
  }
  MAGPIE_INLINE void set_write(std::uint32_t i, const logged_write& write) { logged_[i] = write; }
  MAGPIE_INLINE void enter_write(std::uint32_t i) { write_index().enter(logged_[i].address, i); }
  MAGPIE_INLINE std::uint32_t find(const std::uint32_t* word, std::uint32_t used) const {
    return place_of_word(*this, object_index(), word, used);
  }
  MAGPIE_INLINE std::uint32_t find_write(const void* address, std::uint32_t used) const {
    return place_of_write(*this, write_index(), address, used);
  }
  MAGPIE_INLINE note& note_on(std::uint32_t i) { return reinterpret_cast<note*>(words_ + objects_)[i]; }
  MAGPIE_INLINE opened_version& version(std::uint32_t i) const {
    return reinterpret_cast<opened_version*>(words_ + std::uint64_t{2} * objects_)[i];
  }
  MAGPIE_INLINE std::uint32_t datum(std::uint32_t i) const { return version(i).seen; }
  MAGPIE_INLINE void set_datum(std::uint32_t i, std::uint32_t datum) { version(i).seen = datum; }

 private:
  MAGPIE_INLINE std::uint32_t* indexes() const { return reinterpret_cast<std::uint32_t*>(logged_ + writes_); }
  MAGPIE_INLINE place_index object_index() const { return {indexes(), indexes() + objects_, objects_}; }
  MAGPIE_INLINE place_index write_index() const {
    std::uint32_t* const mine = indexes() + place_index::words(objects_);
    return {mine, mine + writes_, writes_};
  }

  std::uint32_t** words_;
  logged_write* logged_;
  std::uint32_t objects_;
  std::uint32_t writes_;
};
using paged_log = paged_log_of<kept::nothing>;

}  // namespace stm

MAGPIE_NAMESPACE_END
