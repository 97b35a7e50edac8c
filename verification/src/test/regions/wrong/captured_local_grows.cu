/// @file
/// A local outside of an inner transaction grows with its attempts.
// arguments: cells=objects:4 values=fill:5:4
// items: 3
// expect: not repeatable at values
// recorded: not repeatable at values
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct captured_local_grows {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto outer = tx.open(cells, 0);
    std::uint32_t value = 0, steps = 0;
    if (!tx.read(outer, &values[0], value)) return outcome::retry;
    const outcome inner = tx.inner(4, [&](auto& within) {
      const auto cell = within.open(cells, 1);
      ++steps;
      if (!within.write(cell, &values[1], value + steps)) return outcome::retry;  // here
      return outcome::commit;
    });
    if (inner != outcome::commit) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(captured_local_grows)
