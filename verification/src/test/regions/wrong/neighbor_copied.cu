/// @file
/// A neighbor's struct is copied as a whole, past the transaction.
// arguments: cells=objects:4 boards=zeros:4
// items: 4
// expect: unguarded access at boards
// recorded: wrong result at boards or unguarded access at boards
#include <cstring>

#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct board {
  std::uint32_t kind, load, squares[14];
};

struct neighbor_copied {
  magpie::stm::objects cells;
  magpie::array<board> boards;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    board left;
    memcpy(&left, &boards[(item + 3) % 4], sizeof left);  // here
    if (!tx.write(own, &boards[item].load, left.load + item + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(neighbor_copied)
