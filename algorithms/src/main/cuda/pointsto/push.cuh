/// @file
/// Propagation by those who have something: a node whose set grew adds it to the sets that include it.
#pragma once

#include "sparse.cuh"

namespace pointsto {

/// A warp takes a root, and its lanes the words of the sets.
///
/// Shared state: sets, read relaxed, and written by read-modify-writes where a look shows that something is missing. A word that
/// grows behind the look belongs to a set that `changed` in this round, and is pushed in the next. Rule: monotone.
template <class Sets>
struct push_sets {
  node_arrays nodes;
  Sets sets;
  array<const u32> end;
  array<const u32> next;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (nodes.stopped()) return;
    nodes.reach(self);
    bool any_growth = false;
    for_each_of_warp(self, nodes.variables, [&](u32 v) {
      if (!nodes.is_root(v) || (!nodes.is_fresh(v) && !nodes.grew_lately(v))) return;
      for (u32 e = magpie::ld_plain(&nodes.head[v]); e != none; e = magpie::ld_plain(&next[e])) {
        const u32 to = find(nodes.rep, magpie::ld_plain(&end[e]));
        if (to == v) continue;
        bool growth = false;
        sets.for_each_word(self, v, [&](u64 k, u64 word, u64) { growth |= sets.add(to, k, word); });
        if (growth) nodes.grew(to);
        any_growth |= growth;
      }
    });
    if (any_growth) nodes.goes_on();
  }
};
MAGPIE_KERNEL_AS(push_sets, push_sets<dense_sets>)
MAGPIE_KERNEL_AS(push_sets_sparse, push_sets<sparse_sets>)

}  // namespace pointsto
