/// @file
/// Policy `invisible_reads`: a write locks its object, a read leaves no trace and is looked at again (thesis, section 2.3.3,
/// ISTM).
///
/// Layer: stm policy over versions.cuh, which has the orders and why; kept for comparison.
///
/// Protocol. `open` takes the version and fails at a lock. A write locks its object at once, from the version that was
/// opened, and fails if that is gone or locked. The commit looks at all versions again after its locks, writes, and frees
/// what it locked under the next version.
///
/// What differs from the thesis, and why:
/// - Its transactions write in place and restore from an undo log; here writes are logged (see pessimistic.cuh). So a lock
///   never covers data that a roll-back restores, and an object whose writer rolled back keeps its version. In the thesis, and
///   under `invisible_reads_in_place`, it must get a new one, or a reader that saw the undone value between two looks would
///   take it for committed.
/// - Its reads are looked at when the transaction commits alone, so that until then it may run on a mix of states. That is
///   `reads::unvalidated` here; by default every read looks at all.
/// - It counts how visible a region's reads are: of the objects that commits read, those that they write as well
///   (`counter::objects_read_and_written` of `counter::objects_read`). Near 1, `pessimistic` does the same with fewer looks;
///   near 0, its readers exclude each other for nothing.
///
/// Progress: none guaranteed. Two transactions that write two objects in opposite orders, or that read what the other writes,
/// can make each other fail forever. A thread that stops keeps what it locked from all others, and nothing that it read.
///
/// Cost, uncontended: a load per open, a load per open object per validated read, one compare-exchange per object written and
/// two fences, a store per release. A transaction that writes nothing writes nothing to memory.
#pragma once

#include "magpie/stm/detail/versions.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

struct invisible_reads : version_traits {
  template <class Log, reads Reads, bool Applies>
  using protocol = versions<invisible_reads, Log, Reads, Applies>;

  static constexpr std::uint32_t tag = 5;
  static constexpr bool locks_at_write = true;
  static constexpr bool counts_visibility = true;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
