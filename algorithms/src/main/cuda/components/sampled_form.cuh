/// @file
/// Connected components by unions over a sample of the edges first: the forms `atomic` and `transactional`.
///
/// One run: `start`, `flatten`, a union over the first arcs of each vertex (`link_sampled`; or the region `unite_sampled` once for
/// each of them, and `flatten`), `sample_labels` and `choose_skipped`, a union over what is left (`link_light` and `link_heavy`; or
/// `list_light`, `list_heavy` and the region `unite_listed`), `flatten`. Nothing between them waits for the host, but regions
/// and the list's length.
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

/// A vertex that is a root for good, as there is none smaller: what a thread knows before it has found another.
inline constexpr u32 least_vertex = 0;

/// In place of a vertex that was a root, where none is known.
struct no_root {
  MAGPIE_INLINE friend constexpr bool operator==(u32, no_root) { return false; }
};

/// v, or an ancestor of it, that was a root at some time: whether it still is, an exchange or a claim decides. Halves the way.
///
/// `known` was a root at some time, too, so a way that comes by it may end there, and its word need not be read: with one giant
/// component that is the word which all ways end at, and readers of one word wait for each other.
/// A loop on shared state that waits for nobody: parents descend, so it ends after less than `vertices` steps.
template <class Parents, class Known = no_root>
MAGPIE_INLINE u32 find(const Parents& parents, u32 v, Known known = {}) {
  u32 p = parents.above(v);
  while (p != v && p != known) {
    const u32 g = parents.above(p);
    if (g == p) return p;
    parents.shorten(v, g);  // v is no root and will be none, so this races with no hooking
    if (g == known) return g;
    v = g;
    p = parents.above(v);
  }
  return p;
}

/// Unites the trees of a and b, which were roots at some time, by compare-exchange: the larger root is hooked under the smaller.
/// Lock-free: an exchange fails only where another thread hooked that root. The exchange that succeeds is the serialization
/// point, and its thread alone calls `hooked(r)`, once for each root r that was one. Gives an ancestor of both, or the one
/// that is, which was a root at some time.
///
/// Why the edge joins two trees whatever the smaller vertex has become meanwhile: the larger is a root when the exchange
/// succeeds, and the other tree's root is at most the smaller one.
template <class Hooked>
MAGPIE_INLINE u32 link(const shared_parents& parents, u32 a, u32 b, Hooked&& hooked) {
  while (a != b) {
    const u32 loser = most(a, b);
    const u32 winner = least(a, b);
    const u32 seen = magpie::cas_rlx_dev(&parents.parent[loser], loser, winner);
    if (seen == loser) {
      hooked(loser);
      return winner;
    }
    a = find(parents, seen);
    b = find(parents, winner);
  }
  return a;
}

/// Points v, whose parent was p, to the ancestor that a walk from it has found; a root stays one.
MAGPIE_INLINE void point(const shared_parents& parents, u32 v, u32 p, u32 ancestor) {
  if (ancestor != v && ancestor != p) parents.shorten(v, ancestor);
}

/// First neighbors that `start` follows, one after another.
inline constexpr u32 first_steps = 4;

/// Hooks each vertex under its first neighbor, if that one is smaller: without a rival, so without atomics. Its parent becomes a
/// vertex a few such steps away, which is an ancestor by the others' hookings: numbers of neighbors often lie close together,
/// and the steps read what neighboring threads read.
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
      u32 p = v;
      for (u32 step = 0; step < first_steps; ++step) {
        const u32 a = magpie::ld_plain(&offsets[p]);
        const bool any = a < magpie::ld_plain(&offsets[p + 1]);
        const u32 x = any ? magpie::ld_plain(&neighbors[a]) : p;
        if (step == 0 && forest != 0) magpie::st_plain(&edge_of[v], x < v ? a : none);
        if (x >= p) break;
        p = x;
      }
      magpie::st_plain(&parent[v], p);
    }
  }
};
MAGPIE_KERNEL(start)

/// Whether `start` has united the ends of v's nth arc, which leads to x.
MAGPIE_INLINE bool started(u32 nth, u32 v, u32 x) { return nth == 0 && x < v; }

