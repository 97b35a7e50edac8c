/// @file
/// The steps of policy `hand_off` on fused cells: word and datum change at once.
///
/// Layer: stm policy, steps on one cell for claims.cuh.
///
/// Shared state: one cell of 64 bits per object, the tracking word of hand_off.cuh in its high half and a datum of 32 bits
/// in its low half. Writers: any thread, by read-modify-write only. Every access is of 64 bits: accesses of different sizes
/// to the same place, where they race, have no meaning in PTX's memory model. Orders: those of hand_off.cuh.
///
/// Protocol. The word is above the datum, so that cells compare as their words do, and one maximum is a step that looks
/// before it writes. Who locks a cell takes the datum with it, and leaves 0 in its place:
/// - An eager attempt's lock is a maximum with `{1, 0}`: it changes a cell that nobody has, and no other one. Its answer has
///   the datum.
/// - A claim is a maximum with `{own | 1, 0}`. If the old word was unlocked, the claimant has the datum now, and gives it back
///   as it clears the bit, by one addition of `{-1, datum}`. If it was locked, the datum is the holder's already.
/// - A release is the same addition by the holder, with the datum that it commits, or had found.
/// So the low half of a locked cell is 0, however many claims come while it is locked, and additions to it carry nothing
/// into the word. A datum changes only while its cell is locked, and a word that shows a claim unlocked has not been locked
/// since, or it would show another one. Whoever claims a cell therefore knows its datum until the claim is lost, and a
/// compare-exchange of the whole cell fails only if the claim is lost: none is tried twice.
///
/// Past a transaction a datum cannot be read: a locked cell has none. So there is neither `peek` nor `glance` at one, nor
/// `leave_hint`. What a thread had locked that a fault ended is lost.
///
/// Progress, where a maximum is one step: as without data. Each step of hand_off.cuh is one step here, with the same effect on the
/// word, but for the first one of a claim, which there claims what nobody has in one step, and here takes the two steps of any
/// other claim: between them an uncontended object is locked. So regions with irrevocable attempts, which wait for locks without
/// bound, open no fused cells.
///
/// Cost, uncontended: of an eager attempt one operation per open, none per read or write, and one without an answer per
/// commit or roll-back; of an attempt that claims two operations per open, one compare-exchange per lock.
#pragma once

#include <bit>

#include "magpie/stm/detail/hand_off.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

static_assert(std::endian::native == std::endian::little, "the word of a fused cell is behind its datum");

struct fused_hand_off : hand_off {
  using registrations = registrations_of<fused_hand_off>;

  /// A cell whose word is behind it, and its datum: in memory, or with whoever locked it.
  struct place {
    std::uint32_t* word;
    std::uint32_t datum;
  };

  /// Locks the cell of `word` if nobody has it, and gives its datum; whether it did. Acquire.
  MAGPIE_INLINE static bool try_lock(std::uint32_t* word, std::uint32_t& datum) {
    const std::uint64_t seen = maximum(cell_of(word), in_cell(lock_bit), mutant::relaxed_cell_lock);
    datum = datum_in(seen);
    return word_in(seen) == unclaimed;
  }

  /// As hand_off::claim; gives the datum.
  template <class Tx>
  MAGPIE_INLINE static cause claim(Tx& tx, std::uint32_t* word, std::uint32_t& datum) {
    const cause why = acquire(tx, word, datum);
    if (why == cause::none) tx.remembered().forget(word);
    return why;
  }

  MAGPIE_INLINE static bool intact(const std::uint32_t* word, std::uint32_t rank) {
    const std::uint32_t seen = word_in(ld_rlx_dev(cell_of(const_cast<std::uint32_t*>(word))));
    return seen == own(rank) || (breaks(mutant::wait_skipped) && seen >> 1 == rank);
  }

  MAGPIE_INLINE static bool stands(const place& at, std::uint32_t rank) {
    return exchange(at.word, in_cell(own(rank), at.datum), in_cell(own(rank), at.datum));
  }

  MAGPIE_INLINE static bool lock(const place& at, std::uint32_t rank) {
    if (breaks(mutant::lock_unchecked)) return exch_rlx_dev(cell_of(at.word), in_cell(lock_bit)), true;
    if (breaks(mutant::datum_left)) {
      return exchange(at.word, in_cell(own(rank), at.datum), in_cell(lock_bit, at.datum));
    }
    if (breaks(mutant::lost_claim_retaken)) {
      const std::uint64_t seen = ld_rlx_dev(cell_of(at.word));
      if ((word_in(seen) & lock_bit) == 0) return exchange(at.word, seen, in_cell(lock_bit));
    }
    return exchange(at.word, in_cell(own(rank), at.datum), in_cell(lock_bit));
  }

  /// Frees a locked cell, and leaves a waiter's claim standing, with the datum: its grant.
  MAGPIE_INLINE static void unlock(const place& at) {
    if (breaks(mutant::release_drops_waiter))
      return static_cast<void>(exch_rlx_dev(cell_of(at.word), in_cell(0, at.datum)));
    if (breaks(mutant::datum_after_word)) {
      red_add_rlx_dev(cell_of(at.word), std::uint64_t{0} - in_cell(lock_bit));
      return red_add_rlx_dev(cell_of(at.word), in_cell(0, at.datum));
    }
    red_add_rlx_dev(cell_of(at.word), in_cell(0, at.datum) - in_cell(lock_bit));
  }

  MAGPIE_INLINE static bool give_back(const place& at, std::uint32_t rank) {
    if (breaks(mutant::roll_back_by_store)) return st_rlx_dev(cell_of(at.word), in_cell(0, at.datum)), true;
    return exchange(at.word, in_cell(own(rank), at.datum), in_cell(0, at.datum));
  }

