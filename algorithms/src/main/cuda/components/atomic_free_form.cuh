/// @file
/// Connected components and spanning forests by plain stores alone: the form `atomic-free`.
///
/// Source: Soman, Kothapalli and Narayanan (Parallel Processing Letters 20, 2010), sections 2 to 4: hooking by edges with an
/// arbitrary winner, complete pointer jumping, edges that are marked once their ends lie in one tree; for forests section 3.
///
/// One run: `count_edges` and `list_edges` make the list of edges; `start_alone`; then rounds of a hooking (`hook`; for
/// forests `select_edges` and `hook_selected`), `jump` until nothing is deep, and `settle`; until a hooking finds no edge that
/// joins two trees. Between rounds all trees are flat. If nothing is assumed of the list's order, `fill_slots` and some
/// rounds over slots (`hook_slots`, `select_slots`) come first.
///
/// Why rounds need no atomic operation. In a hooking all stores go to words of roots, and all in one direction, to a larger
/// or to a smaller root, so they can close no cycle whichever of them stays. An edge is marked only if its two ends were seen
/// in one tree, perhaps by way of stores of this round that others overwrite; the edges behind these stores are then not
/// marked, so that marked edges never carry what holds a component together. Each round in which an edge joins two trees
/// leaves fewer of them.
///
/// Words: `leaf[v]` is 1 forever once v, no root any more, points to its root; a round is concerned with the others alone.
/// `marks[e]`: 1 once the ends of edge e lie in one tree. `wins[r]`: with a forest, what root r is to be hooked under, and over
/// which edge: `root << 32 | edge`, one word, since of two words that are stored by rivals each may be another's.
#pragma once

#include "edges/permutation.cuh"
#include "mutants.cuh"
#include "union_find.cuh"

namespace components {

inline constexpr u64 no_win = ~u64{0};

/// Counts the edges in each piece of the graph's arcs, seen from their smaller ends; self-loops are left out.
///
/// Participation: whole warps. Shared state: none, `counts[c]` by piece c's warp.
struct count_edges {
  u32 vertices;
  u32 pieces;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<u32> counts;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const magpie::csr_pieces csr{vertices, pieces, offsets};
    for (u32 c = magpie::warp_rank(self); c < pieces; c += magpie::warp_count(self)) {
      u32 mine = 0;
      csr.for_each_block(self, c, [&](const magpie::segment_block& b) {
        const u32 base = b.segment - self.lane();
        magpie::for_each_element(self, b, [&](u32 a, u32 owner, bool here) {
          if (here && magpie::ld_plain(&neighbors[a]) > base + owner) ++mine;
        });
      });
      const u32 all = self.reduce_add(mine);
      if (self.lane() == 0) magpie::st_plain(&counts[c], all);
    }
  }
};
MAGPIE_KERNEL(count_edges)

/// Lists the edges in the order of their arcs, or shuffled: `smaller end << 32 | larger end`.
///
/// Participation: whole warps. Shared state: none, each entry by one lane.
struct list_edges {
  u32 vertices;
  u32 pieces;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> counts;  ///< of the edges in all pieces before each
  array<u64> ends;          ///< as many as there are edges
  u32 shuffled;             ///< 1: edges go where `places` puts their numbers
  edges::permutation places;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const magpie::csr_pieces csr{vertices, pieces, offsets};
    for (u32 c = magpie::warp_rank(self); c < pieces; c += magpie::warp_count(self)) {
      u32 place = magpie::ld_plain(&counts[c]);
      csr.for_each_block(self, c, [&](const magpie::segment_block& b) {
        const u32 base = b.segment - self.lane();
        magpie::for_each_element(self, b, [&](u32 a, u32 owner, bool here) {
          const u32 v = base + owner;
          const u32 x = here ? magpie::ld_plain(&neighbors[a]) : 0;
          const bool listed = here && x > v;
          const u32 lanes = self.ballot(listed);
          if (listed) {
            const u32 number = place + magpie::popcount(lanes & magpie::lanes_below(self));
            const u32 to = shuffled != 0 ? places.of(number, static_cast<u32>(ends.length)) : number;
            magpie::st_plain(&ends[to], pair_of(v, x));
          }
          place += magpie::popcount(lanes);
        });
      });
    }
  }
};
MAGPIE_KERNEL(list_edges)

