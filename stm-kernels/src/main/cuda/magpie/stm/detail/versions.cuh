/// @file
/// The protocol of policies that open an object by its version, leave it to others, and look again.
///
/// Layer: stm, used by the transaction; `Policy` says by constants (`version_traits`) what it does of that.
///
/// Shared state: one tracking word per object, `version << 1 | locked`. Writers: whoever locks it, by compare-exchange from
/// the version under which it was opened; then its holder alone: to the next version after a commit's fence, or by a
/// read-modify-write back to the same version; where writes are in place, to the next version after an undo too. A version says
/// that nobody has written since: it wraps after 2^31 commits, or such undos, that write one object within one attempt of
/// another, a minute at one in 30 ns. Where there is a clock
/// (`counter::clock`) versions are its times, the host fills all words before a launch, and they do not wrap.
///
/// Orders. `open` loads the word, acquire: it takes over what the commit of that version wrote. The data of others are read
/// acquire, and all words looked at after that, relaxed. Locks are relaxed: their compare-exchange finds the word as `open`
/// did, or fails; where values are compared they acquire, as they may find another version. After the last lock stands a
/// sequentially consistent fence, and after that comes the look at what was not locked: two commits that read what the other
/// writes have each locked before the fence and look after it, so that one of them sees the other's lock. An acq_rel fence would
/// let both miss it (store buffering), and so would a look before the locks: write skew. The same fence stands before the first
/// write. A fence before the first release is release for the data. Words that are given back unchanged are so by
/// read-modify-writes, which go on with the release sequence of the commit before: a store without a fence would end it.
///
/// Opacity. After each read all objects opened so far still have the versions under which they were opened, and no lock but
/// the attempt's own, or the attempt ends: the data are of one state, that at the time of the look. A commit that wrote what
/// was read has locked it before a fence before it wrote. `reads::unvalidated` reads relaxed and looks at commit or cancel
/// alone, after a fence. In regions with validated reads an attempt that writes nothing has nothing to do at its end: it
/// holds as of its last read. Where there is a clock, a read looks at its own object alone if its version is not younger
/// than the clock at the last look at all of them (hierarchical.cuh).
///
/// In place. Where writes are in place, a write locks its object, and a fence stands before its first store: whoever reads, acquire,
/// what was stored, or what was put back for it, finds the lock, or a later version, when it looks. An attempt that fails puts
/// back what was there, and frees what it locked behind a fence under the next version. Under the old one, who read before the undo
/// and looks after it would find what it expects. Unvalidated reads look as well, at their own object.
///
/// Real time. What a commit locks it finds by read-modify-writes, and so as the last one left it. What it only reads is
/// looked at by loads: where nothing orders two attempts for each other, as the end of one and the beginning of the other
/// do on one machine's clock, the later may be placed before the earlier.
///
/// `apply` writes any opened object without saying so beforehand: regions that have an `apply` lock all that they open.
///
/// Cost: one load per open; each validated read looks at one word per open object, also in long transactions.
#pragma once

#include "magpie/stm/detail/history.cuh"
#include "magpie/stm/detail/log.cuh"
#include "magpie/stm/detail/mutants.cuh"
#include "magpie/stm/detail/policy.cuh"
#include "magpie/stm/detail/value_log.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// What a policy over versions does; each says what it does otherwise.
struct version_traits : policy_traits {
  static constexpr std::uint32_t claim_bits = lock_bit;
  static constexpr bool has_versions = true;
  /// A write locks its object; else the commit does.
  static constexpr bool locks_at_write = false;
  /// The commit locks all that was opened; else what is written.
  static constexpr bool locks_reads = false;
  /// The commit locks in the order of the words' addresses.
  static constexpr bool sorts_locks = false;
  /// Versions are times of a clock.
  static constexpr bool has_clock = false;
  /// Counts how many of the objects that commits read they write, too.
  static constexpr bool counts_visibility = false;
};

template <class Policy, class Log, reads Reads, bool Applies>
class versions {
 public:
  static constexpr bool takes_several = false;

  template <class Tx>
  MAGPIE_INLINE void begin(Tx& tx, bool) {
    held_ = 0;
    if constexpr (Policy::has_clock) {
      snapshot_ = ld_acq_dev(clock_of(tx));
      values_.clear();
      by_value_ = false;
      values_lost_ = false;
    }
  }

