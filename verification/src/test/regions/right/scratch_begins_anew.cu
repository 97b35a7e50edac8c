/// @file
/// Scratch of the item is set in every attempt.
// arguments: cells=objects:4 values=fill:5:4 scratch=zeros:4
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct scratch_begins_anew {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> scratch;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    scratch[item] = 1;
    const auto cell = tx.open(cells, 0);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[0], value)) return outcome::retry;
    scratch[item] += value;
    if (!tx.write(cell, &values[0], scratch[item])) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(scratch_begins_anew)
