/// @file
/// Each of two checks the other past the transaction.
// arguments: cells=objects:4 values=fill:5:4
// items: 2
// expect: unguarded access at values
// recorded: wrong result or unguarded access
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct write_skew {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    if (magpie::ld_acq_dev(&values[item ^ 1u]) == 0) return outcome::cancel;  // here
    if (!tx.write(own, &values[item], 0)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(write_skew)
