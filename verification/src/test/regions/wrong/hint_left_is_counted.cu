/// @file
/// An item leaves the next number as a hint for others before it knows whether it commits; but a number is no hint.
// arguments: cells=objects:3 next=fill:7:1 taken=zeros:3
// items: 3
// expect: not repeatable at next
// recorded: not repeatable at taken or wrong result at taken
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct hint_left_is_counted {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> next;
  magpie::array<std::uint32_t> taken;  // of each item

  static constexpr std::uint32_t max_objects = 2, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, 0);
    std::uint32_t number = 0;
    if (!tx.read(cell, &next[0], number)) return outcome::retry;  // here
    tx.leave_hint(&next[0], number + 1);
    const auto own = item == 0 ? cell : tx.open(cells, item);
    if (!own || !tx.write(own, &taken[item], number)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(hint_left_is_counted)
