/// @file
/// A seat is taken by a compare-exchange in the body, and then the purse is looked at, and may be empty.
// arguments: owners=zeros:2 purses=[1,0,1,0]
// items: 4
// expect: effect not undone at owners
// recorded: not repeatable or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct seat_taken_by_cas {
  magpie::array<std::uint32_t> owners;
  magpie::stm::guarded<std::uint32_t> purses;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (magpie::cas_rlx_dev(&owners[item / 2], 0u, item + 1) != 0) return outcome::cancel;  // here
    const std::uint32_t money = MAGPIE_TRY(tx.get(purses, item));
    if (money == 0) return outcome::cancel;
    MAGPIE_TRY(tx.set(purses, item, money - 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(seat_taken_by_cas)
