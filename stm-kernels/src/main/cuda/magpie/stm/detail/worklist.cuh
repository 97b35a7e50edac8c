/// @file
/// Rounds: what a launch is given of the work that earlier launches left, and where its own new work goes.
///
/// Layer: stm, used by transaction and region; a host writes `worklist` into the launch's `control`. A region takes part
/// that declares
///
///     static constexpr std::uint32_t max_pushes = n;   // most items that one transaction pushes, 0 if none
///
/// A run in rounds is a sequence of launches, each over a list of items: first those that the launch before deferred,
/// with the ranks they had, then the new ones. It ends when a launch leaves nothing.
///
/// Pushes. `tx.push(item)` keeps the item with the transaction; the retry loop appends it to the list of the next launch
/// once the attempt has committed and released everything. So a failed attempt pushes nothing, each push of a commit
/// is made once, and a pushed item never runs in the launch that pushed it: it runs after a kernel's end, and sees the
/// whole commit that pushed it.
///
/// Deferral. An item that ends a launch without commit or cancel is appended to the next launch's list with its rank,
/// except when its log was too small: then the host runs it again with larger ones, and reports it if none suffices. An
/// item that pushed more than `max_pushes`, or used a handle that was never opened, is reported at once.
/// Reasons: the region said `outcome::defer`; a pool had no slot; the attempts of this launch are used up; the watchdog's
/// flag is up; and with `defer_losers` any failed attempt but one whose wait for a lock expired. That one has a
/// registration standing which the holder's release turns into its grant; to end its item means to withdraw it, and an
/// item that withdraws at every lock may never find the object free, whatever its rank. It tries again within the launch.
/// As at every end of an item, nothing of a deferred one stays in any word.
///
/// Ranks. New items of a run get ranks from one falling interval over all launches, so every carried rank is higher than
/// every new one, each is unique, and items age from launch to launch. When the interval is used up the host gives new
/// ranks to all items in the order of the old ones, between launches, when nothing is claimed.
///
/// Progress, hand_off: nobody outranks or robs the item of the highest rank, and its expired waits do not defer it. So a
/// launch ends at least that one by commit, cancel or overflow, with or without `defer_losers`, unless its region asks to
/// defer or retry it, a pool is exhausted, or a bound of attempts or the watchdog comes first. priority_rule: none.
///
/// Shared state: the counters `counter::pushed` and `counter::deferred` of the launch, relaxed additions; list and ranks
/// of the next launch, each word written once, by plain stores, and read after the launch only. Cost: one addition per warp
/// where lanes push or defer together; `max_pushes` words per thread, in registers up to 4.
#pragma once

#include "magpie/parallel/append.cuh"
#include "magpie/stm/detail/mutants.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// A launch's part in a run in rounds; all zero outside of one. 48 bytes, no padding.
///
/// Place k counts from the counters' values at the launch's beginning, 0. With `pushed == deferred` both together are the
/// next launch's list without a copy: it begins at `deferred` minus the number of deferred items.
struct worklist {
  std::uint32_t* pushed;               ///< pushed item k goes to pushed[k]; null = no rounds
  std::uint32_t* deferred;             ///< deferred item k goes to deferred[-1 - k]
  std::uint32_t* deferred_ranks;       ///< and its rank to deferred_ranks[-1 - k]
  const std::uint32_t* carried_ranks;  ///< ranks of the positions below `carried`
  std::uint32_t carried;               ///< positions from here on are new: p has rank first_rank - (p - carried)
  std::uint32_t pushed_capacity;       ///< at least max_pushes for each item
  std::uint32_t deferred_capacity;     ///< at least one for each item
  std::uint32_t defer_losers;          ///< 1: a failed attempt ends the item for this launch
};
static_assert(sizeof(worklist) == 48);

/// Whether a region can run in rounds.
template <class Region>
inline constexpr bool in_rounds = false;
template <class Region>
  requires requires { Region::max_pushes; }
inline constexpr bool in_rounds<Region> = true;

template <class Region>
inline constexpr std::uint32_t max_pushes_of = 0;
template <class Region>
  requires requires { Region::max_pushes; }
inline constexpr std::uint32_t max_pushes_of<Region> = Region::max_pushes;

/// The items that an attempt pushes when it commits. Private to one thread.
template <std::uint32_t Most>
class push_log {
 public:
  static constexpr std::uint32_t most = Most;

  MAGPIE_INLINE void begin() { count_ = 0; }
  MAGPIE_INLINE std::uint32_t count() const { return count_; }
  /// Forgets all but the first `count`.
  MAGPIE_INLINE void cut(std::uint32_t count) { count_ = count; }
  /// False, and nothing kept, if it is full.
  MAGPIE_INLINE bool push(std::uint32_t item) {
    if (count_ == Most) return false;
    if constexpr (Most <= in_registers) {
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < Most; ++k) {
        if (k == count_) items_[k] = item;
      }
    } else {
      items_[count_] = item;
    }
    ++count_;
    return true;
  }
  /// After the commit: appends what was pushed to the next launch's list.
  MAGPIE_INLINE void flush(const thread& self, const worklist& work, std::uint64_t* counter) {
    if (count_ == 0) return;
    const std::uint64_t place = append<Most>(self, counter, count_);
#if MAGPIE_CHECKS_BOUNDS
    if (place + count_ > work.pushed_capacity) bounds_fault(place + count_ - 1, work.pushed_capacity, work.pushed);
#endif
    if constexpr (Most <= in_registers) {
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < Most; ++k) {
        if (k < count_) st_plain(work.pushed + place + k, items_[k]);
      }
    } else {
      for (std::uint32_t k = 0; k < count_; ++k) st_plain(work.pushed + place + k, items_[k]);
    }
    count_ = 0;
  }

 private:
  static constexpr std::uint32_t in_registers = 4;

  std::uint32_t items_[Most] = {};
  std::uint32_t count_ = 0;
};

/// Of a region that pushes nothing: takes no room.
template <>
class push_log<0> {
 public:
  static constexpr std::uint32_t most = 0;

  MAGPIE_INLINE void begin() {}
  MAGPIE_INLINE std::uint32_t count() const { return 0; }
  MAGPIE_INLINE void cut(std::uint32_t) {}
  MAGPIE_INLINE void flush(const thread&, const worklist&, std::uint64_t*) {}
};

}  // namespace stm

MAGPIE_NAMESPACE_END
