/// @file
/// What each item takes is checked by a limit that is loaded as if nobody wrote it, and item 0 lowers it under a claim.
// arguments: limits=objects:1 limit=fill:9:1 purses=objects:3 money=fill:5:3
// items: 3
// expect: unguarded access at limit
// recorded: wrong result or unguarded access
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct limit_loaded_as_fixed {
  magpie::stm::objects limits;
  magpie::array<std::uint32_t> limit;
  magpie::stm::objects purses;
  magpie::array<std::uint32_t> money;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item == 0) {
      const auto own = tx.open(limits, 0);
      std::uint32_t most = 0;
      if (!tx.read(own, &limit[0], most) || !tx.write(own, &limit[0], most - 5)) return outcome::retry;
      return outcome::commit;
    }
    const auto purse = tx.open(purses, item);
    std::uint32_t amount = 0;
    if (!tx.read(purse, &money[item], amount)) return outcome::retry;
    if (amount >= magpie::ld_plain(&limit[0])) return outcome::cancel;  // here
    if (!tx.write(purse, &money[item], amount + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(limit_loaded_as_fixed)
