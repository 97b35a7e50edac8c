/// @file
/// What constraints ask for: locations in sets, and edges.
#pragma once

#include "sparse.cuh"

namespace pointsto {

/// `to = &location`: items are constraints. Shared state: sets, by read-modify-writes.
template <class Sets>
struct take_addresses {
  u32 count;
  array<const u32> to;
  array<const u32> location;
  node_arrays nodes;
  Sets sets;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      const u32 v = find(nodes.rep, magpie::ld_plain(&to[i]));
      const u32 bit = magpie::ld_plain(&location[i]);
      if (sets.add(v, bit / 64, u64{1} << bit % 64)) nodes.grew(v);
    }
  }
};
MAGPIE_KERNEL_AS(take_addresses, take_addresses<dense_sets>)
MAGPIE_KERNEL_AS(take_addresses_sparse, take_addresses<sparse_sets>)

/// `to = from`: items are constraints.
struct add_copies {
  u32 count;
  array<const u32> to;
  array<const u32> from;
  node_arrays nodes;
  edge_arrays edges;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      edges.add(nodes, find(nodes.rep, magpie::ld_plain(&to[i])), find(nodes.rep, magpie::ld_plain(&from[i])));
    }
  }
};
MAGPIE_KERNEL(add_copies)

/// `to = *from` and `*to = from`: an edge for each location in the set of what is dereferenced, if that set is
/// new since round `since` by `stamp`. A warp takes a constraint; its lanes share the words of the set. `by` is the set itself, or
/// its difference.
///
/// Shared state: edges, see there; sets, read only.
template <class Sets>
struct add_dereferences {
  u32 loads;
  u32 stores;
  array<const u32> load_to;
  array<const u32> load_from;
  array<const u32> store_to;
  array<const u32> store_from;
  array<const u32> location;
  u32 since;
  array<const u32> stamp;
  node_arrays nodes;
  edge_arrays edges;
  Sets by;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (nodes.stopped()) return;
    bool any_new = false;
    for_each_of_warp(self, u64{loads} + stores, [&](u32 i) {
      const bool load = i < loads;
      const u32 pointer = find(nodes.rep, magpie::ld_plain(load ? &load_from[i] : &store_to[i - loads]));
      if (magpie::ld_plain(&stamp[pointer]) < since) return;
      const u32 value = find(nodes.rep, magpie::ld_plain(load ? &load_to[i] : &store_from[i - loads]));
      by.for_each_word(self, pointer, [&](u64 k, u64 word, u64) {
        for_each_bit(word, [&](u32 bit) {
          const u32 target = find(nodes.rep, magpie::ld_plain(&location[k * 64 + bit]));
          any_new |= load ? edges.add(nodes, value, target) : edges.add(nodes, target, value);
        });
      });
    });
    if (any_new) nodes.goes_on();
  }
};
MAGPIE_KERNEL_AS(add_dereferences, add_dereferences<dense_sets>)
MAGPIE_KERNEL_AS(add_dereferences_sparse, add_dereferences<sparse_sets>)

/// Adds the edges of other arrays to these, between the roots of their ends.
struct move_edges {
  u32 count;
  array<const u32> owner;
  array<const u32> end;
  node_arrays nodes;
  edge_arrays edges;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      edges.enter(nodes, find(nodes.rep, magpie::ld_plain(&owner[i])), find(nodes.rep, magpie::ld_plain(&end[i])));
    }
  }
};
MAGPIE_KERNEL(move_edges)

}  // namespace pointsto
