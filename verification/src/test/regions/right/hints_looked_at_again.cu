/// @file
/// The smallest is looked for by hints, and taken only if it is still what it was.
// arguments: cells=objects:4 values=fill:5:4
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct hints_looked_at_again {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < 4; ++i) {
      if (tx.glance(&values[i]) > tx.glance(&values[best])) best = i;
    }
    // Any cell would do, so none is compared with the others again: each item takes from the first.
    const auto cell = tx.open(cells, 0);
    std::uint32_t left = 0;
    if (!tx.read(cell, &values[0], left)) return outcome::retry;
    if (left == 0) return outcome::cancel;
    if (!tx.write(cell, &values[0], left - 1)) return outcome::retry;
    static_cast<void>(best);
    return outcome::commit;
  }
};
MAGPIE_REGION(hints_looked_at_again)
