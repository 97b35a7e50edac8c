/// @file
/// The vertex-centric minimum spanning forest, as chapter 3 of the thesis describes it.
///
/// One run: `start_alone`, `open_vertices`, `prune_and_flatten` until nothing changes; then rounds of `reset`, `discover`
/// (repeated until nothing changes in its atomic-free form), a merge (the region `merge_vertices` or the kernel
/// `merge_hooking`), `prune_and_flatten` until nothing changes; until no vertex is active.
///
/// Both directions of an edge are looked at, each from its own vertex; `live[a]` is an arc's weight or `pruned`. Keys
/// carry the arc, so an edge's two directions differ and equal weights may make a component's choices inconsistent:
/// merges look for the roots again and join only what is still apart, and any choices that make no cycle lie in one
/// minimum forest (each is least among the edges that leave its component).
#pragma once

#include "forest.cuh"

namespace msf {

/// All vertices active, all arcs live. Bytes: 4 per arc in, 4 per arc and 4 per vertex out.
struct open_vertices {
  u32 vertices;
  u32 arcs;
  array<const u32> weights;
  array<u32> live;
  array<u32> active;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) magpie::st_plain(&active[v], 1);
    for (u32 a : self.items(arcs)) magpie::st_plain(&live[a], magpie::ld_plain(&weights[a]));
  }
};
MAGPIE_KERNEL(open_vertices)

/// No suggestions yet. Shared state: none, one writer per word.
struct reset {
  u32 vertices;
  array<u64> best;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) magpie::st_rlx_dev(&best[v], no_key);
  }
};
MAGPIE_KERNEL(reset)

/// Edge discovery (Algorithm 3.2): a warp takes as many consecutive vertices as it has lanes and finds each one's least
/// live arc by warp segmentation; its lane suggests it to the vertex's representative. A vertex without
/// live arcs is deactivated; a warp without active vertices skips its arcs.
///
/// Participation: whole warps. Precondition: parents are flat (prune_and_flatten came to its end).
/// Shared state: `best` at roots, monotone: guarded atomic minimum; with `atomic_free` 1 a plain relaxed store of a lower
/// value, which may overwrite a still lower one, so the launch is repeated until `changed` stays 0. `active[v]`: v's lane.
/// `remaining`: vertices that still have live arcs.
struct discover {
  u32 vertices;
  u32 atomic_free;
  array<const u32> offsets;
  array<const u32> live;
  array<const u32> parent;
  array<u32> active;
  array<u64> best;
  array<u32> changed;
  array<u32> remaining;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u32 left = 0;
    for (u64 base : self.warp_items(u64{vertices})) {
      const u64 v = base + self.lane();
      const bool on = v < vertices && magpie::ld_rlx_dev(&active[v]) != 0;
      if (!self.any(on)) continue;
      const u32 working = self.ballot(on);
      const u64 key = magpie::reduce_elements<u64>(
          self, magpie::block_at(self, offsets, vertices, base), magpie::minimum<u64>{}, [&](u32 a, u32 owner) {
            const u32 w = (working >> owner & 1u) != 0 ? magpie::ld_plain(&live[a]) : pruned;
            return w != pruned ? key_of(w, a) : no_key;
          });
      if (on && key == no_key) magpie::st_rlx_dev(&active[v], 0);
      if (on && key != no_key) {
        ++left;
        suggest(magpie::ld_plain(&parent[v]), key);
      }
    }
    left = self.reduce_add(left);
    if (self.lane() == 0 && left != 0) magpie::red_add_rlx_dev(&remaining[0], left);
  }

 private:
  MAGPIE_INLINE void suggest(u32 root, u64 key) const {
    if (atomic_free == 0) {
      offer(best, root, key);
    } else if (key < magpie::ld_rlx_dev(&best[root])) {
      magpie::st_rlx_dev(&best[root], key);
      magpie::st_rlx_dev(&changed[0], 1);
    }
  }
};
MAGPIE_KERNEL(discover)

