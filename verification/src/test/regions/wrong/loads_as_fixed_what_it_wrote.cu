/// @file
/// An item sets bits of a word of its own, and counts them by loads that are for what nobody writes: a GPU may count those of before.
// arguments: cells=objects:2 sums=zeros:2 scratch=zeros:4
// items: 4
// expect: stale load at scratch
// recorded: wrong result at sums or nothing (whether a load comes from a cache)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct loads_as_fixed_what_it_wrote {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> sums;
  magpie::array<std::uint32_t> scratch;  // of each item

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    scratch[item] = 0x5a5a0f0fu + item;
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < 32; ++i) bits += magpie::ld_plain(&scratch[item]) >> i & 1u;  // here
    const auto cell = tx.open(cells, item % 2);
    std::uint32_t sum = 0;
    if (!tx.read(cell, &sums[item % 2], sum) || !tx.write(cell, &sums[item % 2], sum + bits)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(loads_as_fixed_what_it_wrote)
