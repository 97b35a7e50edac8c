/// @file
/// Connected components by the method of Soman, Kothapalli and Narayanan (2010), of which they ran an OpenMP version beside
/// the one for GPUs: edges hook the trees of their ends together, in one direction in a round and in the other in the next,
/// then all vertices jump to their roots. Without atomic minima: of several hooks of a root any one stays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "files.hpp"
#include "team.hpp"

namespace baseline {

struct edge {
  std::int32_t one, other;
};

/// The method's input: every edge once. Without self-loops.
inline std::vector<edge> edges_of(const graph& g) {
  std::vector<edge> edges;
  for (std::int32_t v = 0; v < g.vertices(); ++v) {
    for (std::int32_t a = g.offsets[v]; a < g.offsets[v + 1]; ++a) {
      if (g.neighbors[a] > v) edges.push_back({v, g.neighbors[a]});
    }
  }
  return edges;
}

struct components {
  std::vector<std::int32_t> roots;  ///< of each vertex the one that stands for its component
  std::int64_t rounds;
};

/// All trees are flat as a round begins, and roots of that moment are all that it hooks, upwards or downwards, so that no
/// cycle comes about. An edge is hidden once its ends were seen in one tree, perhaps by way of hooks of this round that
/// others overwrite; but the edges behind these are then not hidden, as a round takes each edge once. So trees and the
/// edges that are not hidden together connect what the graph connects, and in the end the trees alone.
inline components hooked(std::int32_t vertices, const std::vector<edge>& edges, int grain) {
  std::vector<std::int32_t> parent(static_cast<std::size_t>(vertices));
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<char> hidden(edges.size(), 0);
  const auto jump = [&] {
#pragma omp parallel for schedule(dynamic, grain)
    for (std::size_t v = 0; v < parent.size(); ++v) {
      std::int32_t root = load(parent[v]);
      for (std::int32_t up; (up = load(parent[root])) != root;) root = up;
      store(parent[v], root);
    }
  };

  // The first round hooks to neighbors, as every vertex is its own root.
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < edges.size(); ++e) {
    store(parent[std::max(edges[e].one, edges[e].other)], std::min(edges[e].one, edges[e].other));
  }
  jump();
  std::int64_t rounds = 1;
  for (bool upwards = true;; upwards = !upwards) {
    ++rounds;
    bool hooked = false;
#pragma omp parallel for schedule(dynamic, grain) reduction(|| : hooked)
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (hidden[e]) continue;
      const std::int32_t one = load(parent[edges[e].one]);
      const std::int32_t other = load(parent[edges[e].other]);
      if (one == other) {
        hidden[e] = 1;
      } else {
        const auto [lower, higher] = std::minmax({one, other});
        if (upwards) {
          store(parent[lower], higher);
        } else {
          store(parent[higher], lower);
        }
        hooked = true;
      }
    }
    if (!hooked) break;
    jump();
  }
  return {std::move(parent), rounds};
}

}  // namespace baseline
