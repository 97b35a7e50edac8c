/// @file
/// Policy `pr_stm`: versions for what is read, marks by priority and then locks for what is written (Shen et al., Euro-Par
/// 2015; thesis, section 2.3.3).
///
/// Layer: stm policy with its own protocol, over the steps of priority_rule.cuh on one word; kept for comparison.
///
/// Shared state: one tracking word per object, as in priority_rule.cuh: a mark or a lock with the priority of its owner; and
/// one version per object, 32 bits, which lies behind all words, as far as `objects::policy` says: published versions of 8 to 11 bits
/// wrap within one attempt of another. Writer of a version: the holder of the lock alone.
///
/// Protocol. `open` takes the version and fails at a lock; a read leaves no trace; a write is logged. The commit
/// 1. looks at all versions,
/// 2. marks every object to be written, if it is unmarked or marked by a lower priority, and fails at locks and higher ones,
/// 3. locks those whose marks still stand, and fails if one was taken,
/// 4. looks at everything again, versions and locks of others: without, two commits that read what the other writes both
///    pass (write skew). The published ports leave this out,
/// 5. raises the versions of what it locked, writes, and frees the words.
///
/// Orders. A reader loads a version, acquire, then the word, then the datum, acquire, then the version again, relaxed. A writer
/// locks, fence, raises the version, fence, writes, fence, frees. Who sees a raised version sees the lock, or the word freed and
/// with it all that was written; who sees a written datum sees the raised version. Step 4 stands after a sequentially
/// consistent fence, so that of two commits that lock and look at each other's objects one sees the other's lock; it looks at
/// the word, acquire, before the version: not locked, and the old version after that, means that whoever locks it does so later.
/// Reads look in the same way: at versions alone, a transaction that only reads could come after a commit that saw its locks
/// stand, and before that commit raised them.
///
/// Opacity: after each read all versions are those under which the objects were opened, or the attempt ends. Regions with
/// `reads::unvalidated` are looked at in steps 1 and 4 alone, as published.
/// Real time: as in versions.cuh.
///
/// Progress: none guaranteed, as under priority_rule: the victim of a stolen mark may hold a lock that the thief needs, and both
/// give way. Bound the attempts.
///
/// Cost, uncontended: two loads per open, two per open object per validated read, a load and two compare-exchanges and an
/// exchange per object written, three fences. 8 bytes per object.
#pragma once

#include "magpie/stm/detail/history.cuh"
#include "magpie/stm/detail/log.cuh"
#include "magpie/stm/detail/priority_rule.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

template <class Log, reads Reads, bool Applies>
class marks_and_versions {
  using steps = priority_rule;

 public:
  static constexpr bool takes_several = false;

  template <class Tx>
  MAGPIE_INLINE void begin(Tx&, bool) {
    has_locks_ = false;
  }

