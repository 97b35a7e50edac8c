/// @file
/// A record is handed to the item of its slot's number, which puts it in front of a list.
// arguments: head=fill:99:1 next=zeros:8 slots=pool:8
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct record_linked_by_its_item {
  magpie::stm::guarded<std::uint32_t> head;
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item < 4) {
      MAGPIE_TRY(tx.reserve(slots, 1));
      return tx.push(100 + tx.take(slots)) ? outcome::commit : outcome::retry;
    }
    const std::uint32_t slot = item - 100;
    MAGPIE_TRY(tx.set(next, slot, MAGPIE_TRY(tx.get(head, 0))));
    MAGPIE_TRY(tx.set(head, 0, slot));
    return outcome::commit;
  }
};
MAGPIE_REGION(record_linked_by_its_item)
