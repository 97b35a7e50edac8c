/// @file
/// A neighbor is handed to a function by value, past the transaction.
// arguments: cells=objects:4 places=zeros:4
// items: 4
// expect: unguarded access at places
// recorded: wrong result at places or unguarded access at places
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct neighbor_by_value {
  struct place {
    std::uint32_t kind, load;
  };

  magpie::stm::objects cells;
  magpie::array<place> places;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    const std::uint32_t load = weight(places[(item + 3) % 4]);  // here
    return tx.write(own, &places[item].load, load + item + 1) ? outcome::commit : outcome::retry;
  }

  MAGPIE_DEVICE static std::uint32_t weight(place of);
};

MAGPIE_DEVICE std::uint32_t neighbor_by_value::weight(place of) {
  std::uint32_t all = of.load;
  for (std::uint32_t i = 0; i < of.kind; ++i) all += of.load >> i;
  return all;
}
MAGPIE_REGION(neighbor_by_value)
