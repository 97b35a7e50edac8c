/// @file
/// Policy `optimistic_hand_off`: the first attempts of an item leave what they read to others and look at versions; those
/// after them claim, as under `hand_off`.
///
/// Layer: stm, a protocol of its own over versions.cuh's idea and claims.cuh's code.
///
/// Shared state: one tracking word per object, as in hand_off.cuh; and one version per object, 32 bits, which lies behind all
/// words as far as `objects::policy` says. Writer of a version: the holder of the lock alone, which raises it by 1 when it
/// writes the object. Within one attempt of another it wraps after 2^32 commits.
///
/// Protocol. An eager attempt
/// - opens by version, and fails at a lock; it goes past a claim, since whoever claims writes nothing before locking;
/// - reads without a trace, and looks at all it opened: not locked by others, and the same version;
/// - locks at a write what nobody has, claimed or locked, if the version is still the same, and waits for nothing;
/// - at commit looks once more at what it opened and did not lock. If it wrote nothing it has nothing to do. In regions that
///   have an `apply` it locks all that it opened before that, and raises the versions of all.
/// Attempts that claim are those of claims.cuh, and raise versions as well. At commit they lock what they write, and look once
/// more at their claims on the rest: a claim keeps writers out, but not eager attempts that read. So transactions that only
/// read one object do not meet there, while an item that goes on losing gets through as under `hand_off`.
///
/// Orders. A commit locks, fence, raises versions and writes, fence, frees. An eager attempt loads the datum, acquire, then the
/// word, acquire, then the version, relaxed. Who sees a written datum sees the lock or, with the word freed, the raised
/// version; all steps on words are read-modify-writes, so that a word that was taken and given back since says the same.
///
/// The fence after the locks is sequentially consistent in every commit that writes, of either kind. Of two commits that look at
/// what the other locks one then sees the lock. And let R look at an object, find it as it was, or its claim on it standing, and
/// write another; let W then lock that object and write it, and let E read what W wrote: E must find R's lock or version. R's
/// fence stands before its look, W's after the lock that the look missed, so that R's comes first; what E acquired from W then
/// includes R's lock. It is not enough that R has such a fence, also where W looks at nothing any more because it locked all it
/// opened. A commit that writes nothing makes do with its last validated read; without, with an acq_rel fence and a look.
///
/// Opacity: as in versions.cuh for eager attempts, in claims.cuh for others. A commit that writes an object of which an attempt has
/// a claim got it from whoever stole that claim, by any chain, and has such a fence; so a claim that is gone is not seen any more by
/// who has seen what came of it, be it by way of an object that nobody locked. `reads::unvalidated` reads relaxed and looks
/// at commit or cancel alone.
/// Real time: as in versions.cuh.
///
/// Progress: as under `hand_off`: of the attempts that give none there are finitely many, none of them waits while it holds a
/// lock, and a lock that they hold is left as soon as they end. The model has both kinds side by side (`VERSIONS` in
/// verification/src/main/promela; with sequentially consistent accesses, without lanes and rounds).
///
/// Cost, uncontended, in an eager attempt: two loads per open, two per open and unlocked object per validated read, one after the
/// other as the first acquires, so that reads take a time quadratic in the objects; a compare-exchange and a load per object
/// written; a sequentially consistent fence and another, if it writes, and two more with long logs. Under claims an exchange per
/// open and per object written, an operation per object at the end. 8 bytes per object.
#pragma once

#include "magpie/stm/detail/claims.cuh"
#include "magpie/stm/detail/hand_off.cuh"
#include "magpie/stm/detail/log.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

struct optimistic_hand_off;

/// What `opened_version::more` says of an opened object, above the distance of its version.
namespace opened_by_version {
inline constexpr std::uint32_t to_write = 0x80000000u;
inline constexpr std::uint32_t held = 0x40000000u;  ///< locked by an eager attempt
inline constexpr std::uint32_t distance_bits = held - 1;
}  // namespace opened_by_version

template <class Log, reads Reads, bool Applies>
class versions_then_claims {
  using steps = hand_off;
  using later = claims<optimistic_hand_off, Log, Reads>;

 public:
  static constexpr bool takes_several = false;

  template <class Tx>
  MAGPIE_INLINE void begin(Tx& tx, bool eager) {
    eager_ = eager;
    held_ = 0;
    claims_.begin(tx, false);
  }

  template <class Tx>
  MAGPIE_INLINE cause open(Tx& tx, std::uint32_t distance, std::uint32_t* word) {
    if (!eager_) {
      tx.log().version(tx.opened()) = {0, distance | (Applies ? opened_by_version::to_write : 0)};
      return claims_.open(tx, distance, word);
    }
    const bool acquire = !breaks(mutant::relaxed_claim);
    const std::uint32_t* const version = objects::version_of(word, distance);
    const std::uint32_t seen = acquire ? ld_acq_dev(version) : ld_rlx_dev(version);
    const std::uint32_t owner = acquire ? ld_acq_dev(word) : ld_rlx_dev(word);
    if ((owner & steps::lock_bit) != 0 && !breaks(mutant::steal_ignores_lock)) return cause::locked;
    tx.log().version(tx.opened()) = {seen, distance};
    return cause::none;
  }

