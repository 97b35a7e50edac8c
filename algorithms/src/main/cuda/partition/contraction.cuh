/// @file
/// The coarser graph: a coarse vertex for each pair or single, its arcs summed up by target.
///
/// `map[v]` is the coarse vertex of v; members[x] the lower of the fine vertices of coarse vertex x, `match` of which
/// is the other (itself where it is alone). The *table* of x is the region [starts[x], starts[x + 1]) of `keys` and
/// `values`: a slot for each arc of its members, and where it is hashed half as many to spare.
///
/// Two ways from there: the tables are filled by hashing (`insert_arcs`), counted and copied (`count_entries`,
/// `place_entries`); or the arcs are copied (`copy_rows`), sorted within each table, and the sum of each run of equal
/// targets is put at its head (`mark_heads`), from where the host packs them (the thesis's 14 steps, section 4.4.2).
///
/// Determinism: the arcs of a coarse vertex and their weights depend on the matching alone. Sorted, they ascend by
/// target; hashed, they have the order of their slots, which depends on how threads ran.
#pragma once

#include "graph.cuh"
#include "magpie/parallel/scan.cuh"

namespace magpie::partition {

/// The coarse map, first of its four steps (thesis, section 4.2.1): whoever is still free stays alone; flags[v] =
/// whether v stands for its pair.
struct mark_members {
  u32 vertices;
  array<u32> match;
  array<u32> flags;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      u32 partner = ld_own(&match[v]);
      if (partner == none) {
        partner = v;
        st_plain(&match[v], v);
      }
      st_plain(&flags[v], v <= partner ? 1 : 0);
    }
  }
};
MAGPIE_KERNEL(mark_members)

/// Its last step, after an exclusive sum over the flags gave `numbers`: both of a pair have the number of the lower
/// one.
struct number_members {
  u32 vertices;
  array<const u32> match;
  array<const u32> numbers;
  array<u32> map;
  array<u32> members;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 lower = least(v, ld_plain(&match[v]));
      const u32 x = ld_plain(&numbers[lower]);
      st_plain(&map[v], x);
      if (v == lower) st_plain(&members[x], v);
    }
  }
};
MAGPIE_KERNEL(number_members)

/// Slots of a table that is searched from its beginning; longer ones are searched from a hash of the key.
inline constexpr u32 short_table = 16;

/// The weight of each coarse vertex, and the slots of its table. With `hashed` 1 long tables have half as many to
/// spare: in a full one the last searches would go through most of it.
struct add_members {
  u32 coarse_vertices;
  u32 hashed;
  array<const u32> match;
  array<const u32> members;
  array<const u32> offsets;
  array<const u32> vertex_weights;
  array<u32> slots;
  array<u32> coarse_weights;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 x : self.items(coarse_vertices)) {
      const u32 v = ld_plain(&members[x]);
      const u32 u = ld_plain(&match[v]);
      u32 arcs = ld_plain(&offsets[v + 1]) - ld_plain(&offsets[v]);
      u32 weight = ld_plain(&vertex_weights[v]);
      if (u != v) {
        arcs += ld_plain(&offsets[u + 1]) - ld_plain(&offsets[u]);
        weight += ld_plain(&vertex_weights[u]);
      }
      st_plain(&slots[x], hashed != 0 && arcs > short_table ? arcs + arcs / 2 : arcs);
      st_plain(&coarse_weights[x], weight);
    }
  }
};
MAGPIE_KERNEL(add_members)

/// Adds each fine arc between two coarse vertices to the table of the one that it leaves: the slot's key is the other
/// one plus 1, its value the sum of weights. `keys` and `values` are 0 before.
///
/// Machines with warps share the arcs evenly, and claim slots by compare-exchange (relaxed: a key is written once, a
/// value only added to); on the processor a thread has whole tables to itself, and needs no atomics.
/// Cost: at most two thirds of a long table are taken, so that a search takes 5 steps on average at the very end.
struct insert_arcs {
  u32 vertices;
  u32 coarse_vertices;
  u32 pieces;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<const u32> match;
  array<const u32> members;
  array<const u32> map;
  array<const u32> starts;
  array<u32> keys;
  array<u32> values;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if constexpr (scalar_warps) {
      for (u32 x : self.items(coarse_vertices)) {
        const u32 v = ld_plain(&members[x]);
        const u32 u = ld_plain(&match[v]);
        insert_row(x, v);
        if (u != v) insert_row(x, u);
      }
    } else {
      for_each_arc(self, vertices, pieces, offsets, [&](u32 v, u32 a) { insert(ld_plain(&map[v]), a); });
    }
  }

 private:
  MAGPIE_INLINE void insert_row(u32 x, u32 v) const {
    for (u32 a = ld_plain(&offsets[v]), end = ld_plain(&offsets[v + 1]); a < end; ++a) insert(x, a);
  }

  MAGPIE_INLINE void insert(u32 x, u32 a) const {
    const u32 y = ld_plain(&map[ld_plain(&neighbors[a])]);
    if (y == x) return;
    const u32 start = ld_plain(&starts[x]);
    const u32 slots = ld_plain(&starts[x + 1]) - start;
    u32 slot = slots <= short_table ? 0 : static_cast<u32>(u64{mixed(0, y)} * slots >> 32);
    while (!enter(start + slot, y + 1, ld_plain(&weights[a]))) slot = slot + 1 < slots ? slot + 1 : 0;
  }

  /// Adds to a slot that has the key, or that is free and gets it.
  MAGPIE_INLINE bool enter(u32 at, u32 key, u32 weight) const {
    if constexpr (scalar_warps) {
      const u32 there = ld_own(&keys[at]);
      if (there != 0 && there != key) return false;
      if (there == 0) st_plain(&keys[at], key);
      st_plain(&values[at], ld_own(&values[at]) + weight);
    } else {
      u32 there = ld_rlx_dev(&keys[at]);
      if (there == 0) there = cas_rlx_dev(&keys[at], 0, key);
      if (there != 0 && there != key) return false;
      red_add_rlx_dev(&values[at], weight);
    }
    return true;
  }
};
MAGPIE_KERNEL(insert_arcs)