  template <class Tx>
  MAGPIE_INLINE cause open(Tx& tx, std::uint32_t, std::uint32_t* word) {
    const std::uint32_t seen = breaks(mutant::relaxed_claim) ? ld_rlx_dev(word) : ld_acq_dev(word);
    if ((seen & Policy::lock_bit) != 0 && !breaks(mutant::steal_ignores_lock)) return cause::locked;
    tx.log().version(tx.opened()) = {seen & ~Policy::lock_bit, 0};
    return cause::none;
  }

  template <class Tx, class T>
  MAGPIE_INLINE cause read(Tx& tx, std::uint32_t place, const T* p, T& value, sighting& version) {
    tx.traces_read(place);
    if constexpr (Policy::counts_visibility) {
      if (!is_own_write_alone(tx, place, p)) tx.log().version(place).more |= was_read;
    }
    if constexpr (Reads == reads::validated) {
      const bool acquire = !breaks(mutant::relaxed_reads);
      const T seen = acquire ? ld_acq_dev(p) : ld_rlx_dev(p);  // acquire: before the words below
      version = acquire ? tx.template look<true>(place) : tx.template look<false>(place);
      if constexpr (Policy::has_clock) values_.add(p, seen, place);
      if (!breaks(mutant::no_validation) && !still_intact(tx, place, version)) return cause::stolen;
      value = seen;
    } else if constexpr (Policy::writes_in_place) {
      const T seen = breaks(mutant::relaxed_reads) ? ld_rlx_dev(p) : ld_acq_dev(p);
      version = tx.template look<true>(place);
      if (!breaks(mutant::no_validation) && !tx.noted(place, is_intact(tx, place))) return cause::stolen;
      value = seen;
    } else {
      value = ld_rlx_dev(p);
      version = tx.template look<false>(place);
      if constexpr (Policy::has_clock) values_.add(p, value, place);
    }
    return cause::none;
  }
  MAGPIE_INLINE void reads_unlooked() {}

  template <class Tx>
  MAGPIE_INLINE cause write(Tx& tx, std::uint32_t place) {
    tx.log().version(place).more |= to_write;
    if constexpr (Policy::locks_at_write) {
      if (!is_held(tx, place)) {
        const cause why = lock(tx, place);
        if constexpr (Policy::writes_in_place) {
          if (why == cause::none && !breaks(mutant::no_fence_before_write)) fence_acqrel_dev();
        }
        return why;
      }
    }
    return cause::none;
  }

  template <class Tx>
  MAGPIE_INLINE cause prepare(Tx& tx) {
    if (!locks_any(tx)) {
      if (Reads == reads::validated) return cause::none;
      fence_acqrel_dev();
      return stands(tx) ? cause::none : cause::stolen;
    }
    cause why = lock_all(tx);
    if (why == cause::none) {
      if (breaks(mutant::weak_fence_after_locks)) {
        fence_acqrel_dev();
      } else if (!breaks(mutant::no_fence_before_write)) {
        fence_sc_dev();
      }
      if (!breaks(mutant::reads_not_locked) && !stands(tx)) why = cause::stolen;
    }
    if (why != cause::none) release(tx, 0, 0);
    return why;
  }

  /// The locks stand before a fence already. The time of a commit comes after its locks, for those who read the clock, and
  /// before its writes, for those who compare values.
  template <class Tx>
  MAGPIE_INLINE void order_writes(Tx& tx) {
    if constexpr (Policy::has_clock) {
      if (held_ == 0) return;
      time_ = static_cast<std::uint32_t>(add_rlx_dev(clock_of(tx), std::uint64_t{1})) + 1;
      fence_acqrel_dev();
    }
  }

