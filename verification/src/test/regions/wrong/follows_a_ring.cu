/// @file
/// A path is followed to its end, and the path is a ring.
// arguments: cells=objects:3 next=[1,2,0]
// items: 2
// expect: no end at next
// recorded: unfinished or fault (it does not end: its items are left unfinished, or the launch is ended)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct follows_a_ring {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> next;

  static constexpr std::uint32_t max_objects = 3, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t at = item;
    for (;;) {
      std::uint32_t after = 0;
      if (!tx.read(tx.open(cells, at), &next[at], after)) return outcome::retry;  // here
      if (after == at) break;
      at = after;
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(follows_a_ring)
