/// @file
/// The minimum spanning forest of Vineet, Harish, Patidar and Narayanan (HPG 2009): Boruvka's algorithm on scans, segmented
/// scans and splits, the graph contracted after each round. Here are the steps between these primitives.
///
/// One run: `list_arcs`; `start_numbered` (contraction.cuh); then, while there are arcs, `append_keys`, a segmented scan for
/// minima, `start_successors`, `take_minima`, `pick_arcs`, `break_pairs`, `flatten` (their pointer doubling),
/// `record_picks`, a scan, `renumber`, `relabel_vertices`, `relabel_arcs`; the arcs that still join two vertices are
/// packed, sorted by weight, target and source, the lightest of each source and target flagged and packed.
///
/// A list of arcs is four arrays: `from`, `to`, `weight`, `origin` (the graph's arc), ordered by `from`. Both directions of
/// an edge are in it. The graph of the next round has the components for vertices.
///
/// Ties: an arc's key is weight << 32 | target, which is the order (weight, smaller end, larger end) among the arcs of one
/// source. So the only cycles of choices are pairs, of which the smaller becomes its tree's root.
///
/// Not as in the paper: keys have 64 bits and no limit of weights and vertices; which components go on is numbered by a
/// scan of flags, not by a split of the vertices; an arc moves with its number, so that the forest has edges of the graph;
/// vertices without arcs are components that are done. Determinism: schedule_independent; no kernel here has a read-modify-write.
#pragma once

#include "contraction.cuh"

namespace msf {

/// The graph's arcs as a list, and flags of those that are no self-loops.
///
/// Participation: whole warps, which share the arcs of consecutive vertices. Bytes: 8 per arc in, 20 out.
struct list_arcs {
  u32 vertices;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<u32> from;
  array<u32> to;
  array<u32> weight;
  array<u32> origin;
  array<u32> keep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 base : self.warp_items(u64{vertices})) {
      const magpie::segment_block block = magpie::block_at(self, offsets, vertices, base);
      magpie::for_each_element(self, block, [&](u32 a, u32 owner, bool here) {
        if (!here) return;
        const u32 v = static_cast<u32>(base) + owner;
        const u32 x = magpie::ld_plain(&neighbors[a]);
        magpie::st_plain(&from[a], v);
        magpie::st_plain(&to[a], x);
        magpie::st_plain(&weight[a], magpie::ld_plain(&weights[a]));
        magpie::st_plain(&origin[a], a);
        magpie::st_plain(&keep[a], x != v ? 1 : 0);
      });
    }
  }
};
MAGPIE_KERNEL(list_arcs)

/// What the segmented scan takes: keys, and where the arcs of a source begin.
struct append_keys {
  u32 arcs;
  array<const u32> from;
  array<const u32> to;
  array<const u32> weight;
  array<u64> keys;
  array<u32> heads;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 a : self.items(arcs)) {
      magpie::st_plain(&keys[a], key_of(magpie::ld_plain(&weight[a]), magpie::ld_plain(&to[a])));
      const bool head = a == 0 || magpie::ld_plain(&from[a - 1]) != magpie::ld_plain(&from[a]);
      magpie::st_plain(&heads[a], head ? 1 : 0);
    }
  }
};
MAGPIE_KERNEL(append_keys)

/// Whoever has no arc is its own successor.
struct start_successors {
  u32 components;
  array<u32> successor;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 c : self.items(components)) magpie::st_plain(&successor[c], c);
  }
};
MAGPIE_KERNEL(start_successors)

/// At the last arc of each source, which has the least of its keys: the successor.
struct take_minima {
  u32 arcs;
  array<const u32> from;
  array<const u64> minima;
  array<u64> best;
  array<u32> successor;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 a : self.items(arcs)) {
      const u32 u = magpie::ld_plain(&from[a]);
      if (a + 1 < arcs && magpie::ld_plain(&from[a + 1]) == u) continue;
      const u64 key = magpie::ld_plain(&minima[a]);
      magpie::st_plain(&best[u], key);
      magpie::st_plain(&successor[u], low(key));
    }
  }
};
MAGPIE_KERNEL(take_minima)

