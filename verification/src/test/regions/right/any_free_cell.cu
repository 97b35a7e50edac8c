/// @file
/// Each item takes the first cell that a hint shows free, and looks again under its claim. Which cell it gets depends on the
/// order, also of items that end up in different cells; every outcome is right, and the region says so.
// arguments: cells=objects:4 values=fill:0:4
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct any_free_cell {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr bool order_dependent = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t at = 0;
    while (at < 4 && tx.glance(&values[at]) != 0) ++at;
    if (at == 4) return outcome::cancel;
    const auto cell = tx.open(cells, at);
    std::uint32_t taken = 0;
    if (!tx.read(cell, &values[at], taken) || taken != 0) return outcome::retry;
    return tx.write(cell, &values[at], item + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(any_free_cell)
