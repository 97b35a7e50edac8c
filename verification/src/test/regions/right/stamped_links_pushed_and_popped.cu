/// @file
/// A list whose links have a stamp below the number; items push nodes, and others pop the first one and free it.
// arguments: head=[3] next=[25345,1,257,513,0,0,0,0] slots=pool:8:4
// items: 5
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct stamped_links_pushed_and_popped {
  magpie::stm::guarded<std::uint32_t> head;
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t first, slot, link;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item % 2 == 0) MAGPIE_TRY(tx.reserve(slots, 1));
    s.first = MAGPIE_TRY(tx.get(head, 0));
    if (item % 2 == 0) {
      s.slot = tx.take(slots);
      MAGPIE_TRY(tx.open(next, s.slot));
    } else {
      s.link = MAGPIE_TRY(tx.get(next, s.first));
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item % 2 == 0) {
      tx.store(next, s.slot, s.first << 8 | (item + 1));
      tx.store(head, 0, s.slot);
    } else {
      tx.store(head, 0, s.link >> 8);
      tx.free(slots, s.first);
    }
  }
};
MAGPIE_REGION(stamped_links_pushed_and_popped)
