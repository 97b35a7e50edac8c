/// @file
/// Two items of a round push the same task, and it is done twice, each time by what it has left under a claim.
// arguments: levels=zeros:4 sums=zeros:4
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct same_task_pushed_twice {
  magpie::stm::guarded<std::uint32_t> levels;  // of each task
  magpie::stm::guarded<std::uint32_t> sums;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2, max_pushes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item < 3 && MAGPIE_TRY(tx.get(levels, 3)) == 0) {
      MAGPIE_TRY(tx.set(sums, item, 5));
      return tx.push(item == 0 ? 3 : 4) ? outcome::commit : outcome::retry;
    }
    const std::uint32_t level = MAGPIE_TRY(tx.get(levels, item % 4));
    MAGPIE_TRY(tx.set(levels, item % 4, level + 1));
    if (level % 2 == 1) MAGPIE_TRY(tx.set(sums, item % 4, level));
    return outcome::commit;
  }
};
MAGPIE_REGION(same_task_pushed_twice)
