/// @file
/// A desk's slot is handed on by its number, by one who reads it under a claim; the item of that number frees it.
// arguments: held=fill:99:4 boxes=zeros:8 slots=pool:8:3
// items: 2
// expect: nothing
// left open: no two items met
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct task_frees_by_its_number {
  magpie::stm::guarded<std::uint32_t> held;
  magpie::stm::guarded<std::uint32_t> boxes;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item == 0) {
      MAGPIE_TRY(tx.open(held, 0));
      return tx.push(50) ? outcome::commit : outcome::retry;
    }
    if (item == 50) {
      s.slot = MAGPIE_TRY(tx.get(held, 1));
      return tx.push(s.slot) ? outcome::commit : outcome::retry;
    }
    MAGPIE_TRY(tx.open(held, item == 1 ? 1 : 2));
    if (item != 1) return outcome::commit;
    MAGPIE_TRY(tx.reserve(slots, 1));
    s.slot = tx.take(slots);
    MAGPIE_TRY(tx.open(boxes, s.slot));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item == 0) return;
    if (item == 50) {
      tx.store(held, 1, 99);
    } else if (item == 1) {
      tx.store(boxes, s.slot, item + 7);
      tx.store(held, 1, s.slot);
    } else {
      tx.store(held, 2, 7);
      tx.free(slots, item);
    }
  }
};
MAGPIE_REGION(task_frees_by_its_number)
