/// @file
/// Policy `hand_off`: a claim that finds the object locked is registered in the same step, so the holder's release is
/// its grant.
///
/// Layer: stm policy, steps on one word for claims.cuh; those on a fused cell are in fused_cells.cuh.
///
/// Shared state: one tracking word per object, `rank << 1 | locked`; 0 = unclaimed, 1 = locked and nobody waits. A lock
/// names no holder, so that a rank next to the bit is that of a waiter or, within the two steps of a claim, of the claimant. Writers: any thread, by read-modify-write
/// only. Orders: acquire on the claim (compare-exchange, also when it fails; maximum), on the lock of an eager attempt, and
/// on the poll that ends a wait, because each may be the step that takes the object over from its last holder; everything
/// else relaxed. A holder's release fence heads a release sequence that the read-modify-writes of waiters, thieves,
/// withdrawals and eager attempts that fail continue, so relaxed ones among them do not break it.
///
/// Protocol. A claim is one maximum with `own | 1`. It cannot fail against a lower word. If the old word was unlocked,
/// the claimant clears the bit it just set; if it was locked, the bit belongs to the holder and the rank to the
/// claimant, who is next then. A holder clears only its lock bit, in one step that cannot fail and tells it nothing, and
/// never waits: 1 becomes 0, a waiter's claim its grant. Uncontended: one compare-exchange from 0. The first
/// `control::eager_attempts` attempts of an item claim nothing: they lock what nobody has, and fail at all else
/// (claims.cuh, "Eager attempts").
///
/// Progress: live for every item, given that each item's rank is unique and ranks are given by age; so the model checker
/// says of up to three threads, lanes that sit out included (verification/src/main/promela). The top rank commits after
/// at most one attempt more than its expired waits, its eager attempts not counted: of these there are finitely many, they
/// wait for nothing, and a lock that they hold is left as soon as they end. Waits are bounded by `control::polls` and end
/// through the retry loop: a thread that leaves a wait keeps its registration and remembers it (`registrations`), the retry
/// finds the grant, and the end of the item withdraws what is left. Where maximum is a compare-exchange loop (`has_atomic_max`
/// false) bounded waits livelock; there a wait ends only with what it waits for, or with the watchdog's flag, and
/// `give_way` has no effect.
///
/// Cost, uncontended: one compare-exchange per open, one per lock, one operation without an answer per release; in an
/// eager attempt none per lock.
#pragma once

#include "magpie/stm/detail/claims.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

struct fused_hand_off;

struct hand_off : policy_traits {
  template <class Log, reads Reads, bool Applies>
  using protocol = claims<steps_for<Log, hand_off, fused_hand_off>, Log, Reads, Applies>;

  static constexpr std::uint32_t tag = 1;
  static constexpr bool has_fused_cells = true;
  static constexpr bool adapts_lanes = true;
  static constexpr bool has_eager_attempts = true;
  static constexpr std::uint32_t default_eager_attempts = 16;
  static constexpr std::uint32_t most_eager_objects = 4;     // those of more would keep too many others out
  static constexpr std::uint32_t longest_eager_pause = 256;  // measured: protocol.md, "Contention"
  static constexpr bool has_irrevocable = true;
  /// Of the irrevocable attempt, if there is one.
  static constexpr std::uint32_t top_rank = 0x7fffffffu;
  static_assert(top_rank > highest_rank);

  /// The word of an object claimed by `rank`, unlocked.
  MAGPIE_INLINE static constexpr std::uint32_t own(std::uint32_t rank) { return rank << 1; }

  /// Registrations an item keeps across its attempts: claims on objects that were locked when its wait ran out.
  template <class Steps>
  class registrations_of {
   public:
    MAGPIE_INLINE void forget(const std::uint32_t* word) {
      if (first_ == word) {
        first_ = second_;
        second_ = nullptr;
      } else if (second_ == word) {
        second_ = nullptr;
      }
    }
    /// Remembers `word`; gives the oldest one to withdraw if there was no place left, else null.
    MAGPIE_INLINE std::uint32_t* remember(std::uint32_t* word) {
      if (first_ == word || second_ == word) return nullptr;
      if (first_ == nullptr) {
        first_ = word;
        return nullptr;
      }
      if (second_ == nullptr) {
        second_ = word;
        return nullptr;
      }
      std::uint32_t* const oldest = first_;
      first_ = second_;
      second_ = word;
      return oldest;
    }
    /// At the item's end: nothing of it may stay in any word.
    MAGPIE_INLINE void withdraw_all(std::uint32_t rank) {
      if (!breaks(mutant::no_withdrawal_at_end)) {
        if (first_ != nullptr) Steps::withdraw(first_, rank);
        if (second_ != nullptr) Steps::withdraw(second_, rank);
      }
      first_ = second_ = nullptr;
    }

