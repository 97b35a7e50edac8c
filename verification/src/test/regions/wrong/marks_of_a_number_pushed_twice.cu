/// @file
/// Each task has a mark of its own, set in the body, past the transaction; but two items of a round push the same task.
// arguments: marks=zeros:4 sums=zeros:4
// items: 2
// expect: effect not undone at marks
// recorded: not repeatable or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct marks_of_a_number_pushed_twice {
  magpie::array<std::uint32_t> marks;  // of each task
  magpie::stm::guarded<std::uint32_t> sums;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item < 2) {
      MAGPIE_TRY(tx.set(sums, item, 5));
      return tx.push(2) ? outcome::commit : outcome::retry;
    }
    if (marks[item] != 0) return outcome::cancel;
    marks[item] = 1;  // here
    MAGPIE_TRY(tx.set(sums, 3, 1 + MAGPIE_TRY(tx.get(sums, 3))));
    return outcome::commit;
  }
};
MAGPIE_REGION(marks_of_a_number_pushed_twice)
