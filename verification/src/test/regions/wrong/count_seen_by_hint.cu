/// @file
/// A counter is looked at by a hint before it is claimed, and what was seen is added to.
// arguments: cells=objects:1 count=fill:5:1
// items: 2
// expect: unchecked hint at count
// recorded: wrong result at count or unguarded access
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct count_seen_by_hint {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> count;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t) const {
    const std::uint32_t seen = tx.glance(&count[0]);  // here
    const auto cell = tx.open(cells, 0);
    return tx.write(cell, &count[0], seen + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(count_seen_by_hint)
