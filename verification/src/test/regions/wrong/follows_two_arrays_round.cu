/// @file
/// A path goes down by one array and up by another, to its end; but it leads round, and nobody changes it.
// arguments: cells=objects:2 down=[1,2,0] up=[1,2,0]
// items: 2
// expect: no end at up
// recorded: unfinished or fault (it does not end: its items are left unfinished, or the launch is ended)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct follows_two_arrays_round {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> down, up;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr std::uint32_t end = ~0u;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t at = item;
    while (at != end) {
      const std::uint32_t below = tx.glance(&down[at]);
      at = tx.glance(&up[below]);  // here
    }
    return tx.open(cells, item) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(follows_two_arrays_round)
