/// @file
/// The words every part of the STM shares: tracked objects, outcomes, a launch's control block, counters.
///
/// Layer: stm. Plain data. The facade writes `control` and reads the counters by the module's table, which says where they
/// lie; the host launcher is compiled with them.
#pragma once

#include "magpie/stm/detail/worklist.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// An array of transactional objects: one 32-bit tracking word each, in global memory. An object is whatever the
/// algorithm claims as one thing; its data live in ordinary arrays. Between launches every word holds
/// its policy's `unclaimed` value.
struct objects {
  /// Tags of policies are below.
  static constexpr std::uint32_t most_policies = 256;
  static constexpr std::uint32_t words_of_distance = 256;  ///< 1 KB

  std::uint32_t* words;
  std::uint32_t count;
  std::uint32_t policy;  ///< tag of the policy whose `unclaimed` value the words were filled with; launches under
      ///< another are refused by the C++ launcher and by checked builds. Times `most_policies`: how many
      ///< KB behind its word an object's version lies, where a policy has those apart

  MAGPIE_HOST_DEVICE static constexpr std::uint32_t tag_of(std::uint32_t policy) { return policy % most_policies; }
  /// The tracking word of object `id`.
  MAGPIE_HOST_DEVICE constexpr std::uint32_t* word(std::uint32_t id) const { return words + id; }
  /// Where versions lie apart: how many KB behind its word an object has its version, and the version.
  MAGPIE_HOST_DEVICE constexpr std::uint32_t distance() const { return policy / most_policies; }
  MAGPIE_HOST_DEVICE static std::uint32_t* version_of(std::uint32_t* word, std::uint32_t distance) {
    return word + distance * std::uint64_t{words_of_distance};
  }
  /// Where records lie apart: that of the object with this word, among those that begin at `words`. 64 bits each.
  MAGPIE_HOST_DEVICE static std::uint64_t* record_of(std::uint32_t* words, std::uint32_t* word,
                                                     std::uint32_t distance) {
    return reinterpret_cast<std::uint64_t*>(version_of(words, distance)) + (word - words);
  }
};
static_assert(sizeof(objects) == 16);

/// The same with words that lie `Stride` bytes apart, a power of 2, with data between them. Not for policies that have versions
/// apart. `Fused`: whether they are those of fused cells (guarded.cuh).
template <std::uint32_t Stride, bool Fused = false>
struct spaced_objects {
  std::uint32_t* words;
  std::uint32_t count;
  std::uint32_t policy;

  MAGPIE_HOST_DEVICE static constexpr std::uint32_t distance() { return 0; }
  MAGPIE_HOST_DEVICE constexpr std::uint32_t* word(std::uint32_t id) const {
    return words + std::uint64_t{id} * (Stride / sizeof *words);
  }
};

/// Objects of any spacing, and how many bytes apart their words lie.
template <class T>
inline constexpr std::uint32_t stride_of_objects = 0;
template <>
inline constexpr std::uint32_t stride_of_objects<objects> = sizeof(std::uint32_t);
template <std::uint32_t Stride, bool Fused>
inline constexpr std::uint32_t stride_of_objects<spaced_objects<Stride, Fused>> = Stride;
template <class T>
concept any_objects = (stride_of_objects<T> != 0);
template <class T>
inline constexpr bool are_fused_cells = false;
template <std::uint32_t Stride>
inline constexpr bool are_fused_cells<spaced_objects<Stride, true>> = true;

/// What a region says of its item.
enum class outcome : std::uint32_t {
  commit,  ///< make the writes visible, all at once
  cancel,  ///< the item needs nothing: undo and end it
  retry,   ///< undo and try again; also what a region returns when an operation failed
  defer,   ///< undo and run the item in the next launch of a run in rounds; elsewhere the same as `retry`
};

/// Whether reads are validated. See transaction.cuh.
enum class reads : std::uint32_t {
  validated,
  unvalidated,
};

/// Why an attempt, or an item, ended without commit.
enum class cause : std::uint32_t {
  none,
  outranked,        ///< met a claim of higher rank
  stolen,           ///< a claim was taken by a higher rank
  wait_expired,     ///< polled long enough for a lock or a higher claim; a registration is kept and remembered
  locked,           ///< met a lock; or, where attempts lock at `open`, what anybody has
  requested,        ///< the region asked for it
  overflow,         ///< a log was full
  stopped,          ///< the watchdog's flag was set
  no_slot,          ///< a pool was exhausted
  deferred,         ///< the region asked for the next launch
  unopened,         ///< it read or wrote through a handle that was never opened (checked builds: a fault)
  too_many_pushes,  ///< it pushed more than its `max_pushes`
  revoked,          ///< it was irrevocable and did not commit (checked builds: a fault)
};

