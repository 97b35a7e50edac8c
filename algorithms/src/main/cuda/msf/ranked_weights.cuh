/// @file
/// Weights of 64 bits of edges that come in chunks, and ranks of 32 in their place.
///
/// Layer: algorithm. stream.cuh compares 32 bits. When a forest is made, the weights of all edges that are kept are sorted, by
/// the kernels of weight_keys.cuh, and each edge's rank is its index in that order, from 1: equal weights are ranked by number,
/// as edges lie in that order and sorting is stable. An edge that comes later is needless if no weight of its path comes after
/// its own, and so if no rank of the path is above the number of weights, of those that were sorted, that do not.
///
/// `wide` has the weights as signed numbers of the same order, reversed for maximum forests; -0.0 has the place of 0.0.
/// Determinism: schedule_independent.
#pragma once

#include "stream.cuh"

namespace msf {

/// The bit that is the sign of a place among signed numbers.
inline constexpr u64 wide_sign = u64{1} << 63;

/// Counts, for each edge of a part of a chunk, the sorted weights that do not come after its own; finds those that are not
/// finite.
///
/// Participation: any thread, one edge each. Shared state: `tallies`, atomic minimum. Bytes: 8 in and 4 out per edge; a
/// gathered word for each bit of the number of weights.
struct rank_arrived {
  u32 from;
  u32 count;
  u32 floating;
  u32 reverse;
  array<const raw<u64>> weights;
  u32 length;  ///< of `ascending`; 0 where ranks are not needed
  array<const u64> ascending;
  array<u32> ranks;
  array<u32> tallies;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      const u64 bits = magpie::ld_plain(&weights[from + i].bits);
      if (floating != 0 && (bits << 1) >= 0xffe0000000000000u) {
        magpie::red_min_rlx_dev(&tallies[tally_wrong], from + i);
        continue;
      }
      const u64 place = place_of(weights[from + i], floating, reverse);
      u32 begin = 0;
      for (u32 left = length; left != 0;) {
        const u32 half = left / 2;
        if ((magpie::ld_plain(&ascending[begin + half]) ^ wide_sign) <= place) {
          begin += half + 1;
          left -= half + 1;
        } else {
          left = half;
        }
      }
      magpie::st_plain(&ranks[from + i], begin ^ 0x80000000u);  // of which place_of makes the number
    }
  }
};
MAGPIE_KERNEL(rank_arrived)

/// Writes weights of edges of a chunk behind those that are kept.
///
/// Participation: any thread, one edge each. Shared state: none. Bytes: 4 and gathered 8 in, 8 out.
struct take_wide {
  u32 from;  ///< what `positions` count from
  u32 count;
  u32 floating;
  u32 reverse;
  array<const raw<u64>> weights;
  u32 kept;
  array<const u32> positions;
  array<u64> wide;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 k : self.items(count)) {
      const u32 i = from + magpie::ld_plain(&positions[k]);
      magpie::st_plain(&wide[kept + k], place_of(weights[i], floating, reverse) ^ wide_sign);
    }
  }
};
MAGPIE_KERNEL(take_wide)

/// Gives each edge its rank, and writes the weights in their order.
///
/// Participation: any thread, one edge each. Shared state: none. Bytes: 4 and gathered 8 in, 8 and scattered 4 out.
struct settle_ranks {
  u32 length;
  array<const u32> order;
  array<const u64> wide;
  array<u32> ranks;
  array<u64> ascending;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(length)) {
      const u32 e = magpie::ld_plain(&order[i]);
      magpie::st_plain(&ranks[e], i + 1);
      magpie::st_plain(&ascending[i], magpie::ld_plain(&wide[e]));
    }
  }
};
MAGPIE_KERNEL(settle_ranks)

/// Copies weights to an array from 0. Participation: any thread, one edge each. Shared state: none. Bytes: 4 and gathered 8
/// in, 8 out.
struct gather_wide {
  u32 from;  ///< what `positions` count from
  u32 count;
  array<const u32> positions;
  array<const u64> wide;
  array<u64> to;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 k : self.items(count)) {
      magpie::st_plain(&to[k], magpie::ld_plain(&wide[from + magpie::ld_plain(&positions[k])]));
    }
  }
};
MAGPIE_KERNEL(gather_wide)

}  // namespace msf
