/// @file
/// Fused cells: what a transaction finds in one of them, and leaves there, is a datum like any other.
// arguments: seats=[3,1,0,2] taken=zeros:4
// items: 6
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct fused_seats {
  magpie::stm::fused_cells<std::uint32_t> seats;
  magpie::stm::fused_cells<float> taken;

  static constexpr std::uint32_t max_objects = 3, max_writes = 3;
  static constexpr bool opens_fused_cells = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t from = item % 4, to = (item + 1) % 4;
    const std::uint32_t seat = MAGPIE_TRY(tx.get(seats, from));
    MAGPIE_TRY(tx.set(seats, from, MAGPIE_TRY(tx.get(seats, to))));
    MAGPIE_TRY(tx.set(seats, to, seat));
    MAGPIE_TRY(tx.set(taken, seat, MAGPIE_TRY(tx.get(taken, seat)) + 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(fused_seats)
