/// @file
/// Every item adds to one sum under an object of its own.
// arguments: cells=objects:4 values=fill:5:4
// items: 3
// expect: guard mismatch at values
// recorded: guard mismatch at values
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct own_object_guards_shared_datum {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    std::uint32_t sum = 0;
    if (!tx.read(own, &values[0], sum)) return outcome::retry;
    if (!tx.write(own, &values[0], sum + 1)) return outcome::retry;  // here
    return outcome::commit;
  }
};
MAGPIE_REGION(own_object_guards_shared_datum)
