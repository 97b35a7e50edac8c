/// @file
/// Which objects transactions met at: conflicts by object, counted for the host.
///
/// Layer: stm, used by the transaction, which policies tell what they met. Only in builds with `MAGPIE_SAMPLE_CONFLICTS`; of
/// others nothing that follows leaves code, registers or bytes.
///
/// A conflict is an operation that fails, or a wait that begins, because another transaction has an object or wrote it: at an
/// `open`, at a write that locks, at a look at what was opened, at commit. An operation counts once, for one object, that of
/// the last look that failed; an operation that waits and then fails at the same object is one conflict, and two if it fails at
/// another. Attempts that are repeated meet again, and count again. Not counted: an attempt that its region gave up, full logs,
/// exhausted pools, and the token of irrevocable attempts, which is no object.
///
/// Shared state: the launch's `conflict_table`, a hash table with open addressing. A slot belongs to the first object that
/// asks for it, by a compare-exchange from 0, and to no other until the host clears it; its count only grows. All relaxed,
/// device scope: the table carries no data of anybody, and only the host reads it, after the kernel. An object that finds no
/// slot within `most_probes` counts as lost.
///
/// On `sim` none of this is a step: a run has the schedule that it has without.
///
/// Cost, of a conflict: a load and an addition, both relaxed, and a load more for each slot that another object has. Where many
/// meet at one object the additions do too, at the slot. Of everything else: an address in registers.
#pragma once

#include "magpie/stm/detail/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

#if defined(MAGPIE_SAMPLE_CONFLICTS)

/// Counts one thread's conflicts. Per thread.
class conflict_notes {
 public:
  /// What the next conflict is counted for, unless something else is met before: null = it has no object.
  MAGPIE_INLINE void meets(const std::uint32_t* word) const { met_ = word; }

  /// A conflict, if one has an object; what was met is forgotten.
  MAGPIE_INLINE void count_conflict(const control& launch) const {
    const conflict_table& table = launch.conflicts;
    const std::uint32_t* const word = met_;
    met_ = nullptr;
    if (word == nullptr || table.words == nullptr) return;
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(word));
    // Multiplied by 2^64 over the golden ratio, so that neighbors lie apart; words are at multiples of 4 bytes.
    std::uint64_t at = (address / sizeof *word * 0x9e3779b97f4a7c15ull) >> 32;
    for (std::uint32_t probe = 0; probe < conflict_table::most_probes; ++probe, ++at) {
      std::uint64_t* const slot = table.words + 1 + 2 * (at & (table.slots - 1));
      const std::uint64_t owner = enter_for_host(slot, address);
      if (owner == 0 || owner == address) return add_for_host(slot + 1, 1);
    }
    add_for_host(table.words, 1);
  }

 private:
  mutable const std::uint32_t* met_ = nullptr;  ///< looks are const
};

#else

/// In place of it where nothing is counted.
class conflict_notes {
 public:
  MAGPIE_INLINE void meets(const std::uint32_t*) const {}
  MAGPIE_INLINE void count_conflict(const control&) const {}
};

#endif

}  // namespace stm

MAGPIE_NAMESPACE_END
