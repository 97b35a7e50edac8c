/// @file
/// Online cycle collapse: nodes that include each other in a cycle have equal sets in the end, so one can stand for all.
///
/// New cycles come with new edges. `spread_keys` gives every node the greatest key of those that reach it, and of those that it
/// reaches, over the edges that there are; nodes of a cycle have both in common. Keys only rise as edges come, and so are kept
/// from one look to the next. `trim_edges` and `list_suspects` choose edges between nodes of equal keys, and for each the
/// region `collapse_cycle` searches among such nodes, and merges what it finds. Keys are hints: cycles that they or a bounded
/// search miss stay, which costs time only.
///
/// Why a transaction: a merge changes what stands for every node of the cycle, two ends of a list for each, and one set; cycles
/// share nodes, their lengths are known only when they are found, and the lists that a search walks over are those that others
/// splice. A search needs no claims, though: roots only cease to be, and edges never go, so a path whose nodes are all roots
/// under claims is a path still, and a cycle if it ends where it began.
#pragma once

#include "pointsto.cuh"

namespace pointsto {

/// What is known of the ways to nodes and from them.
struct key_arrays {
  array<u32> above;  ///< for each root the greatest key of nodes that its lists' ways lead here from, its own included
  array<u32> below;  ///< of those that they lead to

  MAGPIE_INLINE bool same(u32 v, u32 w) const {
    return magpie::ld_rlx_dev(&above[v]) == magpie::ld_rlx_dev(&above[w]) &&
           magpie::ld_rlx_dev(&below[v]) == magpie::ld_rlx_dev(&below[w]);
  }
};

/// Raises a word; whether that changed it.
MAGPIE_INLINE bool raise(u32* p, u32 value) {
  return magpie::ld_rlx_dev(p) < value && magpie::max_rlx_dev(p, value) < value;
}

/// Every node has its own key, a number in no relation to those of its neighbors.
struct start_keys {
  u32 variables;
  key_arrays keys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(variables)) {
      const u32 key = (v + 1) * 0x9e3779b1u;
      magpie::st_plain(&keys.above[v], key);
      magpie::st_plain(&keys.below[v], key);
    }
  }
};
MAGPIE_KERNEL(start_keys)

/// One pass over all edges. Shared state: keys, monotone.
struct spread_keys {
  u32 count;
  array<const u32> owner;
  array<const u32> end;
  node_arrays nodes;
  key_arrays keys;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    bool any = false;
    for (u32 e : self.items(count)) {
      const u32 from = find(nodes.rep, magpie::ld_plain(&owner[e]));
      const u32 to = find(nodes.rep, magpie::ld_plain(&end[e]));
      any |= raise(&keys.above[to], magpie::ld_rlx_dev(&keys.above[from]));
      any |= raise(&keys.below[from], magpie::ld_rlx_dev(&keys.below[to]));
    }
    if (any) magpie::red_or_rlx_dev(&totals[total::raised], u64{1});
  }
};
MAGPIE_KERNEL(spread_keys)

/// Points each node to its root, which gets the greatest keys of all for which it stands.
///
/// Participation: any thread, a node each. Shared state: `rep[v]` is written by v's thread only; keys, monotone. Idempotent.
struct flatten {
  node_arrays nodes;
  key_arrays keys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(nodes.variables)) {
      const u32 root = find(nodes.rep, v);
      if (root == v) continue;
      if (root != magpie::ld_rlx_dev(&nodes.rep[v])) magpie::st_rlx_dev(&nodes.rep[v], root);
      raise(&keys.above[root], magpie::ld_rlx_dev(&keys.above[v]));
      raise(&keys.below[root], magpie::ld_rlx_dev(&keys.below[v]));
    }
  }
};
MAGPIE_KERNEL(flatten)

/// Edges between nodes of equal keys, but for those that lead from where no such edge arrives, or to where none leaves.
///
/// `entered[v]` and `left[v]` have the last pass in which such an edge led to v, and from it. A pass keeps the edges that
/// were kept in the one before, as far as these numbers say so; a node that a pass has marked is marked in all before it, so it
/// does not matter whether a relaxed load sees the mark of this pass.
struct edge_choice {
  node_arrays nodes;
  u32 count;
  u32 pass;  ///< from 1; numbers are less before
  array<const u32> owner;
  array<const u32> end;
  key_arrays keys;
  array<u32> entered;
  array<u32> left;