/// How an attempt ended, as recordings and traces have it.
enum end_code : std::uint32_t {
  ended_by_commit = 0,
  ended_by_cancel = 1,
  ended_in_vain = 16,  ///< + its `cause`
};
MAGPIE_HOST_DEVICE constexpr std::uint32_t code_of(outcome result, cause why) {
  return result == outcome::commit   ? ended_by_commit
         : result == outcome::cancel ? ended_by_cancel
                                     : ended_in_vain + static_cast<std::uint32_t>(why);
}

/// Whether an attempt that ended so was lost to others.
MAGPIE_HOST_DEVICE constexpr bool is_loss(cause why) { return why >= cause::outranked && why <= cause::locked; }

/// Whether this build samples conflicts: see conflicts.cuh.
#if defined(MAGPIE_SAMPLE_CONFLICTS)
inline constexpr bool samples_conflicts = true;
#else
inline constexpr bool samples_conflicts = false;
#endif

/// Where a launch counts conflicts by object. 16 bytes.
struct conflict_table {
  /// Slots that an object may have.
  static constexpr std::uint32_t most_probes = 16;

  /// Conflicts of objects that found no slot; behind it two for each slot: the address of an object's tracking word, or 0,
  /// and its conflicts. Null: nothing is counted.
  std::uint64_t* words;
  std::uint64_t slots;  ///< a power of 2
};

struct history;  // history.cuh

/// Words of a launch's statistics, one each but where it says more. The host finds them, like the fields of `control`, by
/// their names in the module's table (stm/launch_table.hpp); a new one gets its line here, and one in Java's `Counter`.
namespace counter {
inline constexpr std::uint32_t buckets = 16;    ///< of a histogram
inline constexpr std::uint32_t most_pools = 4;  ///< of a region

enum place : std::uint32_t {
  // Those of a warp: added up there, and told at the kernel's end (statistics.cuh).
  commits,
  cancels,
  aborts_outranked,
  aborts_stolen,
  aborts_wait_expired,
  aborts_locked,
  aborts_requested,
  overflows,           ///< items
  stopped,             ///< items
  attempts_exhausted,  ///< items
  steals,
  withdrawals,  ///< registrations given up because the memory for them was full
  registrations,
  polls,
  inner_retries,
  max_attempts,                                     ///< most attempts of one item
  retries_histogram,                                ///< `buckets` words
  objects_histogram = retries_histogram + buckets,  ///< `buckets` words
  // Those that a thread adds to at once.
  pushed = objects_histogram + buckets,  ///< items
  deferred,                              ///< items
  no_slot,                               ///< items that ended their launch because a pool was exhausted
  unopened,                              ///< items that ended so, unfinished
  too_many_pushes,                       ///< items that ended so, unfinished
  revoked,                               ///< items that ended so, unfinished
  requested,  ///< of those counted as `stopped` or `attempts_exhausted`, items whose last attempt the region gave up
  pools,      ///< + 2 i: of pool i, places handed out or asked for; then slots returned
  /// For the launch itself: commits that had all locks, of transactions with long logs (claims.cuh, "Publications").
  publications = pools + 2 * most_pools,
  coarse_lock,  ///< for the launch itself: the lock of all objects (coarse_lock)
  clock,        ///< for the launch itself: commits that wrote (hierarchical)
  irrevocable,  ///< for the launch itself: the token of the irrevocable attempt, a tracking word (claims.cuh)
  // Those that a thread adds at its end.
  objects_read,              ///< by attempts that committed (invisible_reads)
  objects_read_and_written,  ///< of these, those that the same attempt wrote
  validations_skipped,       ///< reads whose version was old enough to look at no other one (hierarchical)
  value_validations,         ///< comparisons of what was read by value
  conflicts_removed,         ///< those that found it unchanged
  total,
};
}  // namespace counter

