/// @file
/// Policy `hierarchical`: GPU-STM's validation by a clock, then by versions, then by values, and its sorted locks (Xu et al.,
/// CGO 2014; thesis, section 2.3.2, HSTM).
///
/// Layer: stm policy over versions.cuh, which has the orders and why; kept for comparison.
///
/// Shared state besides the words: the clock, `counter::clock` of the launch, the number of commits that wrote. A version is
/// the time of the commit that wrote it. Writers of the clock: commits, by a relaxed addition between the fence after their
/// locks and one before their writes. Readers: acquire, so that who sees a time sees the locks of all commits up to it. Words
/// are those of one launch, in which fewer than 2^31 items commit: the host fills them before each.
///
/// Protocol. An attempt begins with a look at the clock, its snapshot. A read whose object has a version up to the snapshot,
/// and is not locked after the read, is of that snapshot, and nothing else is looked at. Else the snapshot moves on: the clock
/// is read anew, then all versions are looked at. Where one has changed, all values that were read are compared with those
/// that are there now: if no time passed meanwhile and nothing was locked, they are of one state, that of now, under whatever
/// versions. The commit locks what it writes in the order of the words, and looks at the rest by versions, then values.
///
/// What differs from the papers, and why:
/// - There is no table of stripes besides the objects: a stripe is an object. The guard of a guarded array says which data share
///   one, by blocks (`blocks_of<N>`) or by a hash of the index, under this policy as under any. Values remove conflicts with
///   commits that wrote other data of a stripe, or the same value. A second map, of objects to words, would gain nothing, and
///   two objects with one word are what recordings, checks of data, hot objects and what faults leave cannot tell apart.
/// - Locks are sorted when the commit begins, not when objects are met: lists of the log's own size, and only for attempts
///   that come to their commit.
/// - The first 16 values that are read are kept; an attempt that reads more is held to its versions, and so are regions with
///   an `apply`.
///
/// Progress: no livelock among attempts that all reach their commit: their locks are in one order, as in locks.cuh, and a look
/// fails because of somebody who has all its locks, or one whose locks come later in the order. Two that read what the other
/// writes are the exception: each finds the other's lock, and both fail. Single items are promised nothing. A thread that
/// stops keeps what it locked from all others.
///
/// Cost, uncontended: a load per attempt, one per open, one per validated read while nobody commits; for each commit an
/// addition to the one clock, a compare-exchange per object written, three fences.
#pragma once

#include "magpie/stm/detail/versions.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

struct hierarchical : version_traits {
  template <class Log, reads Reads, bool Applies>
  using protocol = versions<hierarchical, Log, Reads, Applies>;

  static constexpr std::uint32_t tag = 7;
  static constexpr bool sorts_locks = true;
  static constexpr bool has_clock = true;
  static constexpr bool words_of_launch = true;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
