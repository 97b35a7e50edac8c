/// @file
/// The minimum spanning forest of Nasre, Burtscher and Pingali (PPoPP 2013, sections 5, 6.5 and 7.1): components are sets of
/// vertices, in two maps, and cycles of choices are looked for and broken.
///
/// One run: `start_numbered`, `start_sets`; then rounds of `node_minimum`, `component_minimum` with `join_minimum`,
/// `choose_partner`, `follow` (pointer doubling) and `break_cycles`, `record_picks` and `renumber` (contraction.cuh), and the
/// counting sort by which the map from components to vertices is shuffled: `list_components`, a sort of the components by
/// their next number, `set_sizes`, an exclusive sum, `place_sets`, `move_vertices`; until no component has an edge.
///
/// Maps: `component[v]`, and `nodes[first[c]] ..` up to `first[c + 1]`, the vertices of component c. Unions only move
/// vertices: their number stays the same, so the array never grows.
///
/// Why cycles may be dropped at any of their edges: along a cycle of choices the weights are equal, each being least for
/// two components. Let the cycle's representative choose nothing; then the choices are trees, and taken from the roots on
/// each is a lightest edge of a component that no edge taken before touches but at its end.
///
/// Not in the paper: components of two that chose each other are broken before the doubling, which then ends after as
/// many passes as the longest chain has bits, and the components' number need not come down to one. Determinism:
/// schedule_independent; no kernel here has a read-modify-write.
#pragma once

#include "contraction.cuh"

namespace msf {

/// Each vertex is a set. `first` has one element more than `nodes`.
struct start_sets {
  u32 vertices;
  array<u32> nodes;
  array<u32> first;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices + u64{1})) {
      magpie::st_plain(&first[v], static_cast<u32>(v));
      if (v < vertices) magpie::st_plain(&nodes[v], static_cast<u32>(v));
    }
  }
};
MAGPIE_KERNEL(start_sets)

/// Kernel one: each vertex's lightest arc to another component, of equal weights the first; `no_key` if there is none.
///
/// Participation: whole warps, which share the arcs of consecutive vertices. Bytes: 8 per arc in and a gathered component,
/// 4 per vertex in and 8 out.
struct node_minimum {
  u32 vertices;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<const u32> component;
  array<u64> best;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 base : self.warp_items(u64{vertices})) {
      const u64 v = base + self.lane();
      const u64 key = magpie::reduce_elements<u64>(
          self, magpie::block_at(self, offsets, vertices, base), magpie::minimum<u64>{}, [&](u32 a, u32 owner) {
            const u32 there = magpie::ld_plain(&component[magpie::ld_plain(&neighbors[a])]);
            const bool leaves = there != magpie::ld_plain(&component[base + owner]);
            return leaves ? key_of(magpie::ld_plain(&weights[a]), a) : no_key;
          });
      if (v < vertices) magpie::st_plain(&best[v], key);
    }
  }
};
MAGPIE_KERNEL(node_minimum)

/// Kernel two: each component's least key of its vertices', by pieces of equal work; components that pieces cut are put
/// together by `join_minimum`.
struct component_minimum {
  u32 components;
  u32 pieces;
  array<const u32> first;
  array<const u32> nodes;
  array<const u64> node_best;
  array<u64> leads;
  array<u64> tails;
  array<u32> open;
  array<u64> best;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::reduce_segments(
        self, magpie::csr_pieces{components, pieces, first}, leads, tails, open, magpie::minimum<u64>{},
        [&](u32 i) { return magpie::ld_plain(&node_best[magpie::ld_plain(&nodes[i])]); },
        [&](u32 c, u64 key) { magpie::st_plain(&best[c], key); });
  }
};
MAGPIE_KERNEL(component_minimum)

struct join_minimum {
  u32 components;
  u32 pieces;
  array<const u32> first;
  array<u64> leads;
  array<u64> tails;
  array<u32> open;
  array<u64> best;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::join_segments(self, magpie::csr_pieces{components, pieces, first}, leads, tails, open,
                          magpie::minimum<u64>{}, [&](u32 c, u64 key) { magpie::st_plain(&best[c], key); });
  }
};
MAGPIE_KERNEL(join_minimum)

