/// @file
/// The least label of the neighbors of a vertex is worked out by relaxed loads, under a claim of the vertex alone.
// arguments: vertices=objects:4 offsets=[0,1,3,5,6] neighbors=[1,0,2,1,3,2] labels=iota:4
// items: 4
// expect: unguarded access at labels
// recorded: wrong result at labels or unguarded access at labels
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct neighbors_by_offsets {
  magpie::stm::objects vertices;
  magpie::array<const std::uint32_t> offsets;
  magpie::array<const std::uint32_t> neighbors;
  magpie::array<std::uint32_t> labels;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(vertices, item);
    std::uint32_t least = 0;
    if (!tx.read(own, &labels[item], least)) return outcome::retry;
    for (std::uint32_t arc = offsets[item]; arc < offsets[item + 1]; ++arc) {
      const std::uint32_t label = magpie::ld_rlx_dev(&labels[neighbors[arc]]);  // here
      least = label < least ? label : least;
    }
    if (!tx.write(own, &labels[item], least)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(neighbors_by_offsets)
