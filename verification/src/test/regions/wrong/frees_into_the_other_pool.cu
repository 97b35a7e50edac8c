/// @file
/// Vertices and edges have a pool each; a vertex that goes is given to the edges' pool.
// arguments: head=[1,0] weight=[5,6,7,8] vertices=pool:4:2 edges=pool:4:2
// items: 2
// expect: foreign free at edges
// recorded: nothing (run alone, an item does the same)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct frees_into_the_other_pool {
  magpie::stm::guarded<std::uint32_t> head;
  magpie::stm::guarded<std::uint32_t> weight;
  magpie::stm::pool<0> vertices;
  magpie::stm::pool<1> edges;

  static constexpr std::uint32_t max_objects = 3, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1, 1};

  struct state {
    std::uint32_t before, weight, vertex;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    MAGPIE_TRY(tx.reserve(vertices, 1));
    s.before = MAGPIE_TRY(tx.get(head, item));
    s.weight = MAGPIE_TRY(tx.get(weight, s.before));
    s.vertex = tx.take(vertices);
    MAGPIE_TRY(tx.open(weight, s.vertex));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(weight, s.vertex, s.weight + 1);
    tx.store(head, item, s.vertex);
    tx.free(edges, s.before);  // here
  }
};
MAGPIE_REGION(frees_into_the_other_pool)