/// One word for each pool of a region.
template <class T>
struct per_pool {
  T of[counter::most_pools];
  MAGPIE_HOST_DEVICE constexpr T& operator[](std::uint32_t i) { return of[i]; }
  MAGPIE_HOST_DEVICE constexpr const T& operator[](std::uint32_t i) const { return of[i]; }
};

/// Transactions of more objects than this are long.
inline constexpr std::uint32_t short_transaction = 8;

/// The highest rank of an item. 2^31 - 1 is above all items (hand_off.cuh).
inline constexpr std::uint32_t highest_rank = 0x7ffffffeu;

/// A launch's first parameter: what to run and within which bounds. No padding; a field that Java does not know is refused, and
/// one that it knows and that is not here, unless it is one of some builds alone (`LaunchLayout`).
struct control {
  /// For `only_pending`: the positions run whose pending bit is set. Another number than 0 says how many run, and they are
  /// listed behind the 32-bit words of the bits. Either way the bits of the items that end are cleared.
  static constexpr std::uint32_t by_bits = ~0u;

  /// For `back_off`: pauses grow by 32 ns from attempt to attempt, else they double.
  static constexpr std::uint32_t linear_back_off = 0x80000000u;
  /// For `back_off`: the pause is the policy's, which may have shorter ones before eager attempts; else it is as asked.
  static constexpr std::uint32_t policys_back_off = 0x40000000u;
  static constexpr std::uint32_t longest_back_off = 0x3fffffffu;

  std::uint64_t items;            ///< positions; position p stands for item list[p], or p
  const std::uint32_t* list;      ///< may be null
  std::uint32_t* pending;         ///< a bit per position: set = not finished; null only if nothing can be left over.
                                  ///< Behind the words of the bits the list of `only_pending`, if there is one
  std::uint64_t* statistics;      ///< `counter::total` words
  const std::uint32_t* stop;      ///< the watchdog's flag: other than 0 = end; may be null
  std::byte* scratch;             ///< paged logs: `paged_log_bytes` for each thread
  std::uint32_t first_rank;       ///< position p has rank first_rank - p (rounds: see worklist); in [1, highest_rank]
  std::uint32_t scratch_objects;  ///< paged logs: objects of one transaction
  std::uint32_t scratch_writes;   ///< paged logs: writes of one transaction
  std::uint32_t max_attempts;     ///< attempts of one item before it is given up, 0 = no bound
  std::uint32_t polls;            ///< bound of polls in one attempt where waits are bounded
  std::uint32_t
      back_off;  ///< longest pause after an attempt in ns, growing from 32, up to 4 times as long in a warp that
                 ///< loses most attempts, at most `longest_back_off`; 0 = none; | `linear_back_off`,
                 ///< | `policys_back_off`
  std::uint32_t only_pending;  ///< 0 = all positions run; with paged logs also `by_bits`, or how many are listed
  std::uint32_t give_way;      ///< on a higher claim: 0 = wait in place, 1 = roll back at once
  std::uint32_t lanes;         ///< transactions of a warp in flight at once; 0 = the policy's choice, by its losses
  std::uint32_t
      eager_attempts;  ///< attempts of an item that are eager, before it claims (hand_off, optimistic_hand_off); 0 = none
  stm::history* history;                  ///< recording builds: where to log attempts; null = nowhere
  worklist work;                          ///< rounds: what the launch carries on, and where its new work goes
  per_pool<std::uint32_t*> returned;      ///< where slots of pool i go that are freed or left over
  per_pool<std::uint32_t> returned_room;  ///< places there: nothing is written beyond
#if defined(MAGPIE_SAMPLE_CONFLICTS)
  conflict_table conflicts;  ///< where conflicts are counted, in builds that do
#endif

  /// Whether the launch is to end.
  MAGPIE_INLINE bool is_stopped() const { return stop != nullptr && ld_rlx_dev(stop) != 0; }
};
static_assert(sizeof(control) == (samples_conflicts ? 208 : 192),
              "the launch's parameter has grown: registers and constant memory pay for it");

/// Bucket of a histogram: 0 for 0, b for [2^(b-1), 2^b), the last one open.
MAGPIE_INLINE std::uint32_t bucket_of(std::uint32_t v) {
  const std::uint32_t bucket = 32u - countl_zero(v);
  return bucket < counter::buckets ? bucket : counter::buckets - 1;
}

}  // namespace stm

MAGPIE_NAMESPACE_END