  template <class Tx>
  MAGPIE_INLINE void publish(Tx& tx) {
    if constexpr (Policy::counts_visibility) count_visibility(tx);
    if (held_ == 0) return;
    if (!breaks(mutant::no_release_fence)) fence_acqrel_dev();
    tx.each_object([&](std::uint32_t i) {
      if (!is_held(tx, i)) return;
      std::uint32_t* const word = tx.log().word(i);
      const std::uint32_t old = tx.log().version(i).seen & ~Policy::lock_bit;
      if (!(Applies || is_written(tx, i)) || breaks(mutant::version_kept)) {
        red_and_rlx_dev(word, ~Policy::lock_bit);
      } else if constexpr (Policy::has_clock) {
        st_rlx_dev(word, time_ << 1);
      } else {
        st_rlx_dev(word, old + 2);
      }
    });
    held_ = 0;
  }

  template <class Tx>
  MAGPIE_INLINE bool abandon(Tx& tx, bool cancels) {
    return give_up(tx, 0, 0, cancels);
  }
  template <class Tx>
  MAGPIE_INLINE bool abandon_inner(Tx& tx, std::uint32_t first, bool cancels) {
    return give_up(tx, first, tx.written_before_inner(), cancels);
  }

  /// Whether all objects are as they were opened, and locked by nobody else.
  template <class Tx>
  MAGPIE_INLINE bool intact(const Tx& tx) const {
    bool all = !values_lost_;
    tx.each_object([&](std::uint32_t i) { all = all && tx.noted(i, is_intact(tx, i)); });
    return all;
  }

  template <class Tx>
  MAGPIE_INLINE void end_item(Tx&) {}
  template <class Tx>
  MAGPIE_INLINE void end_thread(Tx& tx) {
    if constexpr (Policy::counts_visibility) {
      std::uint64_t* const counters = tx.launch().statistics;
      if (objects_read_ != 0) add_for_host(counters + counter::objects_read, objects_read_);
      if (of_them_written_ != 0) add_for_host(counters + counter::objects_read_and_written, of_them_written_);
    }
    if constexpr (Policy::has_clock) values_.flush(tx.launch().statistics);
  }

  MAGPIE_INLINE bool ends_at_locks() const { return held_ != 0; }

 private:
  // In `opened_version::more`, above an order of locks.
  static constexpr std::uint32_t to_write = 0x80000000u;
  static constexpr std::uint32_t was_read = 0x40000000u;
  static constexpr std::uint32_t order_bits = 0x3fffffffu;

  /// Gives back the places from `first` on, and undoes the writes from `first_write` on. A cancel rests on what was read: validated
  /// reads held at the last of them.
  template <class Tx>
  MAGPIE_INLINE bool give_up(Tx& tx, std::uint32_t first, std::uint32_t first_write, bool cancels) {
    bool stood = true;
    if (Reads == reads::unvalidated && cancels && !breaks(mutant::cancel_unchecked)) {
      fence_acqrel_dev();
      stood = stands(tx);
    }
    if (!breaks(mutant::eager_lock_kept)) release(tx, first, first_write);
    if constexpr (Policy::has_clock) values_.cut(first);
    return stood;
  }

  template <class Tx>
  MAGPIE_INLINE static std::uint64_t* clock_of(const Tx& tx) {
    return tx.launch().statistics + counter::clock;
  }

  /// Whether the attempt locked object i.
  template <class Tx>
  MAGPIE_INLINE static bool is_held(const Tx& tx, std::uint32_t i) {
    return (tx.log().version(i).seen & Policy::lock_bit) != 0;
  }
  template <class Tx>
  MAGPIE_INLINE static bool is_written(const Tx& tx, std::uint32_t i) {
    return (tx.log().version(i).more & to_write) != 0;
  }
  /// Whether a read of `p` is of the attempt's own write, where those are in place, and nothing else of the object was read: with a
  /// log such a read does not come here, and leaves the object unread.
  template <class Tx>
  MAGPIE_INLINE static bool is_own_write_alone([[maybe_unused]] const Tx& tx, [[maybe_unused]] std::uint32_t place,
                                               [[maybe_unused]] const void* p) {
    if constexpr (Policy::writes_in_place) {
      return (tx.log().version(place).more & was_read) == 0 && is_held(tx, place) && tx.has_written(p);
    }
    return false;
  }
  /// Relaxed: the caller orders it after its data loads, or after its locks.
  template <class Tx>
  MAGPIE_INLINE static bool is_intact(const Tx& tx, std::uint32_t i) {
    const std::uint32_t now = ld_rlx_dev(tx.log().word(i));
    const std::uint32_t seen = tx.log().version(i).seen;
    if (breaks(mutant::steal_ignores_lock)) return ((now ^ seen) & ~Policy::lock_bit) == 0;
    return now == seen;
  }

