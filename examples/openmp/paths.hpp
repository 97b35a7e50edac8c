/// @file
/// Breadth-first search and shortest paths, algorithms 2 and 4 of the study: rounds over a list of vertices, whose neighbors
/// are changed under their locks and make the next list.
#pragma once

#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "files.hpp"
#include "team.hpp"

namespace baseline {

/// The distance of a vertex to which no path leads.
template <class Length>
inline constexpr Length unreached = std::numeric_limits<Length>::max();

template <class Length>
struct paths {
  std::vector<Length> distances;
  std::int64_t rounds;
};

/// Numbers of arcs from the source. A neighbor is locked only if it looks unreached, where the listing locks all.
inline paths<std::int64_t> breadth_first(const graph& g, std::int32_t source, int grain) {
  const std::int32_t n = g.vertices();
  std::vector<spin_lock> locks(static_cast<std::size_t>(n));
  std::vector<std::int64_t> distance(static_cast<std::size_t>(n), unreached<std::int64_t>);
  distance[source] = 0;
  std::vector<std::int32_t> input{source};
  shared_list<std::int32_t> output;
  std::int64_t round = 0;
  while (!input.empty()) {
    ++round;
#pragma omp parallel for schedule(dynamic, grain)
    for (std::size_t i = 0; i < input.size(); ++i) {
      const std::int32_t v = input[i];
      for (std::int32_t a = g.offsets[v]; a < g.offsets[v + 1]; ++a) {
        const std::int32_t w = g.neighbors[a];
        if (load(distance[w]) != unreached<std::int64_t>) continue;
        const std::scoped_lock held(locks[w]);
        if (load(distance[w]) == unreached<std::int64_t>) {
          store(distance[w], round);
          output.push(w);
        }
      }
    }
    input = output.take();
  }
  return {std::move(distance), round};
}

/// Least sums of weights, none of them negative, from the source. As printed, the listing compares with the distance of the
/// wrong vertex, and lists a vertex once for each time that it comes nearer; here once a round.
template <class Length, class Weights>
paths<Length> shortest(const graph& g, const Weights& weight, std::int32_t source, int grain) {
  const std::int32_t n = g.vertices();
  std::vector<spin_lock> locks(static_cast<std::size_t>(n));
  std::vector<Length> distance(static_cast<std::size_t>(n), unreached<Length>);
  std::vector<std::int64_t> listed(static_cast<std::size_t>(n), 0);  // the last round that did
  distance[source] = 0;
  std::vector<std::int32_t> input{source};
  shared_list<std::int32_t> output;
  std::int64_t round = 0;
  while (!input.empty()) {
    ++round;
#pragma omp parallel for schedule(dynamic, grain)
    for (std::size_t i = 0; i < input.size(); ++i) {
      const std::int32_t v = input[i];
      const Length from = load(distance[v]);  // whoever lowers it meanwhile lists v again
      for (std::int32_t a = g.offsets[v]; a < g.offsets[v + 1]; ++a) {
        const std::int32_t w = g.neighbors[a];
        const Length offer = from + static_cast<Length>(weight[a]);
        if (!(offer < load(distance[w]))) continue;
        const std::scoped_lock held(locks[w]);
        if (offer < load(distance[w])) {
          store(distance[w], offer);
          if (listed[w] != round) {
            listed[w] = round;
            output.push(w);
          }
        }
      }
    }
    input = output.take();
  }
  return {std::move(distance), round};
}

}  // namespace baseline
