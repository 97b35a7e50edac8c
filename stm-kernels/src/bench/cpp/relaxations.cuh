/// @file
/// Shortest paths by rounds over a graph with vertices of high degree, in several ways to share arcs among threads. For the
/// benchmark `child_launches.cu` and its tests.
///
/// In a round all vertices that are due relax their arcs: those that have been reached (`relaxing::reached`, as published), or
/// those whose distance has fallen since the round before (`relaxing::fallen`). Distances fall by atomic minima, so every way ends
/// with the same ones. Ways: a lane for each vertex, with or without those of more arcs than a bound; equal pieces of all arcs or
/// of the arcs of a list, by whole warps; a lane for each of the virtual nodes that share a vertex's arcs; and a grid for
/// the arcs of one vertex.
///
/// Participation: whole warps, converged, every thread of the grid. Shared state: `distance`, relaxed minima; `fell` and `words`,
/// relaxed, where threads of one launch store the same value; the list, whose places are disjoint. Limits: weights are 1 or
/// more, and distances less than 2^32, for which `made` checks the number of vertices. Determinism: distances are
/// schedule_independent; how many rounds there are is not.
///
/// See: test_bench_relaxations.cpp; V. Kumar, S. Vadhiyar, Load balancing and dynamic parallelism for static and morph graph
/// algorithms; A. Nodehi Sabet, J. Qiu, Z. Zhao, Tigr, ASPLOS 2018.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "magpie/host.hpp"
#include "magpie/parallel/warp_segmentation.cuh"

namespace relaxations {

using namespace magpie;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// The distance of a vertex without a path.
inline constexpr u32 unreached = ~0u;
inline constexpr u32 most_weight = 255;

/// A directed graph on the host: vertex v has the arcs [offsets[v], offsets[v + 1]).
struct graph {
  std::string name;
  std::vector<u32> offsets;
  std::vector<u32> neighbors;
  std::vector<u32> weights;  ///< 1 to most_weight

