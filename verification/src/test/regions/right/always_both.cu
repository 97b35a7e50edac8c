/// @file
/// A datum is used under one of two objects, both of which every item opens.
// arguments: cells=objects:4 values=fill:5:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct always_both {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto first = tx.open(cells, 0);
    const auto second = tx.open(cells, 1);
    const auto either = item % 2 == 0 ? first : second;
    std::uint32_t value = 0;
    if (!tx.read(either, &values[2], value)) return outcome::retry;
    if (!tx.write(either, &values[2], value + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(always_both)