  /// Whether edge e was kept by the pass before, whose number is `last`; 0 if there was none.
  MAGPIE_INLINE bool keeps(u32 e, u32 last, u32& from, u32& to) const {
    from = find(nodes.rep, magpie::ld_plain(&owner[e]));
    to = find(nodes.rep, magpie::ld_plain(&end[e]));
    return from != to && keys.same(from, to) && magpie::ld_rlx_dev(&entered[from]) >= last &&
           magpie::ld_rlx_dev(&left[to]) >= last;
  }
};

/// One pass. Shared state: the numbers; every store is of this pass.
struct trim_edges {
  edge_choice edges;
  u32 last;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 e : self.items(edges.count)) {
      u32 from, to;
      if (!edges.keeps(e, last, from, to)) continue;
      magpie::st_rlx_dev(&edges.entered[to], edges.pass);
      magpie::st_rlx_dev(&edges.left[from], edges.pass);
    }
  }
};
MAGPIE_KERNEL(trim_edges)

/// Lists the edges that the last pass kept and that were not tried lately: an edge is tried again once there were twice as many
/// looks. What finds no room counts, and stays untried.
struct list_suspects {
  edge_choice edges;
  u32 look;  ///< the number of this look, from 1
  array<u32> tried;
  array<u32> suspects;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 e : self.items(edges.count)) {
      u32 from, to;
      if (!edges.keeps(e, edges.pass, from, to)) continue;
      const u32 before = magpie::ld_own(&tried[e]);
      if (look - before < before || look == before) continue;
      const u64 place = magpie::append(self, &totals[total::suspects]);
      if (place >= suspects.length) continue;
      magpie::st_plain(&suspects[place], static_cast<u32>(e));
      magpie::st_plain(&tried[e], look);
    }
  }
};
MAGPIE_KERNEL(list_suspects)

/// Searches for a cycle through a listed edge, and merges its nodes into the least. Items: places of the list. Objects: nodes,
/// each of which stands for its `rep`, `changed`, `fresh`, `head`, `tail`, the `next` of its list's last edge, and its sets.
///
/// The search is depth first over at most `budget` nodes, in a room of `room_words` words that is lent to the item: the nodes of
/// the path, the next edge of each, and a table of nodes that were seen. A launch has no more items than there are rooms.
///
/// Progress: a search ends with its budget, or after 16 edges for each node of that. An attempt that finds a root gone searches
/// again; another transaction has merged it.
struct collapse_cycle {
  magpie::stm::objects claims;
  node_arrays nodes;
  u32 budget;
  u32 table_slots;  ///< a power of 2, at least twice the budget
  array<const u32> suspects;
  array<u32> rooms;
  array<const u32> owner;
  array<const u32> end;
  array<u32> next;
  array<u32> tried;  ///< of a listed edge by its item
  key_arrays keys;
  dense_sets sets;
  dense_sets sent;          ///< without words unless differences are propagated
  dense_sets dereferenced;  ///< the same
  array<u64> totals;

  static constexpr u32 max_objects = 32;
  static constexpr u32 max_writes = 0;
  static constexpr bool order_dependent = true;  // which cycle is found depends on what others have merged

  struct state {
    array<u32> path;
    u32 length;
  };