  u32 vertices() const { return static_cast<u32>(offsets.size() - 1); }
  u32 arcs() const { return static_cast<u32>(neighbors.size()); }
  u32 degree(u32 v) const { return offsets[v + 1] - offsets[v]; }
  /// The vertex of the most arcs, the first one if there are several.
  u32 busiest() const {
    u32 best = 0;
    for (u32 v = 1; v < vertices(); ++v) best = degree(v) > degree(best) ? v : best;
    return best;
  }
};

/// splitmix64, of a number.
inline u64 mixed(u64 z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
/// In [0, n), from 32 bits.
inline u32 below(u32 n, u64 bits) { return static_cast<u32>((bits >> 32) * n >> 32); }

/// The graph of arcs (from, to), which keep their order; their weights are drawn.
inline graph made(const std::string& name, u32 vertices, const std::vector<std::pair<u32, u32>>& arcs) {
  // A distance is the length of a path without cycles.
  if (u64{vertices} * most_weight >= unreached || arcs.size() >= unreached) {
    throw std::runtime_error(name + ": " + std::to_string(vertices) + " vertices and " + std::to_string(arcs.size()) +
                             " arcs are too many: distances and numbers of arcs have 32 bits");
  }
  graph g{name, std::vector<u32>(vertices + std::size_t{1}), std::vector<u32>(arcs.size()), {}};
  for (const auto& [from, to] : arcs) ++g.offsets[from + std::size_t{1}];
  for (u32 v = 0; v < vertices; ++v) g.offsets[v + std::size_t{1}] += g.offsets[v];
  std::vector<u32> next(g.offsets.begin(), g.offsets.end() - 1);
  for (const auto& [from, to] : arcs) g.neighbors[next[from]++] = to;
  for (u32 arc = 0; arc < g.arcs(); ++arc) g.weights.push_back(1 + below(most_weight, mixed(~u64{arc})));
  return g;
}

/// R-MAT: each arc descends `scale` times into a quarter of the matrix, by probabilities of the first three.
inline graph rmat(const std::string& name, u32 scale, u32 arcs, double a, double b, double c) {
  std::vector<std::pair<u32, u32>> list(arcs);
  for (u32 arc = 0; arc < arcs; ++arc) {
    auto& [from, to] = list[arc];
    for (u32 level = 0; level < scale; ++level) {
      const double draw = static_cast<double>(mixed(u64{arc} * 64 + level) >> 11) * 0x1p-53;
      const bool lower = draw >= a + b;
      const bool right = draw >= a + b + c || (draw >= a && !lower);
      from = from * 2 + (lower ? 1 : 0);
      to = to * 2 + (right ? 1 : 0);
    }
  }
  return made(name, u32{1} << scale, list);
}

/// `light` arcs from each vertex to drawn ones; `hubs` of the vertices, spread evenly, have `heavy` more.
inline graph stars(const std::string& name, u32 vertices, u32 light, u32 hubs, u32 heavy) {
  std::vector<std::pair<u32, u32>> list;
  u64 drawn = 0;
  const auto add = [&](u32 from, u32 arcs) {
    for (u32 i = 0; i < arcs; ++i) list.emplace_back(from, below(vertices, mixed(drawn++)));
  };
  for (u32 v = 0; v < vertices; ++v) add(v, light);
  for (u32 i = 0; i < hubs; ++i) add(static_cast<u32>(u64{i} * vertices / hubs), heavy);
  return made(name, vertices, list);
}

/// The bound that a histogram of degrees chooses: of ten equal buckets from 0 to the largest degree the fullest one, the first of
/// equally full ones; of that the largest degree that occurs in it, or 1 if that is 0.
inline u32 bound_by_histogram(const graph& g) {
  const u32 most = std::max(g.degree(g.busiest()), 1u);
  u32 counts[10] = {};
  u32 tops[10] = {};
  for (u32 v = 0; v < g.vertices(); ++v) {
    const u32 d = g.degree(v);
    const u32 bucket = d == 0 ? 0 : static_cast<u32>((u64{10} * d - 1) / most);
    ++counts[bucket];
    tops[bucket] = std::max(tops[bucket], d);
  }
  return std::max(tops[std::max_element(counts, counts + 10) - counts], 1u);
}

/// How many vertices have more arcs than `bound`.
inline u32 heavier_than(const graph& g, u32 bound) {
  u32 n = 0;
  for (u32 v = 0; v < g.vertices(); ++v) n += g.degree(v) > bound ? 1 : 0;
  return n;
}

/// Distances from `source` by Dijkstra's algorithm, on the host and by one thread; shares nothing with the kernels.
inline std::vector<u32> dijkstra(const graph& g, u32 source, bool weighted) {
  std::vector<u64> distance(g.vertices(), ~u64{0});
  std::priority_queue<std::pair<u64, u32>, std::vector<std::pair<u64, u32>>, std::greater<>> queue;
  distance[source] = 0;
  queue.emplace(0, source);
  while (!queue.empty()) {
    const auto [length, v] = queue.top();
    queue.pop();
    if (length > distance[v]) continue;
    for (u32 arc = g.offsets[v]; arc < g.offsets[v + std::size_t{1}]; ++arc) {
      const u64 offer = length + (weighted ? g.weights[arc] : 1);
      if (offer >= distance[g.neighbors[arc]]) continue;
      distance[g.neighbors[arc]] = offer;
      queue.emplace(offer, g.neighbors[arc]);
    }
  }
  std::vector<u32> result;
  for (const u64 length : distance) result.push_back(length == ~u64{0} ? unreached : static_cast<u32>(length));
  return result;
}

enum class relaxing : u32 { reached, fallen };

/// What `words` are. Entries and arcs of the list are counted in the upper and the lower half of a word, of even and odd rounds
/// in one each, so that a round can clear the word of the next one.
enum place : u32 { fell_in, ended, stopped_in, listed_even, listed_odd, word_count };

/// What the kernels of a round have in common.
struct search {
  u32 vertices;
  u32 weighted;  ///< 1: an arc is as long as its weight; 0: 1
  relaxing which;
  u32 round;  ///< from 2; the source's distance fell in round 1
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<u32> distance;
  array<u32> fell;   ///< for each vertex the last round in which its distance fell; with `relaxing::fallen`
  array<u64> words;  ///< by `place`

  /// The distance that v relaxes its arcs from in this round, `unreached` if it does not. One that falls in this round may be
  /// due for some of those who ask and not for others; it is due for all of them in the next round.
  MAGPIE_INLINE u32 due(u32 v) const {
    if (which == relaxing::fallen && ld_rlx_dev(&fell[v]) + 1 < round) return unreached;
    return ld_rlx_dev(&distance[v]);
  }
  MAGPIE_INLINE void relax(u32 from, u32 arc) const {
    const u32 w = ld_plain(&neighbors[arc]);
    const u32 offer = from + (weighted != 0 ? ld_plain(&weights[arc]) : 1);
    if (offer >= ld_rlx_dev(&distance[w]) || offer >= min_rlx_dev(&distance[w], offer)) return;
    if (which == relaxing::fallen) st_rlx_dev(&fell[w], round);
    st_rlx_dev(&words[fell_in], u64{round});
  }
  MAGPIE_INLINE u64* listed() const { return &words[listed_even + round % 2]; }
  MAGPIE_INLINE void clear_next_list() const { st_rlx_dev(&words[listed_even + (round + 1) % 2], u64{0}); }
};

MAGPIE_HOST_DEVICE constexpr u32 entries(u64 listed) { return static_cast<u32>(listed >> 32); }
MAGPIE_HOST_DEVICE constexpr u32 arcs(u64 listed) { return static_cast<u32>(listed); }

/// Heavy vertices are walked over like all others.
struct not_apart {
  MAGPIE_INLINE bool take(const thread&, const search&, bool, u32, u32) const { return false; }
};

/// Heavy vertices are listed, for a second launch. The list is a CSR: entry i has the elements [starts[i], starts[i + 1]).
struct list_apart {
  array<u32> list;
  array<u32> starts;  ///< one more than entries

  /// All lanes, converged: one addition for each warp that lists something. The place behind the last entry is stored by
  /// whoever has it next, too, with the same value.
  MAGPIE_INLINE bool take(const thread& self, const search& s, bool heavy, u32 v, u32 its_arcs) const {
    if (!self.any(heavy)) return false;
    const u64 own = heavy ? u64{1} << 32 | its_arcs : 0;
    const u64 end = warp_inclusive_scan(self, own, plus<u64>{});
    const u64 all = self.shuffle(end, self.width() - 1);
    u64 base = 0;
    if (self.lane() == 0) base = add_rlx_dev(s.listed(), all);
    base = self.shuffle(base, 0);
    if (self.lane() == 0) st_rlx_dev(&starts[entries(base + all)], arcs(base + all));
    if (!heavy) return false;
    const u64 before = base + end - own;
    st_plain(&list[entries(before)], v);
    st_rlx_dev(&starts[entries(before)], arcs(before));
    return true;
  }
};

/// A lane for each vertex. `heavy.take` is asked, by all lanes, what becomes of those of more arcs than `bound`: true if
/// somebody else relaxes them.
template <class Heavy>
struct by_threads {
  search s;
  u32 bound;
  Heavy heavy;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (self.rank() == 0) s.clear_next_list();
    for (u64 base : self.warp_items(u64{s.vertices})) {
      const u64 mine = base + self.lane();
      const u32 v = static_cast<u32>(mine);
      u32 first = 0;
      u32 last = 0;
      const u32 from = mine < s.vertices ? s.due(v) : unreached;
      if (from != unreached) {
        first = ld_plain(&s.offsets[v]);
        last = ld_plain(&s.offsets[v + 1]);
      }
      if (heavy.take(self, s, last - first > bound, v, last - first)) last = first;
      for (u32 arc = first; arc < last; ++arc) s.relax(from, arc);
    }
  }
};

/// Equal pieces of the arcs of all vertices, or of those listed: whole warps, a piece each.
struct by_pieces {
  search s;
  u32 of_list;  ///< 1: of the list of this round, whose size is read here
  array<const u32> list;
  array<const u32> starts;  ///< of all vertices their offsets

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u32 segments = s.vertices;
    u64 positions = u64{s.vertices} + s.neighbors.size();
    if (of_list != 0) {
      const u64 listed = ld_rlx_dev(s.listed());
      segments = entries(listed);
      positions = u64{segments} + arcs(listed);
    }
    if (segments == 0) return;
    const u64 rows = (positions + self.width() - 1) / self.width();
    const u32 warps = warp_count(self);
    const csr_pieces csr{segments, static_cast<u32>(rows < warps ? rows : warps), starts};
    for (u32 c = warp_rank(self); c < csr.pieces; c += warps) {
      csr.for_each_block(self, c, [&](const segment_block& b) {
        u32 from = unreached;
        u32 shift = 0;  // from elements to arcs; modulo 2^32
        if (b.first < b.last) {
          const u32 v = of_list != 0 ? ld_plain(&list[b.segment]) : b.segment;
          from = s.due(v);
          shift = ld_plain(&s.offsets[v]) - ld_plain(&starts[b.segment]);
        }
        if (!self.any(from != unreached)) return;
        for_each_element(self, b, [&](u32 a, u32 owner, bool here) {
          const u32 theirs = self.shuffle(from, owner);
          const u32 arc = self.shuffle(shift, owner) + a;
          if (here && theirs != unreached) s.relax(theirs, arc);
        });
      });
    }
  }
};

