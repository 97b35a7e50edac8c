/// @file
/// Irrevocable attempts write a journal and its length by plain code, one at a time; item 3 is not irrevocable and reads the
/// length.
// arguments: balance=fill:9:4 journal=zeros:8 length=zeros:1
// items: 4
// expect: unguarded access at length
// recorded: unguarded access at length or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct length_read_beside_irrevocables {
  magpie::stm::guarded<std::uint32_t> balance;
  magpie::array<std::uint32_t> journal;
  magpie::array<std::uint32_t> length;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr bool irrevocable = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t x = MAGPIE_TRY(tx.get(balance, item));
    if (item == 3) {
      MAGPIE_TRY(tx.set(balance, item, x + length[0]));  // here
      return outcome::commit;
    }
    MAGPIE_TRY(tx.become_irrevocable(0, 1));
    journal[length[0]] = item;
    length[0] = length[0] + 1;
    MAGPIE_TRY(tx.set(balance, item, x - 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(length_read_beside_irrevocables)
