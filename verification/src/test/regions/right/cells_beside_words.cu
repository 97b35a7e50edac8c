/// @file
/// Data of several sizes lie beside their objects' words; the words change all the time, and no datum does with them.
// arguments: seats=[3,1,0,2] names=zeros:4 weights=fill:2:4
// items: 6
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct full_name {
  std::uint32_t first, middle, last;
};

struct cells_beside_words {
  magpie::stm::guarded_cells<std::uint32_t> seats;
  magpie::stm::guarded_cells<full_name> names;
  magpie::stm::guarded_cells<double> weights;

  static constexpr std::uint32_t max_objects = 4, max_writes = 7;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t from = item % 4, to = (item + 1) % 4;
    const std::uint32_t seat = MAGPIE_TRY(tx.get(seats, from));
    MAGPIE_TRY(tx.set(seats, from, MAGPIE_TRY(tx.get(seats, to))));
    MAGPIE_TRY(tx.set(seats, to, seat));
    const full_name n = MAGPIE_TRY(tx.get(names, seat));
    MAGPIE_TRY(tx.set(names, seat, {n.first + 1, n.middle, n.last + item}));
    MAGPIE_TRY(tx.set(weights, seat, MAGPIE_TRY(tx.get(weights, seat)) / 2));
    return outcome::commit;
  }
};
MAGPIE_REGION(cells_beside_words)
