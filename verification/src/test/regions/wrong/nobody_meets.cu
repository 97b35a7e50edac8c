/// @file
/// Every item cancels, writes nothing and meets nobody: whatever is wrong with it, this run cannot show it.
// arguments: cells=objects:4 values=zeros:4
// items: 4
// expect: vacuous run
// recorded: vacuous run
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct nobody_meets {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    std::uint32_t value = 0;
    if (!tx.read(own, &values[item], value)) return outcome::retry;
    if (value == 0) return outcome::cancel;
    if (!tx.write(own, &values[item], value - 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(nobody_meets)