/// Makes every vertex a tree of its own.
///
/// Participation: any thread, one vertex each. Shared state: none, one writer per word.
struct start_alone {
  u32 vertices;
  u32 forest;  ///< whether there are `edge_of` and `wins`; they have no elements otherwise
  array<u32> parent;
  array<u32> leaf;
  array<u32> edge_of;
  array<u64> wins;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      magpie::st_plain(&parent[v], v);
      magpie::st_plain(&leaf[v], 0);
      if (forest != 0) {
        magpie::st_plain(&edge_of[v], none);
        magpie::st_plain(&wins[v], no_win);
      }
    }
  }
};
MAGPIE_KERNEL(start_alone)

/// What the two kinds of hooking over edges are told.
struct edge_round {
  u32 count;     ///< edges
  u32 first;     ///< 1: every vertex is a root, and no parent need be asked for
  u32 descend;   ///< 1: the larger of two roots is to be hooked under the smaller; 0: the other way round
  u32 greatest;  ///< 1: of rivals for one word the greatest root is preferred; 0: the least
  u32 sorted;    ///< 1: edges of one vertex lie together in the list
  array<const u64> ends;
  array<u32> marks;
  array<u32> found;  ///< set where an edge joins two trees
};

/// The root of v, flat trees given; in the first round v itself, without a look.
MAGPIE_INLINE u32 root_of(const array<u32>& parent, u32 v, u32 first) {
  return first != 0 ? v : magpie::ld_rlx_dev(&parent[v]);
}

/// Calls store(e, target, root) for the edges that join two trees: the root `target` is to be hooked under `root`. Marks the
/// other edges.
///
/// In a sorted list neighboring edges share an end, and so may have the same target. There, of the lanes next to each other
/// that have the same one, the first alone stores; and a thread that is a warp by itself stores once for each run of such edges.
/// (The paper keeps one store for each target and thread block, by way of shared memory.)
/// Participation: whole warps. Shared state: `marks[e]` by the thread that has e; `parent`, relaxed loads; `found`, set.
template <class Store>
MAGPIE_INLINE void for_each_hooking(const thread& self, const edge_round& round, const array<u32>& parent,
                                    Store&& store) {
  bool found = false;
  u32 latest = none;
  for (u64 base : self.warp_items(u64{round.count})) {
    const u64 e = base + self.lane();
    u32 target = none;
    u32 root = none;
    if (e < round.count && magpie::ld_own(&round.marks[e]) == 0) {
      const u64 end = magpie::ld_plain(&round.ends[e]);
      const u32 a = root_of(parent, high(end), round.first);
      const u32 b = root_of(parent, low(end), round.first);
      if (a == b) {
        magpie::st_plain(&round.marks[e], 1);
      } else {
        const bool down = breaks(mutant::direction_by_edge) ? (e & 1) != 0 : round.descend != 0;
        target = down ? most(a, b) : least(a, b);
        root = down ? least(a, b) : most(a, b);
        found = true;
      }
    }
    bool stores = target != none;
    if (round.sorted != 0) {
      if constexpr (magpie::scalar_warps) {
        stores = stores && target != latest;
        if (stores) latest = target;
      } else {
        const u32 before = self.shuffle_up(target, 1);
        stores = stores && (self.lane() == 0 || target != before);
      }
    }
    if (stores) store(static_cast<u32>(e), target, root);
  }
  if (found) magpie::st_rlx_dev(&round.found[0], 1);
}

/// Whether a root is to be stored over one that was stored before it in this round.
///
/// Any winner is right; which one it is decides how many rounds there are. Take a hub and the roots around it, all but one of
/// which stay apart if they are rivals for the hub's word. If all rounds go down, those greater than the winner are hooked
/// under it by the next round; so the least should win. If rounds go down and up in turn, the next round hooks those beyond
/// the winner, seen from the hub; so the nearest should win: going up the least, going down the greatest. With the farthest
/// instead a hub joins one root a round. A load may miss a store of the same round, so this is a preference only.
MAGPIE_INLINE bool preferred(u32 greatest, u32 root, u32 stored) {
  return greatest != 0 ? root > stored : root < stored;
}

