/// @file
/// Propagation of differences (Pearce, Kelly and Hankin, SCAM 2003): what a node has sent on once is not sent again.
///
/// One round: `take_differences`, `add_dereferences` over what these are, `push_over_new` over the edges that this made, and
/// `push_differences` over all. After a round, what a root has in `sent` is in every set that includes its own, and what it has in
/// `dereferenced` has been dereferenced by every constraint. Of merged nodes both keep what all of them had.
#pragma once

#include "sparse.cuh"

namespace pointsto {

/// Each root's difference: what its set has and `done` has not; `done` then has it. A warp takes a root. `active[v]` is the
/// last round in which root v had one. Notes how many edges are known.
template <class Sets>
struct take_differences {
  node_arrays nodes;
  Sets sets;
  Sets done;
  Sets difference;
  array<u32> active;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (nodes.stopped()) return;
    if (self.rank() == 0) magpie::st_plain(&nodes.totals[total::known], magpie::ld_plain(&nodes.totals[total::edges]));
    for_each_of_warp(self, nodes.variables, [&](u32 v) {
      if (!nodes.is_root(v) || !nodes.grew_lately(v)) return;
      bool news = false;
      sets.for_each_word(self, v, [&](u64, u64 word, u64 place) {
        u64* const before = done.at(place);
        const u64 bits = word & ~magpie::ld_own(before);
        magpie::st_plain(difference.at(place), bits);
        if (bits == 0) return;
        magpie::st_plain(before, word);
        news = true;
      });
      if (news) magpie::st_rlx_dev(&active[v], nodes.round);
    });
  }
};
MAGPIE_KERNEL_AS(take_differences, take_differences<dense_sets>)
MAGPIE_KERNEL_AS(take_differences_sparse, take_differences<sparse_sets>)

/// Adds the whole sets of included nodes over the edges that were not known when the round began. A warp takes an edge.
/// Shared state: sets, as in `push_sets`.
template <class Sets>
struct push_over_new {
  node_arrays nodes;
  Sets sets;
  array<const u32> owner;
  array<const u32> end;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (nodes.stopped()) return;
    const u64 first = magpie::ld_plain(&nodes.totals[total::known]);
    for_each_of_warp(self, magpie::ld_plain(&nodes.totals[total::edges]) - first, [&](u32 i) {
      const u32 v = find(nodes.rep, magpie::ld_plain(&owner[first + i]));
      const u32 to = find(nodes.rep, magpie::ld_plain(&end[first + i]));
      if (v == to) return;
      bool growth = false;
      sets.for_each_word(self, v, [&](u64 k, u64 word, u64) { growth |= sets.add(to, k, word); });
      if (growth) nodes.grew(to);
    });
  }
};
MAGPIE_KERNEL_AS(push_over_new, push_over_new<dense_sets>)
MAGPIE_KERNEL_AS(push_over_new_sparse, push_over_new<sparse_sets>)

/// Adds what each root's set has and `sent` has not to the sets that include it. A warp takes a root; each lane looks for its
/// words once, leaves them in `difference`, and adds these over all edges.
///
/// Shared state: sets, as in `push_sets`; `sent` and `difference`, each word by one lane. A word that grows behind the look
/// belongs to a set that `changed` in this round, and what is new in it is sent in the next.
template <class Sets>
struct push_differences {
  node_arrays nodes;
  Sets sets;
  Sets sent;
  Sets difference;
  array<const u32> end;
  array<const u32> next;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (nodes.stopped()) return;
    nodes.reach(self);
    bool any_growth = false;
    for_each_of_warp(self, nodes.variables, [&](u32 v) {
      if (!nodes.is_root(v) || !nodes.grew_lately(v)) return;
      bool news = false;
      sets.for_each_word(self, v, [&](u64, u64 word, u64 place) {
        u64* const before = sent.at(place);
        const u64 bits = word & ~magpie::ld_own(before);
        magpie::st_rlx_dev(difference.at(place), bits);
        if (bits == 0) return;
        magpie::st_plain(before, word);
        news = true;
      });
      if (!news) return;
      for (u32 e = magpie::ld_plain(&nodes.head[v]); e != none; e = magpie::ld_plain(&next[e])) {
        const u32 to = find(nodes.rep, magpie::ld_plain(&end[e]));
        if (to == v) continue;
        bool growth = false;
        difference.for_each_word(self, v, [&](u64 k, u64 word, u64) { growth |= sets.add(to, k, word); });
        if (growth) nodes.grew(to);
        any_growth |= growth;
      }
    });
    if (any_growth) nodes.goes_on();
  }
};
MAGPIE_KERNEL_AS(push_differences, push_differences<dense_sets>)
MAGPIE_KERNEL_AS(push_differences_sparse, push_differences<sparse_sets>)

}  // namespace pointsto
