/// @file
/// An inner transaction that is undone leaves a flag of the outer one set, by which that skips its work.
// arguments: cells=objects:2 values=fill:8:2
// items: 2
// expect: not repeatable at values
// recorded: not repeatable at values
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct flag_set_within_inner {
  magpie::stm::objects cells;
  magpie::array<std::int64_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t) const {
    bool halved = false;
    const outcome inner = tx.inner(8, [&](auto& within) {
      const auto cell = within.open(cells, 0);
      std::int64_t value = 0;
      if (!within.read(cell, &values[0], value)) return outcome::retry;
      if (!halved) {
        halved = true;
        value /= 2;
      }
      if (!within.write(cell, &values[0], value)) return outcome::retry;  // here
      return outcome::commit;
    });
    return inner;
  }
};
MAGPIE_REGION(flag_set_within_inner)
