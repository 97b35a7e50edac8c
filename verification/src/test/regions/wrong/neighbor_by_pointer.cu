/// @file
/// A helper gets a pointer to a neighbor and reads through it.
// arguments: cells=objects:4 values=fill:5:4
// items: 4
// expect: unguarded access at values
// recorded: wrong result at values or unguarded access at values
#include "magpie/stm.cuh"

using magpie::stm::outcome;

MAGPIE_INLINE std::uint32_t twice(const std::uint32_t* value) {
  return 2 * *value;  // here
}

struct neighbor_by_pointer {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    const std::uint32_t next = twice(&values[(item + 1) % 4]);
    if (!tx.write(own, &values[item], next)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(neighbor_by_pointer)
