/// @file
/// Each item has a row of marks of its own, set by the number of its search and never cleared; marks of an older search, also of
/// one that was rolled back, decide nothing, and are left as hints.
// arguments: marks.data=zeros:12 marks.columns=4 searches=zeros:3 next=[1,2,3,0] reached=zeros:4 reached.guards=next.guards
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct marks_of_each_search {
  magpie::matrix<std::uint32_t> marks;
  magpie::array<std::uint32_t> searches;  // of each item: how many it has begun
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::guarded<std::uint32_t> reached;

  static constexpr std::uint32_t max_objects = 4, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t search = searches[item] + 1;
    tx.leave_hint(&searches[item], search);
    std::uint32_t at = item, count = 0;
    while (marks(item, at) != search) {
      tx.leave_hint(&marks(item, at), search);
      ++count;
      at = MAGPIE_TRY(tx.get(next, at));
    }
    MAGPIE_TRY(tx.set(reached, at, MAGPIE_TRY(tx.get(reached, at)) + count));
    return outcome::commit;
  }
};
MAGPIE_REGION(marks_of_each_search)
