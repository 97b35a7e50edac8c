/// @file
/// Records are filled and handed to items of their numbers, which free the bad ones; good ones stay, and the pool knows which these
/// are.
// arguments: boxes=zeros:8 slots=pool:8
// items: 4
// expect: nothing
// left open: no two items met
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct record_kept_if_it_is_good {
  magpie::stm::guarded<std::uint32_t> boxes;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t slot, there;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item < 4) {
      MAGPIE_TRY(tx.reserve(slots, 1));
      s.slot = tx.take(slots);
      MAGPIE_TRY(tx.open(boxes, s.slot));
      return tx.push(100 + s.slot) ? outcome::commit : outcome::retry;
    }
    s.slot = item - 100;
    s.there = MAGPIE_TRY(tx.get(boxes, s.slot));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item < 4) {
      tx.store(boxes, s.slot, item + 50);
    } else if (s.there % 2 == 0) {
      tx.free(slots, s.slot);
    }
  }
};
MAGPIE_REGION(record_kept_if_it_is_good)
