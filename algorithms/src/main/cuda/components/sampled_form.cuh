/// @file
/// Connected components by unions over a sample of the edges first: the forms `atomic` and `transactional`.
///
/// One run: `start`, a union over the first arcs of each vertex (`link_sampled`, or the region `unite_sampled` once for each of
/// them), `flatten`, `sample_labels`, a union over what is left (`link_rest`; or `list_crossing` and the region
/// `unite_listed`), `flatten`.
///
/// Sources: the sample of two neighbors, and that the vertices of the largest component seen after it need not be walked
/// over, from Afforest (Sutton, Ben-Nun and Barak, IPDPS 2018); hooking by compare-exchange with paths halved on the way, and
/// a smaller neighbor as the first parent, from ECL-CC (Jaiganesh and Burtscher, HPDC 2018), which looks through the list for
/// one, where here the first neighbor is or is not.
///
/// A root is only ever hooked under a smaller vertex. So parents descend, walks end, no cycle can be closed, and the root of
/// a finished component is its least vertex.
#pragma once

#include "magpie/parallel/append.cuh"
#include "union_find.cuh"

namespace components {

/// Arcs of each vertex that belong to the sample.
inline constexpr u32 sampled_arcs = 2;
MAGPIE_CONSTANT(sampled_arcs)

/// Parents as kernels without transactions see and shorten them.
struct shared_parents {
  const array<u32>& parent;
  MAGPIE_INLINE u32 above(u32 v) const { return magpie::ld_rlx_dev(&parent[v]); }
  MAGPIE_INLINE void shorten(u32 v, u32 g) const { magpie::st_rlx_dev(&parent[v], g); }
};

/// The same in a transaction, past its claims: hints.
template <class Tx>
struct hinted_parents {
  Tx& tx;
  const array<u32>& parent;
  MAGPIE_INLINE u32 above(u32 v) const { return tx.glance(&parent[v]); }
  MAGPIE_INLINE void shorten(u32 v, u32 g) const { tx.leave_hint(&parent[v], g); }
};

/// v, or an ancestor of it, that was a root at some time: whether it still is, an exchange or a claim decides. Halves the way.
///
/// A loop on shared state that waits for nobody: parents descend, so it ends after less than `vertices` steps.
template <class Parents>
MAGPIE_INLINE u32 find(const Parents& parents, u32 v) {
  u32 p = parents.above(v);
  while (p != v) {
    const u32 g = parents.above(p);
    if (g == p) return p;
    parents.shorten(v, g);  // v is no root and will be none, so this races with no hooking
    v = g;
    p = parents.above(v);
  }
  return v;
}

/// Unites the trees of u and v by compare-exchange: the larger root is hooked under the smaller. Lock-free: an exchange fails
/// only where another thread hooked that root. The exchange that succeeds is the serialization point, and its thread alone
/// calls `hooked(r)`, once for each root r that was one.
///
/// Why the edge joins two trees whatever the smaller vertex has become meanwhile: the larger is a root when the exchange
/// succeeds, and the other tree's root is at most the smaller one.
template <class Hooked>
MAGPIE_INLINE void link(const array<u32>& parent, u32 u, u32 v, Hooked&& hooked) {
  const shared_parents parents{parent};
  u32 a = find(parents, u);
  u32 b = find(parents, v);
  while (a != b) {
    const u32 loser = most(a, b);
    const u32 winner = least(a, b);
    const u32 seen = magpie::cas_rlx_dev(&parent[loser], loser, winner);
    if (seen == loser) {
      hooked(loser);
      return;
    }
    a = find(parents, seen);
    b = find(parents, winner);
  }
}

/// Gives each vertex its first neighbor for a parent, if that one is smaller: hooking without a rival, so without atomics.
///
/// Participation: any thread, one vertex each. Shared state: none, one writer per word.
struct start {
  u32 vertices;
  u32 forest;  ///< whether `edge_of` is written; it has no elements otherwise
  array<const u32> offsets;
  array<const u32> neighbors;
  array<u32> parent;
  array<u32> edge_of;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 a = magpie::ld_plain(&offsets[v]);
      const bool any = a < magpie::ld_plain(&offsets[v + 1]);
      const u32 x = any ? magpie::ld_plain(&neighbors[a]) : v;
      magpie::st_plain(&parent[v], least(x, v));
      if (forest != 0) magpie::st_plain(&edge_of[v], x < v ? a : none);
    }
  }
};
MAGPIE_KERNEL(start)

/// Whether `start` has united the ends of v's nth arc, which leads to x.
MAGPIE_INLINE bool started(u32 nth, u32 v, u32 x) { return nth == 0 && x < v; }

