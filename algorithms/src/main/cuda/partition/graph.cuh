/// @file
/// What the kernels of the partitioner share: words, the best arc of a vertex, and the clean-up of an input graph.
///
/// Layer: algorithm. A graph is a CSR: arcs of vertex v are [offsets[v], offsets[v + 1]), arc a leads to neighbors[a]
/// and weighs weights[a]; both directions of an edge are there, with equal weights; no self-loops; parallel edges are
/// edges of their own. All words are 32 bits.
/// Limits: vertices <= 2^31 - 2, arcs < 2^31, weights 0 .. 2^31 - 1, and both totals below 2^31, so that no sum
/// overflows.
#pragma once

#include "magpie/kernel.cuh"
#include "magpie/parallel/warp_segmentation.cuh"

namespace magpie::partition {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// No vertex; of a match: not matched yet.
inline constexpr u32 none = 0xffffffffu;

/// Up to this degree a warp's lanes walk over their own vertices' arcs; above it they share them.
inline constexpr u32 own_arcs = scalar_warps ? none : 8;

MAGPIE_INLINE u32 least(u32 a, u32 b) { return a < b ? a : b; }
MAGPIE_INLINE u32 most(u32 a, u32 b) { return a < b ? b : a; }

/// The one hash of the partitioner: 32 bits that depend on all bits of both arguments. The multipliers are those of
/// Stafford's Mix13, the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014); of the product only the upper half is used, so that its last shift is left out.
MAGPIE_INLINE u32 mixed(u64 key, u64 value) {
  u64 z = key ^ value;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return static_cast<u32>(z >> 32);
}

/// A rated neighbor. Higher ratings are better, of equal ones the lower vertex.
struct choice {
  u64 rating = 0;
  u32 vertex = none;
  u32 unused = 0;  ///< whole words for the shuffles
};

struct better {
  MAGPIE_INLINE choice operator()(choice a, choice b) const {
    return b.rating > a.rating || (b.rating == a.rating && b.vertex < a.vertex) ? b : a;
  }
};

/// The best arc of each lane's vertex v, which may be `none`. `rate.context(v)` is what the arcs of v need to know of
/// it, a few words; `rate(context, a)` rates arc a, and gives an empty choice for an arc that is out of the question.
/// All lanes, converged; the context and the rating are asked by the lanes that have a vertex or an arc, and call no
/// collectives. Span: the sum of the lanes' degrees over the width.
template <class Rate>
MAGPIE_INLINE choice best_arc(const thread& self, const array<const u32>& offsets, u32 v, const Rate& rate) {
  u32 first = 0;
  u32 last = 0;
  auto own = rate.nothing();
  if (v != none) {
    own = rate.context(v);
    first = ld_plain(&offsets[v]);
    last = ld_plain(&offsets[v + 1]);
  }
  choice best;
  if (scalar_warps || !self.any(last - first > own_arcs)) {
    for (u32 a = first; a < last; ++a) best = better{}(best, rate(own, a));
    return best;
  }
  // The arcs of all lanes one after the other are positions [0, total), read in rows of the warp's width.
  const u32 width = self.width();
  const u32 end = warp_inclusive_scan(self, last - first, plus<u32>{});
  const u32 begin = end - (last - first);
  const u32 total = self.shuffle(end, width - 1);
  for (u32 row = 0; row < total; row += width) {
    const u32 position = row + self.lane();
    u32 owner = owner_of(self, begin, least(position, total - 1));
    const auto theirs = warp_shuffle(self, own, owner);
    const u32 arc = self.shuffle(first - begin, owner) + position;
    choice found;
    if (position < total) {
      found = rate(theirs, arc);
    } else {
      owner = width;
    }
    for (u32 distance = 1; distance < width; distance *= 2) {
      const u32 their_owner = self.shuffle_down(owner, distance);
      const choice next = warp_shuffle_down(self, found, distance);
      if (self.lane() + distance < width && their_owner == owner) found = better{}(found, next);
    }
    // The best of a vertex's part of the row lies at the part's first lane.
    const bool here = begin < end && begin < row + width && end > row;
    const choice part = warp_shuffle(self, found, here ? most(begin, row) - row : 0);
    if (here) best = better{}(best, part);
  }
  return best;
}

/// to[i] = from[index[i]].
struct gather {
  u32 n;
  array<const u32> index;
  array<const u32> from;
  array<u32> to;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(n)) st_plain(&to[i], ld_plain(&from[ld_plain(&index[i])]));
  }
};
MAGPIE_KERNEL(gather)

/// Calls body(v, a) for the arcs of the warp's pieces of a graph, by the lanes that have one.
template <class Body>
MAGPIE_INLINE void for_each_arc(const thread& self, u32 vertices, u32 pieces, const array<const u32>& offsets,
                                Body&& body) {
  const csr_pieces csr{vertices, pieces, offsets};
  for (u32 c = warp_rank(self); c < pieces; c += warp_count(self)) {
    csr.for_each_block(self, c, [&](const segment_block& b) {
      const u32 base = b.segment - self.lane();
      for_each_element(self, b, [&](u32 a, u32 owner, bool here) {
        if (here) body(base + owner, a);
      });
    });
  }
}

/// proper[a] = whether arc a is no self-loop; `loops` counts the others. Shared state: `loops`, relaxed additions.
struct mark_proper_arcs {
  u32 vertices;
  u32 pieces;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<u32> proper;
  array<u32> loops;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u32 found = 0;
    for_each_arc(self, vertices, pieces, offsets, [&](u32 v, u32 a) {
      const bool loop = ld_plain(&neighbors[a]) == v;
      st_plain(&proper[a], loop ? 0 : 1);
      found += loop ? 1 : 0;
    });
    found = self.reduce_add(found);
    if (self.lane() == 0 && found != 0) red_add_rlx_dev(&loops[0], found);
  }
};
MAGPIE_KERNEL(mark_proper_arcs)

/// found[0] = the greatest weight of a vertex, found[1] = the number of vertices of at least `hub_degree` arcs.
/// Shared state: `found`, 0 before; relaxed maxima and additions.
struct measure_graph {
  u32 vertices;
  u32 hub_degree;
  array<const u32> offsets;
  array<const u32> vertex_weights;
  array<u32> found;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u32 heaviest = 0;
    u32 hubs = 0;
    for (u32 v : self.items(vertices)) {
      heaviest = most(heaviest, ld_plain(&vertex_weights[v]));
      hubs += ld_plain(&offsets[v + 1]) - ld_plain(&offsets[v]) >= hub_degree ? 1 : 0;
    }
    heaviest = self.shuffle(warp_reduce(self, heaviest, maximum<u32>{}), 0);
    hubs = self.reduce_add(hubs);
    if (self.lane() != 0) return;
    red_max_rlx_dev(&found[0], heaviest);
    if (hubs != 0) red_add_rlx_dev(&found[1], hubs);
  }
};
MAGPIE_KERNEL(measure_graph)

}  // namespace magpie::partition
