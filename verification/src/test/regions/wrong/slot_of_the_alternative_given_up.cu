/// @file
/// A slot is taken in the first of two alternatives, which gives up and gives it back; the second one stores its number.
// arguments: shelves=fill:99:4 full=[1,0,1,0] full.guards=shelves.guards notes=zeros:8 slots=pool:8
// items: 4
// expect: use after free at slots
// recorded: wrong result or not repeatable
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct slot_of_the_alternative_given_up {
  magpie::stm::guarded<std::uint32_t> shelves;
  magpie::stm::guarded<std::uint32_t> full;
  magpie::stm::guarded<std::uint32_t> notes;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 4, max_writes = 4;
  static constexpr std::uint32_t max_slots[] = {1};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.reserve(slots, 1));
    std::uint32_t slot = 99;
    const auto put = [&](std::uint32_t shelf) {
      return [this, shelf, item, &slot](auto& within) -> outcome {
        if (slot == 99) slot = within.take(slots);
        if (MAGPIE_TRY(within.get(full, shelf)) != 0) return outcome::cancel;
        MAGPIE_TRY(within.set(shelves, shelf, slot));  // here
        MAGPIE_TRY(within.set(notes, slot, 70 + item));
        MAGPIE_TRY(within.set(full, shelf, 1));
        return outcome::commit;
      };
    };
    return tx.or_else(put(item), put((item + 1) % 4));
  }
};
MAGPIE_REGION(slot_of_the_alternative_given_up)
