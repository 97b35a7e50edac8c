/// @file
/// Refinement without read-modify-write operations: sums by reductions between launches, and who leaves by sorting.
///
/// Layer: algorithm, lock-free phases. Where `ways::additions` is 0, a round (refine.cuh) is
///
///     connect, sum_pieces, add_pieces, judge, choose, settle_moves,
///     mark_moves, a list of the marked, key_moves, a stable sort, weigh_moves, a scan by segments, admit, make_moves
///
/// after mt-metis (LaSalle and Karypis, "Multi-threaded graph partitioning", 2013): moves are proposed, and resolved
/// between barriers. What would leave a part that is too heavy is sorted by part and class, and a scan of the weights
/// within each part's segment says how much leaves before each vertex: the best leave until it is light enough. Moves
/// for the cut are those of refine.cuh.
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
MAGPIE_CONSTANT(piece_sum::words)

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
  const u32* ballast;  ///< of each part, added to its weight; null for none
  u32 arc_weights;     ///< of all arcs together, modulo 2^32

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
        st_plain(&all.part_weights[m * all.parts + q], ballast == nullptr ? sum : sum + ld_plain(&ballast[q]));
      } else if (q == all.parts + piece_sum::inside) {
        st_plain(&mine[record::doubled_cut], arc_weights - sum);
      } else {
        st_plain(&mine[record::moves], ld_own(&mine[record::moves]) + sum);
      }
    }
  }
};
MAGPIE_KERNEL(add_pieces)

/// flags[i] = whether the vertex at place i is to move for balance.
struct mark_moves {
  population all;
  array<u32> flags;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(all.members * all.vertices)) {
      const bool leaves = ld_plain(&all.go[i]) != none && all.word(i / all.vertices, record::step) != step::cut;
      st_plain(&flags[i], leaves ? 1u : 0u);
    }
  }
};
MAGPIE_KERNEL(mark_moves)

inline constexpr u32 most_class_bits = 8;
static_assert(1u << most_class_bits == classes);
MAGPIE_CONSTANT(most_class_bits)

/// Keys of the listed moves: the part that is left, of all members' parts, then the class, of which so many bits count.
struct key_moves {
  population all;
  u32 count;
  u32 class_bits;  ///< 0 to most_class_bits
  array<const u32> list;
  array<u32> keys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 k : self.items(count)) {
      const u32 i = ld_plain(&list[k]);
      const u32 from = i / all.vertices * all.parts + ld_plain(&all.part[i]);
      st_plain(&keys[k],
               from << class_bits | static_cast<u32>(ld_plain(&all.worth[i])) >> (most_class_bits - class_bits));
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

/// Takes the moves of those back that need not leave.
struct admit {
  population all;
  u32 count;
  u32 class_bits;
  u32 limit;  ///< parts above it are relieved
  array<const u32> list;
  array<const u32> keys;
  array<const u32> before;  ///< weight of the moves of the same part that stand before

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 k : self.items(count)) {
      const u32 weight = ld_plain(&all.part_weights[ld_plain(&keys[k]) >> class_bits]);
      const bool needed = weight > limit && ld_plain(&before[k]) < weight - limit;
      if (!needed) st_plain(&all.go[ld_plain(&list[k])], none);
    }
  }
};
MAGPIE_KERNEL(admit)

}  // namespace magpie::partition