/// Hooks a root: whichever such store comes last stays.
template <class Round>
MAGPIE_INLINE void hook_root(const array<u32>& parent, const Round& round, u32 target, u32 root) {
  const u32 stored = magpie::ld_rlx_dev(&parent[target]);
  if (stored == target || preferred(round.greatest, root, stored)) magpie::st_rlx_dev(&parent[target], root);
}

/// For forests: selects an edge to hook a root over, with the same choice; nothing is hooked yet.
template <class Round>
MAGPIE_INLINE void select_edge(const array<u64>& wins, const Round& round, u32 target, u32 root, u32 e) {
  if (breaks(mutant::edge_apart_from_parent)) {
    u32* const halves = reinterpret_cast<u32*>(&wins[target]);  // the lower one first
    magpie::st_rlx_dev(halves + 1, root);
    magpie::st_rlx_dev(halves, e);
    return;
  }
  const u64 stored = magpie::ld_rlx_dev(&wins[target]);
  if (stored == no_win || preferred(round.greatest, root, high(stored))) {
    magpie::st_rlx_dev(&wins[target], pair_of(root, e));
  }
}

/// Hooks roots over the edges that join two trees.
///
/// Participation: whole warps. Shared state: `parent` of roots, relaxed stores of roots of this round.
struct hook {
  edge_round round;
  array<u32> parent;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_hooking(self, round, parent, [&](u32, u32 target, u32 root) { hook_root(parent, round, target, root); });
  }
};
MAGPIE_KERNEL(hook)

/// Selects edges to hook roots over, of those that join two trees.
///
/// Participation: whole warps. Shared state: `wins`, relaxed stores; `parent` is only read.
struct select_edges {
  edge_round round;
  array<u32> parent;
  array<u64> wins;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_hooking(self, round, parent,
                     [&](u32 e, u32 target, u32 root) { select_edge(wins, round, target, root, e); });
  }
};
MAGPIE_KERNEL(select_edges)

// ---- Slots (section 2.1 of the paper, for lists in any order). Each vertex has four, which sample its neighbors; together
// they are a part of the graph that lies in the order of its vertices, and a few rounds over it leave little for the list.

/// Slots of a vertex.
inline constexpr u32 vertex_slots = 4;
MAGPIE_CONSTANT(vertex_slots)
/// Vertices whose slots are interleaved, so that threads next to each other read words next to each other: the first slots of
/// all of them, then the second ones, and so on.
inline constexpr u32 slot_stride = 16;
MAGPIE_CONSTANT(slot_stride)

/// No neighbor.
inline constexpr u64 free_slot = ~u64{0};

/// Puts each edge into a slot of either end: `other end << 32 | edge`. Whichever edge of a slot comes last stays there.
///
/// Participation: any thread, one edge each. Shared state: `slots`, relaxed stores.
struct fill_slots {
  u32 count;
  array<const u64> ends;
  array<u64> slots;  ///< free before

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 e : self.items(count)) {
      const u64 end = magpie::ld_plain(&ends[e]);
      put(high(end), low(end), e);
      put(low(end), high(end), e);
    }
  }

 private:
  MAGPIE_INLINE void put(u32 v, u32 x, u32 e) const {
    const u64 place = (u64{v / slot_stride} * vertex_slots + e % vertex_slots) * slot_stride + v % slot_stride;
    magpie::st_rlx_dev(&slots[place], pair_of(x, e));
  }
};
MAGPIE_KERNEL(fill_slots)

/// What the two kinds of hooking over slots are told.
struct slot_round {
  u64 count;     ///< slots, those of vertices beyond the last one included
  u32 first;     ///< as in edge_round
  u32 descend;   ///< as in edge_round
  u32 greatest;  ///< as in edge_round
  array<const u64> slots;
};

/// Calls store(e, target, root) for the slots whose edge e joins two trees. Nothing is marked: the list is asked afterwards.
///
/// Participation: any thread, one slot each. Shared state: `parent`, relaxed loads.
template <class Store>
MAGPIE_INLINE void for_each_slot(const thread& self, const slot_round& round, const array<u32>& parent, Store&& store) {
  for (u64 i : self.items(round.count)) {
    const u64 slot = magpie::ld_plain(&round.slots[i]);
    if (slot == free_slot) continue;
    const u32 v = static_cast<u32>(i / (vertex_slots * slot_stride) * slot_stride + i % slot_stride);
    const u32 a = root_of(parent, v, round.first);
    const u32 b = root_of(parent, high(slot), round.first);
    if (a == b) continue;
    store(low(slot), round.descend != 0 ? most(a, b) : least(a, b), round.descend != 0 ? least(a, b) : most(a, b));
  }
}

