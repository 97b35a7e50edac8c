/// @file
/// Each item puts a new slot on a desk, and forgets the one that lay there since before. Its number is also a desk's.
// arguments: held=[1,2] notes=zeros:8 desk_of=[0,1,2,0,1,2] slots=pool:8:3
// items: 2
// expect: leak at slots
// recorded: nothing (what is lost changes no result)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct replaces_without_freeing {
  magpie::stm::guarded<std::uint32_t> held;  // of each desk: the slot there
  magpie::stm::guarded<std::uint32_t> notes;
  magpie::array<const std::uint32_t> desk_of;  // of each item
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 3, max_writes = 3;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t note, slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    MAGPIE_TRY(tx.reserve(slots, 1));
    const std::uint32_t before = MAGPIE_TRY(tx.get(held, desk_of[item]));
    s.note = MAGPIE_TRY(tx.get(notes, before));
    s.slot = tx.take(slots);
    MAGPIE_TRY(tx.open(notes, s.slot));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(notes, s.slot, s.note + 100);
    tx.store(held, desk_of[item], s.slot);  // here
  }
};
MAGPIE_REGION(replaces_without_freeing)
