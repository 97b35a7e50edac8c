/// @file
/// Pools: slots of an array that transactions take for what they make, and free for the next launch.
///
/// Layer: stm, used by transaction and region; a host writes `pool` into the launch's arguments. A region that uses
/// pools has a field `stm::pool<i>` for each, numbered from 0, and declares
///
///     static constexpr std::uint32_t max_slots[] = {2, 1};   // of pool 0, pool 1: the most one transaction reserves
///
/// In `plan` (or in the body of a region without one) `tx.reserve(pool, n)` makes sure that n more slots are at hand,
/// best before the first `open`: the trip to the shared counter then holds up nobody. `tx.take(pool)` gives one of
/// them; with slots enough reserved `apply` may take too, and cannot fail. A slot taken is the transaction's at its
/// commit; at a roll back, also of an inner transaction, it is at hand again. `tx.free(pool, slot)`, in `apply` or in
/// the hook `committed`, gives up a slot of the array.
///
/// What a slot is. Just a number in [0, capacity), which the region uses as index of object and data. At any time a
/// slot is free (recycled or never used), at hand with one thread, or live: taken by a commit, or in use from the
/// beginning. Between launches none is at hand: threads return what is left when the kernel ends.
///
/// Who may see a slot that is being filled. Nobody finds it through the data: what refers to it is written by the same
/// commit. But a reference from an earlier life may be about: in the worklist, or in what was read by `peek` or by an
/// unvalidated region. Two rules make such stale readers harmless.
/// - The transaction opens a taken slot in `plan` like any object, before it fills it. Whoever opens the slot by a stale
///   reference then sees its state before or after the fill, never between; the claim may be lost to a higher rank like
///   any other, and the attempt rolls back. A commit that frees a slot holds it locked until the end, and leaves its word
///   unclaimed: between two lives a slot's word is like any other.
/// - A freed slot is taken again in the next launch at the earliest. A reference read within a launch therefore names
///   the same thing, or its remains, until the launch's end: no slot changes its role under an attempt, also where reads
///   are not validated. Only items of a worklist outlive launches; the region checks what it finds at one of those.
///
/// A slot that nothing stale can name, as of a pool of which nothing is ever freed, does not have to be opened: rolled back
/// attempts have written nothing to it, or in place have undone what they wrote, and other transactions learn of it by the
/// commit alone.
///
/// Shared state: `counter::pools + 2 i`, places handed out, and `+ 1`, slots returned, in the launch's statistics:
/// relaxed additions, which carry no data; `pool::slots`, read-only; `control::returned[i]`, each word written once by
/// whoever returned that slot, by a plain store, and read after the launch only. With `returned[i] == slots + recycled`
/// the host needs to move only as many words as places were handed out to close the gap between launches.
///
/// A slot that is freed twice, or was not live, would be handed out twice. Nothing is written beyond
/// `control::returned_room[i]` for it, but it is counted. The host refuses the launch when more slots came back than were
/// live or handed out; in checked builds also when one of them comes twice or was free before. What is free is then not
/// known any more, and the pool is lost.
///
/// Limits: 2^31 slots; up to `counter::most_pools` pools in a region. Cost: max_slots registers and two more per pool (in
/// local memory above 4 slots); refills of the lanes that are here together take one addition; a failed attempt takes none.
/// More slots than one transaction needs make refills rarer.
///
/// Progress: a thread that finds too few slots keeps those it has and ends its item with `cause::no_slot`: deferred in
/// rounds, else unfinished. The first refill that the supply cannot meet still gets all that is left, so the supply
/// fails nobody while it has as many slots as a thread keeps. Those at hand with other threads are not available to it
/// before the next launch: a pool is large enough if it has max_slots spare ones for each thread in flight.
#pragma once

#include "magpie/parallel/append.cuh"
#include "magpie/stm/detail/history.cuh"
#include "magpie/stm/detail/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// Pool number `Index` of a region.
template <std::uint32_t Index>
struct pool {
  static_assert(Index < counter::most_pools, "a region has at most counter::most_pools pools");

  const std::uint32_t* slots;  ///< free slots that were live before
  std::uint32_t recycled;      ///< their number: place p of this launch's supply is slots[recycled - 1 - p], and then
  std::uint32_t first_fresh;   ///< first_fresh + (p - recycled), below
  std::uint32_t capacity;      ///< slots of the pool
  std::uint32_t reserved;      ///< 0
};
static_assert(sizeof(pool<0>) == 24);

/// How many pools a region uses, and how many slots of each a thread keeps at most.
template <class Region>
inline constexpr std::uint32_t pools_of = 0;
template <class Region>
  requires requires { Region::max_slots; }
