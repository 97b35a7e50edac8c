/// @file
/// Propagation with one warp that adds to each set: every node takes what its list of included nodes has.
#pragma once

#include "sparse.cuh"

namespace pointsto {

/// A warp takes a root, and its lanes the words of the sets. A set that has not grown in this round or the last one is
/// included already, unless the list has.
///
/// Shared state: v's warp alone adds to v's set, others read it, relaxed: a stale word lacks something, and its owner has then
/// `changed` in this round, so that it is read again in the next. A word of a dense set has one writer, a lane, and needs no atomic
/// operation. Lanes may meet at a word of a sparse set, and all warps add to its table, by read-modify-writes (sparse.cuh). Rule:
/// monotone. Bytes: 8 for an edge that is idle, and two sets for another.
template <class Sets>
struct pull_sets {
  node_arrays nodes;
  Sets sets;
  array<const u32> end;
  array<const u32> next;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (nodes.stopped()) return;
    nodes.reach(self);
    bool any_growth = false;
    for_each_of_warp(self, nodes.variables, [&](u32 v) {
      if (!nodes.is_root(v)) return;
      const bool all = nodes.is_fresh(v);
      bool growth = false;
      for (u32 e = magpie::ld_plain(&nodes.head[v]); e != none; e = magpie::ld_plain(&next[e])) {
        const u32 from = find(nodes.rep, magpie::ld_plain(&end[e]));
        if (from == v || (!all && !nodes.grew_lately(from))) continue;
        sets.for_each_word(self, from, [&](u64 k, u64 word, u64) { growth |= sets.add_alone(v, k, word); });
      }
      if (growth) nodes.grew(v);
      any_growth |= growth;
    });
    if (any_growth) nodes.goes_on();
  }
};
MAGPIE_KERNEL_AS(pull_sets, pull_sets<dense_sets>)
MAGPIE_KERNEL_AS(pull_sets_sparse, pull_sets<sparse_sets>)

}  // namespace pointsto
