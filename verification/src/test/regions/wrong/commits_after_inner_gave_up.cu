/// @file
/// An inner transaction gives up, and the outer one goes on to commit; but giving up rolls back both, and every item is canceled.
// arguments: stock=zeros:2 asked=zeros:2
// items: 4
// expect: vacuous run
// recorded: vacuous run
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct commits_after_inner_gave_up {
  magpie::stm::guarded<std::uint32_t> stock;
  magpie::stm::guarded<std::uint32_t> asked;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t before = MAGPIE_TRY(tx.get(asked, item % 2));
    const outcome got = tx.inner(2, [&](auto& within) {
      const std::uint32_t there = MAGPIE_TRY(within.get(stock, item % 2));
      if (there == 0) return outcome::cancel;
      MAGPIE_TRY(within.set(stock, item % 2, there - 1));
      return outcome::commit;
    });
    if (got == outcome::retry) return got;
    MAGPIE_TRY(tx.set(asked, item % 2, before + 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(commits_after_inner_gave_up)
