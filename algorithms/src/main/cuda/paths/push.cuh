/// @file
/// Relaxation of the arcs that leave vertices, in three kinds of synchronization: atomic minima, plain stores, and
/// transactions.
///
/// Who is to relax is one question (a frontier, or all vertices), by which threads another, and how w takes an offer a third:
/// kernels here have the walk as a field, and its type and the way of taking as types.
#pragma once

#include "magpie/stm.cuh"
#include "nodes.cuh"

namespace paths {

/// By read-modify-writes of 64 bits. The look before it spares most of them: a stale word is higher, and costs one that
/// changes nothing. Shared state: `word`, relaxed.
struct by_minimum {
  static constexpr bool only_falls = true;  ///< what a word holds, within a launch

  static MAGPIE_INLINE bool take(const vertex_words& vertices, u32 w, u64 distance, u32 predecessor) {
    u64* const p = &vertices.word[w];
    u64 seen = magpie::ld_rlx_dev(p);
    if (vertices.shift == 0) return distance < seen && magpie::min_rlx_dev(p, distance) > distance;
    // A minimum of the packed words, even behind this look, would let a lower predecessor replace another at the same distance;
    // where relaxed loads see two vertices fall in different orders, arcs of length 0 could make each the other's. So the word
    // changes only when the distance falls. A predecessor had its last distance before the vertex got its own from it, and a
    // cycle of predecessors would be one of reads and writes each of which depends on the one before, which no memory model
    // lets come out of thin air. Lock-free: an exchange fails only if the word has fallen.
    while (distance < vertices.distance(seen)) {
      const u64 found = magpie::cas_rlx_dev(p, seen, vertices.make(distance, predecessor));
      if (found == seen) return true;
      seen = found;
    }
    return false;
  }
};

/// By loads and stores alone. A store may replace a lower word that came meanwhile, so a word may rise within a launch, though
/// not above what it was before; rounds are repeated until no arc improves anything. In a breadth-first search by levels all stores
/// of a launch are of one distance, and none is lost.
struct by_stores {
  static constexpr bool only_falls = false;

  static MAGPIE_INLINE bool take(const vertex_words& vertices, u32 w, u64 distance, u32 predecessor) {
    u64* const p = &vertices.word[w];
    if (distance >= vertices.distance(magpie::ld_rlx_dev(p))) return false;
    magpie::st_rlx_dev(p, vertices.make(distance, predecessor));
    return true;
  }
};

/// Relaxes the arcs of a walk, and lists the vertices whose distance fell.
///
/// Participation: whole warps. Shared state: `word` as the type says; the lists. Rule: from launch to launch a
/// distance only falls, whatever the order of offers, so no region. Within a launch it only falls by `by_minimum`; see `by_stores`.
/// Bytes: 8 (12 if weighted) for each arc, and a gathered word; 16 for each vertex that is listed.
template <class Taking, class Walk>
MAGPIE_INLINE void relax_walk(const thread& self, const Walk& arcs, const vertex_words& vertices,
                              const reached_lists& lists) {
  list_writer out(lists);
  arcs.for_each(self, vertices, [&](u32 v, u64 word, u32 arc, bool here) {
    u32 w = none;
    u64 distance = unreached;
    bool fell = false;
    if (here) {
      w = magpie::ld_plain(&arcs.neighbors[arc]);
      distance = Walk::lengths::add(arcs, vertices.distance(word), arc);
      fell = offer<Taking>(arcs, vertices, w, distance, v);
    }
    out.push(self, fell, w, distance);
  });
  out.flush(self);
}

/// The same as a launch.
template <class Walk, class Taking>
struct relax_arcs {
  Walk arcs;
  vertex_words vertices;
  reached_lists lists;

