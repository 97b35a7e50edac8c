/// @file
/// Policy `block_level`: the blocking STM of Cederman, Tsigas and Chaudhry (EGPGV 2010; thesis, section 2.3.1), one
/// transaction for each thread block.
///
/// Layer: stm policy over versions.cuh, which has the orders and why; kept for comparison.
///
/// Protocol. `open` takes the version and fails at a lock; reads look at all versions; writes are logged. The commit locks
/// all that was opened, read or written, in the order in which it was opened, each from the version that was opened, and gives
/// all back and fails at a lock or a new version. Blocks have 32 threads, and one lane of a warp has a transaction at a time,
/// as published; `control::lanes` of 32 is one for each thread, as Holey and Zhai have it.
///
/// What differs from the paper, and why:
/// - A commit compares versions, not values, so that a value that comes back does not pass for one that stayed.
/// - Who meets a lock rolls back; the paper's reader waits for it, which on SIMD machines may be for another lane of its warp.
/// - The paper's non-blocking variant is obstruction_free.cuh.
///
/// Progress: none guaranteed. Two that lock two objects in opposite orders can make each other fail forever; pauses make that
/// unlikely, and which kind of pause is what the paper's experiment asks (`control::linear_back_off`). A thread that stops keeps
/// what it locked from all others.
///
/// Cost, uncontended: a load per open, a load per open object per validated read, a compare-exchange and an operation without
/// an answer per object opened, and two fences. 31 of 32 lanes do nothing.
#pragma once

#include "magpie/stm/detail/versions.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

struct block_level : version_traits {
  template <class Log, reads Reads, bool Applies>
  using protocol = versions<block_level, Log, Reads, Applies>;

  static constexpr std::uint32_t tag = 9;
  static constexpr bool locks_reads = true;
  static constexpr std::uint32_t default_lanes = 1;
  static constexpr std::uint32_t default_block_size = 32;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
