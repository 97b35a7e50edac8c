/// @file
/// A record goes to an item of the next round, whose number is that of its slot; that one uses it and frees it.
// arguments: boxes=zeros:8 sums=zeros:2 slots=pool:8
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct record_passed_by_its_item {
  magpie::stm::guarded<std::uint32_t> boxes;
  magpie::stm::guarded<std::uint32_t> sums;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t second = 100;

  struct state {
    std::uint32_t slot, there, sum;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item < second) {
      MAGPIE_TRY(tx.reserve(slots, 1));
      s.slot = tx.take(slots);
      MAGPIE_TRY(tx.open(boxes, s.slot));
      return tx.push(second + s.slot) ? outcome::commit : outcome::retry;
    }
    s.slot = item - second;
    s.there = MAGPIE_TRY(tx.get(boxes, s.slot));
    s.sum = MAGPIE_TRY(tx.get(sums, s.there % 2));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item < second) {
      tx.store(boxes, s.slot, item + 5);
    } else {
      tx.store(sums, s.there % 2, s.sum + s.there);
      tx.free(slots, s.slot);
    }
  }
};
MAGPIE_REGION(record_passed_by_its_item)
