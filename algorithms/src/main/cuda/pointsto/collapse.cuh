/// @file
/// Online cycle collapse: nodes that include each other in a cycle have equal sets in the end, so one can stand for all.
///
/// The search (cycles.cuh) lists groups of nodes, each of which is on cycles with all others of its group. `collapse_cycle` decides
/// who stands for whom, and nothing else; what the nodes have is united afterwards, by `fold_lists` and `fold_sets`.
///
/// Why a transaction: a merge changes what stands for each of several nodes, and is right only if each of them stood for itself. Items
/// share nodes, all those of a group its anchor, and each changes by what another one has merged: what it has to claim are
/// the roots of its nodes, which change under it. So there are two rules. All roots of an item are claimed, and looked at
/// again under the claims, before any is redirected: then each node is redirected once, by one transaction, and the node it
/// is redirected to was a root at that moment. And it goes to a lesser one: then no way of `rep` ends where it began, however
/// many transactions a launch has, and in whatever order. A node that was redirected to a root that is itself redirected
/// later is two steps from its root then, or more; `find` takes them all, and `flatten` makes them one.
///
/// Why what follows needs none: there, `rep` does not change, so the root of every merged node is known for good. A
/// merged node is listed once; only its own thread or warp reads what it had, which nobody writes any more, and adds that
/// to what its last root has: sets by or, which is monotone; what was sent, and what was dereferenced, by and, which is
/// monotone, too; a list at the head, by one exchange, as an edge is added. Or and and do not depend on the order, and a
/// list is a set of edges. So all of it can go on at the same time, also where several nodes have one root. No set is
/// propagated before all are united.
#pragma once

#include "cycles.cuh"
#include "sparse.cuh"

namespace pointsto {

/// Merges the nodes of an item into the least. Items: pieces of groups. Objects: nodes, each of which stands for its `rep`.
///
/// Progress: a plan whose nodes have been merged meanwhile begins again with their roots.
struct collapse_cycle {
  magpie::stm::objects claims;
  node_arrays nodes;
  u32 merge_size;
  group_arrays groups;
  array<u64> totals;

  static constexpr u32 max_objects = 32;
  static constexpr u32 max_writes = 0;
  static constexpr bool order_dependent = true;  // ways to a root depend on the order, the root does not

  struct state {
    u32 anchor;  // the root of the piece's anchor; those of the others are in `roots`
    u32 root;
  };

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome plan(Tx& tx, u32 item, state& s) const {
    u32 least = none;
    u32 greatest = 0;
    const piece all = at(item);
    for (u32 i = all.size; i-- > 0;) {  // the anchor last: others want it, too
      u32 v = magpie::ld_plain(&groups.members[i == 0 ? all.anchor : all.first + i - 1]);
      for (u32 next = tx.glance(&nodes.rep[v]); next != v; next = tx.glance(&nodes.rep[v])) v = next;
      const auto h = tx.open(claims, v);
      u32 root;
      if (!h || !tx.read(h, &nodes.rep[v], root)) return magpie::stm::outcome::retry;
      if (root != v) return magpie::stm::outcome::retry;
      if (i == 0) {
        s.anchor = v;
      } else {
        magpie::st_plain(&groups.roots[all.first + i - 1], v);
      }
      least = v < least ? v : least;
      greatest = v > greatest ? v : greatest;
    }
    s.root = least;
    return least == greatest ? magpie::stm::outcome::cancel : magpie::stm::outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, u32 item, const state& s) const {
    const piece all = at(item);
    u32 merged = 0;
    for (u32 i = 0; i < all.size; ++i) {
      const u32 v = i == 0 ? s.anchor : magpie::ld_own(&groups.roots[all.first + i - 1]);
      if (v == s.root || tx.load({}, &nodes.rep[v]) != v) continue;  // several nodes may have one root
      tx.store({}, &nodes.rep[v], s.root);
      ++merged;
    }
    magpie::red_add_rlx_dev(&totals[total::merged], u64{merged});
  }

