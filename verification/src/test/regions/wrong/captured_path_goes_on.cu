/// @file
/// An inner transaction keeps the path that it walks on a stack of the outer one, which is not emptied when it begins again.
// arguments: next=[1,2,3,3] visits=zeros:4 visits.guards=next.guards
// items: 3
// expect: not repeatable at visits.data
// recorded: not repeatable at visits.data
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct captured_path_goes_on {
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::guarded<std::uint32_t> visits;

  static constexpr std::uint32_t max_objects = 4, max_writes = 4;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t path[16], depth = 0;
    const outcome found = tx.inner(3, [&](auto& within) {
      for (std::uint32_t at = item; depth < 16;) {
        path[depth++] = at;
        const std::uint32_t after = MAGPIE_TRY(within.get(next, at));
        if (after == at) return outcome::commit;
        at = after;
      }
      return outcome::commit;
    });
    if (found != outcome::commit) return found;
    const std::uint32_t end = path[depth - 1];
    MAGPIE_TRY(tx.set(visits, end, MAGPIE_TRY(tx.get(visits, end)) + depth));  // here
    return outcome::commit;
  }
};
MAGPIE_REGION(captured_path_goes_on)