   private:
    std::uint32_t* first_ = nullptr;
    std::uint32_t* second_ = nullptr;
  };
  using registrations = registrations_of<hand_off>;

  /// Claims `word` for `rank` if nobody has it, in one step; whether it did. Acquire.
  MAGPIE_INLINE static bool try_claim(std::uint32_t* word, std::uint32_t rank) {
    return first_claim(word, own(rank)) == 0;
  }

  /// Locks `word` if nobody has it, claimed or locked, in one step; whether it did. Acquire.
  MAGPIE_INLINE static bool try_lock(std::uint32_t* word) { return first_claim(word, lock_bit) == 0; }

  /// Claims `word` for the transaction's rank; `cause::none` on success. The word is not among those it opened.
  /// `Tx` gives rank, bounds, counters, and says whether the claims it holds are intact.
  template <class Tx>
  MAGPIE_INLINE static cause claim(Tx& tx, std::uint32_t* word) {
    const cause why = acquire(tx, word);
    if (why == cause::none) tx.remembered().forget(word);
    return why;
  }

  /// Whether the claim still stands, unlocked. Relaxed: the caller orders it after its data loads.
  MAGPIE_INLINE static bool intact(const std::uint32_t* word, std::uint32_t rank) {
    if (breaks(mutant::wait_skipped)) return ld_rlx_dev(word) >> 1 == rank;
    return ld_rlx_dev(word) == own(rank);
  }

  /// The same by an exchange that changes nothing: no claim that is stolen can be taken for one that stands. Relaxed: a
  /// release fence stands before, so that a later thief acquires what was read.
  MAGPIE_INLINE static bool stands(std::uint32_t* word, std::uint32_t rank) {
    return cas_rlx_dev(word, own(rank), own(rank)) == own(rank);
  }

  /// Turns a claim into a lock; false if it was stolen. Relaxed: one fence after the last lock orders them all.
  MAGPIE_INLINE static bool lock(std::uint32_t* word, std::uint32_t rank) {
    if (breaks(mutant::lock_unchecked)) {
      const std::uint32_t claim = ld_rlx_dev(word);
      if ((claim & lock_bit) == 0) cas_rlx_dev(word, claim, lock_bit);
      return true;
    }
    const std::uint32_t seen = cas_rlx_dev(word, own(rank), lock_bit);
    if (breaks(mutant::lost_claim_retaken)) {
      if (seen != own(rank) && (seen & 1u) == 0) return cas_rlx_dev(word, seen, lock_bit) == seen;
    }
    return seen == own(rank);
  }

  /// Frees a locked object, and leaves a waiter's claim standing: its grant. Relaxed: the caller's release fence stands
  /// before. `last`: what is in the word's cache line is not needed soon.
  MAGPIE_INLINE static void unlock(std::uint32_t* word, bool last = false) {
    const std::uint32_t kept = breaks(mutant::release_drops_waiter) ? 0u : ~lock_bit;
    last ? red_and_rlx_dev_last(word, kept) : red_and_rlx_dev(word, kept);
  }

  /// Gives an unlocked claim back; false if a thief has it.
  MAGPIE_INLINE static bool give_back(std::uint32_t* word, std::uint32_t rank) {
    if (breaks(mutant::roll_back_by_store)) return st_rlx_dev(word, 0u), true;
    return cas_rlx_dev(word, own(rank), 0u) == own(rank);
  }

  /// Withdraws a registration, granted or not: while the object is locked the bit is left, which the holder clears.
  MAGPIE_INLINE static void withdraw(std::uint32_t* word, std::uint32_t rank) {
    if (breaks(mutant::give_back_granted_only)) return static_cast<void>(give_back(word, rank));
    if (cas_rlx_dev(word, own(rank) | 1u, 1u) == own(rank)) give_back(word, rank);
  }

 private:
  friend fused_hand_off;

  /// A waiter whose other claims were stolen cannot commit; it does not have to look at them on every poll.
  static constexpr std::uint32_t polls_per_check = 4;