/// As `hook`, over slots.
///
/// Participation: any thread, one slot each. Shared state: `parent` of roots, relaxed stores of roots of this round.
struct hook_slots {
  slot_round round;
  array<u32> parent;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_slot(self, round, parent, [&](u32, u32 target, u32 root) { hook_root(parent, round, target, root); });
  }
};
MAGPIE_KERNEL(hook_slots)

/// As `select_edges`, over slots.
///
/// Participation: any thread, one slot each. Shared state: `wins`, relaxed stores; `parent` is only read.
struct select_slots {
  slot_round round;
  array<u32> parent;
  array<u64> wins;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_slot(self, round, parent, [&](u32 e, u32 target, u32 root) { select_edge(wins, round, target, root, e); });
  }
};
MAGPIE_KERNEL(select_slots)

/// Hooks each root over the edge that was selected for it, and keeps that edge.
///
/// Participation: any thread, one vertex each. Shared state: none, `parent`, `edge_of` and `wins` of v by v's thread.
struct hook_selected {
  u32 vertices;
  array<u64> wins;
  array<u32> parent;
  array<u32> edge_of;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u64 win = magpie::ld_own(&wins[v]);
      if (win == no_win) continue;
      magpie::st_plain(&wins[v], no_win);
      magpie::st_plain(&parent[v], high(win));
      magpie::st_plain(&edge_of[v], low(win));
    }
  }
};
MAGPIE_KERNEL(hook_selected)

/// Steps of one walk toward a root in a kernel that is repeated; each repetition at least halves what is left of the way.
inline constexpr u32 hops = 64;

/// Points v to its root, or to an ancestor after `hops` steps. Idempotent: v's own thread alone stores, always an ancestor.
/// Out: whether the root was reached.
MAGPIE_INLINE bool shorten(const array<u32>& parent, u32 v) {
  const u32 first = magpie::ld_rlx_dev(&parent[v]);
  if (first == v) return true;
  u32 p = first;
  bool found = false;
  for (u32 step = 0; !found && step < hops; ++step) {
    const u32 g = magpie::ld_rlx_dev(&parent[p]);
    if (g == p) {
      found = true;
    } else {
      p = g;
      if (step >= 4) magpie::st_rlx_dev(&parent[v], p);  // a long way: let others profit
    }
  }
  if (p != first) magpie::st_rlx_dev(&parent[v], p);
  return found;
}

/// Multilevel pointer jumping: shortens the ways of those that were roots when the round began. In the first round these are
/// all vertices; later others have one of them for a parent.
///
/// Participation: any thread, one vertex each. Shared state: `parent[v]` is written by v's thread only; idempotent.
/// Out: `parent[v]` of these the root, or an ancestor and `deep` is 1.
struct jump {
  u32 vertices;
  array<const u32> leaf;
  array<u32> parent;
  array<u32> deep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    bool all = true;
    for (u32 v : self.items(vertices)) {
      if (magpie::ld_plain(&leaf[v]) == 0) all &= shorten(parent, v);
    }
    if (!all) magpie::st_rlx_dev(&deep[0], 1);
  }
};
MAGPIE_KERNEL(jump)

/// Ends a round: what was below a root that was hooked is pointed to the new root, in one step, and roots that were hooked
/// are leaves from now on.
///
/// Participation: any thread, one vertex each. Shared state: `leaf[v]` and, of leaves, `parent[v]` by v's thread; of others
/// `parent` is only read.
struct settle {
  u32 vertices;
  array<u32> leaf;
  array<u32> parent;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 p = magpie::ld_rlx_dev(&parent[v]);
      if (p == v) continue;
      if (magpie::ld_own(&leaf[v]) == 0) {
        magpie::st_plain(&leaf[v], 1);
        continue;
      }
      const u32 root = magpie::ld_rlx_dev(&parent[p]);
      if (root != p) magpie::st_rlx_dev(&parent[v], root);
    }
  }
};
MAGPIE_KERNEL(settle)

}  // namespace components
