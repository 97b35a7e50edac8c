/// @file
/// The lightest edge of each component is kept by the hook, as a struct that is compared and replaced.
// arguments: edges=zeros:6 best=[1000,99,1000,99] weights=[5,3,8,2,9,1]
// items: 6
// expect: shared hook at best
// recorded: wrong result at best or nothing (whether two hooks meet)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct lightest {
  std::uint32_t weight, edge;
};

struct best_edge_kept_in_the_hook {
  magpie::stm::guarded<std::uint32_t> edges;  // of each edge: how often it was looked at
  magpie::array<lightest> best;               // of each component
  magpie::array<const std::uint32_t> weights;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.set(edges, item / 2, MAGPIE_TRY(tx.get(edges, item / 2)) + 1));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item) const {
    lightest& now = best[item % 2];
    if (weights[item] < now.weight) now = {weights[item], item};  // here
  }
};
MAGPIE_REGION(best_edge_kept_in_the_hook)