/// How many slots of each piece are taken; `total` adds them up, by relaxed additions.
struct count_entries {
  u32 slots;
  u32 piece;
  array<const u32> keys;
  array<u32> sums;
  array<u32> total;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_piece(self, slots, piece, [&](u64 c, u64 from, u64 to) {
      const u32 taken =
          warp_reduce_range<u32>(self, from, to, plus<u32>{}, [&](u64 i) { return ld_plain(&keys[i]) != 0 ? 1u : 0u; });
      if (self.lane() == 0) {
        st_plain(&sums[c], taken);
        red_add_rlx_dev(&total[0], taken);
      }
    });
  }
};
MAGPIE_KERNEL(count_entries)

/// Copies the entries of all tables one after the other. ranks[i] = taken slots before slot i, for i up to and
/// including `slots`; `ranks` may be `keys`.
struct place_entries {
  u32 slots;
  u32 piece;
  array<u32> keys;
  array<const u32> values;
  array<const u32> sums;
  array<u32> ranks;
  array<u32> neighbors;
  array<u32> weights;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_piece(self, slots, piece, [&](u64 c, u64 from, u64 to) {
      const u32 before = warp_reduce_range<u32>(self, 0, c, plus<u32>{}, [&](u64 i) { return ld_plain(&sums[i]); });
      const u32 end = scan_range(
          self, from, to, before, plus<u32>{}, [&](u64 i) { return ld_own(&keys[i]) != 0 ? 1u : 0u; },
          [&](u64 i, u32 rank, u32 taken) {
            if (taken != 0) {
              st_plain(&neighbors[rank], ld_own(&keys[i]) - 1);
              st_plain(&weights[rank], ld_plain(&values[i]));
            }
            st_plain(&ranks[i], rank);
          });
      if (to == slots && self.lane() == 0) st_plain(&ranks[slots], end);
    });
  }
};
MAGPIE_KERNEL(place_entries)

/// Copies the arcs of each coarse vertex's members to its table, each with the coarse vertex that it leads to.
struct copy_rows {
  u32 vertices;
  u32 pieces;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<const u32> members;
  array<const u32> map;
  array<const u32> starts;
  array<u32> keys;
  array<u32> values;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_arc(self, vertices, pieces, offsets, [&](u32 v, u32 a) {
      const u32 x = ld_plain(&map[v]);
      const u32 lower = ld_plain(&members[x]);
      u32 at = ld_plain(&starts[x]) + (a - ld_plain(&offsets[v]));
      if (v != lower) at += ld_plain(&offsets[lower + 1]) - ld_plain(&offsets[lower]);
      st_plain(&keys[at], ld_plain(&map[ld_plain(&neighbors[a])]));
      st_plain(&values[at], ld_plain(&weights[a]));
    });
  }
};
MAGPIE_KERNEL(copy_rows)

/// flags[i] = whether slot i of the sorted tables is the first of its target, which is not the table's own vertex;
/// sums[i] = that run's weight.
struct mark_heads {
  u32 coarse_vertices;
  u32 pieces;
  array<const u32> starts;
  array<const u32> keys;
  array<const u32> values;
  array<u32> flags;
  array<u32> sums;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_arc(self, coarse_vertices, pieces, starts, [&](u32 x, u32 i) {
      const u32 key = ld_plain(&keys[i]);
      const bool first = i == ld_plain(&starts[x]) || ld_plain(&keys[i - 1]) != key;
      const bool head = first && key != x;
      u32 sum = 0;
      if (head) {
        const u32 end = ld_plain(&starts[x + 1]);
        for (u32 j = i; j < end && ld_plain(&keys[j]) == key; ++j) sum += ld_plain(&values[j]);
      }
      st_plain(&flags[i], head ? 1 : 0);
      st_plain(&sums[i], sum);
    });
  }
};
MAGPIE_KERNEL(mark_heads)

}  // namespace magpie::partition
