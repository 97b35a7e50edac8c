/// @file
/// Clusters of bounded weight, within which vertices are then matched (size-constrained label propagation: Meyerhenke,
/// Sanders and Schulz, "Partitioning complex networks via size-constrained clustering", 2014).
///
/// Layer: algorithm, lock-free phases. A cluster is named by a vertex; labels[v] is v's, sizes[x] what cluster x
/// weighs. Each vertex begins as a cluster of its own; in a round about half of the vertices, by lot, join the cluster
/// that they are most connected to and that has room.
#pragma once

#include "graph.cuh"

namespace magpie::partition {

/// Vertices of larger degree stay where they are; others come to them.
inline constexpr u32 clustered_degree = 64;

/// One round. Shared state: `labels`, relaxed: v's is written by v's thread alone, and others may see the old or the
/// new one; `sizes`, relaxed additions: room is reserved before a vertex joins and given back where there was none, so
/// that no cluster of several vertices weighs more than `bound`. What becomes of a round depends on how threads ran.
/// Cost: the square of the degree at most, for each vertex.
struct join_clusters {
  u32 vertices;
  u32 bound;
  u64 key;  ///< of this round
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<const u32> vertex_weights;
  array<u32> labels;
  array<u32> sizes;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 first = ld_plain(&offsets[v]);
      const u32 last = ld_plain(&offsets[v + 1]);
      if (last - first > clustered_degree || (mixed(key, v) & 1u) != 0) continue;
      const u32 home = ld_rlx_dev(&labels[v]);
      const u32 weight = ld_plain(&vertex_weights[v]);
      const u32 to = best_cluster(v, first, last, home, weight);
      if (to == home) continue;
      if (add_rlx_dev(&sizes[to], weight) + weight <= bound) {
        st_rlx_dev(&labels[v], to);
        red_add_rlx_dev(&sizes[home], 0u - weight);
      } else {
        red_add_rlx_dev(&sizes[to], 0u - weight);
      }
    }
  }

 private:
  /// The cluster with room, or `home`, of most weight of edges to v; of several one by lot.
  MAGPIE_INLINE u32 best_cluster(u32 v, u32 first, u32 last, u32 home, u32 weight) const {
    u32 clusters[clustered_degree + 1];
    u32 sums[clustered_degree + 1];
    clusters[0] = home;
    sums[0] = 0;
    u32 count = 1;
    for (u32 a = first; a < last; ++a) {
      const u32 x = ld_rlx_dev(&labels[ld_plain(&neighbors[a])]);
      u32 k = 0;
      while (k < count && clusters[k] != x) ++k;
      if (k == count) {
        clusters[count] = x;
        sums[count++] = 0;
      }
      sums[k] += ld_plain(&weights[a]);
    }
    u32 best = 0;
    u32 lot = mixed(key, u64{v} << 32 | home);
    for (u32 k = 1; k < count; ++k) {
      if (sums[k] < sums[best] || sums[k] == 0) continue;
      const u32 drawn = mixed(key, u64{v} << 32 | clusters[k]);
      if (sums[k] == sums[best] && drawn < lot) continue;
      if (u64{ld_rlx_dev(&sizes[clusters[k]])} + weight > bound) continue;
      best = k;
      lot = drawn;
    }
    return clusters[best];
  }
};
MAGPIE_KERNEL(join_clusters)

/// Takes fixed vertices out of their clusters: those of one part have a cluster of their own, numbered behind all
/// vertices.
struct set_fixed_apart {
  u32 vertices;
  array<const u32> fixed;  ///< the part that a vertex stays in, or `none`
  array<u32> labels;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 part = ld_plain(&fixed[v]);
      if (part != none) st_plain(&labels[v], vertices + part);
    }
  }
};
MAGPIE_KERNEL(set_fixed_apart)

}  // namespace magpie::partition
