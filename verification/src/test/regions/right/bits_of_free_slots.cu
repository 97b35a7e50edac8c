/// @file
/// A word has a bit for each slot that is free, and nothing else has the slots' numbers.
// arguments: bits=fill:255:1 notes=zeros:8 slots=pool:8
// items: 5
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct bits_of_free_slots {
  magpie::stm::guarded<std::uint32_t> bits;
  magpie::stm::guarded<std::uint32_t> notes;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr std::uint32_t max_slots[] = {1};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.reserve(slots, 1));
    const std::uint32_t slot = tx.take(slots);
    MAGPIE_TRY(tx.set(notes, slot, 40 + item));
    const std::uint32_t free = MAGPIE_TRY(tx.get(bits, 0));
    MAGPIE_TRY(tx.set(bits, 0, free & ~(1u << slot)));
    return outcome::commit;
  }
};
MAGPIE_REGION(bits_of_free_slots)