  template <class Tx, class T>
  MAGPIE_INLINE cause read(Tx& tx, std::uint32_t place, const T* p, T& value, sighting& version) {
    if (!eager_) return claims_.read(tx, place, p, value, version);
    tx.traces_read(place);
    if constexpr (Reads == reads::validated) {
      const bool acquire = !breaks(mutant::relaxed_reads);
      const T seen = acquire ? ld_acq_dev(p) : ld_rlx_dev(p);  // acquire: before the words below
      version = acquire ? tx.template look<true>(place) : tx.template look<false>(place);
      if (!breaks(mutant::no_validation) && !stands(tx)) return cause::stolen;
      value = seen;
    } else {
      value = ld_rlx_dev(p);
      version = tx.template look<false>(place);
    }
    return cause::none;
  }
  MAGPIE_INLINE void reads_unlooked() {}

  template <class Tx>
  MAGPIE_INLINE cause write(Tx& tx, std::uint32_t place) {
    tx.log().version(place).more |= opened_by_version::to_write;
    return !eager_ || is_held(tx, place) ? cause::none : lock(tx, place);
  }

  template <class Tx>
  MAGPIE_INLINE cause prepare(Tx& tx) {
    if (!eager_) return prepare_claims(tx);
    cause why = cause::none;
    if constexpr (Applies) {
      for (std::uint32_t i = 0; i < tx.opened() && why == cause::none; ++i) {
        if (!is_held(tx, i)) why = lock(tx, i);
      }
    }
    if (why == cause::none && held_ == 0) {  // it only read
      if (Reads == reads::validated) return cause::none;
      fence_acqrel_dev();
      return stands(tx) ? cause::none : cause::stolen;
    }
    if (why == cause::none) {
      fence_after_locks();
      if (!breaks(mutant::reads_not_locked) && !stands(tx)) why = cause::stolen;
    }
    if (why != cause::none) release(tx, 0);
    return why;
  }

  /// The locks before the versions and the writes; with long logs before the number of the commit, and that before these.
  template <class Tx>
  MAGPIE_INLINE void order_writes(Tx& tx) {
    if (held_ == 0) return;
    if constexpr (later::counts_publications) claims_.order_writes(tx);
    if (breaks(mutant::version_kept)) return;
    tx.each_object([&](std::uint32_t i) {
      if (!(Applies || is_written(tx, i)) || (eager_ && !is_held(tx, i))) return;
      std::uint32_t* const version = version_of(tx, i);
      const std::uint32_t old = eager_ ? tx.log().version(i).seen : ld_rlx_dev(version);
      st_rlx_dev(version, old + 1);
    });
  }

  template <class Tx>
  MAGPIE_INLINE void publish(Tx& tx) {
    if (!eager_) return claims_.publish(tx);
    if (held_ == 0) return;
    if (!breaks(mutant::no_release_fence)) fence_acqrel_dev();
    release(tx, 0);
  }

  template <class Tx>
  MAGPIE_INLINE bool abandon(Tx& tx, bool cancels) {
    return eager_ ? abandon_inner(tx, 0, cancels) : claims_.abandon(tx, cancels);
  }
  /// A cancel rests on what was read: validated reads held at the last of them. What is locked nobody has written, and what
  /// was read of it was read before the exchanges that give it back: by acquire loads, or, unvalidated, by loads that nothing
  /// rests on.
  template <class Tx>
  MAGPIE_INLINE bool abandon_inner(Tx& tx, std::uint32_t first, bool cancels) {
    if (!eager_) return claims_.abandon_inner(tx, first, cancels);
    bool stood = true;
    if (Reads == reads::unvalidated && cancels && !breaks(mutant::cancel_unchecked)) {
      fence_acqrel_dev();
      stood = stands(tx);
    }
    if (!breaks(mutant::eager_lock_kept)) release(tx, first);
    return stood;
  }

  template <class Tx>
  MAGPIE_INLINE bool intact(const Tx& tx) const {
    return eager_ ? stands(tx) : claims_.intact(tx);
  }

  template <class Tx>
  MAGPIE_INLINE void end_item(Tx& tx) {
    claims_.end_item(tx);
  }
  template <class Tx>
  MAGPIE_INLINE void end_thread(Tx&) {}

  MAGPIE_INLINE bool ends_at_locks() const { return eager_; }
  MAGPIE_INLINE bool was_eager() const { return eager_; }
  MAGPIE_INLINE auto& remembered() { return claims_.remembered(); }

  /// Only a mutant does so.
  template <class Tx>
  MAGPIE_INLINE void lock_outer(Tx& tx) {
    if (!eager_) claims_.lock_outer(tx);
  }

