/// @file
/// Ways to break the protocol, each in one place, to show that the checks would notice.
///
/// Layer: stm. `-DMAGPIE_MUTANTS` builds with all of them, none at work until the kernel `choose_mutant` chooses one by
/// its number; `-DMAGPIE_MUTANT=name` builds with that one alone, always at work, and all else as it ships, for measurements
/// in which a look at `chosen_mutant` between two steps would matter. With neither, every test of `breaks` is false and the
/// code is that of the protocol. Each enumerator says which rule it breaks, what then goes wrong, and in brackets:
/// - what can tell: `safety` (the committed attempts of a history have no order), `opacity` (an attempt saw a mix of
///   states or versions that never were together), `data` (only the algorithm's own invariant: the versions are in
///   order), `leak` (a word is not unclaimed after the launch), `progress` (a schedule repeats itself forever);
/// - the policy, if it is one alone, or `versions` for those that have them; `weak` where sequentially consistent memory hides the fault; the kind of region,
///   if it needs one.
/// A mutant may show in more ways than that; the first one named is the one to expect.
#pragma once

#include "magpie/platform/platform.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

enum class mutant {
  none,

  // ---- Locks and releases (protocols, policies).

  /// No fence between a commit's writes and its releases: the next claimant reads what was before. [safety; weak]
  no_release_fence,
  /// A commit locks whatever claim the word holds: what a thief wrote since is overwritten. [safety]
  lock_unchecked,
  /// Objects are freed before they are written: the next claimant reads what was before. [safety]
  release_before_write_back,
  /// A claim takes a locked object: it reads in the midst of the holder's writes. [opacity, safety]
  steal_ignores_lock,
  /// A roll-back stores `unclaimed`: a thief's claim or lock is gone, and so is the release sequence. [safety]
  roll_back_by_store,
  /// Objects that the log has no write of are neither locked nor looked at again when others are written: write skew.
  /// No effect on attempts without logged writes. [safety]
  reads_not_locked,
  /// A commit does not lock the object it opened last: it may have been taken since it was read. [safety]
  last_object_not_locked,
  /// A commit that finds a claim stolen, and the word not locked, takes it back: the thief may have committed. [safety]
  lost_claim_retaken,
  /// No fence between a commit's last lock and its first write, although claims are looked at by loads: a reader may see a
  /// write and its own claim still standing. [opacity; weak; validated reads]
  no_fence_before_write,

  // ---- Claims.

  /// The steps that may take an object over are relaxed: reads need not see what its last holder wrote. [safety; weak]
  relaxed_claim,
  /// Only a claim's success is acquire: a grant found by its failure takes the object over without. [safety; weak;
  /// hand_off]
  relaxed_failure,
  /// Positions 2k and 2k + 1 have one rank: each takes the other's claims for its own. [safety]
  equal_ranks,
  /// A registration counts as a claim while the holder still writes. [safety; hand_off]
  wait_skipped,
  /// Maximum is a load and compare-exchanges until one succeeds, but waits stay bounded: a claim on a word that keeps
  /// changing comes too late forever. [progress; hand_off; where maximum is one step]
  compare_exchange_claim,

  /// Of the objects that `open_each` takes at once the second one is not logged: it is neither locked by the commit nor
  /// given back. [progress, leak; unvalidated reads; `open_each`, where maximum is one step]
  object_of_many_unlogged,

  // ---- Waits and registrations (hand_off).

  /// A release clears the waiter's claim with the lock: it starts again, behind others. [progress; hand_off]
  release_drops_waiter,
  /// A thread that leaves a wait does not remember its registration: a grant comes to nobody. [leak, progress;
  /// hand_off]
  forgotten_registration,
  /// A thread that leaves a wait withdraws its registration: the grant never finds it. [progress; hand_off]
  withdraw_on_leave,
  /// A withdrawal clears a granted registration only: one on a locked object is granted later, to nobody. [leak,
  /// progress; hand_off]
  give_back_granted_only,
  /// The end of an item withdraws nothing. [leak, progress; hand_off]
  no_withdrawal_at_end,

  // ---- Eager attempts (claims.cuh, region.cuh).

