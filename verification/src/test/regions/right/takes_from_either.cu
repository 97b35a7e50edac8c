/// @file
/// Takes from the first purse, or if that has too little, from the second one: what it wrote to the first is undone.
// arguments: cells=objects:10 values=[4,9,0,0,0,0,0,0,0,0]
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct takes_from_either {
  magpie::stm::objects cells;  // two purses, then one for each item
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 3, max_writes = 4;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto take = [&](std::uint32_t purse) {
      return [this, purse](Tx& within) {
        const auto cell = within.open(cells, purse);
        std::uint32_t there = 0;
        if (!within.read(cell, &values[purse], there)) return outcome::retry;
        if (!within.write(cell, &values[purse], there - 3)) return outcome::retry;
        return there < 3 ? outcome::cancel : outcome::commit;
      };
    };
    const outcome taken = tx.or_else(take(0), take(1));
    if (taken != outcome::commit) return taken;
    return tx.write(tx.open(cells, 2 + item), &values[2 + item], 3u) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(takes_from_either)
