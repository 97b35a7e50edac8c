/// @file
/// The stack of an item is in memory, and an attempt begins where the one before ended.
// arguments: cells=objects:2 sums=zeros:2 stacks=zeros:24 heights=zeros:3
// items: 3
// expect: not repeatable at heights
// recorded: wrong result at sums or not repeatable
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct own_stack_not_emptied {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> sums;
  magpie::array<std::uint32_t> stacks;
  magpie::array<std::uint32_t> heights;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t height = magpie::ld_rlx_dev(&heights[item]);  // here
    stacks[8 * item + height % 8] = height;
    magpie::st_rlx_dev(&heights[item], height + 1);
    const auto first = tx.open(cells, item % 2);
    const auto second = tx.open(cells, (item + 1) % 2);
    std::uint32_t a = 0, b = 0;
    if (!tx.read(first, &sums[item % 2], a) || !tx.read(second, &sums[(item + 1) % 2], b)) return outcome::retry;
    if (!tx.write(first, &sums[item % 2], a + b + height)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(own_stack_not_emptied)
