/// @file
/// A note is freed in apply, and committed writes into it why.
// arguments: desks=fill:99:2 notes=zeros:4 slots=pool:4
// items: 4
// expect: shared hook at notes
// recorded: wrong result at notes or nothing (whether two hooks meet)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct hook_writes_into_the_slot_it_freed {
  magpie::stm::guarded<std::uint32_t> desks;
  magpie::array<std::uint32_t> notes;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t slot, old;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    MAGPIE_TRY(tx.reserve(slots, 1));
    s.old = MAGPIE_TRY(tx.get(desks, item / 2));
    s.slot = tx.take(slots);
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    notes[s.slot] = item + 1;
    tx.store(desks, item / 2, s.slot);
    if (s.old < 4) tx.free(slots, s.old);
  }
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item, const state& s) const {
    if (s.old < 4) notes[s.old] = 100 + item;  // here
  }
};
MAGPIE_REGION(hook_writes_into_the_slot_it_freed)
