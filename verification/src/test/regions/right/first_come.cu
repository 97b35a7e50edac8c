/// @file
/// Who comes first gets the seat: the result depends on the order, and is right.
// arguments: cells=objects:4 values=fill:0:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct first_come {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto seat = tx.open(cells, item / 2);
    std::uint32_t taken = 0;
    if (!tx.read(seat, &values[item / 2], taken)) return outcome::retry;
    if (taken != 0) return outcome::cancel;
    if (!tx.write(seat, &values[item / 2], item + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(first_come)