/// The arc that each source chose: the first at which the scan is down to its least key.
struct pick_arcs {
  u32 arcs;
  array<const u32> from;
  array<const u32> origin;
  array<const u64> minima;
  array<const u64> best;
  array<u32> pick;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 a : self.items(arcs)) {
      const u32 u = magpie::ld_plain(&from[a]);
      const u64 key = magpie::ld_plain(&best[u]);
      if (magpie::ld_plain(&minima[a]) != key) continue;
      const bool first = a == 0 || magpie::ld_plain(&from[a - 1]) != u || magpie::ld_plain(&minima[a - 1]) != key;
      if (first) magpie::st_plain(&pick[u], magpie::ld_plain(&origin[a]));
    }
  }
};
MAGPIE_KERNEL(pick_arcs)

/// Successors without cycles: of two that chose each other the smaller is its own.
struct break_pairs {
  u32 components;
  array<const u32> successor;
  array<u32> rep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 c : self.items(components)) {
      const u32 s = magpie::ld_plain(&successor[c]);
      const bool root = c < s && magpie::ld_plain(&successor[s]) == c;
      magpie::st_plain(&rep[c], root ? c : s);
    }
  }
};
MAGPIE_KERNEL(break_pairs)

/// Each vertex of the graph to its next component.
struct relabel_vertices {
  u32 vertices;
  array<const u32> label;
  array<u32> component;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      magpie::st_plain(&component[v], magpie::ld_plain(&label[magpie::ld_own(&component[v])]));
    }
  }
};
MAGPIE_KERNEL(relabel_vertices)

/// The ends of each arc to their next components, and flags of the arcs that still join two.
struct relabel_arcs {
  u32 arcs;
  array<const u32> label;
  array<u32> from;
  array<u32> to;
  array<u32> keep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 a : self.items(arcs)) {
      const u32 u = magpie::ld_plain(&label[magpie::ld_own(&from[a])]);
      const u32 x = magpie::ld_plain(&label[magpie::ld_own(&to[a])]);
      magpie::st_plain(&from[a], u);
      magpie::st_plain(&to[a], x);
      magpie::st_plain(&keep[a], u != x ? 1 : 0);
    }
  }
};
MAGPIE_KERNEL(relabel_arcs)

/// The keys to sort an order of arcs by.
struct gather_keys {
  u32 arcs;
  array<const u32> order;
  array<const u32> in;
  array<u32> keys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(arcs)) magpie::st_plain(&keys[i], magpie::ld_plain(&in[magpie::ld_plain(&order[i])]));
  }
};
MAGPIE_KERNEL(gather_keys)

/// The arcs of an order, one after another.
struct gather_arcs {
  u32 arcs;
  array<const u32> order;
  array<const u32> from;
  array<const u32> to;
  array<const u32> weight;
  array<const u32> origin;
  array<u32> next_from;
  array<u32> next_to;
  array<u32> next_weight;
  array<u32> next_origin;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(arcs)) {
      const u32 a = magpie::ld_plain(&order[i]);
      magpie::st_plain(&next_from[i], magpie::ld_plain(&from[a]));
      magpie::st_plain(&next_to[i], magpie::ld_plain(&to[a]));
      magpie::st_plain(&next_weight[i], magpie::ld_plain(&weight[a]));
      magpie::st_plain(&next_origin[i], magpie::ld_plain(&origin[a]));
    }
  }
};
MAGPIE_KERNEL(gather_arcs)

/// Flags the first of the arcs that join the same two: of a sorted list, the lightest.
struct flag_lightest {
  u32 arcs;
  array<const u32> from;
  array<const u32> to;
  array<u32> keep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 a : self.items(arcs)) {
      const bool same = a > 0 && magpie::ld_plain(&from[a - 1]) == magpie::ld_plain(&from[a]) &&
                        magpie::ld_plain(&to[a - 1]) == magpie::ld_plain(&to[a]);
      magpie::st_plain(&keep[a], same ? 0 : 1);
    }
  }
};
MAGPIE_KERNEL(flag_lightest)

}  // namespace msf
