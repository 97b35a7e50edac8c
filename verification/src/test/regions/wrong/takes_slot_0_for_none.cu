/// @file
/// Each item puts a slot in front of a list that begins and ends at element 8. Slot 0 is taken for no slot, and left out.
// arguments: next=fill:8:9 slots=pool:8
// items: 4
// expect: leak at slots
// recorded: nothing (what is lost changes no result)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct takes_slot_0_for_none {
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr std::uint32_t max_slots[] = {1};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t) const {
    MAGPIE_TRY(tx.reserve(slots, 1));
    const std::uint32_t first = MAGPIE_TRY(tx.get(next, 8));
    const std::uint32_t slot = tx.take(slots);  // here
    MAGPIE_TRY(tx.set(next, slot, first));
    MAGPIE_TRY(tx.set(next, 8, slot == 0 ? first : slot));
    return outcome::commit;
  }
};
MAGPIE_REGION(takes_slot_0_for_none)
