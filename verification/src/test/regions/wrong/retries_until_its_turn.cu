/// @file
/// Items that are to go one after the other: each retries until the count says that it is its turn, and the last one never comes.
// arguments: turn=[1]
// items: 3
// expect: no end at turn.data
// recorded: unfinished (what it waits for never comes)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct retries_until_its_turn {
  magpie::stm::guarded<std::uint32_t> turn;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (MAGPIE_TRY(tx.get(turn, 0)) != item) return outcome::retry;  // here
    MAGPIE_TRY(tx.set(turn, 0, item + 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(retries_until_its_turn)
