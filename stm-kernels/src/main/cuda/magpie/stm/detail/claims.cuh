/// @file
/// The protocol of policies that take an object when it is opened, by its word alone.
///
/// Layer: stm, used by the transaction; `Policy` gives the steps on one word: `try_claim`, `claim`, `intact`, `lock`,
/// `unlock`, `give_back`, what it keeps between attempts (`registrations`), and where it has them `try_lock`, for attempts that lock
/// at `open`; `stands`, for looks by exchanges; `top_rank`, for irrevocable attempts; and `is_to_lock`, if commits lock only some.
/// Where the log holds data (log.cuh), objects are fused cells, and the steps take and give their data (fused_cells.cuh).
///
/// Shared state: the words, through the policy; data through `ld_acq_dev`/`ld_rlx_dev`, device scope. The serialization point
/// of a commit is the last successful `Policy::lock` in `lock_all`; of an attempt that locks at `open` any time between its
/// last `open` and its first release.
///
/// Opacity. After each read every claim taken so far still stands, or the attempt ends, so a region never sees a mix of
/// two states; with long logs, nothing read so far has been overwritten by a commit whose writes the attempt may have seen
/// ("Publications"). The reader looks at its claims in one of two ways, the same in all transactions of a launch:
/// - By loads. That rests on two orders (litmus-tested, PTX 6.0 and 7.5): the reader's data loads are acquire, before the
///   look; the writer has an acq_rel fence between its last lock and its first write.
/// - By exchanges that change nothing, after a fence, where a region opens few objects under a policy with eager attempts
///   (litmus-tested as well). Writers then need no fence before they write. For let a read have seen a write under a stolen
///   claim. The thief's exchange is acquire, and it, or who came after it by any chain of claims and releases, wrote. If the
///   look's exchange came before the thief's on that word, then the thief, reading from it through read-modify-writes only,
///   acquired the fence before it: the read happened before the write that it saw, which cannot be. So it came after, and
///   found the claim gone. A fence and an exchange for each open object cost more than loads, but only attempts that claim
///   look; a fence before the first write, each commit would pay.
/// A region that declares `reads::unvalidated` has none of these: its reads may mix states until the commit rejects them, so
/// it must survive any value the data ever held, must bound its loops and indices itself, and must not run at the same time
/// as a validated region on the same objects. Its committed result is serializable nonetheless: every opened object is locked
/// at commit, under the claim it was read under; or it is looked at then (optimistic_hand_off.cuh).
/// Commits and cancels also keep real time. A failed attempt keeps what happens before, and no more: it may have seen one
/// commit and not another that ended before it, where nothing orders the two for it.
///
/// Publications. Where the log has an index of objects (log.cuh), looking at every claim after every read would take a time
/// quadratic in the objects, so the commits of the launch are counted (`counter::publications`): a commit that has all its
/// locks adds 1 before it writes, and a read looks at the claims only if the number differs from the one before its last look.
/// All transactions of a launch have logs of one kind, and no two launches use the same objects at once, as ranks are unique
/// within a launch only; so every commit that may write one of them counts. It is right by the same two orders and a third:
/// - Let W be a commit that wrote, or will write, what T read before, and let T now read what W wrote, or what was written by
///   a commit that came after W by any chain of conflicts. W adds before its fence before the first write, and T's data
///   loads are acquire, so that T's load of the number sees that addition, or a later one.
/// - If T then looks, because the number is not that of its last look, it finds the claim gone: W locked before a fence
///   before it added, all changes of the number are read-modify-writes, and T's load of it is acquire.
/// - If T does not look, its last look was under the same number. It had loaded that before it looked at the claims, by an
///   acquire load that saw W's addition too, the number only rising. A claim taken before that load was looked at after it, and
///   found gone. One taken after it comes after W's lock on that object, which T would then have claimed from W,
///   and read after it.
/// Under `optimistic_hand_off` W may leave unlocked what it only read, so that a commit R that overwrites that, and that T reads
/// from, need not have seen W's addition. There it is R's addition that T sees, and W's fence comes before R's, since W's last look
/// missed R's lock (there, "Orders"). If T looks, that is after R's fence, so that it sees W's lock. If not, its last look acquired
/// R's fence: a claim taken before it was found gone; one taken after it and stolen by W would put R's fence before W's.
/// The number has 64 bits, and does not wrap. Claims that were lost to somebody who has not committed are noticed later
/// than in short transactions: at the next publication, or at the commit.
///
/// The datum of a fused cell comes with the object, by a step that acquires, and is written by the step that frees it, behind the
/// release fence. So whoever has it acquired all that its writer did, and finds any claim gone that the writer took; the looks
/// above are for other data, and for whether all claims still stand.
///
/// Eager attempts (policies that have them; `locks_at_open`: all attempts). The attempt locks at `open` what nobody has, fails
/// at what anybody has, claimed or locked, and waits for nothing: of those that meet, one or all fail, and none of them holds
/// up another for longer than it runs. What it opened nobody can take or write until it ends, so that reads are relaxed and not
/// looked at again, the commit has nothing to lock and cannot fail, and a cancel stands. Two orders are left in regions with
/// validated reads:
/// - The fence before the first write, where readers look by loads. The lock acquires, but acquiring orders nothing for
///   others: an older attempt whose claim was stolen before could see a write, and its claim still standing.
/// - A fence before what was opened is given back uncommitted, if anything was read. The reads are relaxed, and could
///   otherwise be of what the next holder writes: two of them a mix. An attempt that opens all it needs before it reads
///   fails without one.
/// An inner transaction that meets others ends the attempt, instead of being tried again under the outer one's locks.
/// Registrations there are none: the item makes its eager attempts before all others. `lock_bit` is all that a word shows
/// of such an attempt, so that one whose thread stops keeps its objects from everybody, where claims could be stolen.
///
/// Irrevocable attempts (policies that have a `top_rank`, which no item has). The attempt takes the launch's token, a word that it
/// claims by its rank as it claims objects, waits for it as for these, and then locks; locks what it has opened, as a commit
/// does; and claims what it opens afterwards by the top rank. Nobody takes a lock, nor outranks or steals from that rank, so that
/// nothing fails from the last of these locks on.
/// - Exclusion. Who has the token locked is the only one to claim by the top rank. It frees the token behind a fence, and behind its
///   locks on all that it claimed so: the next one, which acquires it, finds no such claim, and takes none for its own. What
///   the one does outside of its transaction happens before what the next one does.
/// - What was read before stands: each claim was there when it was locked, and a claim that was lost does not come back.
/// - Waits. It waits for locks alone: those of commits in other warps, and of attempts that do not become irrevocable, whose holders
///   wait for nothing (region.cuh, `irrevocable_of`).
///   Bounds of polls are for others. Those who wait for its locks, or the token, have claims, which can be stolen.
/// - Progress. The token is for the oldest item as any object is: nobody steals it, and its lock is freed as soon as its holder
///   commits or finds a claim stolen. To lock is what makes this so. Claims that were raised one by one would keep the oldest item
///   out although their attempt fails at the next, and no release would be its grant: so the model checker says. The oldest item's
///   claims can be stolen by irrevocable attempts alone, which commit: no more often than there are other items.
///
/// Cache lines. Where transactions make a few random accesses to more memory than the L2 cache holds, many find the line of an object
/// that they have locked evicted when they free it: between the two lie several round trips to memory, in which all other threads
/// bring in lines of theirs. What a commit has stored, and a lock that it or a failed attempt has freed, is seldom needed soon, so these
/// stores and releases ask for their lines to go before those in use (`passes_lines`). Only in regions
/// - that may write as many data as they open objects: what is only read, such as the root of a tree, others need soon;
/// - without an `apply`, which stores by itself: by releases alone there is little to gain where data lie apart from their words;
/// - of few objects, which by default make eager attempts: others were not measured.
/// These are hints: nothing depends on them. Loads ask for nothing: lines asked to stay do so after the launch, too, and slow down what
/// comes next.
///
/// Cost: see the policy; each validated read under claims looks at one word per open object. With long logs (log.cuh) a read
/// takes one load more, and one per open object only if others committed since the last such look; a commit takes a fence and
/// an addition more.
#pragma once