inline constexpr std::uint32_t pools_of<Region> = sizeof(Region::max_slots) / sizeof(Region::max_slots[0]);

/// Slots of one pool at hand with one thread. The last `taken` are those of the present attempt.
template <std::uint32_t Most>
class slots_at_hand {
 public:
  MAGPIE_INLINE std::uint32_t left() const { return count_ - taken_; }
  MAGPIE_INLINE std::uint32_t count() const { return count_; }
  MAGPIE_INLINE std::uint32_t taken() const { return taken_; }
  MAGPIE_INLINE std::uint32_t at(std::uint32_t i) const {
    if constexpr (Most <= in_registers) {
      std::uint32_t slot = none;
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < Most; ++k) {
        if (k == i) slot = slots_[k];
      }
      return slot;
    } else {
      return i < Most ? slots_[i] : none;
    }
  }
  MAGPIE_INLINE void add(std::uint32_t slot) {
    if constexpr (Most <= in_registers) {
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < Most; ++k) {
        if (k == count_) slots_[k] = slot;
      }
    } else {
      slots_[count_] = slot;
    }
    ++count_;
  }
  /// `none` if nothing is left.
  MAGPIE_INLINE std::uint32_t take() {
    if (left() == 0) return none;
    ++taken_;
    return at(count_ - taken_);
  }
  /// An attempt begins, or undoes all but the first `taken`.
  MAGPIE_INLINE void untake(std::uint32_t taken) { taken_ = taken; }
  /// A freed slot takes the place of those taken: what a mutant does.
  MAGPIE_INLINE void reuse(std::uint32_t slot) {
    settle();
    add(slot);
  }
  /// The attempt committed: what it took is no longer at hand.
  MAGPIE_INLINE void settle() {
    count_ -= taken_;
    taken_ = 0;
  }

  static constexpr std::uint32_t most = Most;
  static constexpr std::uint32_t none = ~0u;

 private:
  static constexpr std::uint32_t in_registers = 4;

  std::uint32_t slots_[Most] = {};
  std::uint32_t count_ = 0;
  std::uint32_t taken_ = 0;
};

/// How many of the slots that a recording gives its item an attempt has taken. Takes no room where nothing is recorded.
template <bool Recording>
struct given_slots {
  MAGPIE_INLINE std::uint32_t taken() const { return taken_; }
  MAGPIE_INLINE void take() { ++taken_; }

  std::uint32_t taken_ = 0;
};
template <>
struct given_slots<false> {
  MAGPIE_INLINE std::uint32_t taken() const { return 0; }
  MAGPIE_INLINE void take() {}
};

/// The pools of a region without any: takes no room.
struct no_pools {
  struct position {};

  MAGPIE_INLINE no_pools(const thread&, const control&) {}
  MAGPIE_INLINE void begin() {}
  MAGPIE_INLINE position mark() const { return {}; }
  MAGPIE_INLINE void cut(position) {}
  MAGPIE_INLINE void settle() {}
  MAGPIE_INLINE void give_back_all(const control&) {}

  template <class... Given>
  MAGPIE_INLINE bool reserve(const Given&...) {
    return require_slots<Given...>();
  }
  template <class... Given>
  MAGPIE_INLINE std::uint32_t take(const Given&...) {
    return require_slots<Given...>();
  }
  template <class... Given>
  MAGPIE_INLINE void free(const Given&...) {
    require_slots<Given...>();
  }

 private:
  template <class... Given>
  static constexpr bool require_slots() {
    static_assert(sizeof...(Given) == 0,
                  "a region declares for each of its pools how many slots a transaction reserves at most: "
                  "static constexpr std::uint32_t max_slots[] = {1} for pool<0>, {1, 2} for pool<0> and pool<1>");
    return false;
  }
};

/// What a thread has at hand of a region's pools, pool `Index` and those after it. Per thread; refills use the lanes
/// present.
template <class Region, std::uint32_t Index>
class pool_caches {
 public:
  static constexpr std::uint32_t most = Region::max_slots[Index];
  static_assert(most > 0, "max_slots of a pool is at least 1");
  using rest_type = std::conditional_t<(Index + 1 < pools_of<Region>), pool_caches<Region, Index + 1>, no_pools>;

  /// How many slots of each pool an attempt took up to some point.
  struct position {
    std::uint32_t taken;
    [[no_unique_address]] given_slots<recording> given;
    [[no_unique_address]] typename rest_type::position rest;
  };

