/// @file
/// Each item marks in its own row that it has counted, and does not count again; an attempt that fails has marked, too.
// arguments: sum=[0] visited=zeros:4
// items: 4
// expect: not repeatable at visited
// recorded: not repeatable or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct marks_its_own_visit {
  magpie::stm::guarded<std::uint32_t> sum;
  magpie::array<std::uint32_t> visited;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (visited[item] != 0) return outcome::cancel;  // here
    visited[item] = 1;
    MAGPIE_TRY(tx.set(sum, 0, 1 + MAGPIE_TRY(tx.get(sum, 0))));
    return outcome::commit;
  }
};
MAGPIE_REGION(marks_its_own_visit)
