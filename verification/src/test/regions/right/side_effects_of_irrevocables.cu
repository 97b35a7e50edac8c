/// @file
/// Irrevocable attempts of items that share no object write one journal, by plain code, and a count, by an atomic operation:
/// there is one such attempt at a time, and what one does comes before what the next one does.
// arguments: balance=fill:9:4 journal=zeros:8 length=zeros:1 times=zeros:1
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct side_effects_of_irrevocables {
  magpie::stm::guarded<std::uint32_t> balance;
  magpie::array<std::uint32_t> journal;
  magpie::array<std::uint32_t> length;
  magpie::array<std::uint32_t> times;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr bool irrevocable = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t x = MAGPIE_TRY(tx.get(balance, item));
    MAGPIE_TRY(tx.become_irrevocable(0, 1));
    journal[length[0]] = item;
    length[0] = length[0] + 1;
    magpie::red_add_rlx_dev(&times[0], 1u);
    MAGPIE_TRY(tx.set(balance, item, x - 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(side_effects_of_irrevocables)
