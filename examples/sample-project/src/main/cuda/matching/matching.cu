/// @file
/// Chooses edges of a graph of which no two meet: each item is an edge, and is taken if both of its ends are still free.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct match {
  magpie::stm::guarded<std::int32_t> partner;  // of each vertex, or -1
  magpie::array<const std::int32_t> ends;      // of each edge: two

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t edge) const {
    const std::int32_t u = ends[2 * edge], v = ends[2 * edge + 1];
    if (u == v || MAGPIE_TRY(tx.get(partner, u)) >= 0 || MAGPIE_TRY(tx.get(partner, v)) >= 0) return outcome::cancel;
    MAGPIE_TRY(tx.set(partner, u, v));
    MAGPIE_TRY(tx.set(partner, v, u));
    return outcome::commit;
  }
};
MAGPIE_REGION(match)
