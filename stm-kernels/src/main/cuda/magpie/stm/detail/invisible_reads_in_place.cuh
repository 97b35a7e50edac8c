/// @file
/// Policy `invisible_reads_in_place`: `invisible_reads`, with writes in place and an undo log, as ISTM is published (thesis,
/// section 2.3.3).
///
/// Layer: stm policy over versions.cuh, which has the orders and why ("In place"); kept for comparison.
///
/// Protocol. As that of invisible_reads.cuh, but a write stores at once, under its lock, and logs what was there, as
/// pessimistic_in_place.cuh has it. A commit writes no data. An attempt that ends otherwise puts back what it logged, and frees what
/// it locked under the next version, as a commit does: between the lock and the undo others may have read what never commits, and
/// would take it for committed if they found the version that they know.
///
/// Reads are looked at one by one also where `reads::unvalidated` leaves their states mixed: none gives what its writer has not
/// committed.
///
/// Data are reached through the transaction alone, and regions have no `apply`: see pessimistic_in_place.cuh, also for a thread that
/// stops.
///
/// Progress: that of `invisible_reads`: none guaranteed.
///
/// Cost, uncontended, besides that of `invisible_reads`: a fence for each object written, and a load for the first write of each datum;
/// stores are made in place, none at commit. Own writes are looked at as other reads are; they are searched for only where an object
/// was written and not read before, so that `counter::objects_read` leaves them out. Attempts that fail pay for their writes twice,
/// and fail those who read the objects that they wrote.
#pragma once

#include "magpie/stm/detail/invisible_reads.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

struct invisible_reads_in_place : invisible_reads {
  template <class Log, reads Reads, bool Applies>
  using protocol = versions<invisible_reads_in_place, Log, Reads, Applies>;

  static constexpr std::uint32_t tag = 13;
  static constexpr bool writes_in_place = true;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
