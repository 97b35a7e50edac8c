/// @file
/// What a policy is: how transactions that want the same objects settle which of them commits.
///
/// Layer: stm, included by each policy. A policy is a type of constants, those of `policy_traits` and a `tag` of its own,
/// and a member template
///
///     template <class Log, reads Reads, bool Applies>
///     using protocol = ...;
///
/// of which each transaction has one object. `Applies`: whether the region has an `apply`, which may write what it opened
/// without saying so beforehand. `tx` is the transaction ("For policies" in transaction.cuh); a `cause` other than `none`
/// fails the attempt.
///
/// | call | when | what |
/// |---|---|---|
/// | `begin(tx, eager)` | an attempt begins | |
/// | `open(tx, distance, word)` | an object is opened | takes it, or its version, or nothing; the transaction logs it afterwards, in place `tx.opened()` |
/// | `read(tx, place, p, value, version)` | a datum that the transaction did not write | loads it, and between the load and its look at the words the recorder's `version` |
/// | `write(tx, place)` | a write is about to be logged | takes the object, if that is what writes do |
/// | `prepare(tx)` | the region wants to commit | takes what is not taken, looks at the rest: after it nothing fails. If it fails itself, nothing is left taken |
/// | `order_writes(tx)` | before the first write | the steps above before all writes, for others |
/// | `publish(tx)` | after the last write | the writes before the words, then frees all |
/// | `abandon(tx, cancels)` | the attempt ends otherwise | frees all; whether what was read holds, where `cancels` |
/// | `abandon_inner(tx, first, cancels)` | an inner transaction ends otherwise | the same of the places from `first` on |
/// | `intact(tx)` | an inner transaction is to be tried again | whether the outer one can still commit |
/// | `become_irrevocable(tx)` | the region asks for it, under a policy that `has_irrevocable` | after it nothing fails. If it fails itself, the attempt ends by `abandon` |
/// | `end_item(tx)`, `end_thread(tx)` | item, or thread, ends | nothing of it is left anywhere |
///
/// It has `takes_several`, whether objects can be taken several at once: then `try_take` takes one in one step, and `took`
/// is told; hears by `reads_unlooked` of reads that it was not asked for; and says `ends_at_locks()`: whether an inner
/// transaction that meets a lock ends the attempt, since others may be waiting for what it has, or it is to wait for nothing. Writes are logged,
/// and reach memory between `order_writes` and `publish`, and nothing is undone there; but where the policy `writes_in_place`,
/// they reach it when they are made, and `abandon` and `abandon_inner` put back what they found, by `tx.undo_writes(first)`,
/// before a fence, and before they free anything.
///
/// A look at an object that failed is told to the transaction by `noted` or `meets_at`, unless the operation is about that
/// object: conflicts are counted by object where a build does so (conflicts.cuh).
///
/// There are six protocols, over one word for each object:
/// - `claims` (claims.cuh): what is opened is taken, by its word alone. It asks the policy for steps on one word, which are
///   those that the model of the protocol has. hand_off, priority_rule, pessimistic, pessimistic_in_place.
/// - `versions` (versions.cuh): an object is opened by its version; what is to be written is taken later, and the rest
///   looked at again. invisible_reads, invisible_reads_in_place, locks, hierarchical, block_level.
/// - that of optimistic_hand_off.cuh, versions first and claims in later attempts,
/// - those of pr_stm.cuh, versions next to marks by priority,
/// - of coarse_lock.cuh, one word for all objects,
/// - and of obstruction_free.cuh, a record for each object and descriptors of transactions (`has_descriptors`): it is told where
///   these are by `find_memory(self, c)`, opens an object by its record, `open(tx, record)`, its commit is the
///   last step of `prepare`, and it stores by `write_back(tx)` in place of the transaction's own stores.
///
/// Regions are compiled for `hand_off`, and for another policy where somebody asks for it (region.cuh, "Compile time").
#pragma once

#include <concepts>
#include <cstdint>

#include "magpie/stm/detail/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// What most policies have; each says what it has otherwise.
struct policy_traits {
  /// The word of an object that nobody has, and the bits that say so.
  static constexpr std::uint32_t unclaimed = 0;
  static constexpr std::uint32_t claim_bits = ~0u;
  static constexpr std::uint32_t lock_bit = 1;
  /// The retry loop may choose how many lanes of a warp run at once (region.cuh).
  static constexpr bool adapts_lanes = false;
  /// Else so many run; 0 = all. And threads of a block; 0 = what the region says.
  static constexpr std::uint32_t default_lanes = 0;
  static constexpr std::uint32_t default_block_size = 0;
  /// The longest pause between attempts, in ns.
  static constexpr std::uint32_t default_back_off = 4096;
  /// The first attempts of an item may be eager: they wait for nothing, and lock at `open` or write. Those of items whose
  /// region opens at most `most_eager_objects` are.
  static constexpr bool has_eager_attempts = false;
  static constexpr std::uint32_t default_eager_attempts = 0;
  static constexpr std::uint32_t most_eager_objects = 0;
  /// The longest pause from one eager attempt to the next, in ns, unless a launch asks for pauses; 0 = as before others.
  static constexpr std::uint32_t longest_eager_pause = 0;
  /// Word and datum of a fused cell change in one step; else such a cell is a word with a datum next to it.
  static constexpr bool has_fused_cells = false;
  /// Attempts may become irrevocable.
  static constexpr bool has_irrevocable = false;
  /// All attempts lock at `open`.
  static constexpr bool locks_at_open = false;
  /// Writes are in place, the log has what they replaced, and reads find own writes in memory. What is written is locked before, and
  /// nobody reads what is locked: so regions reach data through the transaction alone, and have no `apply`.
  static constexpr bool writes_in_place = false;
  /// The log keeps the version under which an object was opened.
  static constexpr bool has_versions = false;
  /// Versions are behind the words, in memory of their own: `objects::policy` says where.
  static constexpr bool versions_apart = false;
  /// Transactions have descriptors in the launch's scratch memory, of `thread_bytes` for each thread, and write what they
  /// commit themselves (`write_back`); an object has a record of 64 bits behind the words, as `versions_apart` has versions.
  static constexpr bool has_descriptors = false;
  /// Words are those of one launch: the host fills them before each.
  static constexpr bool words_of_launch = false;

  /// Scratch bytes of one thread besides its paged log, for transactions of so many objects and writes: a multiple of 16.
  MAGPIE_HOST_DEVICE static constexpr std::uint64_t thread_bytes(std::uint64_t, std::uint64_t) { return 0; }
};

template <class Policy>
concept policy = std::derived_from<Policy, policy_traits> && Policy::tag >= 1 && Policy::tag < objects::most_policies;

}  // namespace stm

MAGPIE_NAMESPACE_END