/// Kernel three begins: each component's partner, to which its edge leads; itself if it has no edge, or is the smaller
/// of two that chose each other.
struct choose_partner {
  u32 components;
  array<const u64> best;
  array<const u32> neighbors;
  array<const u32> component;
  array<u32> next;
  array<u32> least_passed;
  array<u32> pick;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 c : self.items(components)) {
      u32 p = partner(c);
      if (c < p && partner(p) == c) p = c;
      magpie::st_plain(&next[c], p);
      magpie::st_plain(&least_passed[c], c);
      magpie::st_plain(&pick[c], low(magpie::ld_plain(&best[c])));
    }
  }

 private:
  MAGPIE_INLINE u32 partner(u32 c) const {
    const u64 key = magpie::ld_plain(&best[c]);
    return key == no_key ? c : magpie::ld_plain(&component[magpie::ld_plain(&neighbors[low(key)])]);
  }
};
MAGPIE_KERNEL(choose_partner)

/// Pointer doubling along the partners, and the least component passed: after k passes `next[c]` is 2^k steps ahead, and
/// `least_passed[c]` the least of the first 2^k components on the way, c itself included. The host stops when 2^k is no less
/// than the number of components: then `next[c]` lies on the cycle that c's way ends in, and what passes from there is all of it.
/// Or when `changed` stays 0. Then 2^k steps lead from each `next[c]` back to itself: it lies on a cycle whose length divides
/// 2^k, 1 at a component that is its own partner, so that `least_further` has passed that cycle twice. No cycle of another length
/// lets it stay 0.
struct follow {
  u32 components;
  array<const u32> next;
  array<const u32> least_passed;
  array<u32> further;
  array<u32> least_further;
  array<u32> changed;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    bool any_change = false;
    for (u32 c : self.items(components)) {
      const u32 n = magpie::ld_plain(&next[c]);
      const u32 g = magpie::ld_plain(&next[n]);
      any_change |= g != n;
      magpie::st_plain(&further[c], g);
      magpie::st_plain(&least_further[c],
                       least(magpie::ld_plain(&least_passed[c]), magpie::ld_plain(&least_passed[n])));
    }
    if (any_change) magpie::st_rlx_dev(&changed[0], 1);
  }
};
MAGPIE_KERNEL(follow)

/// Kernel three ends: the representative of each component, the least one of the cycle that its way ends in.
struct break_cycles {
  u32 components;
  array<const u32> next;
  array<const u32> least_passed;
  array<u32> rep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 c : self.items(components)) {
      magpie::st_plain(&rep[c], magpie::ld_plain(&least_passed[magpie::ld_plain(&next[c])]));
    }
  }
};
MAGPIE_KERNEL(break_cycles)

/// The components in their order, with their next numbers for keys.
struct list_components {
  u32 components;
  array<const u32> label;
  array<u32> keys;
  array<u32> order;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 c : self.items(components)) {
      magpie::st_plain(&keys[c], magpie::ld_plain(&label[c]));
      magpie::st_plain(&order[c], c);
    }
  }
};
MAGPIE_KERNEL(list_components)

/// How many vertices each listed component has.
struct set_sizes {
  u32 components;
  array<const u32> order;
  array<const u32> first;
  array<u32> size;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(components)) {
      const u32 c = magpie::ld_plain(&order[i]);
      magpie::st_plain(&size[i], magpie::ld_plain(&first[c + u64{1}]) - magpie::ld_plain(&first[c]));
    }
  }
};
MAGPIE_KERNEL(set_sizes)

/// Where the vertices of each component go, and where the next ones begin. `before` is the exclusive sum of the sizes.
struct place_sets {
  u32 vertices;
  u32 components;
  u32 next_components;
  array<const u32> keys;
  array<const u32> order;
  array<const u32> before;
  array<u32> place;
  array<u32> next_first;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(components)) {
      const u32 at = magpie::ld_plain(&before[i]);
      const u32 key = magpie::ld_plain(&keys[i]);
      magpie::st_plain(&place[magpie::ld_plain(&order[i])], at);
      if (i == 0) magpie::st_plain(&next_first[next_components], vertices);
      if (i == 0 || magpie::ld_plain(&keys[i - 1]) != key) magpie::st_plain(&next_first[key], at);
    }
  }
};
MAGPIE_KERNEL(place_sets)

/// Moves each vertex to its next component, in both maps.
struct move_vertices {
  u32 vertices;
  array<const u32> nodes;
  array<const u32> first;
  array<const u32> place;
  array<const u32> label;
  array<u32> component;
  array<u32> next_nodes;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(vertices)) {
      const u32 v = magpie::ld_plain(&nodes[i]);
      const u32 c = magpie::ld_own(&component[v]);
      magpie::st_plain(&next_nodes[magpie::ld_plain(&place[c]) + (i - magpie::ld_plain(&first[c]))], v);
      magpie::st_plain(&component[v], magpie::ld_plain(&label[c]));
    }
  }
};
MAGPIE_KERNEL(move_vertices)

}  // namespace msf