 private:
  struct piece {
    u32 anchor;  // where they are in `members`
    u32 first;
    u32 size;  // the anchor included
  };

  MAGPIE_INLINE piece at(u32 item) const {
    const u32 p = magpie::ld_plain(&groups.item_owner[item]);
    const u32 begin = magpie::ld_plain(&groups.begin[p]);
    const u32 first = magpie::ld_plain(&groups.item_at[item]);
    const u32 left = begin + magpie::ld_plain(&groups.sizes[p]) - first;
    return {begin, first, (left < merge_size - 1 ? left : merge_size - 1) + 1};
  }
};
MAGPIE_REGION(collapse_cycle)

/// Puts the lists of nodes that are merged at the head of those of their roots. A thread takes a member of a group.
///
/// Shared state: heads of roots, by exchange; `next` of a list's last edge, by the thread that has the list; `tail` of a root, by
/// the one that sees the root's list empty; stamps, the same number from all; keys, monotone.
struct fold_lists {
  node_arrays nodes;
  u32 members;
  array<const u32> member;
  array<u32> next;
  key_arrays keys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(members)) {
      const u32 v = magpie::ld_plain(&member[i]);
      const u32 root = find(nodes.rep, v);
      if (root == v) continue;
      magpie::st_rlx_dev(&nodes.changed[root], nodes.round);
      magpie::st_rlx_dev(&nodes.fresh[root], nodes.round);
      raise(&keys.above[root], magpie::ld_rlx_dev(&keys.above[v]));
      raise(&keys.below[root], magpie::ld_rlx_dev(&keys.below[v]));
      const u32 list = magpie::ld_own(&nodes.head[v]);
      if (list == none) continue;
      const u32 last = magpie::ld_own(&nodes.tail[v]);
      const u32 before = magpie::exch_rlx_dev(&nodes.head[root], list);
      magpie::st_plain(&next[last], before);
      if (before == none) magpie::st_plain(&nodes.tail[root], last);  // one thread only sees the list empty
      magpie::st_plain(&nodes.head[v], none);
    }
  }
};
MAGPIE_KERNEL(fold_lists)

/// Unites the sets of nodes that are merged with those of their roots. A warp takes a member of a group, its lanes the words.
///
/// Shared state: sets of roots, by or and by and, where a look shows that something changes.
template <class Sets>
struct fold_sets {
  node_arrays nodes;
  u32 members;
  array<const u32> member;
  Sets sets;
  Sets sent;          ///< of length 0 unless differences are propagated
  Sets dereferenced;  ///< the same

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_of_warp(self, members, [&](u32 i) {
      const u32 v = magpie::ld_plain(&member[i]);
      const u32 root = find(nodes.rep, v);
      if (root == v) return;
#if !defined(MAGPIE_POINTSTO_SETS_LEFT)  // a planted fault, which the verifier must notice
      sets.for_each_word(self, v, [&](u64 k, u64 word, u64) { sets.add(root, k, word); });
#endif
#if defined(MAGPIE_POINTSTO_SENT_UNITED)  // the same: what one node has sent on did not go over the edges of the others
      sent.for_each_word(self, v, [&](u64 k, u64 word, u64) { sent.add(root, k, word); });
#else
      sent.keep_common(self, root, v);
#endif
      dereferenced.keep_common(self, root, v);
    });
  }
};
MAGPIE_KERNEL_AS(fold_sets, fold_sets<dense_sets>)
MAGPIE_KERNEL_AS(fold_sets_sparse, fold_sets<sparse_sets>)

/// Points each node to its root. Participation: any thread, a node each. Shared state: `rep[v]` is written by v's thread only.
/// Idempotent.
struct flatten {
  node_arrays nodes;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(nodes.variables)) {
      const u32 root = find(nodes.rep, v);
      if (root != magpie::ld_rlx_dev(&nodes.rep[v])) magpie::st_rlx_dev(&nodes.rep[v], root);
    }
  }
};
MAGPIE_KERNEL(flatten)

}  // namespace pointsto