/// A lane for each virtual node. The nodes of a vertex take its arcs in turn, and have its distance in common.
struct by_nodes {
  search s;
  u32 nodes;
  array<const u32> vertex;      ///< of each node
  array<const u32> first_node;  ///< of each vertex, and behind the last one

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 node : self.items(nodes)) {
      const u32 v = ld_plain(&vertex[node]);
      const u32 from = s.due(v);
      if (from == unreached) continue;
      const u32 before = ld_plain(&first_node[v]);
      const u32 step = ld_plain(&first_node[v + 1]) - before;
      const u64 last = ld_plain(&s.offsets[v + 1]);
      for (u64 arc = u64{ld_plain(&s.offsets[v])} + node - before; arc < last; arc += step) {
        s.relax(from, static_cast<u32>(arc));
      }
    }
  }
};

/// A grid for the arcs of one vertex, which was due when the grid was launched.
struct by_grid {
  search s;
  u32 vertex;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u32 from = ld_rlx_dev(&s.distance[vertex]);
    const u32 first = ld_plain(&s.offsets[vertex]);
    for (u32 i : self.items(ld_plain(&s.offsets[vertex + 1]) - first)) s.relax(from, first + i);
  }
};

/// A graph on the device, and what a search from one of its vertices needs.
class problem {
 public:
  problem(const graph& g, u32 source, bool weighted, relaxing which)
      : list_apart_{{}, {}},
        source_(source),
        offsets_(g.offsets),
        neighbors_(g.neighbors),
        weights_(g.weights),
        distance_(g.vertices()),
        fell_(g.vertices()),
        list_(g.vertices()),
        starts_(g.vertices() + std::size_t{1}),
        words_(word_count) {
    list_apart_ = {list_.view(), starts_.view()};
    search_ = {g.vertices(),
               weighted ? 1u : 0u,
               which,
               0,
               offsets_.const_view(),
               neighbors_.const_view(),
               weights_.const_view(),
               distance_.view(),
               fell_.view(),
               words_.view()};
  }

