/// @file
/// A record goes to two items of the next round, by numbers that have that of its slot; either reads it, and the first one frees it.
// arguments: boxes=zeros:8 sums=zeros:16 slots=pool:8
// items: 3
// expect: use after free at slots
// recorded: nothing (run alone, an item does the same)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct first_reader_frees {
  magpie::stm::guarded<std::uint32_t> boxes;
  magpie::stm::guarded<std::uint32_t> sums;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0, max_pushes = 2;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t slot, there;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item < 3) {
      MAGPIE_TRY(tx.reserve(slots, 1));
      s.slot = tx.take(slots);
      MAGPIE_TRY(tx.open(boxes, s.slot));
      return tx.push(100 + s.slot) && tx.push(200 + s.slot) ? outcome::commit : outcome::retry;
    }
    s.slot = item % 100;
    s.there = MAGPIE_TRY(tx.get(boxes, s.slot));  // here
    MAGPIE_TRY(tx.open(sums, s.slot + (item < 200 ? 0 : 8)));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item < 3) {
      tx.store(boxes, s.slot, item + 5);
      return;
    }
    tx.store(sums, s.slot + (item < 200 ? 0 : 8), s.there);
    if (item < 200) tx.free(slots, s.slot);
  }
};
MAGPIE_REGION(first_reader_frees)
