/// @file
/// A handle that an inner transaction opened is used after that has been undone.
// arguments: cells=objects:3 values=fill:4:3
// items: 2
// expect: bad handle at values
// recorded: vacuous run or unfinished (items are canceled, or left unfinished)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct handle_outlives_inner {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 3, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    magpie::stm::handle spare;
    const outcome inner = tx.inner(2, [&](auto& within) {
      spare = within.open(cells, 2);
      std::uint32_t value = 0;
      if (!within.read(spare, &values[2], value)) return outcome::retry;
      return value > 3 ? outcome::cancel : outcome::commit;
    });
    std::uint32_t value = 0;
    if (inner == outcome::retry || !tx.read(own, &values[item], value)) return outcome::retry;
    if (inner == outcome::cancel && !tx.write(spare, &values[2], value)) return outcome::retry;  // here
    return outcome::commit;
  }
};
MAGPIE_REGION(handle_outlives_inner)
