/// @file
/// Each leaves with an equal share, and the last one divides what is left by nobody.
// arguments: sum=[12] count=[2] share=zeros:4
// items: 4
// expect: fault
// recorded: fault or nothing (a GPU divides by zero)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct divides_by_those_left {
  magpie::stm::guarded<std::uint32_t> sum;
  magpie::stm::guarded<std::uint32_t> count;
  magpie::stm::guarded<std::uint32_t> share;

  static constexpr std::uint32_t max_objects = 3, max_writes = 3;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t there = MAGPIE_TRY(tx.get(sum, 0));
    const std::uint32_t left = MAGPIE_TRY(tx.get(count, 0));
    const std::uint32_t each = there / left;  // here
    MAGPIE_TRY(tx.set(share, item, each));
    MAGPIE_TRY(tx.set(sum, 0, there - each));
    MAGPIE_TRY(tx.set(count, 0, left == 0 ? 0 : left - 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(divides_by_those_left)
