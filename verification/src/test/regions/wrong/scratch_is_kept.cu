/// @file
/// Scratch of the item is added to in every attempt.
// arguments: cells=objects:4 values=fill:5:4 scratch=zeros:4
// items: 3
// expect: not repeatable at scratch
// recorded: wrong result at values or not repeatable at values
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct scratch_is_kept {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> scratch;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    scratch[item] += 1;  // here
    const auto cell = tx.open(cells, 0);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[0], value)) return outcome::retry;
    if (!tx.write(cell, &values[0], value + scratch[item])) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(scratch_is_kept)
