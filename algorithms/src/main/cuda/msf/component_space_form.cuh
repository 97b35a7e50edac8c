/// @file
/// The minimum spanning forest of LonestarGPU, as sections 3.2 to 3.5 of the comparison of CUDA and Cilk Plus describe it:
/// elements in a ComponentSpace, a union-find structure whose components are united two at a time under two locks.
///
/// One run: `start_alone`, `start_sizes`; then rounds of `forget_minima`, `find_minimum`, `find_representative`,
/// `verify_representative`, the region `unify` and `flatten`, until the number of components stays the same.
///
/// Words: an element is a vertex; its component is named by its root. `elem[v]` is the element's lightest arc to another
/// component, weight << 32 | neighbor, which is the order (weight, smaller end, larger end) among the edges of one element.
/// `comp_weight[r]` is the least weight of those of component r, `comp_edge[r]` the least edge of that weight, smaller end
/// << 32 | larger end. All three are `no_key` or `none` where nothing is known.
///
/// Ties: the papers ask for distinct weights. With equal ones several elements of a component would represent it, and the
/// second union of a component would be over an edge that need not be its least any more. So of the elements with the least
/// weight the one with the least edge does; see `mutant::ties_unbroken`. Parallel edges of equal weight count as one.
///
/// Locks: where they lock two components, a transaction opens two objects, and policies say what that is; `locks` takes
/// them in one order for all, as they do.
#pragma once

#include "forest.cuh"
#include "mutants.cuh"

namespace msf {

/// Each element is a component of one.
struct start_sizes {
  u32 vertices;
  array<u32> size;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) magpie::st_plain(&size[v], 1);
  }
};
MAGPIE_KERNEL(start_sizes)

/// Nothing is known of any component.
struct forget_minima {
  u32 vertices;
  array<u32> comp_weight;
  array<u64> comp_edge;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      magpie::st_plain(&comp_weight[v], none);
      magpie::st_plain(&comp_edge[v], no_key);
    }
  }
};
MAGPIE_KERNEL(forget_minima)

/// The lightest arc of each element that leaves its component, and the least weight of each component.
///
/// Participation: whole warps, which share the arcs of consecutive elements. Precondition: parents are roots. Shared
/// state: `comp_weight` at roots, monotone, atomic minimum behind a guard as in `offer`. Bytes: 8 per arc in and a gathered
/// parent; 4 per element in, 8 out.
struct find_minimum {
  u32 vertices;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<const u32> parent;
  array<u64> elem;
  array<u32> comp_weight;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 base : self.warp_items(u64{vertices})) {
      const u64 v = base + self.lane();
      const u64 key = magpie::reduce_elements<u64>(
          self, magpie::block_at(self, offsets, vertices, base), magpie::minimum<u64>{}, [&](u32 a, u32 owner) {
            const u32 x = magpie::ld_plain(&neighbors[a]);
            const bool leaves = magpie::ld_plain(&parent[x]) != magpie::ld_plain(&parent[base + owner]);
            return leaves ? key_of(magpie::ld_plain(&weights[a]), x) : no_key;
          });
      if (v >= vertices) continue;
      magpie::st_plain(&elem[v], key);
      u32* const least_weight = &comp_weight[magpie::ld_plain(&parent[v])];
      if (key != no_key && high(key) < magpie::ld_rlx_dev(least_weight)) {
        magpie::red_min_rlx_dev(least_weight, high(key));
      }
    }
  }
};
MAGPIE_KERNEL(find_minimum)

/// An element's edge, as both of its ends name it.
MAGPIE_INLINE u64 edge_name(u32 v, u64 key) { return key_of(least(v, low(key)), most(v, low(key))); }

/// Of the elements that have their component's least weight, the edge that comes first.
/// Shared state: `comp_edge` at roots, monotone, guarded atomic minimum.
struct find_representative {
  u32 vertices;
  array<const u32> parent;
  array<const u64> elem;
  array<const u32> comp_weight;
  array<u64> comp_edge;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u64 key = magpie::ld_plain(&elem[v]);
      if (key == no_key) continue;
      const u32 r = magpie::ld_plain(&parent[v]);
      if (high(key) == magpie::ld_plain(&comp_weight[r])) offer(comp_edge, r, edge_name(v, key));
    }
  }
};
MAGPIE_KERNEL(find_representative)

