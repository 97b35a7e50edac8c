/// @file
/// The module `labels`: names the trees of a forest by their least vertices.
///
/// Layer: algorithm. Participation: any thread, one vertex each. Shared state: minima and a counter. Determinism:
/// schedule_independent. Bytes: 12 per vertex, twice.
///
/// A root that is no vertex stays as it is, for a verifier to see.
#include "magpie/kernel.cuh"
#include "magpie/parallel/append.cuh"

namespace labels {

using u32 = std::uint32_t;
using magpie::array;
using magpie::thread;

/// Finds the least vertex of each tree, and counts the trees.
struct find_least {
  u32 vertices;
  array<const u32> roots;
  array<u32> least;  ///< of each root; before, no less than the number of vertices
  array<u32> trees;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 root = magpie::ld_plain(&roots[v]);
      if (root < vertices) magpie::red_min_rlx_dev(&least[root], v);
      if (root == v) magpie::append(self, &trees[0]);
    }
  }
};
MAGPIE_KERNEL(find_least)

/// Names each vertex' tree.
struct name_by_least {
  u32 vertices;
  array<const u32> roots;
  array<const u32> least;
  array<u32> names;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 root = magpie::ld_plain(&roots[v]);
      magpie::st_plain(&names[v], root < vertices ? magpie::ld_plain(&least[root]) : root);
    }
  }
};
MAGPIE_KERNEL(name_by_least)

}  // namespace labels
