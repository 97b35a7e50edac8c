/// @file
/// A counter of attempts, which is no part of the data.
// arguments: cells=objects:4 values=fill:5:4 visits=zeros:1
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct tallies {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> visits;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    tx.tally(&visits[0], 1);
    const auto cell = tx.open(cells, 0);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[0], value)) return outcome::retry;
    if (!tx.write(cell, &values[0], value + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(tallies)
