/// @file
/// Policy `priority_rule`: the published protocol (thesis, section 3.1.2; Shen et al., Euro-Par 2015, without
/// versions): steal from lower priorities, abort whenever a lock is met.
///
/// Layer: stm policy, steps on one word for claims.cuh; kept for comparison.
///
/// Shared state: one tracking word per object; the top bit is the lock, the rest the claimant's priority. Three
/// contradictions in the sources are settled like this:
/// - The printed comparisons of the thesis's Algorithm 3.3 run opposite to its text and let nothing ever mark; the text
///   is followed: the highest value, 2^31 - 1, is the lowest priority and means unmarked.
/// - The text says that a failed compare-and-swap gives the new value; CUDA's always gives the old one, and so it is
///   used here.
/// - Which identifier wins differs between the papers. Here as in the thesis the lower one: priority = 2^31 - 1 - rank
///   is the item's position in its launch, so older items win, as under every other policy.
///
/// Orders: acquire on the mark and on the load before it, else relaxed; as in hand_off.cuh.
///
/// Progress: none guaranteed. Two transactions on two objects can abort each other forever, the one of highest
/// priority included: the victim of a steal still holds a lock that the thief needs, and both give way. Bound the
/// attempts, or set back_off.
///
/// Cost, uncontended: one load and one compare-exchange per open, one compare-exchange per lock, one exchange per release.
#pragma once

#include "magpie/stm/detail/claims.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

struct priority_rule : policy_traits {
  template <class Log, reads Reads, bool Applies>
  using protocol = claims<priority_rule, Log, Reads>;

  static constexpr std::uint32_t tag = 2;
  static constexpr std::uint32_t unclaimed = 0x7fffffffu;
  static constexpr std::uint32_t default_back_off = 0;  // as published: none backs off, and every lane runs
  static constexpr std::uint32_t lock_bit = 0x80000000u;

  MAGPIE_INLINE static constexpr std::uint32_t own(std::uint32_t rank) { return unclaimed - rank; }

  /// Nothing is kept between attempts.
  struct registrations {
    MAGPIE_INLINE void withdraw_all(std::uint32_t) {}
  };

  /// Claims `word` for `rank` if nobody has it, in one step; whether it did. Acquire.
  MAGPIE_INLINE static bool try_claim(std::uint32_t* word, std::uint32_t rank) {
    if (breaks(mutant::relaxed_claim)) return cas_rlx_dev(word, unclaimed, own(rank)) == unclaimed;
    return cas_acq_dev(word, unclaimed, own(rank)) == unclaimed;
  }

  /// "mark" of Algorithm 3.3.
  template <class Tx>
  MAGPIE_INLINE static cause claim(Tx& tx, std::uint32_t* word) {
    const std::uint32_t mine = own(tx.rank());
    const bool acquire = !breaks(mutant::relaxed_claim);
    const std::uint32_t seen = acquire ? ld_acq_dev(word) : ld_rlx_dev(word);
    if ((seen & lock_bit) != 0 && !breaks(mutant::steal_ignores_lock)) return cause::locked;
    if (seen < mine) return cause::outranked;
    if ((acquire ? cas_acq_dev(word, seen, mine) : cas_rlx_dev(word, seen, mine)) != seen) return cause::outranked;
    if (seen != unclaimed) tx.count_steal();
    return cause::none;
  }

  MAGPIE_INLINE static bool intact(const std::uint32_t* word, std::uint32_t rank) {
    return ld_rlx_dev(word) == own(rank);
  }

  MAGPIE_INLINE static bool lock(std::uint32_t* word, std::uint32_t rank) {
    if (breaks(mutant::lock_unchecked)) return or_rlx_dev(word, lock_bit), true;
    const std::uint32_t seen = cas_rlx_dev(word, own(rank), own(rank) | lock_bit);
    if (breaks(mutant::lost_claim_retaken)) {
      if (seen != own(rank) && (seen & lock_bit) == 0) return cas_rlx_dev(word, seen, own(rank) | lock_bit) == seen;
    }
    return seen == own(rank);
  }

  /// Nobody else changes a locked word. Yet not a store: where the commit failed at another lock there is no release
  /// fence before, and the exchange continues the last committer's release sequence, which a store would end.
  MAGPIE_INLINE static void unlock(std::uint32_t* word) { exch_rlx_dev(word, unclaimed); }

  /// By compare-exchange: never touches a thief's mark, and continues the release sequence that a store would break.
  /// False if a thief has it.
  MAGPIE_INLINE static bool give_back(std::uint32_t* word, std::uint32_t rank) {
    if (breaks(mutant::roll_back_by_store)) return st_rlx_dev(word, unclaimed), true;
    return cas_rlx_dev(word, own(rank), unclaimed) == own(rank);
  }
};

}  // namespace stm

MAGPIE_NAMESPACE_END
