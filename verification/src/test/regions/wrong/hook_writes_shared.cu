/// @file
/// The hook adds to a shared sum without atomics.
// arguments: cells=objects:4 values=fill:5:4 sum=zeros:1
// items: 4
// expect: shared hook at sum
// recorded: wrong result at sum
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct hook_writes_shared {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> sum;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, item % 4);
    if (!tx.write(cell, &values[item % 4], item)) return outcome::retry;
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t) const {
    magpie::st_rlx_dev(&sum[0], magpie::ld_rlx_dev(&sum[0]) + 1);  // here
  }
};
MAGPIE_REGION(hook_writes_shared)
