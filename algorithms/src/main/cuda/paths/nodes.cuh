/// @file
/// Walks over the arcs of vertices by lanes, in place of equal pieces: a lane for each vertex, or for each of the nodes that
/// vertices with many arcs are split into (Kumar and Vadhiyar, "Load balancing and dynamic parallelism for static and morph graph
/// algorithms"; Nodehi Sabet, Qiu and Zhao, "Tigr", ASPLOS 2018).
///
/// Words used here: a vertex of d > bound arcs has ceil(d / bound) nodes, which share its arcs; any other is one node. All nodes
/// beyond a vertex's first are its children. `children[v]` counts those of all vertices before v, so that it is the offsets of a
/// CSR whose elements are children, and `children[vertices]` is how many there are.
/// - Split: child number c is the node `parents + c`, behind all vertices, with a distance word and arcs of its own. Arcs that
///   enter the vertex still lead to it alone. By minima whoever lowers its word lowers those of its children, too; after a launch of
///   plain stores `copy_distances` does.
/// - Virtual: nodes are ranges of the arcs of one vertex, whose word they share.
///
/// A lane steps through its arcs alone, so a warp takes as long as the longest of its lists: what splitting bounds.
///
/// Layer: algorithm. Participation: whole warps, converged; `body` is called as by `arc_walk::for_each`.
/// Shared state: `word`, read as there; `totals`, one addition for each warp; the list of heavy vertices, whose places are disjoint.
/// Cost: as many steps for a warp as the longest list among its lanes has arcs. Over frontiers, and of virtual nodes always, the
/// nodes are cut into equal pieces, at two searches for each; else neighboring lanes have nodes by number. Offers by minima take
/// one more for each child of a vertex whose distance falls, one after another by the same lane.
#pragma once

#include "paths.cuh"

namespace paths {

/// Calls body(arc, here) for each lane's arcs first, first + step, .. below last. All lanes, converged, make the same calls.
template <class Body>
MAGPIE_INLINE void for_each_by_lanes(const thread& self, u32 first, u32 last, u32 step, Body&& body) {
  MAGPIE_NO_UNROLL
  for (u64 arc = first; self.any(arc < last); arc += step) body(static_cast<u32>(arc), arc < last);
}

/// Adds up what the lanes of a warp walked over: over frontiers, whose elements are not arcs. All lanes, converged.
MAGPIE_INLINE void count_pushed(const thread& self, const array<u64>& totals, u64 walked) {
  walked = magpie::warp_reduce(self, walked, magpie::plus<u64>{});
  if (self.lane() == 0 && walked != 0) magpie::red_add_rlx_dev(&totals[pushed], walked);
}

/// A lane for each vertex. Those of more arcs than `bound` are not walked over but listed, for a second launch.
template <class Lengths>
struct vertex_walk {
  using lengths = Lengths;

  u32 segments;  ///< vertices, or entries of the frontier
  u32 listed;    ///< 1: of a frontier
  u32 weighted;  ///< 1: an arc is as long as its weight; 0: 1
  u32 bound;     ///< all ones: there is no second launch
  u32 heavy_at;  ///< where `totals` has the size of that list, which the launch before made 0
  array<const u32> list;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const typename Lengths::weight> weights;
  array<u32> heavy;  ///< the list, a CSR as frontiers are
  array<u32> heavy_starts;
  array<u64> totals;

  template <class Body>
  MAGPIE_INLINE void for_each(const thread& self, const vertex_words& vertices, Body&& body) const {
    for (u64 base : self.warp_items(u64{segments})) {
      const u64 mine = base + self.lane();
      u32 v = none;
      u32 first = 0;
      u32 last = 0;
      u64 word = unreached;
      if (mine < segments) {
        v = listed != 0 ? magpie::ld_plain(&list[mine]) : static_cast<u32>(mine);
        word = magpie::ld_rlx_dev(&vertices.word[v]);
      }
      if (word != unreached) {
        first = magpie::ld_plain(&offsets[v]);
        last = magpie::ld_plain(&offsets[v + 1]);
      }
      const bool put_off = last - first > bound;
      append_entry(self, &totals[heavy_at], heavy, heavy_starts, put_off, v, last - first);
      if (put_off) last = first;
      for_each_by_lanes(self, first, last, 1, [&](u32 arc, bool here) { body(v, word, arc, here); });
    }
  }
};

/// A lane for each node of vertices that are split.
template <class Lengths>
struct split_walk {
  using lengths = Lengths;

  u32 segments;  ///< nodes, or entries of the frontier
  u32 pieces;    ///< of the frontier
  u32 listed;    ///< 1: of a frontier
  u32 weighted;
  u64 parents;  ///< vertices: children are the nodes from here on
  array<const u32> list;
  array<const u32> starts;  ///< of the frontier, whose elements are children
  array<const u32> first;   ///< of each node where its arcs begin, and where they end
  array<const u32> last;
  array<const u32> children;
  array<const u32> parent;  ///< of each child the vertex
  array<const u32> neighbors;
  array<const typename Lengths::weight> weights;
  array<u64> totals;