  /// Whether what was read up to now, last a datum of object `place`, is of one state.
  template <class Tx>
  MAGPIE_INLINE bool still_intact(Tx& tx, [[maybe_unused]] std::uint32_t place, [[maybe_unused]] sighting& version) {
    if constexpr (Policy::has_clock) {
      if (is_intact(tx, place) && tx.log().version(place).seen >> 1 <= snapshot_) {
        values_.skipped();
        return true;
      }
      const std::uint64_t now = ld_acq_dev(clock_of(tx));  // before the words
      if (intact(tx)) {
        snapshot_ = now;
        return true;
      }
      return holds_by_value(tx, [&] { version = tx.template look<true>(place); });
    } else {
      return intact(tx);
    }
  }
  template <class Tx>
  MAGPIE_INLINE bool stands(Tx& tx) {
    if constexpr (Policy::has_clock) {
      return (!by_value_ && intact(tx)) || holds_by_value(tx, [] {});
    } else {
      return intact(tx);
    }
  }

  /// Whether all data that were read are as they were, under versions of whatever number, which the log then has. The
  /// clock is the same before and after, so that nobody wrote between: who has a time up to it has locks that the
  /// acquiring load shows, and who takes one later does so before a fence before its writes. `look` is done between.
  template <class Tx, class Look>
  MAGPIE_INLINE bool holds_by_value(Tx& tx, Look&& look) {
    for (std::uint32_t turn = 0; compares_values && turn < most_turns && !values_.overflowed(); ++turn) {
      values_.compared();
      const std::uint64_t now = ld_acq_dev(clock_of(tx));
      bool free = true;
      tx.each_object([&](std::uint32_t i) {
        if (is_held(tx, i)) return;
        const std::uint32_t word = ld_acq_dev(tx.log().word(i));
        free = free && tx.noted(i, (word & Policy::lock_bit) == 0);
        tx.log().version(i).seen = word & ~Policy::lock_bit;
      });
      if (!free || !values_.hold(tx)) break;
      tx.each_object([&](std::uint32_t i) { tx.revise(i); });
      look();
      if (ld_acq_dev(clock_of(tx)) != now) continue;
      by_value_ = false;
      snapshot_ = now;
      values_.saved();
      return true;
    }
    values_lost_ = true;  // the log has versions by now that were not read
    return false;
  }

  // ---- Locks.

