/// @file
/// Which way an item goes depends on how often it was tried: a count in memory that rolled_back keeps.
// arguments: cells=objects:2 values=zeros:2 tries=zeros:3
// items: 3
// expect: not repeatable at tries
// recorded: wrong result at values or not repeatable at values
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct picks_another_each_time {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> tries;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t way = tries[item] % 2;  // here
    std::uint32_t value = 0;
    const auto cell = tx.open(cells, way);
    if (!tx.read(cell, &values[way], value)) return outcome::retry;
    if (!tx.write(cell, &values[way], value + 1)) return outcome::retry;
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx&, std::uint32_t item) const {
    ++tries[item];
  }
};
MAGPIE_REGION(picks_another_each_time)
