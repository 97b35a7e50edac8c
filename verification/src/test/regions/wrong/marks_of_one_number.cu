/// @file
/// Each item has a row of marks of its own, left as hints and never cleared, but all its searches have the same number: one that was
/// rolled back has marked what the next one would visit.
// arguments: marks.data=zeros:12 marks.columns=4 next=[1,2,3,0] reached=zeros:4 reached.guards=next.guards
// items: 3
// expect: not repeatable at marks.data
// recorded: not repeatable at reached.data or wrong result at reached.data
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct marks_of_one_number {
  magpie::matrix<std::uint32_t> marks;
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::guarded<std::uint32_t> reached;

  static constexpr std::uint32_t max_objects = 4, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t search = item + 1;
    std::uint32_t at = item, count = 0;
    while (marks(item, at) != search) {  // here
      tx.leave_hint(&marks(item, at), search);
      ++count;
      at = MAGPIE_TRY(tx.get(next, at));
    }
    MAGPIE_TRY(tx.set(reached, at, MAGPIE_TRY(tx.get(reached, at)) + count));
    return outcome::commit;
  }
};
MAGPIE_REGION(marks_of_one_number)
