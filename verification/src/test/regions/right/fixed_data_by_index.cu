/// @file
/// Weights that nobody writes are read by their index.
// arguments: cells=objects:4 values=fill:5:4 weights=iota:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct fixed_data_by_index {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<const std::uint32_t> weights;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, weights[item] / 2);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[weights[item] / 2], value)) return outcome::retry;
    if (!tx.write(cell, &values[weights[item] / 2], value + weights[item])) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(fixed_data_by_index)