  template <class Tx>
  MAGPIE_INLINE cause open(Tx& tx, std::uint32_t distance, std::uint32_t* word) {
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
    tx.traces_read(place);
    if constexpr (Reads == reads::validated) {
      const bool acquire = !breaks(mutant::relaxed_reads);
      const T seen = acquire ? ld_acq_dev(p) : ld_rlx_dev(p);  // acquire: before the versions below
      version = acquire ? tx.template look<true>(place) : tx.template look<false>(place);
      if (!breaks(mutant::no_validation) && !intact(tx)) return cause::stolen;
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
    tx.log().version(place).more |= to_write;
    return cause::none;
  }

  template <class Tx>
  MAGPIE_INLINE cause prepare(Tx& tx) {
    if (!Applies && tx.written() == 0) {
      if (Reads == reads::validated) return cause::none;
      fence_acqrel_dev();
      return intact(tx) ? cause::none : cause::stolen;
    }
    if (Reads == reads::unvalidated) fence_acqrel_dev();
    if (!intact(tx)) return cause::stolen;
    for (std::uint32_t i = 0; i < tx.opened(); ++i) {
      if (!is_to_lock(tx, i)) continue;
      const cause why = steps::claim(tx, tx.log().word(i));
      if (why == cause::none) continue;
      tx.meets_at(i);
      give_marks_back(tx, 0, i);
      return why;
    }
    for (std::uint32_t i = 0; i < tx.opened(); ++i) {
      if (!is_to_lock(tx, i) || steps::lock(tx.log().word(i), tx.rank())) continue;
      tx.meets_at(i);
      unlock(tx, i);
      give_marks_back(tx, i, tx.opened());
      return cause::stolen;
    }
    if (breaks(mutant::weak_fence_after_locks)) {
      fence_acqrel_dev();
    } else if (!breaks(mutant::no_fence_before_write)) {
      fence_sc_dev();
    }
    has_locks_ = breaks(mutant::reads_not_locked) || stands(tx);
    if (has_locks_) return cause::none;
    unlock(tx, tx.opened());
    return cause::stolen;
  }

  /// The locks stand before a fence already. Raised versions before the writes.
  template <class Tx>
  MAGPIE_INLINE void order_writes(Tx& tx) {
    if (!has_locks_) return;
    if (!breaks(mutant::version_kept)) {
      tx.each_object([&](std::uint32_t i) {
        if (is_to_lock(tx, i)) st_rlx_dev(version_of(tx, i), tx.log().version(i).seen + 1);
      });
    }
    if (!breaks(mutant::no_fence_before_write)) fence_acqrel_dev();
  }

  template <class Tx>
  MAGPIE_INLINE void publish(Tx& tx) {
    if (!has_locks_) return;
    if (!breaks(mutant::no_release_fence)) fence_acqrel_dev();
    unlock(tx, tx.opened());
  }

  template <class Tx>
  MAGPIE_INLINE bool abandon(Tx& tx, bool cancels) {
    return abandon_inner(tx, 0, cancels);
  }
  /// Nothing is marked before the commit. A cancel rests on what was read: validated reads held at the last of them.
  template <class Tx>
  MAGPIE_INLINE bool abandon_inner(Tx& tx, std::uint32_t, bool cancels) {
    if (Reads == reads::validated || !cancels || breaks(mutant::cancel_unchecked)) return true;
    fence_acqrel_dev();
    return intact(tx);
  }

  /// Whether all objects have the versions under which they were opened, and nobody is about to write one: a commit that holds
  /// a lock comes before all that see it. While nothing is locked here; the caller orders it after its data loads.
  template <class Tx>
  MAGPIE_INLINE bool intact(const Tx& tx) const {
    bool all = true;
    tx.each_object(
        [&](std::uint32_t i) { all = all && tx.noted(i, is_free(tx, i)) && tx.noted(i, has_its_version(tx, i)); });
    return all;
  }

  template <class Tx>
  MAGPIE_INLINE void end_item(Tx&) {}
  template <class Tx>
  MAGPIE_INLINE void end_thread(Tx&) {}
  MAGPIE_INLINE bool ends_at_locks() const { return false; }

 private:
  /// In `opened_version::more`, above the distance.
  static constexpr std::uint32_t to_write = 0x80000000u;

  template <class Tx>
  MAGPIE_INLINE static std::uint32_t* version_of(const Tx& tx, std::uint32_t i) {
    return objects::version_of(tx.log().word(i), tx.log().version(i).more & ~to_write);
  }
  template <class Tx>
  MAGPIE_INLINE static bool has_its_version(const Tx& tx, std::uint32_t i) {
    return ld_rlx_dev(version_of(tx, i)) == tx.log().version(i).seen;
  }

  /// Acquire: before its version.
  template <class Tx>
  MAGPIE_INLINE static bool is_free(const Tx& tx, std::uint32_t i) {
    return (ld_acq_dev(tx.log().word(i)) & steps::lock_bit) == 0;
  }

  template <class Tx>
  MAGPIE_INLINE static bool is_to_lock(const Tx& tx, std::uint32_t i) {
    if (breaks(mutant::last_object_not_locked) && i + 1 == tx.opened()) return false;
    return Applies || (tx.log().version(i).more & to_write) != 0;
  }

  /// After the locks: nobody has written what was opened, and nobody else is about to.
  template <class Tx>
  MAGPIE_INLINE static bool stands(const Tx& tx) {
    bool all = true;
    tx.each_object([&](std::uint32_t i) {
      all = all && (is_to_lock(tx, i) || tx.noted(i, is_free(tx, i))) && tx.noted(i, has_its_version(tx, i));
    });
    return all;
  }

  /// Frees what is locked of the first `count` objects.
  template <class Tx>
  MAGPIE_INLINE static void unlock(const Tx& tx, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (is_to_lock(tx, i)) steps::unlock(tx.log().word(i));
    }
  }
  /// Gives back the marks on objects from `first` up to `last`, those that a thief has left alone.
  template <class Tx>
  MAGPIE_INLINE static void give_marks_back(const Tx& tx, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
      if (is_to_lock(tx, i)) steps::give_back(tx.log().word(i), tx.rank());
    }
  }

  bool has_locks_ = false;  ///< this attempt; what it was to write may be undone since
};

struct pr_stm : policy_traits {
  template <class Log, reads Reads, bool Applies>
  using protocol = marks_and_versions<Log, Reads, Applies>;

  static constexpr std::uint32_t tag = 8;
  static constexpr std::uint32_t unclaimed = priority_rule::unclaimed;
  static constexpr std::uint32_t lock_bit = priority_rule::lock_bit;
  static constexpr bool has_versions = true;
  static constexpr bool versions_apart = true;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
