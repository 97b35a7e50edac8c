/// @file
/// An object is opened again and again until that succeeds, although the attempt has failed.
// arguments: cells=objects:2 values=zeros:2
// items: 2
// expect: no end
// recorded: unfinished or fault (it does not end: its items are left unfinished, or the launch is ended)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct opens_until_it_has_it {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::uint32_t at = (item + i) % 2;
      magpie::stm::handle cell = tx.open(cells, at);
      while (!cell) cell = tx.open(cells, at);  // here
      if (!tx.write(cell, &values[at], item)) return outcome::retry;
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(opens_until_it_has_it)
