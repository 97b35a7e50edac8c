/// @file
/// Refinement at hubs: vertices of so many arcs that one thread would walk over them for longer than a round takes.
///
/// Layer: algorithm, lock-free phases. The arcs of the hubs are cut into pieces, a warp for each; what a round
/// (refine.cuh) does for each arc of a vertex is done for hubs by
///
///     touch_by_hubs   before `connect`: marks the neighbors of a hub that has moved since
///     sum_hub_arcs    how each piece of a hub that is marked is connected to the parts
///     join_hub_sums   the same of each such hub, as `connect` would have summed it up
///     sum_hub_gains   after `choose`, and after transactions: what each piece adds to the gain of a hub's move
///     settle_hubs     after `settle_moves`: whether a hub moves for the cut
///
/// No launch is needed on a graph without hubs. Sums over pieces are those over a vertex's arcs, so that the parts do
/// not depend on which vertices are hubs, but by transactions, which do not move hubs: these then see what has moved as
/// it is.
///
/// Shared state: every word has one writer in a launch, except `touched` (refine.cuh). No read-modify-writes.
/// Span of a round: the arcs of a piece over the width, times the parts among them; then the pieces of a hub.
#pragma once

#include "magpie/parallel/warp.cuh"
#include "refine.cuh"

namespace magpie::partition {

/// flags[v] = whether v is a hub.
struct mark_hubs {
  u32 vertices;
  u32 hub_degree;
  array<const u32> offsets;
  array<u32> flags;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      st_plain(&flags[v], ld_plain(&offsets[v + 1]) - ld_plain(&offsets[v]) >= hub_degree ? 1u : 0u);
    }
  }
};
MAGPIE_KERNEL(mark_hubs)

/// sizes[h] = the pieces of hub h.
struct count_hub_pieces {
  u32 hubs;
  u32 piece;
  array<const u32> offsets;
  array<const u32> list;
  array<u32> sizes;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 h : self.items(hubs)) {
      const u32 v = ld_plain(&list[h]);
      st_plain(&sizes[h], (ld_plain(&offsets[v + 1]) - ld_plain(&offsets[v]) + piece - 1) / piece);
    }
  }
};
MAGPIE_KERNEL(count_hub_pieces)

/// owners[p] = the hub of piece p. A warp for each hub.
struct own_hub_pieces {
  u32 hubs;
  array<const u32> starts;
  array<u32> owners;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 h = warp_rank(self); h < hubs; h += warp_count(self)) {
      const u32 end = ld_plain(&starts[h + 1]);
      for (u32 p = ld_plain(&starts[h]) + self.lane(); p < end; p += self.width()) st_plain(&owners[p], h);
    }
  }
};
MAGPIE_KERNEL(own_hub_pieces)

/// The hubs of a graph, and their pieces.
struct hub_pieces {
  u32 hubs;
  u32 pieces;               ///< of all of them together; for each member as many rows of sums
  u32 piece;                ///< arcs of each, but a hub's last
  array<const u32> list;    ///< hubs: their vertices
  array<const u32> starts;  ///< hubs + 1: where their pieces begin
  array<const u32> owners;  ///< pieces: whose they are

  /// Calls `body(member, hub, vertex, row, first arc, last)` for the warp's pieces of every member whose step is not
  /// `done`; `row` counts the pieces of all members. All lanes, converged.
  template <class Body>
  MAGPIE_INLINE void for_each(const thread& self, const population& all, Body&& body) const {
    const u64 rows = u64{all.members} * pieces;
    for (u64 row = warp_rank(self); row < rows; row += warp_count(self)) {
      const u32 m = static_cast<u32>(row / pieces);
      if (all.word(m, record::step) == step::done) continue;
      const u32 p = static_cast<u32>(row - u64{m} * pieces);
      const u32 h = ld_plain(&owners[p]);
      const u32 v = ld_plain(&list[h]);
      const u32 first = ld_plain(&all.offsets[v]) + (p - ld_plain(&starts[h])) * piece;
      const u32 end = ld_plain(&all.offsets[v + 1]);
      body(m, h, v, row, first, end - first < piece ? end : first + piece);
    }
  }
};

/// Marks the neighbors of each hub whose part is not the one that they were summed up with.
struct touch_by_hubs {
  population all;
  hub_pieces hubs;
  array<const u32> seen;  ///< hubs for each member: the part that `join_hub_sums` saw last; not read in the first round

  MAGPIE_DEVICE void operator()(const thread& self) const {
    hubs.for_each(self, all, [&](u32 m, u32 h, u32 v, u64, u32 first, u32 last) {
      if (all.word(m, record::rounds) == 0) return;
      if (ld_plain(&all.part[all.at(m, v)]) == ld_plain(&seen[u64{m} * hubs.hubs + h])) return;
      for (u32 a = first + self.lane(); a < last; a += self.width()) {
        st_rlx_dev(&all.touched[all.at(m, ld_plain(&all.neighbors[a]))], 1u);
      }
    });
  }
};
MAGPIE_KERNEL(touch_by_hubs)