/// Unites each vertex with its first `sampled_arcs` neighbors.
///
/// Participation: any thread, one vertex each. Shared state: `parent` by `link`; `edge_of[r]` by the thread that hooked r.
struct link_sampled {
  u32 vertices;
  u32 forest;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<u32> parent;
  array<u32> edge_of;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 first = magpie::ld_plain(&offsets[v]);
      const u32 last = magpie::ld_plain(&offsets[v + 1]);
      for (u32 nth = 0; nth < sampled_arcs && first + nth < last; ++nth) {
        const u32 x = magpie::ld_plain(&neighbors[first + nth]);
        if (started(nth, v, x)) continue;
        link(parent, v, x, [&](u32 r) {
          if (forest != 0) magpie::st_rlx_dev(&edge_of[r], first + nth);
        });
      }
    }
  }
};
MAGPIE_KERNEL(link_sampled)

/// The labels of the vertices to which `count` arcs at equal distances lead: of a component as many as its share of the arcs
/// has it. Precondition: parents are flat, and there are arcs. Shared state: none, one writer per word.
struct sample_labels {
  u32 arcs;
  u32 count;
  array<const u32> neighbors;
  array<const u32> parent;
  array<u32> labels;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      const u32 a = static_cast<u32>(u64{i} * arcs / count);
      magpie::st_plain(&labels[i], magpie::ld_plain(&parent[magpie::ld_plain(&neighbors[a])]));
    }
  }
};
MAGPIE_KERNEL(sample_labels)

/// Calls body(v, x, a) for the arcs a from v to x that the sample has left and that may join two trees, by the lanes that
/// have one. The pieces have equal numbers of vertices and arcs; with `skip` some of them may have next to no work.
///
/// With `skip` none: of each edge the direction from its larger end. Else both directions, but none from vertices whose parent
/// is `skip`: those lie in its tree, so an edge that leaves the tree is seen from its other end, and one of which neither
/// end is looked from lies within the tree. It may be that a vertex comes to be skipped while this runs.
/// Participation: whole warps. Shared state: `parent`, relaxed loads.
template <class Body>
MAGPIE_INLINE void for_each_left_arc(const thread& self, u32 vertices, u32 pieces, u32 skip,
                                     const array<const u32>& offsets, const array<const u32>& neighbors,
                                     const array<u32>& parent, Body&& body) {
  const magpie::csr_pieces csr{vertices, pieces, offsets};
  for (u32 c = magpie::warp_rank(self); c < pieces; c += magpie::warp_count(self)) {
    csr.for_each_block(self, c, [&](const magpie::segment_block& b) {
      u32 from = none;  // the first arc of this lane's vertex that is wanted
      if (b.first < b.last && (skip == none || magpie::ld_rlx_dev(&parent[b.segment]) != skip)) {
        from = magpie::ld_plain(&offsets[b.segment]) + sampled_arcs;
      }
      if (!self.any(from < b.last)) return;
      const u32 base = b.segment - self.lane();
      magpie::for_each_element(self, b, [&](u32 a, u32 owner, bool here) {
        const u32 wanted = self.shuffle(from, owner);
        if (!here || a < wanted) return;
        const u32 v = base + owner;
        const u32 x = magpie::ld_plain(&neighbors[a]);
        if (x < v || (skip != none && x != v)) body(v, x, a);
      });
    });
  }
}

/// Unites the ends of the edges that the sample has left.
///
/// Participation: whole warps. Shared state: `parent` by `link`; `edge_of[r]` by the thread that hooked r.
struct link_rest {
  u32 vertices;
  u32 pieces;
  u32 skip;
  u32 forest;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<u32> parent;
  array<u32> edge_of;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_left_arc(self, vertices, pieces, skip, offsets, neighbors, parent, [&](u32 v, u32 x, u32 a) {
      link(parent, v, x, [&](u32 r) {
        if (forest != 0) magpie::st_rlx_dev(&edge_of[r], a);
      });
    });
  }
};
MAGPIE_KERNEL(link_rest)

/// Lists the edges that the sample has left and that join two trees: `ends` and the arc of each. What finds no room is only
/// counted; the order of the list is not determined.
///
/// Participation: whole warps. Precondition: parents are flat. Shared state: `count`, additions.
struct list_crossing {
  u32 vertices;
  u32 pieces;
  u32 skip;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<u32> parent;
  array<u64> ends;
  array<u32> arcs;  ///< as many as `ends`
  array<u32> count;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_left_arc(self, vertices, pieces, skip, offsets, neighbors, parent, [&](u32 v, u32 x, u32 a) {
      if (magpie::ld_rlx_dev(&parent[v]) == magpie::ld_rlx_dev(&parent[x])) return;
      const u32 place = magpie::append(self, &count[0]);
      if (place < ends.length) {
        magpie::st_plain(&ends[place], pair_of(v, x));
        magpie::st_plain(&arcs[place], a);
      }
    });
  }
};
MAGPIE_KERNEL(list_crossing)