#include "magpie/stm/detail/history.cuh"
#include "magpie/stm/detail/log.cuh"
#include "magpie/stm/detail/mutants.cuh"
#include "magpie/stm/detail/policy.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

// What claims keep in some builds alone. As bases: nvcc (13.0) places [[no_unique_address]] members that are empty as if they
// had a byte each, and takes what lies behind for aligned as it would be without; loads of two words at once then fault.
template <bool Kept>
struct kept_look {
  std::uint64_t looked_at_ = 0;  ///< publications before the last look at all claims
};
template <>
struct kept_look<false> {};
template <bool Kept>
struct kept_early_locks {
  std::uint32_t locked_early_ = 0;  ///< how many of the first objects
};
template <>
struct kept_early_locks<false> {};
template <bool Kept>
struct kept_written {
  bool has_written_ = false;  ///< in place: perhaps undone by now, without a fence since
};
template <>
struct kept_written<false> {};

/// A policy's steps on words, or on fused cells, as the log has them.
template <class Log, class OnWords, class OnCells>
using steps_for = std::conditional_t<Log::holds_data, OnCells, OnWords>;

template <class Policy, class Log, reads Reads, bool Applies = true>
class claims : kept_look<Log::indexes_objects && Reads == reads::validated && !Policy::locks_at_open>,
               kept_early_locks<has_mutants>,
               kept_written<Policy::writes_in_place> {
 public:
  /// Objects can be taken several at once, by `try_take`.
  static constexpr bool takes_several = !Log::holds_data;
  /// Whether claims are looked at again after reads.
  static constexpr bool looks_at_claims = Reads == reads::validated && !Policy::locks_at_open;
  /// Whether they are only after others have committed: see "Publications".
  static constexpr bool counts_publications = Log::indexes_objects && looks_at_claims;

  /// Whether stores and releases let their lines go first: see "Cache lines".
  static constexpr bool passes_lines = [] {
    if constexpr (Policy::has_eager_attempts && Log::fits_mask && !Log::holds_data && !Applies) {
      return Log::most_objects <= Policy::most_eager_objects && Log::most_writes >= Log::most_objects;
    } else {
      return false;
    }
  }();

  template <class Tx>
  MAGPIE_INLINE void begin(Tx&, bool eager) {
    eager_ = eager;
    has_read_ = false;
    if constexpr (Policy::writes_in_place) this->has_written_ = false;
    if constexpr (has_mutants) this->locked_early_ = 0;
  }

  template <class Tx>
  MAGPIE_INLINE cause open(Tx& tx, std::uint32_t, std::uint32_t* word) {
    if constexpr (Policy::locks_at_open) {
      return try_lock(tx, word);
    } else {
      if constexpr (Log::holds_data) {
        return open_cell(tx, word);
      } else {
        return is_eager() ? try_lock(tx, word) : Policy::claim(tx, word);
      }
    }
  }

  /// Takes the object in one step, if nobody has it: locked where attempts lock at `open`, else claimed.
  template <class Tx>
  MAGPIE_INLINE bool try_take(Tx& tx, std::uint32_t* word) {
    if constexpr (Policy::locks_at_open) {
      return Policy::try_lock(word);
    } else {
      if constexpr (Policy::has_eager_attempts) {
        if (eager_) return Policy::try_lock(word);
      }
      return Policy::try_claim(word, tx.claim_rank());
    }
  }
  /// After `try_take`.
  MAGPIE_INLINE void took(const std::uint32_t* word) {
    if constexpr (requires { remembered_.forget(word); }) remembered_.forget(word);
  }

  template <class Tx, class T>
  MAGPIE_INLINE cause read(Tx& tx, std::uint32_t place, const T* p, T& value, sighting& version) {
    if constexpr (Log::holds_data && sizeof(T) == sizeof(std::uint32_t)) {
      if (is_datum(tx, place, p)) return read_datum(tx, place, value, version);
    }
    if (Reads == reads::validated && !is_eager()) {
      // Before the words below: acquire, where these are looked at by loads; else by the fence there.
      const bool acquire = !looks_by_exchange() && !breaks(mutant::relaxed_reads);
      tx.traces_read(place);
      const T seen = acquire ? ld_acq_dev(p) : ld_rlx_dev(p);
      version = acquire ? tx.template look<true>(place) : tx.template look<false>(place);
      if (!breaks(mutant::no_validation) && !still_intact(tx)) return cause::stolen;
      value = seen;
    } else {
      tx.traces_read(place);
      value = ld_rlx_dev(p);
      has_read_ = true;
      version = tx.template look<false>(place);
    }
    return cause::none;
  }
  /// Something was read that no look at the claims follows.
  MAGPIE_INLINE void reads_unlooked() { has_read_ = true; }

  template <class Tx>
  MAGPIE_INLINE cause write(Tx&, std::uint32_t) {
    if constexpr (Policy::writes_in_place) this->has_written_ = true;
    return cause::none;
  }

  template <class Tx>
  MAGPIE_INLINE cause prepare(Tx& tx) {
    if (lock_all(tx)) return cause::none;
    end_irrevocable(tx);
    return cause::stolen;
  }

  /// Acq_rel: no reader whose claims stand sees the writes that follow, where readers look by loads.
  template <class Tx>
  MAGPIE_INLINE void order_writes(Tx& tx) {
    if constexpr (counts_publications) publish_number(tx);
    if (looks_at_claims && !looks_by_exchange() && !breaks(mutant::no_fence_before_write)) fence_acqrel_dev();
    if constexpr (counts_publications) {
      if (breaks(mutant::publication_after_fence)) red_add_rlx_dev(publications(tx), std::uint64_t{1});
    }
  }

  /// Release: the writes, and the reads under these claims, before the words that free them.
  template <class Tx>
  MAGPIE_INLINE void publish(Tx& tx) {
    if (!breaks(mutant::no_release_fence)) fence_acqrel_dev();
    unlock_all(tx, ~0u);
    end_irrevocable(tx);
  }

  template <class Tx>
  MAGPIE_INLINE bool abandon(Tx& tx, bool cancels) {
    undo(tx, 0, false);
    order_before_give_back(cancels);
    if (tx.is_irrevocable()) fence_acqrel_dev();  // what was read under its locks, before these are freed
    bool stood = true;
    tx.each_object([&](std::uint32_t i) { stood = give_back(tx, i) && stood; });
    undo(tx, 0, true);
    if (tx.is_irrevocable()) fence_acqrel_dev();  // the last claim by the top rank, before the token is
    end_irrevocable(tx);
    return stood;
  }
  template <class Tx>
  MAGPIE_INLINE bool abandon_inner(Tx& tx, std::uint32_t first, bool cancels) {
    const std::uint32_t first_write = tx.written_before_inner();
    undo(tx, first_write, false);
    order_before_give_back(cancels);
    bool stood = true;
    for (std::uint32_t i = first; i < tx.opened(); ++i) stood = give_back(tx, i) && stood;
    undo(tx, first_write, true);
    if constexpr (has_mutants) {
      if (this->locked_early_ > first) this->locked_early_ = first;
    }
    return stood;
  }

  /// Whether every claim held still stands.
  template <class Tx>
  MAGPIE_INLINE bool intact(const Tx& tx) const {
    bool all = true;
    if constexpr (!Policy::locks_at_open) {
      if (is_eager()) return true;
      tx.each_object([&](std::uint32_t i) {
        all = all && tx.noted(i, is_locked_early(tx, i) || Policy::intact(tx.log().word(i), tx.claim_rank()));
      });
    }
    return all;
  }

  /// See "Irrevocable attempts".
  template <class Tx>
  MAGPIE_INLINE cause become_irrevocable(Tx& tx) {
    if (!breaks(mutant::irrevocable_without_token)) {
      std::uint32_t* const token = token_of(tx);
      if (const cause why = Policy::claim(tx, token); why != cause::none) return why;
      if (!Policy::lock(token, tx.claim_rank())) return cause::stolen;
    }
    if (breaks(mutant::irrevocable_unlocked) || lock_all(tx)) return cause::none;
    free_token(tx);
    return cause::stolen;
  }

  template <class Tx>
  MAGPIE_INLINE void end_item(Tx& tx) {
    remembered_.withdraw_all(tx.rank());
  }
  template <class Tx>
  MAGPIE_INLINE void end_thread(Tx&) {}

  MAGPIE_INLINE bool ends_at_locks() const { return is_eager(); }
  /// Whether the present attempt, or the last one, is an eager one.
  MAGPIE_INLINE bool was_eager() const { return eager_; }
  MAGPIE_INLINE typename Policy::registrations& remembered() { return remembered_; }

  /// Whether the commit locks object i.
  template <class Tx>
  MAGPIE_INLINE static bool is_to_lock(const Tx& tx, std::uint32_t i) {
    if constexpr (Policy::has_versions) {
      return Policy::is_to_lock(tx, i);
    }
    if (breaks(mutant::last_object_not_locked)) return i + 1 != tx.opened();
    if (breaks(mutant::reads_not_locked)) return tx.written() == 0 || tx.writes_to(i);
    return true;
  }

  /// Only a mutant does so: locks the outer objects before an inner transaction.
  template <class Tx>
  MAGPIE_INLINE void lock_outer(Tx& tx) {
    if constexpr (!Policy::locks_at_open) {
      if (is_eager()) return;
      if constexpr (has_mutants) {
        for (std::uint32_t& i = this->locked_early_; i < tx.opened() && !tx.failed(); ++i) {
          if (!Policy::lock(at(tx, i), tx.rank())) return tx.fail(cause::stolen);
        }
      }
    }
  }

 private:
  /// Exchanges that are under way at once where the objects do not fit a mask.
  static constexpr std::uint32_t together = 4;

  /// Whether it is by exchanges: see "Opacity". In regions of few objects, whose attempts are eager at first, so that few of
  /// them look at all. Where others look at versions, commits need the fence anyhow.
  static constexpr bool has_exchanges = [] {
    if constexpr (looks_at_claims && Policy::has_eager_attempts && !Policy::has_versions && Log::fits_mask &&
                  !Log::indexes_objects) {
      return Log::most_objects <= Policy::most_eager_objects;
    } else {
      return false;
    }
  }();
  /// The same; a mutant that breaks an order of looks by loads has these.
  MAGPIE_INLINE static bool looks_by_exchange() {
    return has_exchanges && !breaks(mutant::no_fence_before_write) && !breaks(mutant::relaxed_reads);
  }

  /// Whether the attempt locks at `open`.
  MAGPIE_INLINE bool is_eager() const { return Policy::locks_at_open || (Policy::has_eager_attempts && eager_); }

  /// What such an attempt's `open` does; `cause::none` on success.
  template <class Tx>
  MAGPIE_INLINE cause try_lock(Tx& tx, std::uint32_t* word) {
    while (!try_take(tx, word)) {
      if (!breaks(mutant::eager_waits)) return cause::locked;
      if (tx.stopping()) return cause::stopped;
    }
    return cause::none;
  }

  template <class Tx>
  MAGPIE_INLINE static std::uint64_t* publications(const Tx& tx) {
    return tx.launch().statistics + counter::publications;
  }

  /// What the policy's steps take for object i: its word, or that with its datum.
  template <class Tx>
  MAGPIE_INLINE static auto at(const Tx& tx, std::uint32_t i) {
    if constexpr (Log::holds_data) {
      return typename Policy::place{tx.log().word(i), tx.log().datum(i)};
    } else {
      return tx.log().word(i);
    }
  }

  // ---- Fused cells.

  /// Takes the object with its datum.
  template <class Tx>
  MAGPIE_INLINE cause open_cell(Tx& tx, std::uint32_t* word) {
    std::uint32_t datum = 0;
    if (is_eager()) {
      if (!Policy::try_lock(word, datum)) return cause::locked;
    } else if (const cause why = Policy::claim(tx, word, datum); why != cause::none) {
      return why;
    }
    tx.log().set_datum(tx.opened(), datum);
    return cause::none;
  }
  /// Whether `p` is the datum in the cell of object `place`.
  template <class Tx>
  MAGPIE_INLINE static bool is_datum(const Tx& tx, std::uint32_t place, const void* p) {
    if constexpr (Log::fits_mask) {  // no index at run time: it would keep the log out of registers
      bool is = false;
      tx.each_object([&](std::uint32_t i) { is = is || (i == place && tx.log().word(i) - 1 == p); });
      return is;
    } else {
      return tx.log().word(place) - 1 == p;
    }
  }
  /// It came with the object, by a step that acquires: nothing is loaded.
  template <class Tx, class T>
  MAGPIE_INLINE cause read_datum(Tx& tx, std::uint32_t place, T& value, sighting& version) {
    version = tx.template look<Reads == reads::validated>(place);
    if constexpr (recording) has_read_ = true;  // the version
    if (Reads == reads::validated && !is_eager() && !breaks(mutant::no_validation) && !still_intact(tx)) {
      return cause::stolen;
    }
    value = __builtin_bit_cast(T, tx.log().datum(place));
    return cause::none;
  }

  /// The launch's token, a word like those of objects. Regions of fused cells have no irrevocable attempts.
  template <class Tx>
  MAGPIE_INLINE static std::uint32_t* token_of(const Tx& tx) {
    return reinterpret_cast<std::uint32_t*>(tx.launch().statistics + counter::irrevocable);
  }
  /// Relaxed: a release fence stands before, unless nothing was claimed by the top rank.
  template <class Tx>
  MAGPIE_INLINE static void free_token(const Tx& tx) {
    if (breaks(mutant::token_kept) || breaks(mutant::irrevocable_without_token)) return;
    if constexpr (!Log::holds_data) Policy::unlock(token_of(tx));
  }
  /// The attempt ends. Behind a release fence, and the last claim by the top rank.
  template <class Tx>
  MAGPIE_INLINE static void end_irrevocable(const Tx& tx) {
    if constexpr (Tx::may_become_irrevocable) {
      if (tx.is_irrevocable()) free_token(tx);
    }
  }

  /// Says that a commit has all its locks and is about to write. Release: the locks before the addition.
  template <class Tx>
  MAGPIE_INLINE void publish_number(const Tx& tx) {
    if (breaks(mutant::publication_uncounted) || breaks(mutant::publication_after_fence)) return;
    if (!breaks(mutant::publication_before_locks)) fence_acqrel_dev();
    red_add_rlx_dev(publications(tx), std::uint64_t{1});
  }

  /// Whether nothing that was read so far has been written since.
  template <class Tx>
  MAGPIE_INLINE bool still_intact(const Tx& tx) {
    if constexpr (has_exchanges) {
      if (!looks_by_exchange()) return intact(tx);
      fence_acqrel_dev();  // release: what was read, before the words
      bool all = true;
      tx.each_object([&](std::uint32_t i) {  // all of them, so that the exchanges are under way at once
        const bool stands = tx.noted(i, is_locked_early(tx, i) || Policy::stands(at(tx, i), tx.claim_rank()));
        all = all && stands;
      });
      return all;
    } else if constexpr (counts_publications) {
      const std::uint64_t now = ld_acq_dev(publications(tx));  // before the words
      if (now == this->looked_at_) return true;
      if (!intact(tx)) return false;
      this->looked_at_ = now;
      return true;
    } else {
      return intact(tx);
    }
  }

  /// Where policies write in place: puts back what the writes from `first` on replaced, before the objects are given back. Only a
  /// mutant does so `late`, after that.
  template <class Tx>
  MAGPIE_INLINE static void undo([[maybe_unused]] Tx& tx, [[maybe_unused]] std::uint32_t first,
                                 [[maybe_unused]] bool late) {
    if constexpr (Policy::writes_in_place) {
      if (late == breaks(mutant::release_before_undo)) tx.undo_writes(first);
    }
  }

  /// Before objects are given back uncommitted. What was put back in place, the next holder reads. A cancel rests on what was
  /// read, and no commit looks at it again: it stands if every claim could be given back, because all of them stood when the
  /// first one was. That look is by read-modify-writes: a load could still see a claim whose thief has ended, and reads of the
  /// thief's writes. Validated reads under claims are before the exchanges, by acquire loads or the fence of a look; others need
  /// the fence, which the next claimant acquires: those under locks whatever the verdict, because a region may rely on them while
  /// it runs; unvalidated ones for a cancel. Where writes are in place these need it too: the next holder's may never commit, and no
  /// read is to return them.
  MAGPIE_INLINE void order_before_give_back(bool cancels) const {
    if constexpr (Policy::writes_in_place) {
      if (this->has_written_ && breaks(mutant::no_fence_after_undo)) return;
      if (this->has_written_ || has_read_) return fence_acqrel_dev();
    }
    const bool rests_on_order =
        Reads == reads::validated ? is_eager() && has_read_ : cancels && !breaks(mutant::cancel_unchecked);
    if (rests_on_order) fence_acqrel_dev();
  }

  // ---- One object each, so that a mutant can leave it out.

  /// Whether object i was locked before the commit: when the attempt became irrevocable.
  template <class Tx>
  MAGPIE_INLINE bool is_locked_early(const Tx& tx, [[maybe_unused]] std::uint32_t i) const {
    if constexpr (has_mutants) {
      if (i < this->locked_early_) return true;
    }
    return tx.is_locked(i);
  }
  template <class Tx>
  MAGPIE_INLINE bool lock(const Tx& tx, std::uint32_t i) {
    return tx.noted(i, !is_to_lock(tx, i) || is_locked_early(tx, i) || Policy::lock(at(tx, i), tx.claim_rank()));
  }
  template <class Tx>
  MAGPIE_INLINE static void free(const Tx& tx, std::uint32_t i) {
    if constexpr (passes_lines) {
      Policy::unlock(at(tx, i), true);
    } else {
      Policy::unlock(at(tx, i));
    }
  }
  template <class Tx>
  MAGPIE_INLINE void unlock(const Tx& tx, std::uint32_t i) {
    if (is_eager() || is_to_lock(tx, i)) return free(tx, i);
    give_claim_back(tx, i);
  }
  /// Whether the claim still stood.
  template <class Tx>
  MAGPIE_INLINE bool give_back(const Tx& tx, std::uint32_t i) {
    if (!is_eager() && !is_locked_early(tx, i)) return give_claim_back(tx, i) || breaks(mutant::cancel_unchecked);
    if (!is_eager() || !breaks(mutant::eager_lock_kept)) free(tx, i);
    return true;
  }
  template <class Tx>
  MAGPIE_INLINE static bool give_claim_back(const Tx& tx, std::uint32_t i) {
    if constexpr (Policy::locks_at_open) {
      return true;  // there are no claims
    } else {
      return tx.noted(i, Policy::give_back(at(tx, i), tx.claim_rank()));
    }
  }

  /// Locks every opened object; if one was stolen, leaves nothing claimed and gives false.
  template <class Tx>
  MAGPIE_INLINE bool lock_all(const Tx& tx) {
    if constexpr (!Policy::locks_at_open) return is_eager() || lock_claims(tx);
    return true;
  }
  template <class Tx>
  MAGPIE_INLINE bool lock_claims(const Tx& tx) {
    const Log& log = tx.log();
    if constexpr (Log::fits_mask) {
      // All exchanges under way at once, also past one that fails: holders never wait, so a lock taken for nothing delays
      // others for a step and no more.
      std::uint32_t locked = 0;
      MAGPIE_UNROLL
      for (std::uint32_t i = 0; i < log.object_capacity(); ++i) {
        if (i < tx.opened() && lock(tx, i)) locked |= 1u << i;
      }
      if (popcount(locked) == tx.opened()) return true;
      unlock_all(tx, locked);  // the others were stolen
    } else {
      const std::uint32_t count = tx.opened();
      for (std::uint32_t first = 0; first < count; first += together) {
        std::uint32_t locked = 0;
        MAGPIE_UNROLL
        for (std::uint32_t k = 0; k < together; ++k) {
          if (first + k < count && lock(tx, first + k)) locked |= 1u << k;
        }
        const std::uint32_t wanted = count - first < together ? count - first : together;
        if (popcount(locked) == wanted) continue;
        for (std::uint32_t i = 0; i < first; ++i) unlock(tx, i);
        for (std::uint32_t k = 0; k < wanted; ++k) {  // the others of these were stolen
          if ((locked >> k & 1u) != 0) unlock(tx, first + k);
        }
        for (std::uint32_t i = first + wanted; i < count; ++i) give_back(tx, i);
        return false;
      }
      return true;
    }
    return false;
  }

  /// Frees the locked objects; where the log fits a mask, those of `which`.
  template <class Tx>
  MAGPIE_INLINE void unlock_all(const Tx& tx, std::uint32_t which) {
    tx.each_object([&](std::uint32_t i) {
      if (!Log::fits_mask || (which >> i & 1u) != 0) unlock(tx, i);
    });
  }

  typename Policy::registrations remembered_;
  bool eager_ = false;
  bool has_read_ = false;  ///< by relaxed loads, which claims are not looked at after
};

}  // namespace stm

MAGPIE_NAMESPACE_END
