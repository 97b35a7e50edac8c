/// @file
/// A slot is taken in one round and handed to the next one by its number alone; the item that has it finds nothing to do, and ends.
// arguments: input=[0,1,0] boxes=zeros:8 sums=zeros:16 slots=pool:8
// items: 3
// expect: leak at slots
// recorded: nothing (what is lost changes no result)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct takes_and_forgets_what_it_pushed {
  magpie::array<const std::uint32_t> input;
  magpie::stm::guarded<std::uint32_t> boxes;
  magpie::stm::guarded<std::uint32_t> sums;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t slot, there;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item < 3) {
      MAGPIE_TRY(tx.reserve(slots, 1));
      s.slot = tx.take(slots);  // here
      return tx.push(100 * (1 + input[item]) + s.slot) ? outcome::commit : outcome::retry;
    }
    s.slot = item % 100;
    s.there = MAGPIE_TRY(tx.get(boxes, s.slot));
    if (item < 200) MAGPIE_TRY(tx.open(sums, s.slot + 8));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item < 3 || item >= 200) return;
    tx.store(sums, s.slot + 8, s.there + 9);
    tx.free(slots, s.slot);
  }
};
MAGPIE_REGION(takes_and_forgets_what_it_pushed)
