/// @file
/// A local of an inner transaction is set in each of its attempts.
// arguments: cells=objects:4 values=fill:5:4
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct inner_begins_anew {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto outer = tx.open(cells, 0);
    std::uint32_t value = 0;
    if (!tx.read(outer, &values[0], value)) return outcome::retry;
    const outcome inner = tx.inner(4, [&](auto& within) {
      const auto cell = within.open(cells, 1);
      std::uint32_t old = 0;
      if (!within.read(cell, &values[1], old)) return outcome::retry;
      if (!within.write(cell, &values[1], old + value)) return outcome::retry;
      return outcome::commit;
    });
    if (inner != outcome::commit) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(inner_begins_anew)
