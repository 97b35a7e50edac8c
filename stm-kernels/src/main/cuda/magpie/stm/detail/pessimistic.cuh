/// @file
/// Policy `pessimistic`: two-phase locking. Every object is locked when it is opened, for reads as for writes, and whoever
/// meets a lock rolls back (thesis, section 2.3.3, PSTM).
///
/// Layer: stm policy, steps on one word for claims.cuh, all of whose attempts are eager here; kept for comparison.
///
/// Shared state: one tracking word per object, 1 = locked. Writers: any thread by compare-exchange from 0, the holder to 0.
/// Orders: acquire on the lock, because it takes the object over from its last holder; the release is relaxed after the
/// holder's fence. It is a read-modify-write: an attempt that gives an object back uncommitted may have no fence, and goes on
/// with the release sequence of the last commit, which a store would end.
///
/// What differs from the thesis, and why:
/// - Its transactions write in place and keep old values in an undo log; here, as under most policies, writes are logged and
///   reach memory at commit. Nobody else can read what is locked, so both give the same histories. A roll-back restores
///   nothing, `peek` and `glance` never see what is not committed, and what a stopped thread holds has its old data. The cost
///   moves from aborts to commits: a store for each write there, none before. pessimistic_in_place.cuh is as published.
/// - Its word names the owner. Here the log knows what is the attempt's own, and a word is one bit.
///
/// Progress: none guaranteed, and a thread that stops keeps its objects from all others. Two transactions that lock two
/// objects in opposite orders can make each other fail forever; pauses of different length, spread by rank, make that
/// unlikely. Bound the attempts.
///
/// Cost, uncontended: one compare-exchange per open, none per read or lock, one operation without an answer per release.
/// Readers of one object exclude each other.
#pragma once

#include "magpie/stm/detail/claims.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

struct pessimistic : policy_traits {
  template <class Log, reads Reads, bool Applies>
  using protocol = claims<pessimistic, Log, Reads>;

  static constexpr std::uint32_t tag = 3;
  static constexpr bool locks_at_open = true;

  /// Nothing is kept between attempts.
  struct registrations {
    MAGPIE_INLINE void withdraw_all(std::uint32_t) {}
  };

  /// Locks `word` if nobody has it; whether it did. Acquire.
  MAGPIE_INLINE static bool try_lock(std::uint32_t* word) {
    if (breaks(mutant::relaxed_claim)) return cas_rlx_dev(word, 0u, lock_bit) == 0;
    return cas_acq_dev(word, 0u, lock_bit) == 0;
  }

  MAGPIE_INLINE static void unlock(std::uint32_t* word) { red_and_rlx_dev(word, ~lock_bit); }
};

}  // namespace stm

MAGPIE_NAMESPACE_END
