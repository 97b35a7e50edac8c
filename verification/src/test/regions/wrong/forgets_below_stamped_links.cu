/// @file
/// A list whose links have a stamp below the number of the next node. Some items push a node, others pop the first one and forget its
/// slot; the nodes that were there before are not in the order of their numbers.
// arguments: head=[1] next=[25345,769,257,513,0,0,0,0] slots=pool:8:4
// items: 6
// expect: leak at slots
// recorded: nothing (what is lost changes no result)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct forgets_below_stamped_links {
  magpie::stm::guarded<std::uint32_t> head;
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr std::uint32_t max_slots[] = {1};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item % 2 == 0) MAGPIE_TRY(tx.reserve(slots, 1));
    const std::uint32_t first = MAGPIE_TRY(tx.get(head, 0));
    if (item % 2 == 0) {
      const std::uint32_t slot = tx.take(slots);
      MAGPIE_TRY(tx.set(next, slot, first << 8 | (item + 1)));
      MAGPIE_TRY(tx.set(head, 0, slot));
      return outcome::commit;
    }
    if (first < 4) return outcome::cancel;
    MAGPIE_TRY(tx.set(head, 0, MAGPIE_TRY(tx.get(next, first)) >> 8));  // here
    return outcome::commit;
  }
};
MAGPIE_REGION(forgets_below_stamped_links)
