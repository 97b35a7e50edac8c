/// @file
/// A field of a neighbor's struct is read through a reference, past the transaction.
// arguments: cells=objects:4 places=zeros:4
// items: 4
// expect: unguarded access at places
// recorded: wrong result at places or unguarded access at places
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct place {
  std::uint32_t kind, load;
};

struct neighbor_in_struct {
  magpie::stm::objects cells;
  magpie::array<place> places;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    const place& left = places[(item + 3) % 4];
    const std::uint32_t load = left.load;  // here
    if (!tx.write(own, &places[item].load, load + item + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(neighbor_in_struct)