  template <class Tx>
  MAGPIE_INLINE static cause acquire(Tx& tx, std::uint32_t* word) {
    const std::uint32_t mine = own(tx.claim_rank());
    // Acquire: success takes the object over from whoever freed it; failure may show a grant to a registration.
    std::uint32_t seen = first_claim(word, mine);
    if (seen == 0) return cause::none;
    bool registered = (seen >> 1) == tx.claim_rank();  // left standing by an earlier attempt of this item
    [[maybe_unused]] std::uint32_t polls_stopped = 0;
    for (std::uint32_t poll = 0;; ++poll) {
      if ((seen >> 1) == tx.claim_rank()) {
        if (seen == mine) return cause::none;  // the grant
      } else if (registered) {
        tx.remembered().forget(word);  // a higher rank took the registration's place
        return cause::stolen;
      } else if (seen < mine) {
        seen = maximum(word, mine | 1u);
        if (seen < mine) {
          if ((seen & 1u) == 0 || breaks(mutant::steal_ignores_lock)) {
            if (seen != 0) tx.count_steal();
            // The bit is ours to clear; a higher claim that came in between finds its grant by this very step.
            const std::uint32_t before = and_rlx_dev(word, ~1u);
            return (before >> 1) == tx.claim_rank() ? cause::none : cause::stolen;
          }
          registered = true;
          tx.count_registration();
          seen = mine | 1u;
          if (breaks(mutant::wait_skipped)) return cause::none;
        }
        // Else a higher claim came first, and the maximum changed nothing.
      }
      // Waiting: for a lock's release (registered), or for a higher claim to go.
      if (tx.is_irrevocable()) {  // for a lock's release
        if constexpr (polls_for_the_gone != 0) {
          if (tx.stopping() && ++polls_stopped == polls_for_the_gone) {
            return withdraw(word, tx.claim_rank()), cause::stopped;
          }
        }
      } else {
        if (has_atomic_max && !registered && tx.gives_way()) return cause::outranked;
        if (tx.stopping()) {
          leave<hand_off>(tx, word, registered);
          return cause::stopped;
        }
        if (has_atomic_max && !tx.may_poll()) {
          leave<hand_off>(tx, word, registered);
          return registered ? cause::wait_expired : cause::outranked;
        }
        if (poll % polls_per_check == polls_per_check - 1 && !tx.intact()) {
          leave<hand_off>(tx, word, registered);
          return cause::stolen;
        }
      }
      if (poll == 0) tx.waits();
      tx.count_poll();
      tx.pause_in_wait(poll);
      // Acquire: it may be the poll that sees the grant.
      seen = breaks(mutant::relaxed_claim) ? ld_rlx_dev(word) : ld_acq_dev(word);
    }
  }

  /// Makes the word `mine` if it is 0; gives the old one. Acquire, also when it fails.
  MAGPIE_INLINE static std::uint32_t first_claim(std::uint32_t* word, std::uint32_t mine) {
    if (breaks(mutant::relaxed_claim)) return cas_rlx_dev(word, 0u, mine);
    if (breaks(mutant::relaxed_failure)) {
      const std::uint32_t seen = cas_rlx_dev(word, 0u, mine);
      if (seen == 0) fence_acqrel_dev();
      return seen;
    }
    return cas_acq_dev(word, 0u, mine);
  }

  /// Raises the word to `claim` in one step that cannot fail; gives the old one. Acquire.
  MAGPIE_INLINE static std::uint32_t maximum(std::uint32_t* word, std::uint32_t claim) {
    if (breaks(mutant::relaxed_claim)) return max_rlx_dev(word, claim);
    if (breaks(mutant::compare_exchange_claim)) {
      std::uint32_t seen = ld_acq_dev(word);
      while (seen < claim) {
        const std::uint32_t old = cas_acq_dev(word, seen, claim);
        if (old == seen) break;
        seen = old;
      }
      return seen;
    }
    return max_acq_dev(word, claim);
  }

  template <class Steps, class Tx>
  MAGPIE_INLINE static void leave(Tx& tx, std::uint32_t* word, bool registered) {
    if (!registered || breaks(mutant::forgotten_registration)) return;
    if (breaks(mutant::withdraw_on_leave)) return Steps::withdraw(word, tx.rank());
    if (std::uint32_t* const oldest = tx.remembered().remember(word)) {
      Steps::withdraw(oldest, tx.rank());
      tx.count_withdrawal();
    }
  }
};

}  // namespace stm

MAGPIE_NAMESPACE_END