  MAGPIE_DEVICE void operator()(const thread& self) const { relax_walk<Taking>(self, arcs, vertices, lists); }
};

/// Relaxes the arcs of the vertices that the launch before put off, in equal pieces: the second launch of a round. How many there
/// are it reads itself, so that the host need not look; it is for nothing where there are none.
///
/// Participation: whole warps. Shared state: as in `relax_walk`; `totals[heavy_at]` is read, and `totals[other_at]` made 0 by
/// the first thread, for the next round's list: nobody reads or adds to it now.
template <class Lengths, class Taking>
struct relax_put_off {
  u32 weighted;
  u32 most_pieces;
  u32 least_piece;
  u32 heavy_at;  ///< where `totals` has the size of the list
  u32 other_at;  ///< and of that of the next round
  array<const u32> list;
  array<const u32> starts;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const typename Lengths::weight> weights;
  vertex_words vertices;
  reached_lists lists;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u64 size = magpie::ld_plain(&lists.totals[heavy_at]);
    if (self.rank() == 0) magpie::st_plain(&lists.totals[other_at], 0);
    if (high(size) == 0) return;
    const u32 pieces = pieces_of(u64{high(size)} + low(size), least_piece, most_pieces);
    relax_walk<Taking>(self,
                       arc_walk<Lengths>{high(size), pieces, 1, weighted, list, starts, offsets, neighbors, weights},
                       vertices, lists);
  }
};
using relax_heavy_atomic = relax_put_off<whole_lengths, by_minimum>;
using relax_heavy_stores = relax_put_off<whole_lengths, by_stores>;
using relax_atomic = relax_arcs<arc_walk<whole_lengths>, by_minimum>;
using relax_stores = relax_arcs<arc_walk<whole_lengths>, by_stores>;
using relax_lanes_atomic = relax_arcs<vertex_walk<whole_lengths>, by_minimum>;
using relax_lanes_stores = relax_arcs<vertex_walk<whole_lengths>, by_stores>;
using relax_split_atomic = relax_arcs<split_walk<whole_lengths>, by_minimum>;
using relax_split_stores = relax_arcs<split_walk<whole_lengths>, by_stores>;
using relax_virtual_atomic = relax_arcs<virtual_walk<whole_lengths>, by_minimum>;
using relax_virtual_stores = relax_arcs<virtual_walk<whole_lengths>, by_stores>;
using relax_heavy_atomic_float = relax_put_off<float_lengths, by_minimum>;
using relax_heavy_stores_float = relax_put_off<float_lengths, by_stores>;
using relax_atomic_float = relax_arcs<arc_walk<float_lengths>, by_minimum>;
using relax_stores_float = relax_arcs<arc_walk<float_lengths>, by_stores>;
using relax_lanes_atomic_float = relax_arcs<vertex_walk<float_lengths>, by_minimum>;
using relax_lanes_stores_float = relax_arcs<vertex_walk<float_lengths>, by_stores>;
using relax_split_atomic_float = relax_arcs<split_walk<float_lengths>, by_minimum>;
using relax_split_stores_float = relax_arcs<split_walk<float_lengths>, by_stores>;
using relax_virtual_atomic_float = relax_arcs<virtual_walk<float_lengths>, by_minimum>;
using relax_virtual_stores_float = relax_arcs<virtual_walk<float_lengths>, by_stores>;
MAGPIE_KERNEL(relax_heavy_atomic)
MAGPIE_KERNEL(relax_heavy_stores)
MAGPIE_KERNEL(relax_atomic)
MAGPIE_KERNEL(relax_stores)
MAGPIE_KERNEL(relax_lanes_atomic)
MAGPIE_KERNEL(relax_lanes_stores)
MAGPIE_KERNEL(relax_split_atomic)
MAGPIE_KERNEL(relax_split_stores)
MAGPIE_KERNEL(relax_virtual_atomic)
MAGPIE_KERNEL(relax_virtual_stores)
MAGPIE_KERNEL(relax_heavy_atomic_float)
MAGPIE_KERNEL(relax_heavy_stores_float)
MAGPIE_KERNEL(relax_atomic_float)
MAGPIE_KERNEL(relax_stores_float)
MAGPIE_KERNEL(relax_lanes_atomic_float)
MAGPIE_KERNEL(relax_lanes_stores_float)
MAGPIE_KERNEL(relax_split_atomic_float)
MAGPIE_KERNEL(relax_split_stores_float)
MAGPIE_KERNEL(relax_virtual_atomic_float)
MAGPIE_KERNEL(relax_virtual_stores_float)

}  // namespace paths
