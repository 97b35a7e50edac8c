// flavors: cpu sim nvcc
// full flavors: nvcc
// build: -DMAGPIE_MUTANTS
/// @file
/// Mutants compile for every machine, under every kind of policy, with small and paged logs.
#define MAGPIE_POLICIES_TO_COMPARE
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
/// The same for rounds, pools and hooks: takes slots, frees one, pushes, and counts.
struct makers {
  stm::objects cells;
  stm::pool<0> small;
  magpie::array<std::uint32_t> counts;
  stm::pool<1> large;

  static constexpr std::uint32_t max_objects = 2;
  static constexpr std::uint32_t max_writes = 0;
  static constexpr std::uint32_t max_pushes = 3;
  static constexpr std::uint32_t max_slots[] = {1, 6};

  struct state {
    std::uint32_t old, made;
  };
  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (!tx.reserve(large, 2) || !tx.reserve(small, 1)) return stm::outcome::defer;
    s = {item % cells.count, tx.take(large)};
    tx.push(s.old);
    return tx.open(cells, s.old) && tx.open(cells, s.made) ? stm::outcome::commit : stm::outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.push(tx.take(small) + item);
    tx.free(large, s.old);
  }
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx& tx, std::uint32_t item, const state& s) const {
    tx.free(small, s.made);
    magpie::red_add_rlx_dev(&counts[item], 1u);
  }
  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx& tx, std::uint32_t, state&) const {
    magpie::red_add_rlx_dev(&counts[static_cast<std::uint32_t>(tx.why())], 1u);
  }
};

/// Uses rows of a guarded matrix, which know only their own object.
struct rows {
  stm::guarded_matrix<std::uint32_t> table;

  static constexpr std::uint32_t max_objects = 1;
  static constexpr std::uint32_t max_writes = 1;

  struct state {
    std::uint32_t seen;
  };
  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.seen = MAGPIE_TRY(tx.get(table.row(item), 0));
    return stm::outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(table.row(item), 1, tx.load(table.row(item), 0) + s.seen);
  }
};

/// Acts beside its transaction, in the midst of it.
struct acts {
  stm::objects cells;
  magpie::array<std::uint32_t> counts;

  static constexpr std::uint32_t max_objects = 2;
  static constexpr std::uint32_t max_writes = 2;
  static constexpr bool irrevocable = true;

  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    if (!tx.open(cells, item) || !tx.become_irrevocable(1)) return stm::outcome::retry;
    magpie::red_add_rlx_dev(&counts[item], 1u);
    return tx.open(cells, item + 1) ? stm::outcome::commit : stm::outcome::retry;
  }
};

using validated_pairs = pairs<stm::reads::validated>;
using unvalidated_pairs = pairs<stm::reads::unvalidated>;

}  // namespace

MAGPIE_REGION_BEGIN(validated_pairs, validated_pairs)
MAGPIE_REGION_VARIANT(validated_pairs, validated_pairs, hand_off, false, validated_hand_off)
MAGPIE_REGION_VARIANT(validated_pairs, validated_pairs, priority_rule, true, validated_priority_rule)
MAGPIE_REGION_VARIANT(validated_pairs, validated_pairs, pessimistic, false, validated_pessimistic)
MAGPIE_REGION_VARIANT(validated_pairs, validated_pairs, pessimistic_in_place, true, validated_in_place)
MAGPIE_REGION_VARIANT(validated_pairs, validated_pairs, coarse_lock, true, validated_coarse_lock)
MAGPIE_REGION_VARIANT(validated_pairs, validated_pairs, invisible_reads, true, validated_invisible_reads)
MAGPIE_REGION_VARIANT(validated_pairs, validated_pairs, hierarchical, false, validated_hierarchical)
MAGPIE_REGION_VARIANT(validated_pairs, validated_pairs, obstruction_free, true, validated_obstruction_free)
MAGPIE_REGION_VARIANT(validated_pairs, validated_pairs, invisible_reads_in_place, false, validated_reads_in_place)
MAGPIE_REGION_BEGIN(unvalidated_pairs, unvalidated_pairs)
MAGPIE_REGION_VARIANT(unvalidated_pairs, unvalidated_pairs, hand_off, true, unvalidated_hand_off)
MAGPIE_REGION_VARIANT(unvalidated_pairs, unvalidated_pairs, priority_rule, false, unvalidated_priority_rule)
MAGPIE_REGION_VARIANT(unvalidated_pairs, unvalidated_pairs, pr_stm, true, unvalidated_pr_stm)
MAGPIE_REGION_VARIANT(unvalidated_pairs, unvalidated_pairs, hierarchical, true, unvalidated_hierarchical)
MAGPIE_REGION_VARIANT(unvalidated_pairs, unvalidated_pairs, optimistic_hand_off, false, unvalidated_optimistic)
MAGPIE_REGION_VARIANT(unvalidated_pairs, unvalidated_pairs, obstruction_free, false, unvalidated_obstruction_free)
MAGPIE_REGION_VARIANT(unvalidated_pairs, unvalidated_pairs, pessimistic_in_place, false, unvalidated_in_place)
MAGPIE_REGION_VARIANT(unvalidated_pairs, unvalidated_pairs, invisible_reads_in_place, true, unvalidated_reads_in_place)
MAGPIE_REGION_BEGIN(acts, acts)
MAGPIE_REGION_VARIANT(acts, acts, hand_off, false, acts_hand_off)
MAGPIE_REGION_VARIANT(acts, acts, hand_off, true, acts_hand_off_paged)
MAGPIE_REGION_VARIANT(acts, acts, coarse_lock, false, acts_coarse_lock)
MAGPIE_REGION_VARIANT(acts, acts, priority_rule, false, acts_priority_rule)
MAGPIE_REGION_BEGIN(rows, rows)
MAGPIE_REGION_VARIANT(rows, rows, hand_off, false, rows_hand_off)
MAGPIE_REGION_VARIANT(rows, rows, pr_stm, true, rows_pr_stm)
MAGPIE_REGION_BEGIN(makers, makers)
MAGPIE_REGION_VARIANT(makers, makers, hand_off, false, makers_hand_off)
MAGPIE_REGION_VARIANT(makers, makers, priority_rule, true, makers_priority_rule)
MAGPIE_REGION_VARIANT(makers, makers, locks, false, makers_locks)
MAGPIE_REGION_VARIANT(makers, makers, pr_stm, true, makers_pr_stm)
MAGPIE_REGION_VARIANT(makers, makers, optimistic_hand_off, true, makers_optimistic)
