/// @file
/// Each item looks at two values side by side, and cancels if they are out of order: it writes nothing.
// arguments: cells=objects:4 values=[2,3,3,8]
// items: 3
// expect: nothing
// left open: nothing was written
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct looks_whether_sorted {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t left = 0, right = 0;
    if (!tx.read(tx.open(cells, item), &values[item], left)) return outcome::retry;
    if (!tx.read(tx.open(cells, item + 1), &values[item + 1], right)) return outcome::retry;
    return left <= right ? outcome::commit : outcome::cancel;
  }
};
MAGPIE_REGION(looks_whether_sorted)