  MAGPIE_INLINE pool_caches(const thread& self, const control& c) : self_(self), rest_(self, c) {}

  MAGPIE_INLINE void begin() {
    if (breaks(mutant::slots_leak_on_abort)) mine_.settle();
    mine_.untake(0);
    given_ = {};
    rest_.begin();
  }
  MAGPIE_INLINE position mark() const { return {mine_.taken(), given_, rest_.mark()}; }
  MAGPIE_INLINE void cut(const position& to) {
    mine_.untake(to.taken);
    given_ = to.given;
    rest_.cut(to.rest);
  }
  MAGPIE_INLINE void settle() {
    mine_.settle();
    rest_.settle();
  }

  /// Whether n more slots are at hand, after a look at the supply if need be. Those that `recorded` gives are.
  template <std::uint32_t I>
  MAGPIE_INLINE bool reserve(const control& c, const pool<I>& from, std::uint32_t n,
                             [[maybe_unused]] const recorder& recorded) {
    if constexpr (I != Index) {
      return rest_.reserve(c, from, n, recorded);
    } else {
      if constexpr (recording) n -= recorded.given_beyond(Index, given_.taken(), n);
      if (mine_.left() >= n) return true;
#if MAGPIE_CHECKS_BOUNDS
      if (mine_.taken() + n > most) misuse_fault("reserves more slots of a pool than its max_slots");
#endif
      std::uint64_t* const handed_out = c.statistics + counter::pools + 2 * Index;
      const std::uint64_t supply = std::uint64_t{from.recycled} + from.capacity - from.first_fresh;
      if (ld_rlx_dev(handed_out) >= supply) return false;
      const std::uint32_t wanted = most - mine_.count();
      const std::uint64_t place = append<most>(self_, handed_out, wanted);
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < most; ++k) {
        if (k < wanted && place + k < supply) mine_.add(slot_at(from, place + k));
      }
      return mine_.left() >= n;
    }
  }

  template <std::uint32_t I>
  MAGPIE_INLINE std::uint32_t take(const pool<I>& from, [[maybe_unused]] const recorder& recorded) {
    if constexpr (I != Index) {
      return rest_.take(from, recorded);
    } else {
      if constexpr (recording) {
        const std::uint32_t given = recorded.given_slot(Index, given_.taken());
        if (given != recorder::no_slot) {
          given_.take();
          return given;
        }
      }
#if MAGPIE_CHECKS_BOUNDS
      if (mine_.left() == 0) misuse_fault("takes a slot that it did not reserve");
#endif
      return mine_.take();
    }
  }

  template <std::uint32_t I>
  MAGPIE_INLINE void free(const control& c, const pool<I>& to, std::uint32_t slot) {
    if constexpr (I != Index) {
      rest_.free(c, to, slot);
    } else {
#if MAGPIE_CHECKS_BOUNDS
      if (slot >= to.capacity) bounds_fault(slot, to.capacity, to.slots);
#endif
      if (breaks(mutant::slot_reused_in_launch)) {
        if (mine_.left() < most) return mine_.reuse(slot);
      }
      put(c, append(self_, c.statistics + counter::pools + 2 * Index + 1), slot);
    }
  }

  /// At the kernel's end.
  MAGPIE_INLINE void give_back_all(const control& c) {
    if (mine_.count() > 0) {
      const std::uint64_t place = append<most>(self_, c.statistics + counter::pools + 2 * Index + 1, mine_.count());
      for (std::uint32_t k = 0; k < mine_.count(); ++k) put(c, place + k, mine_.at(k));
    }
    rest_.give_back_all(c);
  }

 private:
  /// A returned slot goes to its place.
  MAGPIE_INLINE static void put(const control& c, std::uint64_t place, std::uint32_t slot) {
    if (place < c.returned_room[Index]) st_plain(c.returned[Index] + place, slot);
  }

  template <std::uint32_t I>
  MAGPIE_INLINE static std::uint32_t slot_at(const pool<I>& from, std::uint64_t place) {
    if (place < from.recycled) return ld_plain(from.slots + from.recycled - 1 - place);
    return from.first_fresh + static_cast<std::uint32_t>(place - from.recycled);
  }

  [[no_unique_address]] thread self_;
  slots_at_hand<most> mine_;
  [[no_unique_address]] given_slots<recording> given_;
  [[no_unique_address]] rest_type rest_;
};

/// What a thread has at hand of a region's pools.
template <class Region>
struct pools_for {
  using type = no_pools;
};
template <class Region>
  requires(pools_of<Region> > 0)
struct pools_for<Region> {
  using type = pool_caches<Region, 0>;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
