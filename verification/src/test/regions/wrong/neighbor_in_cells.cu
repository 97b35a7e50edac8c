/// @file
/// The neighbor's datum is read in its cell, beside the word that nobody opened.
// arguments: places=zeros:4
// items: 4
// expect: unguarded access at places.data
// recorded: wrong result at places.data or unguarded access at places.data
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct room_place {
  std::uint32_t kind, load;
};

struct neighbor_in_cells {
  magpie::stm::guarded_cells<room_place> places;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t left = (item + 3) % 4;
    const std::uint32_t load = places.unguarded(left).load;  // here
    MAGPIE_TRY(tx.set(places, item, &room_place::load, load + item + 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(neighbor_in_cells)
