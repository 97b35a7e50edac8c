/// @file
/// What is stored before a cancel stays.
// arguments: cells=objects:4 values=fill:5:4
// items: 4
// expect: effect not undone at values
// recorded: not repeatable or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct stores_then_cancels {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, item % 2);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[item % 2], value)) return outcome::retry;
    magpie::st_rlx_dev(&values[item % 2], value + 1);  // here
    return value % 2 == 0 ? outcome::commit : outcome::cancel;
  }
};
MAGPIE_REGION(stores_then_cancels)