  template <class Tx>
  MAGPIE_INLINE bool locks_any(const Tx& tx) const {
    return Applies || Policy::locks_reads || tx.written() != 0 || held_ != 0;
  }
  template <class Tx>
  MAGPIE_INLINE bool is_to_lock(const Tx& tx, std::uint32_t i) const {
    if (is_held(tx, i) || (breaks(mutant::last_object_not_locked) && i + 1 == tx.opened())) return false;
    return Applies || Policy::locks_reads || is_written(tx, i);
  }
  template <class Tx>
  MAGPIE_INLINE cause lock(Tx& tx, std::uint32_t i) {
    std::uint32_t* const word = tx.log().word(i);
    std::uint32_t& seen = tx.log().version(i).seen;
    const auto exchange = [&] {
      // Acquire where another version may be locked: values of it are compared.
      return Policy::has_clock ? cas_acq_dev(word, seen, seen | Policy::lock_bit)
                               : cas_rlx_dev(word, seen, seen | Policy::lock_bit);
    };
    std::uint32_t found = breaks(mutant::lock_unchecked) ? or_rlx_dev(word, Policy::lock_bit) : exchange();
    if (breaks(mutant::lock_unchecked)) seen = found & ~Policy::lock_bit;
    if constexpr (compares_values) {
      while (found != seen && (found & Policy::lock_bit) == 0) {  // the values decide
        by_value_ = true;
        seen = found;
        found = exchange();
      }
    }
    if (!tx.noted(i, found == seen)) return (found & Policy::lock_bit) != 0 ? cause::locked : cause::stolen;
    seen |= Policy::lock_bit;
    ++held_;
    return cause::none;
  }
  template <class Tx>
  MAGPIE_INLINE cause lock_all(Tx& tx) {
    if constexpr (Policy::sorts_locks) sort(tx);
    cause why = cause::none;
    for (std::uint32_t k = 0; k < tx.opened() && why == cause::none; ++k) {
      const std::uint32_t i = Policy::sorts_locks ? order(tx, k) : k;
      if (is_to_lock(tx, i)) why = lock(tx, i);
    }
    return why;
  }
  /// Gives back what is locked of the places from `first` on: as it was, or where writes from `first_write` on were in place, and are
  /// undone, under the next version.
  template <class Tx>
  MAGPIE_INLINE void release(Tx& tx, std::uint32_t first, [[maybe_unused]] std::uint32_t first_write) {
    if (held_ == 0) return;
    if constexpr (Policy::writes_in_place) {
      if (!breaks(mutant::release_before_undo)) tx.undo_writes(first_write);
      if (!breaks(mutant::no_fence_after_undo)) fence_acqrel_dev();
    }
    for (std::uint32_t i = first; i < tx.opened(); ++i) {
      if (!is_held(tx, i)) continue;
      if (Policy::writes_in_place && !breaks(mutant::undo_keeps_version)) {
        st_rlx_dev(tx.log().word(i), (tx.log().version(i).seen & ~Policy::lock_bit) + 2);
      } else {
        red_and_rlx_dev(tx.log().word(i), ~Policy::lock_bit);
      }
      tx.log().version(i).seen &= ~Policy::lock_bit;
      --held_;
    }
    if constexpr (Policy::writes_in_place) {
      if (breaks(mutant::release_before_undo)) tx.undo_writes(first_write);
    }
  }

  // The k-th place in the order of words.
  template <class Tx>
  MAGPIE_INLINE static std::uint32_t order(const Tx& tx, std::uint32_t k) {
    return tx.log().version(k).more & order_bits;
  }
  template <class Tx>
  MAGPIE_INLINE static void set_order(Tx& tx, std::uint32_t k, std::uint32_t place) {
    std::uint32_t& more = tx.log().version(k).more;
    more = (more & ~order_bits) | place;
  }
  /// Shell's method: no memory but the log's.
  template <class Tx>
  MAGPIE_INLINE static void sort(Tx& tx) {
    const std::uint32_t n = tx.opened();
    for (std::uint32_t k = 0; k < n; ++k) set_order(tx, k, k);
    if (breaks(mutant::locks_unsorted)) return;
    for (std::uint32_t gap = n / 2; gap > 0; gap /= 2) {
      for (std::uint32_t k = gap; k < n; ++k) {
        const std::uint32_t place = order(tx, k);
        const std::uint32_t* const word = tx.log().word(place);
        std::uint32_t at = k;
        for (; at >= gap && tx.log().word(order(tx, at - gap)) > word; at -= gap) {
          set_order(tx, at, order(tx, at - gap));
        }
        set_order(tx, at, place);
      }
    }
  }

  template <class Tx>
  MAGPIE_INLINE void count_visibility(const Tx& tx) {
    tx.each_object([&](std::uint32_t i) {
      if ((tx.log().version(i).more & was_read) == 0) return;
      ++objects_read_;
      of_them_written_ += is_written(tx, i);
    });
  }

  /// Whether values decide where versions have changed. Not where a region applies: it may have read what it opened by
  /// other means than `read`, and versions know.
  static constexpr bool compares_values = Policy::has_clock && !Applies;
  /// Bound of comparisons by value that others' commits may disturb.
  static constexpr std::uint32_t most_turns = 4;

  struct nothing {};

  std::uint32_t held_ = 0;  ///< locks of this attempt
  std::uint32_t time_ = 0;  ///< of the commit, where there is a clock
  std::uint64_t snapshot_ = 0;
  bool by_value_ = false;     ///< versions have changed: values decide
  bool values_lost_ = false;  ///< and have
  // Before a member that is aligned: where it is empty, nvcc places it as if it had a byte (claims.cuh).
  [[no_unique_address]] std::conditional_t<Policy::has_clock, value_log, nothing> values_;
  std::uint64_t objects_read_ = 0;
  std::uint64_t of_them_written_ = 0;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
