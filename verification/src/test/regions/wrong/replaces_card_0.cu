/// @file
/// Cards are known by their slots' numbers above a stamp of 24 bits. A desk gets a new card, and the one that it had, in slot 0, is not freed.
// arguments: desks=[1000,4278190080,4278190080,4278190080] fees=zeros:4 ages=zeros:8 cards=pool:8:1
// items: 4
// expect: leak at cards
// recorded: nothing (what is lost changes no result)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct replaces_card_0 {
  magpie::stm::guarded<std::uint32_t> desks;
  magpie::stm::guarded<std::uint32_t> fees;
  magpie::stm::guarded<std::uint32_t> ages;
  magpie::stm::pool<0> cards;

  static constexpr std::uint32_t max_objects = 5, max_writes = 4;
  static constexpr std::uint32_t max_slots[] = {1};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.reserve(cards, 1));
    const std::uint32_t before = MAGPIE_TRY(tx.get(desks, item));
    const std::uint32_t age = before >> 24 == 255 ? 0 : MAGPIE_TRY(tx.get(ages, before >> 24));
    const std::uint32_t card = tx.take(cards);
    MAGPIE_TRY(tx.set(fees, 0, 5000 + MAGPIE_TRY(tx.get(fees, 0))));
    MAGPIE_TRY(tx.set(ages, card, 500 + age));
    MAGPIE_TRY(tx.set(desks, item, card << 24 | (1000 + 7 * item)));  // here
    return outcome::commit;
  }
};
MAGPIE_REGION(replaces_card_0)
