/// @file
/// The object of a datum is worked out by two formulas that differ where the ring closes.
// arguments: blocks=objects:4 heights=fill:1:7
// items: 7
// expect: guard mismatch at heights
// recorded: guard mismatch at heights
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct guard_differs_at_the_border {
  magpie::stm::objects blocks;
  magpie::array<std::int32_t> heights;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0;

  struct state {
    magpie::stm::handle mine, next;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.mine = tx.open(blocks, item % 4);
    s.next = tx.open(blocks, (item + 1) % 4);  // (item + 1) % 7 % 4 would be right
    return s.mine && s.next ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    const std::uint32_t right = (item + 1) % 7;
    tx.store(s.mine, &heights[item], tx.load(s.mine, &heights[item]) - 1);
    tx.store(s.next, &heights[right], tx.load(s.next, &heights[right]) + 1);  // here
  }
};
MAGPIE_REGION(guard_differs_at_the_border)