/// Unites each vertex with its first `sampled_arcs` neighbors, and points it to its root.
///
/// Loads that wait for nothing else are made first. A vertex is pointed to its root before its neighbors' roots are looked
/// for: they are often those of threads next to this one, which then do not walk the same ways twice.
/// Participation: any thread, one vertex each. Shared state: `parent` by `link`; `edge_of[r]` by the thread that hooked r.
struct link_sampled {
  u32 vertices;
  u32 forest;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<u32> parent;
  array<u32> edge_of;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const shared_parents parents{parent};
    u32 known = least_vertex;
    for (u32 v : self.items(vertices)) {
      const u32 first = magpie::ld_plain(&offsets[v]);
      const u32 last = magpie::ld_plain(&offsets[v + 1]);
      const u32 p = parents.above(v);
      u32 ends[sampled_arcs];
      MAGPIE_UNROLL
      for (u32 nth = 0; nth < sampled_arcs; ++nth) {
        ends[nth] = first + nth < last ? magpie::ld_plain(&neighbors[first + nth]) : v;
      }
      const u32 found = p == v || p == known ? p : find(parents, p, known);
      point(parents, v, p, found);
      u32 root = found;
      MAGPIE_UNROLL
      for (u32 nth = 0; nth < sampled_arcs; ++nth) {
        const u32 x = ends[nth];
        if (x == v || started(nth, v, x)) continue;
        root = link(parents, root, find(parents, x, root), [&](u32 r) {
          if (forest != 0) magpie::st_rlx_dev(&edge_of[r], first + nth);
        });
      }
      point(parents, v, found, root);
      known = root;
    }
  }
};
MAGPIE_KERNEL(link_sampled)

// ---- The component that is skipped. To leave one out means to walk over both directions of all other edges in place of one
// direction of all: that is less only if more than half of the arcs are its own, which a sample of them tells. How many
// vertices it has does not matter: isolated ones cost nothing, and a long path has few arcs.

/// The roots of the vertices to which `count` arcs at equal distances lead: of a component as many as its share of the arcs
/// has it.
///
/// Participation: any thread, one arc each. Precondition: there are arcs. Shared state: `parent`, ways to roots shortened;
/// nothing is hooked. One writer per word of `labels`.
struct sample_labels {
  u32 arcs;
  u32 count;
  array<const u32> neighbors;
  array<u32> parent;
  array<u32> labels;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      const u32 a = static_cast<u32>(u64{i} * arcs / count);
      magpie::st_plain(&labels[i], find(shared_parents{parent}, magpie::ld_plain(&neighbors[a])));
    }
  }
};
MAGPIE_KERNEL(sample_labels)

/// By how many votes a label leads where each vote for another was set against one for it.
struct lead {
  u32 label;
  u32 votes;
};

/// Sets the votes of two leads against each other. Votes that cancel out are for two labels each time, so a label that more
/// than half of all are for leads in the end, however they are grouped; what leads need not have that many.
struct set_against {
  static constexpr bool commutative = true;
  MAGPIE_INLINE lead identity() const { return {none, 0}; }
  MAGPIE_INLINE lead operator()(lead a, lead b) const {
    if (a.label == b.label) return {a.label, a.votes + b.votes};
    return a.votes < b.votes ? lead{b.label, b.votes - a.votes} : lead{a.label, a.votes - b.votes};
  }
};

/// Chooses the label that more than half of the sample have; `none` if there is no such label.
///
/// Participation: whole warps, of which the first does it all. Shared state: none, `skip` and `heavy` by its first lane.
struct choose_skipped {
  static constexpr unsigned block_size = 32;

  u32 count;
  array<const u32> labels;
  array<u32> skip;
  array<u32> heavy;  ///< made 0

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (magpie::warp_rank(self) != 0) return;
    const auto label = [&](u64 i) { return magpie::ld_plain(&labels[i]); };
    const lead all = magpie::warp_reduce_range<lead>(self, 0, count, set_against{}, [&](u64 i) {
      return lead{label(i), 1};
    });
    const u32 votes = magpie::warp_reduce_range<u32>(self, 0, count, magpie::plus<u32>{},
                                                     [&](u64 i) { return label(i) == all.label ? 1u : 0u; });
    if (self.lane() == 0) {
      magpie::st_plain(&skip[0], votes > count / 2 ? all.label : none);
      magpie::st_plain(&heavy[0], 0);
    }
  }
};
MAGPIE_KERNEL(choose_skipped)