  /// An eager attempt that fails does not free what it locked. [progress, leak; hand_off; eager attempts]
  eager_lock_kept,
  /// An eager attempt waits for what others have, and keeps what it locked: two of them wait for each other. [progress;
  /// hand_off; eager attempts]
  eager_waits,
  /// An item never goes on to claims: two may fail at each other's locks forever. [progress; hand_off; eager attempts]
  eager_forever,

  // ---- Reads and decisions (protocols).

  /// Reads are delivered without a look at the claims: a region sees a mix of states. [opacity; validated reads]
  no_validation,
  /// Data are read relaxed, although claims are looked at by loads: the look may come first. [opacity; weak; validated reads, or
  /// writes in place]
  relaxed_reads,
  /// A cancel stands whether or not its claims could be given back: it may rest on a mix of states. [safety; unvalidated reads]
  cancel_unchecked,

  // ---- Writes in place (transaction.cuh, claims.cuh).

  /// What a failed attempt wrote in place stays: it is committed without the rest. [data; writes in place]
  undo_forgotten,
  /// Objects are given back before what was written in place is undone: the next holder reads what never commits, and its own write is
  /// undone. [data; writes in place]
  release_before_undo,
  /// No fence between what undoes writes and the release: the next holder reads what never commits. [data; weak;
  /// writes in place]
  no_fence_after_undo,
  /// What was written in place and undone is given back under the version that it had: who read it before the undo, and looks
  /// after it, takes it for committed. [opacity, data; invisible_reads_in_place]
  undo_keeps_version,

  // ---- Logs and inner transactions (transaction.cuh).

  /// A write that finds the log full is dropped, and the region told that it was logged. [data; more writes than the
  /// log holds]
  overflow_ignored,
  /// What an undone inner attempt wrote is committed with the rest, objects given back among it. [safety, data; inner
  /// transactions]
  inner_undo_keeps_writes,
  /// Of a datum that a commit wrote again within an inner transaction, who looks it up in the descriptor takes the value
  /// before. [data, safety; obstruction_free; inner transactions]
  superseded_value_read,
  /// Objects of the outer transaction are locked before an inner one runs: two that wait for each other's outer
  /// objects hold what the other needs. [progress; inner transactions]
  inner_over_locked,

  // ---- Versions and the order of locks (versions.cuh, pr_stm.cuh).

  /// A commit frees what it wrote under the version that it had: who read what was before does not notice. [safety;
  /// versions]
  version_kept,
  /// The fence between a commit's locks and its look at what it only read is acq_rel: two commits that read what the other
  /// writes miss each other's locks. [safety; weak; versions]
  weak_fence_after_locks,
  /// A commit locks objects in the order in which they were opened: two may fail at each other's locks forever. [progress;
  /// locks]
  locks_unsorted,

  // ---- Rounds and pools (worklist.cuh, pool.cuh). These the library's own tests kill; see test_stm_rounds_mutants.cpp.

  /// A failed attempt pushes what it would push at its commit. [data; regions that push]
  push_before_commit,
  /// A deferred item gets a new rank in the next launch: it does not age. [progress; runs in rounds that defer]
  deferred_rank_lost,
  /// An item whose eager attempt met others is left to the next launch, where it is eager again: none may ever end.
  /// [progress; hand_off; runs in rounds that defer]
  eager_loser_deferred,
  /// The end of a failed attempt does not take its slots back. [leak; regions with pools]
  slots_leak_on_abort,
  /// A freed slot may be taken again in the same launch: a reference read before names another thing. [data; regions
  /// with pools that read unvalidated or peek]
  slot_reused_in_launch,

  // ---- Fused cells (fused_cells.cuh). These the library's own tests kill; see test_stm_fused.cpp.

  /// The maximum by which an eager attempt locks a cell is relaxed: reads need not see what its last holder wrote. [safety;
  /// weak; fused cells, eager attempts]
  relaxed_cell_lock,
  /// The same of the maximum that claims a cell. [safety; weak; fused cells]
  relaxed_cell_claim,
  /// The same of the poll that finds a cell granted. [safety; weak; fused cells]
  relaxed_cell_poll,
  /// A release frees the word, and then adds the datum: the next claimant takes what is not there yet. [data; fused cells]
  datum_after_word,
  /// A claim that clears its bit leaves the datum out: it is lost to whoever comes next. [data, progress; fused cells]
  datum_not_given,
  /// A lock leaves the datum where it is, and the release adds to it. [data; fused cells]
  datum_left,