 private:
  template <class Tx>
  MAGPIE_INLINE static std::uint32_t* version_of(const Tx& tx, std::uint32_t i) {
    return objects::version_of(tx.log().word(i), tx.log().version(i).more & opened_by_version::distance_bits);
  }
  template <class Tx>
  MAGPIE_INLINE static bool is_held(const Tx& tx, std::uint32_t i) {
    return (tx.log().version(i).more & opened_by_version::held) != 0;
  }
  template <class Tx>
  MAGPIE_INLINE static bool is_written(const Tx& tx, std::uint32_t i) {
    return (tx.log().version(i).more & opened_by_version::to_write) != 0;
  }
  template <class Tx>
  MAGPIE_INLINE static bool has_its_version(const Tx& tx, std::uint32_t i) {
    return ld_rlx_dev(version_of(tx, i)) == tx.log().version(i).seen;
  }

  /// Between the last lock of a commit and its first version: see "Orders".
  MAGPIE_INLINE static void fence_after_locks() {
    if (breaks(mutant::weak_fence_after_locks)) return fence_acqrel_dev();
    if (!breaks(mutant::no_fence_before_write)) fence_sc_dev();
  }

  /// The commit of an attempt that claims: locks what it writes, and looks once more at its claims on the rest. Of these
  /// none comes back once it is gone, so that all that stand stood together.
  template <class Tx>
  MAGPIE_INLINE cause prepare_claims(Tx& tx) {
    if (const cause why = claims_.prepare(tx); why != cause::none) return why;
    tx.each_object([&](std::uint32_t i) { held_ += later::is_to_lock(tx, i) ? 1 : 0; });
    if (held_ == 0) {  // it only read
      if (Reads == reads::validated) return cause::none;
      fence_acqrel_dev();
    } else {
      fence_after_locks();
    }
    bool all = true;
    tx.each_object([&](std::uint32_t i) {
      all = all && tx.noted(i, later::is_to_lock(tx, i) || steps::intact(tx.log().word(i), tx.rank()));
    });
    if (all || breaks(mutant::reads_not_locked)) return cause::none;
    claims_.publish(tx);  // of what it wrote nothing was written yet
    return cause::stolen;
  }

  /// Of an eager attempt: whether nobody has written what it opened, or is about to. The word, acquire, before the
  /// version: not locked, and the old version after that, means that whoever locks it does so later. The caller orders it
  /// after its data loads, or after its locks.
  template <class Tx>
  MAGPIE_INLINE static bool stands(const Tx& tx) {
    bool all = true;
    tx.each_object([&](std::uint32_t i) {
      if (is_held(tx, i)) return;
      const bool is_free = (ld_acq_dev(tx.log().word(i)) & steps::lock_bit) == 0 || breaks(mutant::steal_ignores_lock);
      all = all && tx.noted(i, is_free) && tx.noted(i, has_its_version(tx, i));
    });
    return all;
  }

  /// Locks object i if nobody has it and nobody wrote it since it was opened. Acquire: whoever wrote it last raised its
  /// version before.
  template <class Tx>
  MAGPIE_INLINE cause lock(Tx& tx, std::uint32_t i) {
    std::uint32_t* const word = tx.log().word(i);
    if (!tx.noted(i, steps::try_lock(word))) return cause::locked;
    if (breaks(mutant::lock_unchecked)) {
      tx.log().version(i).seen = ld_rlx_dev(version_of(tx, i));
    } else if (!tx.noted(i, has_its_version(tx, i))) {
      steps::unlock(word);
      return cause::stolen;
    }
    tx.log().version(i).more |= opened_by_version::held;
    ++held_;
    return cause::none;
  }

  /// Frees what an eager attempt locked of the places from `first` on.
  template <class Tx>
  MAGPIE_INLINE void release(Tx& tx, std::uint32_t first) {
    if (held_ == 0) return;
    for (std::uint32_t i = first; i < tx.opened(); ++i) {
      if (!is_held(tx, i)) continue;
      steps::unlock(tx.log().word(i));
      tx.log().version(i).more &= ~opened_by_version::held;
      --held_;
    }
  }

  later claims_;
  std::uint32_t held_ = 0;  ///< locks: of an eager attempt, or of a commit that claimed
  bool eager_ = false;
};

struct optimistic_hand_off : hand_off {
  template <class Log, reads Reads, bool Applies>
  using protocol = versions_then_claims<Log, Reads, Applies>;

  /// Of an attempt that claims: whether its commit locks object i.
  template <class Tx>
  MAGPIE_INLINE static bool is_to_lock(const Tx& tx, std::uint32_t i) {
    if (breaks(mutant::last_object_not_locked) && i + 1 == tx.opened()) return false;
    return (tx.log().version(i).more & opened_by_version::to_write) != 0;
  }

  static constexpr std::uint32_t tag = 10;
  static constexpr bool has_fused_cells = false;
  static constexpr bool has_versions = true;
  static constexpr bool versions_apart = true;
  static constexpr std::uint32_t default_eager_attempts = 256;
  static constexpr std::uint32_t most_eager_objects = 256;  // reads keep nobody out
  static constexpr std::uint32_t longest_eager_pause = 0;
  static constexpr bool has_irrevocable = false;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
