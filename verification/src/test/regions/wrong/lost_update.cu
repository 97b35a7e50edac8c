/// @file
/// The old value is read past the transaction that writes the new one.
// arguments: cells=objects:4 values=fill:5:4
// items: 3
// expect: unguarded access at values
// recorded: wrong result at values or unguarded access at values
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct lost_update {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t old = magpie::ld_rlx_dev(&values[0]);  // here
    const auto sum = tx.open(cells, 0);
    if (!tx.write(sum, &values[0], old + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(lost_update)