  // ---- Long transactions (claims.cuh, "Publications"). These the library's own tests kill; see
  // test_stm_publications.cpp.

  /// A commit does not count itself: others do not look at their claims again. [opacity; validated reads; long logs]
  publication_uncounted,
  /// A commit counts itself after the fence before its first write: who reads a write need not see the new number.
  /// [opacity; weak; validated reads; long logs]
  publication_after_fence,
  /// A commit counts itself without a fence behind its locks: who sees the new number need not see them. [opacity; weak;
  /// validated reads; long logs]
  publication_before_locks,

  // ---- Alternatives (transaction.cuh, `or_else`). The library's own tests kill it; see test_stm_nesting.cpp.

  /// What a first alternative wrote that canceled is committed with the second one. [data; alternatives]
  alternative_keeps_writes,

  // ---- Undo logs (transaction.cuh). The library's own tests kill it; see test_stm_in_place.cpp.

  /// What writes replaced is put back in the order of the writes: of a datum that was written in an inner transaction and around it,
  /// the outer write stays. [data; writes in place; inner transactions]
  undo_in_order,

  // ---- Irrevocable attempts (claims.cuh). These the library's own tests kill; see test_stm_irrevocable.cpp.

  /// Attempts become irrevocable without the token: two of them take each other's claims for their own. [data; hand_off;
  /// irrevocable attempts]
  irrevocable_without_token,
  /// An irrevocable attempt keeps the token: no other one ever gets it. [progress; hand_off; irrevocable attempts]
  token_kept,
  /// An attempt becomes irrevocable without a lock on what it opened: that is stolen, or was. [data; hand_off; irrevocable
  /// attempts]
  irrevocable_unlocked,
  /// An irrevocable attempt claims by its item's rank: older items steal from it. [data; hand_off; irrevocable attempts]
  irrevocable_by_own_rank,

  // ---- Descriptors (obstruction_free.cuh). These the library's own tests kill; see test_stm_descriptors.cpp.

  /// Who opens an object lets its owner go on committing, and reads what was before. [opacity, safety; obstruction_free]
  active_owner_ignored,
  /// Who takes an object from a commit does not borrow what that may not have stored. [safety; obstruction_free]
  values_not_borrowed,
  /// A commit that finds an object taken by others leaves it, and its own store over theirs. [safety; obstruction_free]
  stale_store_kept,
  /// Who repairs a stale store does not look whether the owner has committed meanwhile. [safety; obstruction_free]
  repair_unchecked,
  /// The fence between a commit and its first store is acq_rel: who repairs may miss the commit and store later. [safety;
  /// weak; obstruction_free]
  weak_fence_after_commit,
  /// The same of the fence between a repair and its second look. [safety; weak; obstruction_free]
  weak_fence_after_repair,
  /// A descriptor begins anew although records name it. [safety; obstruction_free]
  descriptor_reused,

  // ---- Regions (transaction.cuh). The checks of data in traces kill it, in the regions of every algorithm and benchmark.

  /// Items of every third rank open the object before the one that they ask for, as a region would that has another guard in
  /// mind: a datum is used under two objects. [data]
  neighbor_opened,
};

#if defined(MAGPIE_MUTANTS) && defined(MAGPIE_MUTANT)
#error "MAGPIE_MUTANTS builds with all mutants, MAGPIE_MUTANT with one: define either"
#elif defined(MAGPIE_MUTANTS)
inline constexpr bool has_mutants = true;
/// The one at work, for all launches of the loaded module. Set between launches.
MAGPIE_MODULE_VARIABLE mutant chosen_mutant = mutant::none;
/// Whether a rule is broken.
MAGPIE_INLINE bool breaks(mutant rule) { return chosen_mutant == rule; }
#elif defined(MAGPIE_MUTANT)
inline constexpr bool has_mutants = false;
MAGPIE_HOST_DEVICE constexpr bool breaks(mutant rule) { return rule == mutant::MAGPIE_MUTANT; }
#else
inline constexpr bool has_mutants = false;
MAGPIE_HOST_DEVICE constexpr bool breaks(mutant) { return false; }
#endif

}  // namespace stm

MAGPIE_NAMESPACE_END