// ---- Transactions. Hooking a root is neither monotone nor idempotent: it is right only while the vertex is a root, and
// with a forest it sets two words. Objects are vertices; a vertex stands for its `parent` and its `edge_of`.

/// What a planned union will write.
struct hooking {
  u32 loser;
  u32 winner;
};

/// Plans the union of the trees of u and v: finds both roots, claims the larger one, and looks again under the claim; if it
/// has been hooked meanwhile, which is another transaction's progress, asks to be tried again.
///
/// Why one claim is enough: while the larger root is claimed and is a root, the other tree's root, whatever it has become, is
/// at most the smaller one, and so another; the smaller one need not be a root any more. That keeps the root of a giant
/// component, which everybody joins, out of the conflicts. Outcome `cancel`: both ends lie in one tree, and will forever.
template <class Tx>
MAGPIE_INLINE magpie::stm::outcome plan_union(Tx& tx, const magpie::stm::objects& vertices, const array<u32>& parent,
                                              u32 u, u32 v, hooking& s) {
  using magpie::stm::outcome;
  const hinted_parents<Tx> hints{tx, parent};
  u = find(hints, u);  // and the way shortened: below the roots, which no transaction writes
  v = find(hints, v);
  if (u == v) return outcome::cancel;
  s.loser = most(u, v);
  s.winner = least(u, v);
  const auto h = tx.open(vertices, s.loser);
  u32 p;
  if (!h || !tx.read(h, &parent[s.loser], p)) return outcome::retry;
  return p == s.loser ? outcome::commit : outcome::retry;
}

/// Writes it. A root is hooked once, so parent and edge are of the same transaction.
template <class Tx>
MAGPIE_INLINE void apply_union(Tx& tx, const array<u32>& parent, const array<u32>& edge_of, u32 forest, u32 arc,
                               const hooking& s) {
  tx.store({}, &parent[s.loser], s.winner);
  if (forest != 0) tx.store({}, &edge_of[s.loser], arc);
}

/// Asks for what a union of the trees of u and v touches if both are roots; of other trees it is a beginning.
MAGPIE_INLINE void prefetch_union(const magpie::stm::objects& vertices, const array<u32>& parent, u32 u, u32 v) {
  magpie::prefetch(&parent[u]);
  magpie::prefetch(&parent[v]);
  magpie::prefetch(vertices.words + most(u, v));
}

/// Unites each vertex with its nth neighbor. Items: vertices; one without that neighbor needs no transaction.
struct unite_sampled {
  magpie::stm::objects vertices;
  u32 nth;
  u32 forest;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<u32> parent;
  array<u32> edge_of;

  static constexpr u32 max_objects = 1;
  static constexpr u32 max_writes = 1;
  using state = hooking;

  MAGPIE_DEVICE void soon(u32 v) const {
    const u32 a = magpie::ld_plain(&offsets[v]) + nth;
    if (a < magpie::ld_plain(&offsets[v + 1])) prefetch_union(vertices, parent, v, magpie::ld_plain(&neighbors[a]));
  }

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome plan(Tx& tx, u32 v, state& s) const {
    const u32 a = magpie::ld_plain(&offsets[v]) + nth;
    if (a >= magpie::ld_plain(&offsets[v + 1])) return magpie::stm::outcome::cancel;
    const u32 x = magpie::ld_plain(&neighbors[a]);
    if (started(nth, v, x)) return magpie::stm::outcome::cancel;
    return plan_union(tx, vertices, parent, v, x, s);
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, u32 v, const state& s) const {
    apply_union(tx, parent, edge_of, forest, magpie::ld_plain(&offsets[v]) + nth, s);
  }
};
MAGPIE_REGION(unite_sampled)

/// Unites the ends of listed edges. Items: entries of the list that `list_crossing` made.
struct unite_listed {
  magpie::stm::objects vertices;
  u32 forest;
  array<const u64> ends;
  array<const u32> arcs;
  array<u32> parent;
  array<u32> edge_of;

  static constexpr u32 max_objects = 1;
  static constexpr u32 max_writes = 1;
  using state = hooking;

  MAGPIE_DEVICE void soon(u32 e) const {
    const u64 end = magpie::ld_plain(&ends[e]);
    prefetch_union(vertices, parent, high(end), low(end));
  }

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome plan(Tx& tx, u32 e, state& s) const {
    const u64 end = magpie::ld_plain(&ends[e]);
    return plan_union(tx, vertices, parent, high(end), low(end), s);
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, u32 e, const state& s) const {
    apply_union(tx, parent, edge_of, forest, magpie::ld_plain(&arcs[e]), s);
  }
};
MAGPIE_REGION(unite_listed)

}  // namespace components
