/// @file
/// Item 0 glances at a word until item 1 has written it.
// arguments: cells=objects:2 ready=zeros:2
// items: 2
// expect: wait at ready
// recorded: fault (an item that waits for another one does not end alone)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct glances_until_it_changes {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> ready;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item == 0) {
      std::uint32_t seen = 0;
      do {
        seen = tx.glance(&ready[1]);  // here
      } while (seen == 0);
    }
    const auto own = tx.open(cells, item);
    if (!tx.write(own, &ready[item], 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(glances_until_it_changes)
