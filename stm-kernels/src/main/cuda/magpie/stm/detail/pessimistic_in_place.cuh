/// @file
/// Policy `pessimistic_in_place`: `pessimistic`, with writes in place and an undo log, as PSTM is published (thesis, section
/// 2.3.3).
///
/// Layer: stm policy, steps on one word for claims.cuh, those of pessimistic.cuh; kept for comparison.
///
/// Protocol. `open` locks the object, or the attempt fails. The first write of a datum loads what is there and logs that; each
/// write stores at once, and a read loads what memory has, which may be the attempt's own write. A commit has nothing to write: a
/// fence, and it frees what it locked. An attempt that ends otherwise stores what it logged, the last first, and then does the
/// same; so does an inner transaction, of its own writes and objects, and an alternative, which keeps its objects.
///
/// Orders. Nobody else reads or writes a datum whose object is locked, so that a write, and what undoes it, are relaxed. Both are
/// before the release fence, and the next one to lock the object acquires it: it finds what was committed, or what was put back.
/// An attempt that wrote has that fence however it ends: an alternative may have undone the writes without one.
///
/// Undo log. An entry is the value that a write found, once for each datum and each inner transaction that writes it. It must
/// be put back in reverse: of a datum that was written around an inner transaction and in it, the entry of the outer write is
/// the value from before both. The log is full before the write that it has no room for is stored.
///
/// Data are reached through the transaction alone. What `peek` and `glance` saw could be undone, and a hint that
/// `leave_hint` left could be lost to an undo: none of them compiles. Regions with `apply` are left out as well: they store in
/// `apply`, in place and with nothing to undo, under every policy, and so gain nothing here.
///
/// A thread that stops keeps its objects from all others, as under `pessimistic`, and may leave in them what never commits.
///
/// Progress: that of `pessimistic`: none guaranteed.
///
/// Cost, uncontended, besides that of `pessimistic`: a load for the first write of each datum; none to look for own writes, of which
/// a read finds the last in memory; a store for each write when it is made, none at commit. An attempt that fails pays
/// for its writes twice. So it may pay where transactions read what they wrote, or write a datum often, and rarely fail.
#pragma once

#include "magpie/stm/detail/pessimistic.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

struct pessimistic_in_place : pessimistic {
  template <class Log, reads Reads, bool Applies>
  using protocol = claims<pessimistic_in_place, Log, Reads>;

  static constexpr std::uint32_t tag = 12;
  static constexpr bool writes_in_place = true;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
