/// @file
/// A region that breaks the rules of pools as `mode` says; for HostileSlots.java.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct spill {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> tries;
  magpie::stm::pool<0> slots;
  std::uint32_t mode;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (!tx.reserve(slots, 1)) return outcome::retry;
    s.slot = tx.take(slots);
    if (!tx.open(cells, s.slot)) return outcome::retry;
    if (mode == 2) {  // outside of a commit, which is then rolled back
      tx.free(slots, s.slot);
      if (magpie::add_rlx_dev(&tries[item], 1u) < 2) return outcome::retry;
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    if (mode != 2) tx.free(slots, s.slot);
    if (mode == 1) tx.free(slots, s.slot);              // twice
    if (mode == 3) tx.free(slots, slots.capacity - 1);  // what nobody has taken
    if (mode == 4) tx.free(slots, slots.capacity);      // what there is not
  }
};
MAGPIE_REGION(spill)
