/// @file
/// Policy `coarse_lock`: one lock for all objects of a launch, the yardstick that GPU-STM (Xu et al., CGO 2014) is measured
/// by.
///
/// Layer: stm policy, with its own protocol; kept for comparison.
///
/// Shared state: the lock, `counter::coarse_lock` of the launch, 0 = free. Writers: any thread by compare-exchange from 0,
/// acquire; the holder by a store of 0 after its fence. The objects' words are marked by the holder, relaxed, and say after
/// a fault whose data are suspect; nothing else looks at them.
///
/// Protocol. The first `open` of an attempt takes the lock, or fails: it does not wait, because the holder may be another lane
/// of its warp. All data are read and written under the lock, relaxed: the lock's acquire and the fence before its release
/// order them. An attempt that opens nothing takes no lock. So every region is opaque here, and a cancel stands.
///
/// Progress: in any launch the holder ends, as it waits for nothing; so there is no livelock, unless a region makes one by
/// itself. No single item is promised an end: others may take the lock whenever it tries. A thread that stops with the lock
/// stops all.
///
/// Cost: a compare-exchange and a store for an attempt, two stores without an answer for an object. Nothing runs at the same
/// time as anything else.
#pragma once

#include "magpie/stm/detail/history.cuh"
#include "magpie/stm/detail/log.cuh"
#include "magpie/stm/detail/mutants.cuh"
#include "magpie/stm/detail/policy.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

class one_lock {
 public:
  static constexpr bool takes_several = false;

  template <class Tx>
  MAGPIE_INLINE void begin(Tx&, bool) {
    holds_ = false;
  }

  template <class Tx>
  MAGPIE_INLINE cause open(Tx& tx, std::uint32_t, std::uint32_t* word) {
    if (!holds_ && !take(tx)) return cause::locked;
    st_rlx_dev(word, policy_traits::lock_bit);
    return cause::none;
  }

  /// Who has the lock cannot fail.
  template <class Tx>
  MAGPIE_INLINE cause become_irrevocable(Tx& tx) {
    return holds_ || take(tx) ? cause::none : cause::locked;
  }

  template <class Tx, class T>
  MAGPIE_INLINE cause read(Tx& tx, std::uint32_t place, const T* p, T& value, sighting& version) {
    tx.traces_read(place);
    value = ld_rlx_dev(p);
    version = tx.template look<false>(place);
    return cause::none;
  }
  MAGPIE_INLINE void reads_unlooked() {}

  template <class Tx>
  MAGPIE_INLINE cause write(Tx&, std::uint32_t) {
    return cause::none;
  }
  template <class Tx>
  MAGPIE_INLINE cause prepare(Tx&) {
    return cause::none;
  }
  template <class Tx>
  MAGPIE_INLINE void order_writes(Tx&) {}

  template <class Tx>
  MAGPIE_INLINE void publish(Tx& tx) {
    release(tx);
  }
  template <class Tx>
  MAGPIE_INLINE bool abandon(Tx& tx, bool) {
    if (!breaks(mutant::eager_lock_kept)) release(tx);
    return true;
  }
  template <class Tx>
  MAGPIE_INLINE bool abandon_inner(Tx& tx, std::uint32_t first, bool) {
    if (first == 0) {
      release(tx);
    } else {
      for (std::uint32_t i = first; i < tx.opened(); ++i) st_rlx_dev(tx.log().word(i), policy_traits::unclaimed);
    }
    return true;
  }
  template <class Tx>
  MAGPIE_INLINE bool intact(const Tx&) const {
    return true;
  }
  template <class Tx>
  MAGPIE_INLINE void end_item(Tx&) {}
  template <class Tx>
  MAGPIE_INLINE void end_thread(Tx&) {}

  /// Who has the lock meets nobody.
  MAGPIE_INLINE bool ends_at_locks() const { return false; }

 private:
  template <class Tx>
  MAGPIE_INLINE static std::uint64_t* lock_of(const Tx& tx) {
    return tx.launch().statistics + counter::coarse_lock;
  }

  /// Takes the lock if it is free; whether it did. Acquire.
  template <class Tx>
  MAGPIE_INLINE bool take(const Tx& tx) {
    std::uint64_t* const lock = lock_of(tx);
    const std::uint64_t seen = breaks(mutant::relaxed_claim) ? cas_rlx_dev(lock, std::uint64_t{0}, std::uint64_t{1})
                                                             : cas_acq_dev(lock, std::uint64_t{0}, std::uint64_t{1});
    if (seen != 0 && !breaks(mutant::steal_ignores_lock)) return false;
    holds_ = true;
    return true;
  }

  /// Release: what was read and written before the word that frees it, also where nothing was committed: relaxed reads could
  /// otherwise be of what the next holder writes.
  template <class Tx>
  MAGPIE_INLINE void release(Tx& tx) {
    if (!holds_) return;
    tx.each_object([&](std::uint32_t i) { st_rlx_dev(tx.log().word(i), policy_traits::unclaimed); });
    if (!breaks(mutant::no_release_fence)) fence_acqrel_dev();
    st_rlx_dev(lock_of(tx), std::uint64_t{0});
    holds_ = false;
  }

  bool holds_ = false;
};

struct coarse_lock : policy_traits {
  template <class Log, reads Reads, bool Applies>
  using protocol = one_lock;

  static constexpr std::uint32_t tag = 4;
  static constexpr bool has_irrevocable = true;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
