/// @file
/// One pass of a stable radix sort of 32-bit words: counting digits, and moving elements to their digits' places.
///
/// Layer: parallel, called from kernels. A pass sorts [0, n) by the digit of `bits` bits from bit `shift` on, in three
/// steps: `count_digits` counts each digit in each piece, an exclusive scan of the counts (scan.cuh) gives places, and
/// `move_to_digits` moves. Passes from the lowest digit to the highest sort by the whole key.
///
/// Participation: every thread of the grid, warps whole. Shared state: `counts[digit * pieces + c]`, written by piece c's
/// warp only; lanes of the warp add to it by relaxed additions, ordered by `sync_warp`. Preconditions: 1 <= bits <= 8,
/// n < 2^32, piece >= 1, pieces = ceil(n / piece). Cost: n loads to count, n loads and n stores to move; at width 1 counters
/// are local, else a row of the warp's width takes `bits` ballots and one addition to memory for each digit in it.
/// Determinism: schedule_independent. See: test_parallel_radix.cpp.
#pragma once

#include "magpie/parallel/warp.cuh"

MAGPIE_NAMESPACE_BEGIN

/// The most values of a digit.
inline constexpr std::uint32_t most_digits = 256;

MAGPIE_INLINE std::uint32_t digit_of(std::uint32_t key, std::uint32_t shift, std::uint32_t bits) {
  return key >> shift & ((1u << bits) - 1u);
}

/// The lanes with an element whose digit is this lane's. All lanes, converged.
MAGPIE_INLINE std::uint32_t lanes_of_digit(const thread& self, bool here, std::uint32_t digit, std::uint32_t bits) {
  std::uint32_t same = self.ballot(here);
  for (std::uint32_t bit = 0; bit < bits; ++bit) {
    const bool set = (digit >> bit & 1u) != 0;
    const std::uint32_t those = self.ballot(set);
    same &= set ? those : ~those;
  }
  return same;
}

template <class Key>
MAGPIE_INLINE void count_digits(const thread& self, std::uint64_t n, std::uint64_t piece, std::uint32_t pieces,
                                std::uint32_t shift, std::uint32_t bits, const array<std::uint32_t>& counts,
                                Key&& key) {
  for_each_piece(self, n, piece, [&](std::uint64_t c, std::uint64_t from, std::uint64_t to) {
    const std::uint32_t digits = 1u << bits;
    if constexpr (scalar_warps) {
      std::uint32_t count[most_digits] = {};
      for (std::uint64_t i = from; i < to; ++i) ++count[digit_of(key(i), shift, bits)];
      for (std::uint64_t d = 0; d < digits; ++d) st_plain(&counts[d * pieces + c], count[d]);
    } else {
      for (std::uint64_t d = self.lane(); d < digits; d += self.width()) st_rlx_dev(&counts[d * pieces + c], 0);
      self.sync_warp();
      for (std::uint64_t base = from; base < to; base += self.width()) {
        const std::uint64_t i = base + self.lane();
        const bool here = i < to;
        const std::uint32_t digit = here ? digit_of(key(i), shift, bits) : 0;
        const std::uint32_t same = lanes_of_digit(self, here, digit, bits);
        if (here && (same & lanes_below(self)) == 0) {
          red_add_rlx_dev(&counts[std::uint64_t{digit} * pieces + c], popcount(same));
        }
      }
    }
  });
}

/// Calls move(i, place) once for each i of [0, n); `counts` holds the places of the digits, and is used up.
template <class Key, class Move>
MAGPIE_INLINE void move_to_digits(const thread& self, std::uint64_t n, std::uint64_t piece, std::uint32_t pieces,
                                  std::uint32_t shift, std::uint32_t bits, const array<std::uint32_t>& counts,
                                  Key&& key, Move&& move) {
  for_each_piece(self, n, piece, [&](std::uint64_t c, std::uint64_t from, std::uint64_t to) {
    if constexpr (scalar_warps) {
      const std::uint32_t digits = 1u << bits;
      std::uint32_t place[most_digits];
      for (std::uint64_t d = 0; d < digits; ++d) place[d] = ld_plain(&counts[d * pieces + c]);
      for (std::uint64_t i = from; i < to; ++i) move(i, place[digit_of(key(i), shift, bits)]++);
    } else {
      for (std::uint64_t base = from; base < to; base += self.width()) {
        const std::uint64_t i = base + self.lane();
        const bool here = i < to;
        const std::uint32_t digit = here ? digit_of(key(i), shift, bits) : 0;
        const std::uint32_t same = lanes_of_digit(self, here, digit, bits);
        const std::uint32_t before = popcount(same & lanes_below(self));
        std::uint32_t first = 0;
        if (here && before == 0) first = add_rlx_dev(&counts[std::uint64_t{digit} * pieces + c], popcount(same));
        first = self.shuffle(first, same != 0 ? lowest_bit(same) : 0);
        if (here) move(i, first + before);
        self.sync_warp();
      }
    }
  });
}

MAGPIE_NAMESPACE_END