// ---- What the sample has left: first the vertices of few arcs, a lane for each, then the others, by pieces of equal work. Where
// a warp is one thread, the second way does it all.

/// Arcs beyond the sample up to which a lane takes a vertex by itself.
inline constexpr u32 light_arcs = 16;
MAGPIE_CONSTANT(light_arcs)

/// The arcs from v to x that the sample has left and that may join two trees.
///
/// With `skip` none: of each edge the direction from its larger end. Else both directions, but none from vertices whose root
/// is found to be `skip`: those lie in its tree, so an edge that leaves the tree is seen from its other end, and one of which
/// neither end is looked from lies within the tree. This is so for any vertex in place of `skip`, whenever roots are looked
/// for, and whether or not ways are walked to their ends: a vertex that is not found to be in that tree is looked from.
struct left_arcs {
  u32 vertices;
  u32 pieces;
  u32 most_light;         ///< arcs that a light vertex has at most; 0: none is light, and `heavy` is not asked
  array<const u32> skip;  ///< one word
  array<u32> heavy;       ///< one word, set by the walk over light vertices if there are others to be looked from
  array<const u32> offsets;
  array<const u32> neighbors;
  array<u32> parent;

  MAGPIE_INLINE bool wanted(u32 v, u32 x, u32 skipped) const { return x < v || (skipped != none && x != v); }
};

/// Calls body(root, x, a) for arcs a to x of light vertices. `root` is the vertex's, body gives the one that it has then; each
/// was one at some time. The vertices that are looked at are pointed to their roots.
///
/// Participation: any thread, one vertex each. Shared state: `parent`, ways to roots shortened; `heavy`, set.
template <class Body>
MAGPIE_INLINE void for_each_light_arc(const thread& self, const left_arcs& left, Body&& body) {
  const shared_parents parents{left.parent};
  const u32 skip = magpie::ld_plain(&left.skip[0]);
  bool heavy = false;
  u32 known = skip != none ? skip : least_vertex;
  for (u32 v : self.items(left.vertices)) {
    const u32 p = parents.above(v);
    if (p == skip) continue;
    u32 root = p == v || p == known ? p : find(parents, p, known);
    if (root != skip) {
      const u32 first = magpie::ld_plain(&left.offsets[v]) + sampled_arcs;
      const u32 last = magpie::ld_plain(&left.offsets[v + 1]);
      if (first < last && last - first > left.most_light) {
        heavy = true;
      } else {
        for (u32 a = first; a < last; ++a) {
          const u32 x = magpie::ld_plain(&left.neighbors[a]);
          if (left.wanted(v, x, skip)) root = body(root, x, a);
        }
      }
      if (skip == none) known = root;
    }
    point(parents, v, p, root);
  }
  if (heavy) magpie::st_rlx_dev(&left.heavy[0], 1);
}

/// What `for_each_heavy_arc` does with a block. No lambda, as GCC may not inline one, and most blocks have next to no work.
template <class Body>
struct heavy_block {
  const thread& self;
  const left_arcs& left;
  u32 skip;
  Body& body;

  MAGPIE_INLINE void operator()(const magpie::segment_block& b) const {
    const shared_parents parents{left.parent};
    u32 from = none;  // the first arc of this lane's vertex that is wanted
    u32 root = none;
    if (b.first < b.last) {
      const u32 first = magpie::ld_plain(&left.offsets[b.segment]) + sampled_arcs;
      const u32 last = magpie::ld_plain(&left.offsets[b.segment + 1]);
      if (first < last && last - first > left.most_light) {
        const u32 p = parents.above(b.segment);
        root = p == b.segment || p == skip ? p : find(parents, p, skip);
        if (root != skip) from = first;
        point(parents, b.segment, p, root);
      }
    }
    if (!self.any(from < b.last)) return;
    const u32 base = b.segment - self.lane();
    magpie::for_each_element(self, b, [&](u32 a, u32 owner, bool here) {
      const u32 wanted = self.shuffle(from, owner);
      const u32 known = self.shuffle(root, owner);
      if (!here || a < wanted) return;
      const u32 v = base + owner;
      const u32 x = magpie::ld_plain(&left.neighbors[a]);
      if (!left.wanted(v, x, skip)) return;
      const u32 before = find(parents, v, known);
      point(parents, v, before, body(before, x, a));
    });
  }
};

