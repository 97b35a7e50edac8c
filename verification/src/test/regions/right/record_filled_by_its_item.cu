/// @file
/// A slot is taken in one round, and the item of the next one that has its number fills it; that it is filled says that it is in use.
// arguments: boxes=zeros:8 slots=pool:8
// items: 3
// expect: nothing
// left open: no two items met
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct record_filled_by_its_item {
  magpie::stm::guarded<std::uint32_t> boxes;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item >= 100) {
      MAGPIE_TRY(tx.set(boxes, item - 100, 70));
      return outcome::commit;
    }
    MAGPIE_TRY(tx.reserve(slots, 1));
    return tx.push(100 + tx.take(slots)) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(record_filled_by_its_item)