  /// Forgets all distances but the source's.
  void reset() {
    std::vector<u32> words(search_.vertices, unreached);
    words[source_] = 0;
    distance_.set(words);
    std::fill(words.begin(), words.end(), 0);
    words[source_] = 1;
    fell_.set(words);
    words_.fill(0);
    set_word(fell_in, 1);
  }
  search in_round(u32 round) const {
    search s = search_;
    s.round = round;
    return s;
  }
  u64 word(u32 place) const {
    u64 value = 0;
    host::copy_out(&value, words_.data() + place, sizeof value);
    return value;
  }
  void set_word(u32 place, u64 value) { host::copy_in(words_.data() + place, &value, sizeof value); }
  u64 listed_in(u32 round) const { return word(listed_even + round % 2); }

  const list_apart& apart() const { return list_apart_; }
  by_pieces all_pieces(u32 round) const { return {in_round(round), 0, {}, offsets_.const_view()}; }
  by_pieces listed_pieces(u32 round) const { return {in_round(round), 1, list_.const_view(), starts_.const_view()}; }
  std::vector<u32> distances() const { return distance_.get(); }
  std::vector<u32> list() const { return list_.get(); }
  std::vector<u32> starts() const { return starts_.get(); }

 private:
  list_apart list_apart_;
  search search_;
  u32 source_;
  host::buffer<u32> offsets_, neighbors_, weights_, distance_, fell_, list_, starts_;
  host::buffer<u64> words_;
};

/// The nodes of vertices of more arcs than `bound`: ceil(d / bound) for d arcs, at least one for each vertex.
class virtual_nodes {
 public:
  virtual_nodes(const graph& g, u32 bound) : virtual_nodes(share(g, bound)) {}

  by_nodes of(const search& s) const {
    return {s, static_cast<u32>(vertex_.size()), vertex_.const_view(), first_.const_view()};
  }
  std::size_t size() const { return vertex_.size(); }

 private:
  struct lists {
    std::vector<u32> vertex, first;
  };
  static lists share(const graph& g, u32 bound) {
    lists made;
    for (u32 v = 0; v < g.vertices(); ++v) {
      made.first.push_back(static_cast<u32>(made.vertex.size()));
      made.vertex.insert(made.vertex.end(), g.degree(v) == 0 ? 1 : (g.degree(v) - 1) / bound + 1, v);
    }
    made.first.push_back(static_cast<u32>(made.vertex.size()));
    return made;
  }
  explicit virtual_nodes(const lists& from) : vertex_(from.vertex), first_(from.first) {}

  host::buffer<u32> vertex_, first_;
};

/// Calls round(2), round(3), .. until a round in which no distance falls; gives how many there were, with that one.
template <class Round>
u32 repeat(problem& p, Round&& round) {
  for (u32 r = 2;; ++r) {
    if (r > p.in_round(0).vertices + u64{2}) throw std::runtime_error("more rounds than a shortest path has arcs");
    round(r);
    if (p.word(fell_in) != r) return r - 1;
  }
}

/// Threads for a launch of `by_pieces` over `arcs` arcs: a warp for 16 rows.
inline u32 threads_for(u64 arcs) {
  const u64 warps = (arcs + 511) / 512;
  return static_cast<u32>(std::max<u64>(std::min<u64>(warps, 1u << 20), 1)) * 32;
}

}  // namespace relaxations
