/// @file
/// What operations say is looked at once, behind a loop with many of them: after the first that fails, the others do nothing.
// arguments: cells=objects:2 values=zeros:2
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct goes_on_after_it_failed {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const magpie::stm::handle cell = tx.open(cells, 0);
    std::uint32_t sum = 0;
    bool all = true;
    for (std::uint32_t i = 0; i < 3000; ++i) {
      std::uint32_t value = 0;
      all = tx.read(cell, &values[i % 2], value) && all;
      sum += value;
    }
    return tx.write(cell, &values[item % 2], all ? sum + 1 : 0) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(goes_on_after_it_failed)