  MAGPIE_DEVICE void seek(const magpie::lane_group&, u32 rank, u32 item, state& s) const {
    const u64 words = u64{2} * budget + 2 + table_slots;
    const u64 room = words * (rank % (rooms.length / words));
    const u64 path_words = u64{budget} + 1;
    s.path = {&rooms[room], path_words};
    s.length = 0;
    const array<u32> edge_at{&rooms[room + path_words], path_words};
    const array<u32> table{&rooms[room + 2 * path_words], table_slots};
    const u32 e = magpie::ld_plain(&suspects[item]);
    const u32 begin = find(nodes.rep, magpie::ld_plain(&owner[e]));
    const u32 first = find(nodes.rep, magpie::ld_plain(&end[e]));
    if (begin == first) return;
    for (u32 i = 0; i < table_slots; ++i) magpie::st_plain(&table[i], none);
    magpie::st_plain(&s.path[0], begin);
    magpie::st_plain(&edge_at[0], none);
    u32 depth = 1;
    u32 seen = 0;
    const auto visit = [&](u32 v) {
      u32 slot = v * 0x9e3779b1u & (table_slots - 1);
      for (u32 there = magpie::ld_own(&table[slot]); there != none; there = magpie::ld_own(&table[slot])) {
        if (there == v) return;
        slot = (slot + 1) & (table_slots - 1);
      }
      magpie::st_plain(&table[slot], v);
      magpie::st_plain(&s.path[depth], v);
      magpie::st_plain(&edge_at[depth], magpie::ld_rlx_dev(&nodes.head[v]));
      ++depth;
      ++seen;
    };
    visit(first);
    for (u32 steps = 0; depth > 1 && seen < budget && steps / 16 < budget; ++steps) {
      const u32 at = magpie::ld_own(&edge_at[depth - 1]);
      if (at == none) {
        --depth;
        continue;
      }
      magpie::st_plain(&edge_at[depth - 1], magpie::ld_rlx_dev(&next[at]));
      const u32 v = find(nodes.rep, magpie::ld_plain(&end[at]));
      if (v == begin) {
        s.length = depth;
        return;
      }
      if (keys.same(v, begin)) visit(v);
    }
    if (depth == 1) return;
    magpie::st_plain(&tried[e], 0u);  // so that the next look tries again
    magpie::red_add_rlx_dev(&totals[total::gave_up], u64{1});
  }

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome plan(Tx& tx, u32, state& s) const {
    for (u32 i = 0; i < s.length; ++i) {
      const u32 v = magpie::ld_own(&s.path[i]);
      const auto h = tx.open(claims, v);
      u32 root;
      if (!h || !tx.read(h, &nodes.rep[v], root)) return magpie::stm::outcome::retry;
      if (root != v) return magpie::stm::outcome::retry;
    }
    return s.length == 0 ? magpie::stm::outcome::cancel : magpie::stm::outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, const magpie::lane_group&, u32, const state& s) const {
    if (s.length == 0) return;
    u32 root = none;
    for (u32 i = 0; i < s.length; ++i) {
      const u32 v = magpie::ld_own(&s.path[i]);
      root = v < root ? v : root;
    }
    u32 head = tx.load({}, &nodes.head[root]);
    u32 tail = tx.load({}, &nodes.tail[root]);
    for (u32 i = 0; i < s.length; ++i) {
      const u32 v = magpie::ld_own(&s.path[i]);
      if (v == root) continue;
      const u32 list = tx.load({}, &nodes.head[v]);
      if (list != none) {
        const u32 last = tx.load({}, &nodes.tail[v]);
        tx.store({}, &next[last], head);
        if (head == none) tail = last;
        head = list;
        tx.store({}, &nodes.head[v], none);
      }
      tx.store({}, &nodes.rep[v], root);
    }
    tx.store({}, &nodes.head[root], head);
    tx.store({}, &nodes.tail[root], tail);
    tx.store({}, &nodes.changed[root], nodes.round);
    tx.store({}, &nodes.fresh[root], nodes.round);
#if !defined(MAGPIE_POINTSTO_SETS_LEFT)  // a planted fault, which the verifier must notice
    combine(tx, sets, root, s, [](u64 a, u64 b) { return a | b; });
#endif
#if defined(MAGPIE_POINTSTO_SENT_UNITED)  // the same: what one node has sent on did not go over the edges of the others
    combine(tx, sent, root, s, [](u64 a, u64 b) { return a | b; });
#else
    combine(tx, sent, root, s, [](u64 a, u64 b) { return a & b; });
#endif
    combine(tx, dereferenced, root, s, [](u64 a, u64 b) { return a & b; });
    magpie::red_add_rlx_dev(&totals[total::merged], u64{s.length - 1});
  }

 private:
  /// Makes the root's row what `op` makes of the rows of the cycle.
  template <class Tx, class Op>
  MAGPIE_INLINE static void combine(Tx& tx, const dense_sets& rows, u32 root, const state& s, Op op) {
    for (u64 k = 0; k < rows.words_per_row; ++k) {
      const u64 before = tx.load({}, rows.at(root, k));
      u64 all = before;
      for (u32 i = 0; i < s.length; ++i) all = op(all, tx.load({}, rows.at(magpie::ld_own(&s.path[i]), k)));
      if (all != before) tx.store({}, rows.at(root, k), all);
    }
  }
};
MAGPIE_REGION(collapse_cycle)

}  // namespace pointsto
