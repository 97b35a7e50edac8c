/// @file
/// A neighbor is read by its index, past the transaction.
// arguments: cells=objects:4 values=fill:5:4
// items: 4
// expect: unguarded access at values
// recorded: wrong result at values or unguarded access at values
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct neighbor_by_index {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    const std::uint32_t neighbor = values[(item + 1) % 4];  // here
    if (!tx.write(own, &values[item], neighbor + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(neighbor_by_index)