/// The weight to each part of the arcs of each piece, for hubs that are marked.
struct sum_hub_arcs {
  population all;
  hub_pieces hubs;
  array<u32> sums;  ///< a row of `parts` for each row of pieces

  MAGPIE_DEVICE void operator()(const thread& self) const {
    hubs.for_each(self, all, [&](u32 m, u32, u32 v, u64 row, u32 first, u32 last) {
      if (ld_plain(&all.touched[all.at(m, v)]) == 0) return;
      u32* const mine = &sums[row * all.parts];
      for (u32 q = self.lane(); q < all.parts; q += self.width()) st_plain(&mine[q], 0u);
      for (u32 base = first; base < last; base += self.width()) {
        const u32 a = base + self.lane();
        u32 part = none;
        u32 weight = 0;
        if (a < last) {
          part = ld_plain(&all.part[all.at(m, ld_plain(&all.neighbors[a]))]);
          weight = ld_plain(&all.weights[a]);
        }
        add_by_part(self, mine, part, weight);
      }
    });
  }
};
MAGPIE_KERNEL(sum_hub_arcs)

/// Adds up the pieces: the connections of each hub that is marked. A lane for each part; a warp for each hub and as
/// many parts as it has lanes, so that it reads rows of sums.
struct join_hub_sums {
  population all;
  hub_pieces hubs;
  array<const u32> sums;
  array<u32> seen;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u64 each = (all.parts + self.width() - 1) / self.width();
    const u64 count = u64{all.members} * hubs.hubs * each;
    for (u64 k = warp_rank(self); k < count; k += warp_count(self)) {
      const u64 place = k / each;
      const u32 m = static_cast<u32>(place / hubs.hubs);
      if (all.word(m, record::step) == step::done) continue;
      const u32 h = static_cast<u32>(place - u64{m} * hubs.hubs);
      const u32 v = ld_plain(&hubs.list[h]);
      const u32 i = all.at(m, v);
      if (ld_plain(&all.touched[i]) == 0) continue;
      const u32 q = static_cast<u32>(k - place * each) * self.width() + self.lane();
      if (q < all.parts) {
        const u64 rows = u64{m} * hubs.pieces;
        const u64 end = rows + ld_plain(&hubs.starts[h + 1]);
        u32 sum = 0;
        for (u64 row = rows + ld_plain(&hubs.starts[h]); row < end; ++row) sum += ld_plain(&sums[row * all.parts + q]);
        st_plain(&all.table[u64{m} * all.arcs + ld_plain(&all.offsets[v]) + q], u64{sum} << 32 | q);
      }
      if (q == 0) st_plain(&seen[place], ld_plain(&all.part[i]));
    }
  }
};
MAGPIE_KERNEL(join_hub_sums)

/// What each piece adds to the gain of a hub that would move for the cut.
struct sum_hub_gains {
  population all;
  hub_pieces hubs;
  array<i32> gains;  ///< one for each row of pieces

  MAGPIE_DEVICE void operator()(const thread& self) const {
    hubs.for_each(self, all, [&](u32 m, u32, u32 v, u64 row, u32 first, u32 last) {
      const u32 i = all.at(m, v);
      const u32 to = ld_plain(&all.wish[i]);
      if (to == none || all.word(m, record::step) != step::cut) return;
      const supposed_move move(all, i, ld_plain(&all.part[i]), to);
      i32 gain = 0;
      for (u32 a = first + self.lane(); a < last; a += self.width()) {
        gain += move.supposed_gain(all, all.at(m, ld_plain(&all.neighbors[a])), a);
      }
      gain = static_cast<i32>(self.reduce_add(static_cast<u32>(gain)));
      if (self.lane() == 0) st_plain(&gains[row], gain);
    });
  }
};
MAGPIE_KERNEL(sum_hub_gains)

/// Settles which hubs move for the cut, as `settle_moves` does for others. A warp for each.
struct settle_hubs {
  population all;
  hub_pieces hubs;
  array<const i32> gains;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u64 each = hubs.hubs;
    for (u64 k = warp_rank(self); k < all.members * each; k += warp_count(self)) {
      const u32 m = static_cast<u32>(k / each);
      if (all.word(m, record::step) != step::cut) continue;
      const u32 h = static_cast<u32>(k - m * each);
      const u32 i = all.at(m, ld_plain(&hubs.list[h]));
      const u32 to = ld_plain(&all.wish[i]);
      i32 gain = -1;
      if (to != none) {
        const u64 rows = u64{m} * hubs.pieces;
        gain = warp_reduce_range<i32>(self, rows + ld_plain(&hubs.starts[h]), rows + ld_plain(&hubs.starts[h + 1]),
                                      plus<i32>{}, [&](u64 row) { return ld_plain(&gains[row]); });
      }
      if (self.lane() != 0) continue;
      st_plain(&all.go[i], gain >= 0 ? to : none);
    }
  }
};
MAGPIE_KERNEL(settle_hubs)

}  // namespace magpie::partition