/// Lists the elements that represent their components, with their arcs: those that have the component's edge, and an arc
/// of their own of that weight and to that neighbor that does leave the component.
///
/// Participation: whole warps, as in `find_minimum`; one without representatives skips its arcs. Shared state: `count`
/// appends, in an order that is not determined; one writer per word elsewhere.
struct verify_representative {
  u32 vertices;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<const u32> parent;
  array<const u64> elem;
  array<const u32> comp_weight;
  array<const u64> comp_edge;
  array<u32> arc;
  array<u32> list;
  array<u32> count;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 base : self.warp_items(u64{vertices})) {
      const u64 v = base + self.lane();
      const bool on = v < vertices && represents(static_cast<u32>(v));
      if (!self.any(on)) continue;
      const u32 working = self.ballot(on);
      const u32 a = magpie::reduce_elements<u32>(
          self, magpie::block_at(self, offsets, vertices, base), magpie::minimum<u32>{}, [&](u32 j, u32 owner) {
            if ((working >> owner & 1u) == 0) return none;
            const u32 x = magpie::ld_plain(&neighbors[j]);
            const bool its = magpie::ld_plain(&elem[base + owner]) == key_of(magpie::ld_plain(&weights[j]), x);
            const bool leaves = magpie::ld_plain(&parent[x]) != magpie::ld_plain(&parent[base + owner]);
            return its && leaves ? j : none;
          });
      if (on && a != none) {
        magpie::st_plain(&arc[v], a);
        magpie::st_plain(&list[magpie::append(self, &count[0])], static_cast<u32>(v));
      }
    }
  }

 private:
  MAGPIE_INLINE bool represents(u32 v) const {
    const u64 key = magpie::ld_plain(&elem[v]);
    if (key == no_key) return false;
    const u32 r = magpie::ld_plain(&parent[v]);
    return high(key) == magpie::ld_plain(&comp_weight[r]) &&
           (edge_name(v, key) == magpie::ld_plain(&comp_edge[r]) || breaks(mutant::ties_unbroken));
  }
};
MAGPIE_KERNEL(verify_representative)

/// Unites the components of a representative and its partner, the smaller into the larger. Items: representatives.
///
/// Objects are vertices; a vertex stands for its `parent`, `size` and `edge_of`. Both roots are claimed and looked at again;
/// if one has been hooked meanwhile, which is another transaction's progress, the attempt is made again. Both in one tree:
/// another representative has been here over the same edge, and nothing is left to do. Ways to the roots are walked and
/// shortened past the claims: a vertex that is no root stays none, and its ancestors stay ancestors.
struct unify {
  magpie::stm::objects objects;
  array<const u32> neighbors;
  array<const u32> arc;
  array<u32> parent;
  array<u32> size;
  array<u32> edge_of;

  static constexpr u32 max_objects = 2;
  static constexpr u32 max_writes = 1;
  static constexpr bool order_dependent = true;  // a hint cancels whose partner is in its tree already

  struct state {
    u32 loser;
    u32 winner;
    u32 together;  ///< elements of both
  };

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome plan(Tx& tx, u32 v, state& s) const {
    using magpie::stm::outcome;
    const hinted_parents<Tx> hints{tx, parent};
    const u32 u = find(hints, v);
    const u32 x = find(hints, magpie::ld_plain(&neighbors[magpie::ld_plain(&arc[v])]));
    if (u == x) return outcome::cancel;
    u32 size_u;
    u32 size_x;
    if (!root(tx, least(u, x), u < x ? size_u : size_x)) return outcome::retry;
    if (!root(tx, most(u, x), u < x ? size_x : size_u)) return outcome::retry;
    const bool u_wins = size_u > size_x || (size_u == size_x && u < x);
    s.loser = u_wins ? x : u;
    s.winner = u_wins ? u : x;
    s.together = size_u + size_x;
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, u32 v, const state& s) const {
    tx.store({}, &parent[s.loser], s.winner);
    tx.store({}, &size[s.winner], s.together);
    tx.store({}, &edge_of[s.loser], magpie::ld_plain(&arc[v]));
  }

 private:
  /// Claims r and reads its size; false if that failed, or r is no root any more.
  template <class Tx>
  MAGPIE_INLINE bool root(Tx& tx, u32 r, u32& elements) const {
    const auto h = tx.open(objects, r);
    u32 p;
    return h && tx.read(h, &parent[r], p) && p == r && tx.read(h, &size[r], elements);
  }
};
MAGPIE_REGION(unify)

}  // namespace msf