/// The same for the others. The pieces have equal numbers of vertices and arcs; with `skip` some of them may have next to no
/// work.
///
/// Participation: whole warps. Shared state: `parent`, ways to roots shortened.
template <class Body>
MAGPIE_INLINE void for_each_heavy_arc(const thread& self, const left_arcs& left, Body&& body) {
  if (left.most_light != 0 && magpie::ld_plain(&left.heavy[0]) == 0) return;
  const magpie::csr_pieces csr{left.vertices, left.pieces, left.offsets};
  const heavy_block<Body> walk{self, left, magpie::ld_plain(&left.skip[0]), body};
  for (u32 c = magpie::warp_rank(self); c < left.pieces; c += magpie::warp_count(self)) {
    csr.for_each_block(self, c, walk);
  }
}

/// Unites the ends of the edges that the sample has left: those of light vertices, then the others.
///
/// Participation: whole warps. Shared state: `parent` by `link`; `edge_of[r]` by the thread that hooked r.
template <bool Light>
struct link_left {
  left_arcs left;
  u32 forest;
  array<u32> edge_of;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const shared_parents parents{left.parent};
    const auto unite = [&](u32 root, u32 x, u32 a) {
      return link(parents, root, find(parents, x, root), [&](u32 r) {
        if (forest != 0) magpie::st_rlx_dev(&edge_of[r], a);
      });
    };
    if constexpr (Light) {
      for_each_light_arc(self, left, unite);
    } else {
      for_each_heavy_arc(self, left, unite);
    }
  }
};
MAGPIE_KERNEL_AS(link_light, link_left<true>)
MAGPIE_KERNEL_AS(link_heavy, link_left<false>)

/// Lists the edges that the sample has left and that join two trees: `ends`, of which the first is the root of one, and the arc
/// of each. What finds no room is only counted; the order of the list is not determined.
///
/// Participation: whole warps. Shared state: `parent`, ways to roots shortened, nothing is hooked; `count`, additions.
template <bool Light>
struct list_left {
  left_arcs left;
  array<u64> ends;
  array<u32> arcs;  ///< as many as `ends`
  array<u32> count;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const shared_parents parents{left.parent};
    const auto list = [&](u32 root, u32 x, u32 a) {
      const u32 other = find(parents, x, root);
      if (other != root) {
        const u32 place = magpie::append(self, &count[0]);
        if (place < ends.length) {
          magpie::st_plain(&ends[place], pair_of(root, other));
          magpie::st_plain(&arcs[place], a);
        }
      }
      return root;
    };
    if constexpr (Light) {
      for_each_light_arc(self, left, list);
    } else {
      for_each_heavy_arc(self, left, list);
    }
  }
};
MAGPIE_KERNEL_AS(list_light, list_left<true>)
MAGPIE_KERNEL_AS(list_heavy, list_left<false>)

/// Points each vertex to its root.
///
/// No way is bounded: nothing is hooked any more, and a thread that is still on a long way leaves for others what it has of it.
/// Participation: any thread, one vertex each. Shared state: `parent[v]` is written by v's thread only; idempotent.
struct flatten {
  u32 vertices;
  array<u32> parent;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const shared_parents parents{parent};
    u32 known = least_vertex;
    for (u32 v : self.items(vertices)) {
      const u32 p = parents.above(v);
      if (p == v || p == known) continue;
      u32 root = p;
      u32 g = parents.above(root);
      for (u32 step = 0; g != root; ++step) {
        root = g;
        if (step >= 4) parents.shorten(v, root);
        g = root == known ? root : parents.above(root);
      }
      point(parents, v, p, root);
      known = root;
    }
  }
};
MAGPIE_KERNEL(flatten)

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
  static constexpr bool order_dependent = true;  // a root goes below what a hint says is the other one
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

/// Unites the trees of listed roots. Items: entries of the list that `list_left` made.
struct unite_listed {
  magpie::stm::objects vertices;
  u32 forest;
  array<const u64> ends;
  array<const u32> arcs;
  array<u32> parent;
  array<u32> edge_of;

  static constexpr u32 max_objects = 1;
  static constexpr u32 max_writes = 1;
  static constexpr bool order_dependent = true;  // a root goes below what a hint says is the other one
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
