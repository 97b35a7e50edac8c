/// @file
/// Policy `locks`: fine-grained locks in ascending order, what programs without transactions would do (the thesis's yardstick,
/// section 2.3).
///
/// Layer: stm policy over versions.cuh, which has the orders and why; kept for comparison.
///
/// Protocol. The set of objects is found without locks: `open` takes their versions, reads look at these. The commit locks
/// every object opened, read or written, in the order of their words, each from the version that was opened; then all that
/// was read is what it was, and nothing is looked at once more. It fails at a lock or a new version, and gives back what it
/// has. It does not wait for a lock as a program with locks would: on SIMD machines the holder may be another lane of its
/// warp, which cannot go on meanwhile.
///
/// Progress: no livelock among attempts that all reach their commit. Of all locks held at some time consider the one that is
/// last in the order: its holder meets no lock after it, unless another transaction takes one first, which then holds the
/// last; so one of them gets all it needs, or finds a new version, and then somebody has committed. Single items are promised
/// nothing. A thread that stops keeps what it locked from all others.
///
/// Cost, uncontended: a load per open, a compare-exchange and an operation without an answer per object opened, sorting them,
/// and two fences.
#pragma once

#include "magpie/stm/detail/versions.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

struct locks : version_traits {
  template <class Log, reads Reads, bool Applies>
  using protocol = versions<locks, Log, Reads, Applies>;

  static constexpr std::uint32_t tag = 6;
  static constexpr bool locks_reads = true;
  static constexpr bool sorts_locks = true;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