  template <class Body>
  MAGPIE_INLINE void for_each(const thread& self, const vertex_words& vertices, Body&& body) const {
    u64 walked = 0;
    const auto walk = [&](u32 v, u32 node, bool present) {
      u32 from = 0;
      u32 to = 0;
      const u64 word = present ? magpie::ld_rlx_dev(&vertices.word[node]) : unreached;
      if (word != unreached) {
        from = magpie::ld_plain(&first[node]);
        to = magpie::ld_plain(&last[node]);
      }
      walked += to - from;
#if defined(MAGPIE_PATHS_NODES_AS_PREDECESSORS)  // a planted fault, which the verifier must notice
      const u32 by = node;
#else
      const u32 by = v;
#endif
      for_each_by_lanes(self, from, to, 1, [&](u32 arc, bool here) { body(by, word, arc, here); });
    };
    if (listed == 0) {
      for (u64 base : self.warp_items(u64{segments})) {
        const u64 node = base + self.lane();
        const bool present = node < segments;
        u32 v = static_cast<u32>(node);
        if (present && node >= parents) v = magpie::ld_plain(&parent[node - parents]);
        walk(v, static_cast<u32>(node), present);
      }
    } else {
      const magpie::csr_pieces csr{segments, pieces, starts};
      for (u32 c = magpie::warp_rank(self); c < pieces; c += magpie::warp_count(self)) {
        csr.for_each_block(self, c, [&](const magpie::segment_block& b) {
          u32 v = none;
          u32 shift = 0;  // from elements of the frontier to nodes; modulo 2^32
          if (b.present || b.first < b.last) {
            v = magpie::ld_plain(&list[b.segment]);
            shift = static_cast<u32>(parents) + magpie::ld_plain(&children[v]) - magpie::ld_plain(&starts[b.segment]);
          }
          walk(v, v, b.present);
          magpie::for_each_element(self, b, [&](u32 a, u32 owner, bool here) {
            walk(self.shuffle(v, owner), self.shuffle(shift, owner) + a, here);
          });
        });
      }
    }
    if (listed != 0) count_pushed(self, totals, walked);
  }
};

/// What w takes its children get, too, if words only fall within a launch. They end no higher than w does: whoever lowers w for
/// the last time lowers them after that, and none is ever lower, as nobody offers a child what its parent did not take. With packed
/// words a child's distance is one that its parent has, or had, from the same thread, so predecessors make no cycle; see
/// `by_minimum`. By plain stores of several threads w and a child could end with different ones, so there `copy_distances`, behind
/// each launch, is the only one to write the words of children.
template <class Taking, class Lengths>
MAGPIE_INLINE bool offer(const split_walk<Lengths>& arcs, const vertex_words& vertices, u32 w, u64 distance,
                         u32 predecessor) {
  if (!Taking::take(vertices, w, distance, predecessor)) return false;
#if !defined(MAGPIE_PATHS_STALE_CHILDREN)  // a planted fault, which the verifier must notice
  if constexpr (Taking::only_falls) {
    const u32 end = magpie::ld_plain(&arcs.children[w + 1]);
    for (u32 c = magpie::ld_plain(&arcs.children[w]); c < end; ++c) {
      Taking::take(vertices, static_cast<u32>(arcs.parents) + c, distance, predecessor);
    }
  }
#endif
  return true;
}

/// A lane for each virtual node. Those of a vertex take its arcs in turn: neighboring lanes read neighboring arcs, and no list of
/// nodes is needed.
template <class Lengths>
struct virtual_walk {
  using lengths = Lengths;

  u32 segments;  ///< vertices, or entries of the frontier
  u32 pieces;
  u32 listed;  ///< 1: of a frontier
  u32 weighted;
  u32 bound;
  array<const u32> list;
  array<const u32> starts;  ///< of the frontier, whose elements are children; else `children`
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const typename Lengths::weight> weights;
  array<u64> totals;

  template <class Body>
  MAGPIE_INLINE void for_each(const thread& self, const vertex_words& vertices, Body&& body) const {
    u64 walked = 0;
    const auto walk = [&](u32 v, u64 word, u32 first, u32 last, u32 nodes, bool present) {
      if (!present || first > last) first = last;
      walked += (u64{last} - first + nodes - 1) / nodes;
      for_each_by_lanes(self, first, last, nodes, [&](u32 arc, bool here) { body(v, word, arc, here); });
    };
    const magpie::csr_pieces csr{segments, pieces, starts};
    for (u32 c = magpie::warp_rank(self); c < pieces; c += magpie::warp_count(self)) {
      csr.for_each_block(self, c, [&](const magpie::segment_block& b) {
        u32 v = none;
        u32 before = 0;  // elements before the vertex's own
        u32 first = 0;
        u32 last = 0;
        u32 nodes = 1;
        u64 word = unreached;
        if (b.present || b.first < b.last) {
          v = listed != 0 ? magpie::ld_plain(&list[b.segment]) : b.segment;
          word = magpie::ld_rlx_dev(&vertices.word[v]);
        }
        if (!self.any(word != unreached)) return;
        if (word != unreached) {
          before = magpie::ld_plain(&starts[b.segment]);
          first = magpie::ld_plain(&offsets[v]);
          last = magpie::ld_plain(&offsets[v + 1]);
          if (first < last) nodes += (last - first - 1) / bound;
        }
        walk(v, word, first, last, nodes, b.present);
        magpie::for_each_element(self, b, [&](u32 a, u32 owner, bool here) {
          const u32 child = a - self.shuffle(before, owner) + 1;
          walk(self.shuffle(v, owner), self.shuffle(word, owner), self.shuffle(first, owner) + child,
               self.shuffle(last, owner), self.shuffle(nodes, owner), here);
        });
      });
    }
    if (listed != 0) count_pushed(self, totals, walked);
  }
};

}  // namespace paths
