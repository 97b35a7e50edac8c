/// @file
/// A card, known by its slot above a stamp of 24 bits, lies at a desk; an item moves its desk's card to the archive.
// arguments: desks=[1000,4278190080,4278190080,4278190080] archive=[4278190080] ages=zeros:8 cards=pool:8:1
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct moves_slot_0 {
  magpie::stm::guarded<std::uint32_t> desks;
  magpie::stm::guarded<std::uint32_t> archive;  // one place; 0xff000000 is none
  magpie::stm::guarded<std::uint32_t> ages;
  magpie::stm::pool<0> cards;

  static constexpr std::uint32_t max_objects = 6, max_writes = 6;
  static constexpr std::uint32_t max_slots[] = {1};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.reserve(cards, 1));
    const std::uint32_t before = MAGPIE_TRY(tx.get(desks, item));
    const std::uint32_t archived = MAGPIE_TRY(tx.get(archive, 0));
    std::uint32_t age = 0;
    if (before >> 24 != 255) {
      if (archived >> 24 != 255) return outcome::cancel;
      age = MAGPIE_TRY(tx.get(ages, before >> 24));
      MAGPIE_TRY(tx.set(archive, 0, (before & 0xff000000u) | ((before + 1) & 0xffffffu)));
    }
    const std::uint32_t card = tx.take(cards);
    MAGPIE_TRY(tx.set(ages, card, 500 + age));
    MAGPIE_TRY(tx.set(desks, item, card << 24 | (1000 + 7 * item)));
    return outcome::commit;
  }
};
MAGPIE_REGION(moves_slot_0)
