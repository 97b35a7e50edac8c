// flavours: cpu sim nvcc
// build: -DMAGPIE_MUTANT=none
// build: -DMAGPIE_MUTANT=no_release_fence
// build: -DMAGPIE_MUTANT=lock_unchecked
// build: -DMAGPIE_MUTANT=release_before_write_back
// build: -DMAGPIE_MUTANT=steal_ignores_lock
// build: -DMAGPIE_MUTANT=roll_back_by_store
// build: -DMAGPIE_MUTANT=reads_not_locked
// build: -DMAGPIE_MUTANT=last_object_not_locked
// build: -DMAGPIE_MUTANT=lost_claim_retaken
// build: -DMAGPIE_MUTANT=no_fence_before_write
// build: -DMAGPIE_MUTANT=relaxed_claim
// build: -DMAGPIE_MUTANT=relaxed_failure
// build: -DMAGPIE_MUTANT=equal_ranks
// build: -DMAGPIE_MUTANT=wait_skipped
// build: -DMAGPIE_MUTANT=compare_exchange_claim
// build: -DMAGPIE_MUTANT=release_drops_waiter
// build: -DMAGPIE_MUTANT=forgotten_registration
// build: -DMAGPIE_MUTANT=withdraw_on_leave
// build: -DMAGPIE_MUTANT=give_back_granted_only
// build: -DMAGPIE_MUTANT=no_withdrawal_at_end
// build: -DMAGPIE_MUTANT=no_validation
// build: -DMAGPIE_MUTANT=relaxed_reads
// build: -DMAGPIE_MUTANT=cancel_unchecked
// build: -DMAGPIE_MUTANT=overflow_ignored
// build: -DMAGPIE_MUTANT=inner_undo_keeps_writes
// build: -DMAGPIE_MUTANT=inner_over_locked
/// @file
/// Every mutant compiles for every machine, under both policies, with small and paged logs.
#include "magpie/stm.cuh"

namespace {

namespace stm = magpie::stm;

/// Has a use for every line that a mutant breaks: claims, reads, writes, an inner transaction, a cancel, a full log.
template <stm::reads Reads>
struct pairs {
  stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2;
  static constexpr std::uint32_t max_writes = 1;
  static constexpr stm::reads reads = Reads;

  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t mine = item % cells.count;
    const stm::handle first = tx.open(cells, mine);
    std::uint32_t seen = 0;
    if (!tx.read(first, &values[mine], seen)) return stm::outcome::retry;
    if (seen == 0) return stm::outcome::cancel;
    const stm::outcome inner = tx.inner(2, [&](Tx& in) {
      const std::uint32_t other = (item + seen) % cells.count;
      return in.write(in.open(cells, other), &values[other], seen) ? stm::outcome::commit : stm::outcome::retry;
    });
    if (inner != stm::outcome::commit) return inner;
    return tx.write(first, &values[mine], seen + 1) ? stm::outcome::commit : stm::outcome::retry;
  }
};
using validated_pairs = pairs<stm::reads::validated>;
using unvalidated_pairs = pairs<stm::reads::unvalidated>;

}  // namespace

MAGPIE_REGION_BEGIN(validated_pairs, validated_pairs)
MAGPIE_REGION_VARIANT(validated_pairs, validated_pairs, hand_off, uncounted, false, 0, fixed, validated_hand_off)
MAGPIE_REGION_VARIANT(validated_pairs, validated_pairs, priority_rule, counted, true, 1, paged, validated_priority_rule)
MAGPIE_REGION_BEGIN(unvalidated_pairs, unvalidated_pairs)
MAGPIE_REGION_VARIANT(unvalidated_pairs, unvalidated_pairs, hand_off, counted, true, 1, paged, unvalidated_hand_off)
MAGPIE_REGION_VARIANT(unvalidated_pairs, unvalidated_pairs, priority_rule, uncounted, false, 0, fixed,
                      unvalidated_priority_rule)
