/// @file
/// Even items know the total by one object, odd ones by another.
// arguments: cells=objects:4 values=fill:5:4
// items: 4
// expect: guard mismatch at values
// recorded: guard mismatch at values
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct two_objects_for_one_datum {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto total = tx.open(cells, item % 2);
    std::uint32_t sum = 0;
    if (!tx.read(total, &values[3], sum)) return outcome::retry;
    if (!tx.write(total, &values[3], sum + item)) return outcome::retry;  // here
    return outcome::commit;
  }
};
MAGPIE_REGION(two_objects_for_one_datum)
