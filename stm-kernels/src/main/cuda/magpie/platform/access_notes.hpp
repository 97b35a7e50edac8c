/// @file
/// In builds with `MAGPIE_RECORD`: which words of a region's data are changed by atomic operations, and which by
/// tallies; and pauses before accesses to them.
///
/// Layer: platform; included by all machines. On `cuda` and `cpu` read-modify-writes call `MAGPIE_NOTE_ATOMIC`, and
/// atomic loads and stores `MAGPIE_NOTE_ACCESS`; `sim` traces them instead. Read-modify-writes have an order of their
/// own, so that a serial run of the same items may rightly end with other values: whoever compares the two has to know.
/// Bytes of the data are numbered through all ranges; a datum is known by its first one.
///
/// Shared state: `marks`, by relaxed or; on `cuda` the pointer to the notes of the launch that runs, which every thread
/// of it stores alike: launches of a module take turns. On processors each thread has a pointer of its own.
///
/// Cost: a load and a look through the ranges per operation, of loads and stores only where there is noise; a load
/// where nothing is recorded; no code in other builds.
#pragma once

#include <cstddef>
#include <cstdint>

MAGPIE_NAMESPACE_BEGIN

/// Memory whose accesses are noted.
struct noted_memory {
  const std::byte* begin;
  std::uint64_t bytes;
  std::uint64_t first;   ///< number of its first byte, a multiple of 4
  std::uint32_t stride;  ///< in cells: bytes from a datum to the next, a power of 2; else 0
  std::uint32_t datum;   ///< in cells: bytes of one that are noted
};

struct access_notes {
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  static constexpr std::uint32_t tallied = 1;  ///< marks of 4 bytes, 2 bits each
  static constexpr std::uint32_t atomic = 2;

  const noted_memory* memory;  ///< `ranges` of them; 0 = nothing is noted
  std::uint32_t*
      marks;  ///< word 0: what the region has, see history.cuh; bytes 4 i to 4 i + 3: 2 bits of word 1 + i / 16
  std::uint32_t ranges;
  std::uint32_t noise;  ///< the longest pause before an access, in ns; 0 = none

  /// The number of the datum at p; `nowhere` if it is in no range, or an access of so many bytes is to more than a datum in a
  /// cell: to a fused cell, by the protocol.
  MAGPIE_INLINE std::uint64_t datum(const void* p, std::uint32_t bytes = 1) const {
    for (std::uint32_t i = 0; i < ranges; ++i) {
      const std::uint64_t offset =
          reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(memory[i].begin);
      if (offset >= memory[i].bytes) continue;
      if (memory[i].stride != 0 && (offset & (memory[i].stride - 1)) + bytes > memory[i].datum) continue;
      return memory[i].first + offset;
    }
    return nowhere;
  }

  /// Sets bits of word 0, or of another one.
  MAGPIE_INLINE static void set([[maybe_unused]] std::uint32_t* word, [[maybe_unused]] std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
    if ((*static_cast<volatile std::uint32_t*>(word) & bits) != bits) atomicOr(word, bits);
#elif !defined(__CUDACC__)
    if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bits) != bits) __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
#endif
  }

  /// Marks the words of a datum of so many bytes.
  MAGPIE_INLINE void mark(const void* p, std::uint32_t bytes, std::uint32_t bits) const {
    const std::uint64_t at = datum(p, bytes);
    if (at == nowhere) return;
    for (std::uint64_t i = at / 4; i <= (at + bytes - 1) / 4; ++i) set(marks + 1 + i / 16, bits << (i % 16 * 2));
  }
};

// The machine's, which come later.
MAGPIE_DEVICE inline void pause(std::uint32_t nanoseconds);
MAGPIE_DEVICE inline std::uint64_t timestamp(bool ends);

/// A pause of up to `most` ns, every other time none; `random` decides.
MAGPIE_INLINE void pause_at_random(std::uint32_t most, std::uint32_t random) {
  if ((random >> 31) != 0) return;
  const std::uint64_t begin = timestamp(false);
  const std::uint64_t length = (random >> 8) % most;
  do {
    pause(static_cast<std::uint32_t>(length < 1000 ? 1000 : length));
  } while (timestamp(false) - begin < length);
}

#if defined(MAGPIE_RECORD)
#define MAGPIE_NOTE_ATOMIC(p) note_atomic(p, sizeof(*(p)))
#define MAGPIE_NOTE_ACCESS(p) note_access(p)

/// Of the launch that runs; null: nothing is noted.
#if defined(__CUDACC__)
static __device__ const access_notes* present_notes;
#else
static thread_local const access_notes* present_notes;
#endif

/// Every thread of a launch calls it before its first access, with the same notes.
MAGPIE_INLINE void begin_notes(const access_notes* notes) {
  *const_cast<const access_notes* volatile*>(&present_notes) = notes;
}
MAGPIE_INLINE void note_atomic(const void* p, std::uint32_t bytes) {
  const access_notes* const notes = *const_cast<const access_notes* volatile*>(&present_notes);
  if (notes != nullptr) notes->mark(p, bytes, access_notes::atomic);
}
MAGPIE_INLINE void note_access(const void* p) {
  const access_notes* const notes = *const_cast<const access_notes* volatile*>(&present_notes);
  if (notes == nullptr || notes->noise == 0 || notes->datum(p) == access_notes::nowhere) return;
  const std::uint64_t seed = timestamp(false) ^ reinterpret_cast<std::uintptr_t>(&notes) >> 4;
  pause_at_random(notes->noise, static_cast<std::uint32_t>(seed) * 2654435761u);
}
#else
#define MAGPIE_NOTE_ATOMIC(p)
#define MAGPIE_NOTE_ACCESS(p)
MAGPIE_INLINE void begin_notes(const access_notes*) {}
#endif

/// A thread enters this functor's kernel: what a region's launch noted before is over. A region's kernel begins its own.
template <class Functor>
MAGPIE_INLINE void enter_kernel() {
  if constexpr (!requires { Functor::begins_notes; }) begin_notes(nullptr);
}

MAGPIE_NAMESPACE_END
