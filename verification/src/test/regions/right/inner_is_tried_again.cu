/// @file
/// An inner transaction gives up what it opened and tries another object, by a local that each attempt sets.
// arguments: cells=objects:3 values=[0,0,7]
// items: 2
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct inner_is_tried_again {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 3, max_writes = 3;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    std::uint32_t mine = 0, taken = 0;
    if (!tx.read(own, &values[item], mine)) return outcome::retry;
    const outcome inner = tx.inner(5, [&](auto& within) {
      taken = 0;
      const auto purse = within.open(cells, 2);
      std::uint32_t left = 0;
      if (!within.read(purse, &values[2], left)) return outcome::retry;
      if (left < 3) return outcome::commit;
      taken = 3;
      return within.write(purse, &values[2], left - 3) ? outcome::commit : outcome::retry;
    });
    if (inner != outcome::commit) return outcome::retry;
    if (!tx.write(own, &values[item], mine + taken)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(inner_is_tried_again)