/// Pruning and flattening side by side (section 3.1.3), one step of each: every vertex takes its grandparent for its
/// parent (one level of pointer doubling), and every live arc whose two ends have the same parent is pruned, which takes
/// the reverse directions of chosen edges with it. Repeated until `changed` stays 0: then parents are roots and every
/// live arc joins two components.
///
/// Participation: whole warps; pruning is shared by segments as in `discover`. Shared state: `parent[v]` by v's lane,
/// idempotent; `live[a]` by the one lane that has the arc. Equal parents always mean one component, so a stale parent only
/// delays a pruning.
struct prune_and_flatten {
  u32 vertices;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> active;
  array<u32> live;
  array<u32> parent;
  array<u32> changed;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    bool any_change = false;
    for (u64 base : self.warp_items(u64{vertices})) {
      const u64 v = base + self.lane();
      u32 p = none;
      if (v < vertices) {
        p = magpie::ld_rlx_dev(&parent[v]);
        const u32 g = magpie::ld_rlx_dev(&parent[p]);
        if (g != p) {
          magpie::st_rlx_dev(&parent[v], g);
          p = g;
          any_change = true;
        }
      }
      const bool on = v < vertices && magpie::ld_plain(&active[v]) != 0;
      if (!self.any(on)) continue;
      const u32 working = self.ballot(on);
      magpie::for_each_element(self, magpie::block_at(self, offsets, vertices, base), [&](u32 a, u32 owner, bool here) {
        const u32 mine = self.shuffle(p, owner);
        if (!here || (working >> owner & 1u) == 0 || magpie::ld_rlx_dev(&live[a]) == pruned) return;
        if (magpie::ld_rlx_dev(&parent[magpie::ld_plain(&neighbors[a])]) == mine) {
          magpie::st_rlx_dev(&live[a], pruned);
          any_change = true;
        }
      });
    }
    if (any_change) magpie::st_rlx_dev(&changed[0], 1);
  }
};
MAGPIE_KERNEL(prune_and_flatten)

/// Merge without transactions: one representative per thread; the larger of the two roots is hooked under the smaller
/// by compare-exchange, lock-free: a failed exchange means that another thread hooked that root.
///
/// Participation: any thread. Shared state: `parent` of roots by compare-exchange (the serialization point), of others by
/// path halving; `edge_of[r]` by the thread that hooked r.
struct merge_hooking {
  u32 vertices;
  array<const u32> neighbors;
  array<const u64> best;
  array<u32> parent;
  array<u32> edge_of;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u64 key = magpie::ld_plain(&best[v]);
      if (key == no_key) continue;
      const u32 arc = low(key);
      u32 a = v;
      u32 b = magpie::ld_plain(&neighbors[arc]);
      for (;;) {
        a = find(shared_parents{parent}, a);
        b = find(shared_parents{parent}, b);
        if (a == b) break;
        const u32 loser = most(a, b);
        const u32 winner = least(a, b);
        if (magpie::cas_rlx_dev(&parent[loser], loser, winner) == loser) {
          magpie::st_rlx_dev(&edge_of[loser], arc);
          break;
        }
      }
    }
  }
};
MAGPIE_KERNEL(merge_hooking)

/// Merge by transactions (Algorithm 3.4). Items: vertices; a vertex that is no representative, or has no suggestion, needs
/// no transaction.
///
/// Inside: claims the representative and gives up if it has been merged meanwhile; finds the other component's root
/// by claiming every vertex on the way; at commit that root and the whole way to it point to this representative.
/// Objects are vertices; a vertex stands for its `parent` and `edge_of`. A transaction on a long way overflows the log
/// and is repeated with a larger one.
/// With `reads::unvalidated`: what a stale parent may be is a vertex that was an ancestor once, and parents never form a
/// cycle, so the walk ends; the commit finds the theft.
template <magpie::stm::reads Reads>
struct merge_vertices_region {
  magpie::stm::objects objects;
  array<const u32> neighbors;
  array<const u64> best;
  array<u32> parent;
  array<u32> edge_of;

  static constexpr u32 max_objects = 8;
  static constexpr u32 max_writes = 1;
  static constexpr magpie::stm::reads reads = Reads;
  static constexpr bool order_dependent = true;  // a hint cancels who is merged already; before, it would be a root
  using state = u32;                             ///< the other component's root

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome plan(Tx& tx, u32 v, state& root) const {
    using magpie::stm::outcome;
    const u64 key = magpie::ld_plain(&best[v]);
    // Who has been merged stays so in this launch.
    if (key == no_key || tx.glance(&parent[v]) != v) return outcome::cancel;
    const auto own = tx.open(objects, v);
    u32 p;
    if (!own || !tx.read(own, &parent[v], p)) return outcome::retry;
    if (p != v) return outcome::cancel;
    u32 at = magpie::ld_plain(&neighbors[low(key)]);
    for (;;) {
      const auto h = tx.open(objects, at);
      if (!h || !tx.read(h, &parent[at], p)) return outcome::retry;
      if (p == at) break;
      at = p;
    }
    root = at;
    return at == v ? outcome::cancel : outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, u32 v, const state& root) const {
    const u32 arc = low(magpie::ld_plain(&best[v]));
    u32 at = magpie::ld_plain(&neighbors[arc]);
    while (at != root) {
      const u32 p = tx.load({}, &parent[at]);
      tx.store({}, &parent[at], v);
      at = p;
    }
    tx.store({}, &parent[root], v);
    tx.store({}, &edge_of[root], arc);
  }
};
using merge_vertices = merge_vertices_region<magpie::stm::reads::validated>;
using merge_vertices_unvalidated = merge_vertices_region<magpie::stm::reads::unvalidated>;
MAGPIE_REGION(merge_vertices)
MAGPIE_REGION(merge_vertices_unvalidated)

}  // namespace msf
