/// @file
/// Every item commits, but the graph has no arcs: whatever is wrong with how neighbors are changed, this run cannot show it.
// arguments: vertices=objects:3 offsets=zeros:4 neighbors=[0] labels=iota:3
// items: 3
// expect: vacuous run
// recorded: vacuous run
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct visits_nobody {
  magpie::stm::objects vertices;
  magpie::array<const std::uint32_t> offsets;  // where the arcs of each vertex begin, then their number
  magpie::array<const std::uint32_t> neighbors;
  magpie::array<std::uint32_t> labels;

  static constexpr std::uint32_t max_objects = 8, max_writes = 8;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t i = offsets[item]; i < offsets[item + 1]; ++i) {
      const auto own = tx.open(vertices, neighbors[i]);
      if (!tx.write(own, &labels[neighbors[i]], labels[item])) return outcome::retry;
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(visits_nobody)
