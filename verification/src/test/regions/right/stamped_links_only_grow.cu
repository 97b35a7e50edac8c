/// @file
/// A list whose links have a stamp below the number of the next node; it only grows.
// arguments: head=[9] next=zeros:8 slots=pool:8
// items: 5
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct stamped_links_only_grow {
  magpie::stm::guarded<std::uint32_t> head;
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr std::uint32_t max_slots[] = {1};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.reserve(slots, 1));
    const std::uint32_t first = MAGPIE_TRY(tx.get(head, 0));
    const std::uint32_t slot = tx.take(slots);
    MAGPIE_TRY(tx.set(next, slot, first << 8 | (item + 1)));
    MAGPIE_TRY(tx.set(head, 0, slot));
    return outcome::commit;
  }
};
MAGPIE_REGION(stamped_links_only_grow)