  /// As hand_off::withdraw. Of a grant the datum is in the answer.
  MAGPIE_INLINE static void withdraw(std::uint32_t* word, std::uint32_t rank) {
    const std::uint64_t seen = breaks(mutant::give_back_granted_only)
                                   ? ld_rlx_dev(cell_of(word))
                                   : cas_rlx_dev(cell_of(word), in_cell(own(rank) | lock_bit), in_cell(lock_bit));
    if (word_in(seen) == own(rank)) exchange(word, seen, in_cell(0, datum_in(seen)));
  }

 private:
  MAGPIE_INLINE static std::uint64_t* cell_of(std::uint32_t* word) {
    return reinterpret_cast<std::uint64_t*>(word - 1);
  }
  MAGPIE_INLINE static constexpr std::uint64_t in_cell(std::uint32_t word, std::uint32_t datum = 0) {
    return std::uint64_t{word} << 32 | datum;
  }
  MAGPIE_INLINE static constexpr std::uint32_t word_in(std::uint64_t cell) {
    return static_cast<std::uint32_t>(cell >> 32);
  }
  MAGPIE_INLINE static constexpr std::uint32_t datum_in(std::uint64_t cell) { return static_cast<std::uint32_t>(cell); }

  /// Relaxed.
  MAGPIE_INLINE static bool exchange(std::uint32_t* word, std::uint64_t expected, std::uint64_t desired) {
    return cas_rlx_dev(cell_of(word), expected, desired) == expected;
  }

  /// Acquire, unless `relaxed` is at work.
  MAGPIE_INLINE static std::uint64_t maximum(std::uint64_t* cell, std::uint64_t least, mutant relaxed) {
    return breaks(mutant::relaxed_claim) || breaks(relaxed) ? max_rlx_dev(cell, least) : max_acq_dev(cell, least);
  }

  /// The part of a wait before its next poll, as in hand_off::acquire: why the wait ends, if it does.
  template <class Tx>
  MAGPIE_INLINE static cause wait(Tx& tx, std::uint32_t* word, bool registered, std::uint32_t poll,
                                  [[maybe_unused]] std::uint32_t& polls_stopped) {
    if (tx.is_irrevocable()) {  // for a lock's release
      if constexpr (polls_for_the_gone != 0) {
        if (tx.stopping() && ++polls_stopped == polls_for_the_gone) {
          return withdraw(word, tx.claim_rank()), cause::stopped;
        }
      }
    } else {
      cause why = cause::none;
      if (has_atomic_max && !registered && tx.gives_way()) {
        why = cause::outranked;
      } else if (tx.stopping()) {
        why = cause::stopped;
      } else if (has_atomic_max && !tx.may_poll()) {
        why = registered ? cause::wait_expired : cause::outranked;
      } else if (poll % polls_per_check == polls_per_check - 1 && !tx.intact()) {
        why = cause::stolen;
      }
      if (why != cause::none) return leave<fused_hand_off>(tx, word, registered), why;
    }
    if (poll == 0) tx.waits();
    tx.count_poll();
    tx.pause_in_wait(poll);
    return cause::none;
  }

  template <class Tx>
  MAGPIE_INLINE static cause acquire(Tx& tx, std::uint32_t* word, std::uint32_t& datum) {
    const std::uint32_t mine = own(tx.claim_rank());
    std::uint64_t* const cell = cell_of(word);
    bool registered = false;
    bool raised = true;  // by the last look
    [[maybe_unused]] std::uint32_t polls_stopped = 0;
    std::uint64_t seen = maximum(cell, in_cell(mine | lock_bit), mutant::relaxed_cell_claim);
    for (std::uint32_t poll = 0;; ++poll) {
      const std::uint32_t was = word_in(seen);
      if (raised) {
        if (was == (mine | lock_bit)) {
          registered = true;  // left standing by an earlier attempt of this item
        } else if (was < (mine | lock_bit)) {
          if ((was & lock_bit) == 0 || breaks(mutant::steal_ignores_lock)) {
            if (was != unclaimed && was != mine) tx.count_steal();
            // Bit and datum are ours to give; a higher claim that came in between finds its grant by this very step.
            datum = datum_in(seen);
            const std::uint32_t given = breaks(mutant::datum_not_given) ? 0 : datum;
            const std::uint64_t before = add_rlx_dev(cell, in_cell(0, given) - in_cell(lock_bit));
            return word_in(before) >> 1 == tx.claim_rank() ? cause::none : cause::stolen;
          }
          registered = true;
          tx.count_registration();
          if (breaks(mutant::wait_skipped)) return datum = 0, cause::none;
        }
        // Else a higher claim came first, and the maximum changed nothing.
      } else if (was >> 1 == tx.claim_rank()) {
        if (was == mine) return datum = datum_in(seen), cause::none;  // the grant
      } else if (registered) {
        tx.remembered().forget(word);  // a higher rank took the registration's place
        return cause::stolen;
      } else if (was < mine) {
        seen = maximum(cell, in_cell(mine | lock_bit), mutant::relaxed_cell_claim);
        raised = true;
        continue;
      }
      if (const cause why = wait(tx, word, registered, poll, polls_stopped); why != cause::none) return why;
      // Acquire: it may be the poll that sees the grant.
      const bool relaxed = breaks(mutant::relaxed_claim) || breaks(mutant::relaxed_cell_poll);
      seen = relaxed ? ld_rlx_dev(cell) : ld_acq_dev(cell);
      raised = false;
    }
  }
};

}  // namespace stm

MAGPIE_NAMESPACE_END
