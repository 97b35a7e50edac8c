/// @file
/// Two neighbors are swapped under the objects of both, which overlap with those of the next.
// arguments: cells=objects:4 values=iota:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct swaps_under_both {
  magpie::stm::objects cells;
  magpie::array<std::uint64_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t other = (item + 1) % 4;
    std::uint64_t a = 0, b = 0;
    if (!tx.open_each(cells, 2, [&](std::uint32_t i) { return i == 0 ? item : other; })) return outcome::retry;
    const auto first = tx.open(cells, item);
    const auto second = tx.open(cells, other);
    if (!tx.read(first, &values[item], a) || !tx.read(second, &values[other], b)) return outcome::retry;
    if (!tx.write(first, &values[item], b) || !tx.write(second, &values[other], a)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(swaps_under_both)
