/// @file
/// Refinement without read-modify-write operations: sums and room in parts by reductions between launches.
///
/// Layer: algorithm, lock-free phases. Where `ways::additions` is 0, a round (refine.cuh) is
///
///     connect, sum_pieces, add_pieces, judge, choose, settle_moves,
///     mark_moves, a list of the marked, key_moves, a stable sort, weigh_moves, a scan by segments, admit, make_moves
///
/// after mt-metis (LaSalle and Karypis, "Multi-threaded graph partitioning", 2013): moves are proposed, and resolved
/// between barriers. What `settle_moves` would move is sorted by part and class, and a scan of the weights within each
/// part's segment says how much comes before each vertex: for the cut, the best enter a part until it is full; for
/// balance, the best leave one until it is light enough. Entering counts the room that there was before the round, so
/// that no part ends above the ceiling by moves for the cut.
///
/// Shared state: every word has one writer in a launch, except `touched` (refine.cuh). List, sort and scan are those of
/// the portable primitives; on machines with warps the sort adds to counters, each of which one warp writes. The result
/// is schedule_independent.
#pragma once

#include "magpie/parallel/warp.cuh"
#include "refine.cuh"

namespace magpie::partition {

/// The sums of one piece of a member: the weight of each part, then these.
namespace piece_sum {
inline constexpr u32 inside = 0;  ///< weight of arcs within parts
inline constexpr u32 moves = 1;   ///< vertices that moved in the round before
inline constexpr u32 words = 2;
}  // namespace piece_sum

/// Sums up each piece of each member's vertices. A warp for each piece, with a row of its own.
struct sum_pieces {
  population all;
  u32 pieces;       ///< of each member
  u32 piece;        ///< vertices of each, but the last
  array<u32> sums;  ///< members * pieces rows of parts + piece_sum::words

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u32 width = all.parts + piece_sum::words;
    for (u32 c = warp_rank(self); c < all.members * pieces; c += warp_count(self)) {
      const u32 m = c / pieces;
      if (all.word(m, record::step) == step::done) continue;
      u32* const row = &sums[u64{c} * width];
      for (u32 q = self.lane(); q < all.parts; q += self.width()) st_plain(&row[q], 0u);
      const u32 from = least((c - m * pieces) * piece, all.vertices);
      const u32 to = least(from + piece, all.vertices);
      u32 inside = 0;
      u32 moves = 0;
      for (u32 base = from; base < to; base += self.width()) {
        const u32 v = base + self.lane();
        u32 part = none;
        u32 weight = 0;
        if (v < to) {
          const u32 i = all.at(m, v);
          part = ld_plain(&all.part[i]);
          weight = ld_plain(&all.vertex_weights[v]);
          inside += ld_plain(&all.inside[i]);
          moves += ld_plain(&all.go[i]) != none ? 1 : 0;
        }
        add_by_part(self, row, part, weight);
      }
      inside = self.reduce_add(inside);
      moves = self.reduce_add(moves);
      if (self.lane() == 0) {
        st_plain(&row[all.parts + piece_sum::inside], inside);
        st_plain(&row[all.parts + piece_sum::moves], moves);
      }
    }
  }
};
MAGPIE_KERNEL(sum_pieces)

/// Adds up the pieces: part weights, the cut, and how many moved. A warp for each sum.
struct add_pieces {
  population all;
  u32 pieces;
  array<const u32> sums;
  u32 arc_weights;  ///< of all arcs together, modulo 2^32

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u32 width = all.parts + piece_sum::words;
    for (u32 k = warp_rank(self); k < all.members * width; k += warp_count(self)) {
      const u32 m = k / width;
      const u32 q = k - m * width;
      u32* const mine = all.record_of(m);
      if (ld_plain(&mine[record::step]) == step::done) continue;
      const u32 sum = warp_reduce_range<u32>(self, u64{m} * pieces, (u64{m} + 1) * pieces, plus<u32>{},
                                             [&](u64 c) { return ld_plain(&sums[c * width + q]); });
      if (self.lane() != 0) continue;
      if (q < all.parts) {
        st_plain(&all.part_weights[m * all.parts + q], sum);
      } else if (q == all.parts + piece_sum::inside) {
        st_plain(&mine[record::doubled_cut], arc_weights - sum);
      } else {
        st_plain(&mine[record::moves], ld_own(&mine[record::moves]) + sum);
      }
    }
  }
};
MAGPIE_KERNEL(add_pieces)

/// flags[i] = whether the vertex at place i is to move.
struct mark_moves {
  population all;
  array<u32> flags;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(all.members * all.vertices)) st_plain(&flags[i], ld_plain(&all.go[i]) != none ? 1u : 0u);
  }
};
MAGPIE_KERNEL(mark_moves)

/// Keys of the listed moves: the part that decides, of all members' parts, then the class, of which so many bits count.
struct key_moves {
  population all;
  u32 count;
  u32 class_bits;  ///< 0 to 8
  array<const u32> list;
  array<u32> keys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 k : self.items(count)) {
      const u32 i = ld_plain(&list[k]);
      const u32 m = i / all.vertices;
      const u32 base = m * all.parts;
      u32 group = 0;
      u32 of = 0;
      if (all.word(m, record::step) == step::cut) {
        group = base + ld_plain(&all.go[i]);
        const i32 gain = ld_plain(&all.worth[i]);
        of = class_of(gain < 0 ? 0u - static_cast<u32>(gain) : 0u, gain < 0 ? 0u : static_cast<u32>(gain),
                      ld_plain(&all.vertex_weights[i - m * all.vertices]));
      } else {
        group = base + ld_plain(&all.part[i]);
        of = static_cast<u32>(ld_plain(&all.worth[i]));
      }
      st_plain(&keys[k], group << class_bits | of >> (8 - class_bits));
    }
  }
};
MAGPIE_KERNEL(key_moves)

/// The weights of the listed moves, and whether each is the first of its part.
struct weigh_moves {
  population all;
  u32 count;
  u32 class_bits;
  array<const u32> list;
  array<const u32> keys;
  array<u32> weights;
  array<u32> heads;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 k : self.items(count)) {
      st_plain(&weights[k], ld_plain(&all.vertex_weights[ld_plain(&list[k]) % all.vertices]));
      const bool first = k == 0 || ld_plain(&keys[k - 1]) >> class_bits != ld_plain(&keys[k]) >> class_bits;
      st_plain(&heads[k], first ? 1u : 0u);
    }
  }
};
MAGPIE_KERNEL(weigh_moves)

/// Takes moves back: for the cut those that do not fit into their new part, for balance those that need not leave.
struct admit {
  population all;
  u32 count;
  u32 class_bits;
  u32 limit;    ///< parts above it are relieved
  u32 ceiling;  ///< what a part may weigh after moves for the cut
  array<const u32> list;
  array<const u32> keys;
  array<const u32> before;  ///< weight of the moves of the same part that stand before

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 k : self.items(count)) {
      const u32 i = ld_plain(&list[k]);
      const u32 m = i / all.vertices;
      const u32 weight = ld_plain(&all.part_weights[ld_plain(&keys[k]) >> class_bits]);
      const u32 ahead = ld_plain(&before[k]);
      bool admitted = false;
      if (all.word(m, record::step) == step::cut) {
        const u32 own = ld_plain(&all.vertex_weights[i - m * all.vertices]);
        admitted = u64{weight} + ahead + own <= ceiling;
      } else {
        admitted = weight > limit && ahead < weight - limit;
      }
      if (!admitted) st_plain(&all.go[i], none);
    }
  }
};
MAGPIE_KERNEL(admit)

}  // namespace magpie::partition
