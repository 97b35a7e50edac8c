/// @file
/// A word has a bit for each slot in use: items set that of the slot that they take; the last two clear that of another item's slot.
// arguments: bits=zeros:1 slot_of=fill:99:3 notes=zeros:8 slots=pool:8
// items: 5
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct bits_set_and_cleared {
  magpie::stm::guarded<std::uint32_t> bits;
  magpie::stm::guarded<std::uint32_t> slot_of;
  magpie::stm::guarded<std::uint32_t> notes;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 3, max_writes = 3;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t none = 99;
  struct state {
    std::uint32_t gone;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.gone = none;
    const std::uint32_t in_use = MAGPIE_TRY(tx.get(bits, 0));
    if (item >= 3) {
      const std::uint32_t slot = MAGPIE_TRY(tx.get(slot_of, item - 3));
      if (slot == none) return outcome::cancel;
      MAGPIE_TRY(tx.set(bits, 0, in_use & ~(1u << slot)));
      MAGPIE_TRY(tx.set(slot_of, item - 3, none));
      s.gone = slot;
      return outcome::commit;
    }
    MAGPIE_TRY(tx.reserve(slots, 1));
    const std::uint32_t slot = tx.take(slots);
    MAGPIE_TRY(tx.set(bits, 0, in_use | 1u << slot));
    MAGPIE_TRY(tx.set(slot_of, item, slot));
    MAGPIE_TRY(tx.set(notes, slot, 40 + item));
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    if (s.gone != none) tx.free(slots, s.gone);
  }
};
MAGPIE_REGION(bits_set_and_cleared)
