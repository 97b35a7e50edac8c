/// @file
/// Chooses vertices of a graph, each unless a neighbor is chosen that is too near. The graph is a member that is a struct.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct csr_graph {
  magpie::array<const std::uint32_t> offsets;    // where the arcs of each vertex begin, then their number
  magpie::array<const std::uint32_t> neighbors;  // of each arc: where it leads to
  magpie::array<const std::int32_t> weights;     // of each arc: its length
};

/// Item v is vertex v.
struct choose {
  magpie::stm::guarded<std::uint32_t> chosen;  // of each vertex: 1 if it is
  csr_graph graph;
  std::int32_t apart;  // nearer than this is too near

  static constexpr std::uint32_t max_objects = 8, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t vertex) const {
    for (std::uint32_t arc = graph.offsets[vertex]; arc < graph.offsets[vertex + 1]; ++arc) {
      const std::uint32_t neighbor = graph.neighbors[arc];
      if (neighbor == vertex || graph.weights[arc] >= apart) continue;
      if (MAGPIE_TRY(tx.get(chosen, neighbor)) != 0) return outcome::cancel;
    }
    MAGPIE_TRY(tx.set(chosen, vertex, 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(choose)
