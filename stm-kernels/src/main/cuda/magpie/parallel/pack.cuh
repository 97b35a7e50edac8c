/// @file
/// Packing: the elements whose flag is set, one after another, in their order. And splitting: in each segment the elements
/// whose flag is not set before those whose flag is.
///
/// Layer: parallel, called from kernels. Packing takes two launches: `count_flagged` counts each piece's flags,
/// `pack_pieces` scans and moves; with a single piece the first can be left out. Contracts, shared state and cost are those
/// of scan.cuh: flags are read twice, or once with a single piece, elements at most once. `flag(i)` and `value(i)` call no
/// collectives; `value` may be called for an element whose flag is not set. Limits: n < 2^32.
///
/// Split-and-segment (`split_term`, `split_place`, `split_head`): the elements move in their order, and the two parts of each
/// segment become segments of their own. With a pivot from each segment's head this is a pass of the segmented quicksort
/// (section 4.3.2 of the thesis, after Sengupta, Harris, Zhang and Owens, 2007). Where an element goes takes one segmented
/// sum (scan.cuh) and one copy from the segments' tails. With h the position of i's segment's head, let the sum be that of
/// `split_term`:
///
///     P(i) = h + the segment's elements up to i, i included, whose flag is not set
///
/// and Q the value of P at the segment's last element, which is where its second part begins. An element whose flag is not
/// set goes to P(i) - 1, another one to i - P(i) + Q: the thesis's F and T = ID - F + NF, counted from position 0 instead of
/// the segment's head, so that the heads' positions need no scan of their own. Determinism: schedule_independent.
/// See: test_parallel_pack.cpp, test_parallel_split.cpp.
#pragma once

#include "magpie/parallel/scan.cuh"

MAGPIE_NAMESPACE_BEGIN

template <class Flag>
MAGPIE_INLINE void count_flagged(const thread& self, std::uint64_t n, std::uint64_t piece,
                                 const array<std::uint32_t>& sums, Flag&& flag) {
  reduce_pieces(self, n, piece, sums, plus<std::uint32_t>{}, [&](std::uint64_t i) { return flag(i) ? 1u : 0u; });
}

/// Writes to `out` as many elements as it has room for, and calls `then(count)`, on one thread, with the number of flags that are
/// set (not at all if n is 0).
template <class T, class Flag, class Value, class Then>
MAGPIE_INLINE void pack_pieces_then(const thread& self, std::uint64_t n, std::uint64_t piece,
                                    const array<std::uint32_t>& sums, Flag&& flag, Value&& value, const array<T>& out,
                                    Then&& then) {
  const auto set = [&](std::uint64_t i) { return flag(i) ? 1u : 0u; };
  for_each_piece(self, n, piece, [&](std::uint64_t c, std::uint64_t from, std::uint64_t to) {
    const std::uint32_t before = warp_reduce_range<std::uint32_t>(self, 0, c, plus<std::uint32_t>{},
                                                                  [&](std::uint64_t i) { return ld_plain(&sums[i]); });
    if constexpr (scalar_warps) {
      // By way of a buffer that takes every element and keeps those whose flag is set: no branch to be guessed.
      constexpr std::uint32_t room = 128;
      std::uint64_t place = before;
      T buffer[room];
      for (std::uint64_t base = from; base < to; base += room) {
        const std::uint64_t end = to - base < room ? to : base + room;
        std::uint32_t kept = 0;
        for (std::uint64_t i = base; i < end; ++i) {
          buffer[kept] = value(i);
          kept += set(i);
        }
        for (std::uint32_t k = 0; k < kept && place + k < out.length; ++k) st_plain(&out[place + k], buffer[k]);
        place += kept;
      }
      if (to == n) then(static_cast<std::uint32_t>(place));
    } else {
      const std::uint32_t end = scan_range(self, from, to, before, plus<std::uint32_t>{}, set,
                                           [&](std::uint64_t i, std::uint32_t place, std::uint32_t own) {
                                             if (own != 0 && place < out.length) st_plain(&out[place], value(i));
                                           });
      if (to == n && self.lane() == 0) then(end);
    }
  });
}

/// The same, with the number written to `count`, if that is not null.
template <class T, class Flag, class Value>
MAGPIE_INLINE void pack_pieces(const thread& self, std::uint64_t n, std::uint64_t piece,
                               const array<std::uint32_t>& sums, Flag&& flag, Value&& value, const array<T>& out,
                               std::uint32_t* count) {
  pack_pieces_then(self, n, piece, sums, flag, value, out, [&](std::uint32_t set) {
    if (count != nullptr) st_plain(count, set);
  });
}

// ---- Splitting.

/// What position i adds to its segment's sum.
MAGPIE_INLINE std::uint32_t split_term(std::uint32_t i, bool head, bool flag) {
  return (head ? i : 0u) + (flag ? 0u : 1u);
}

/// Where the element at i goes; p and q are P(i) and Q.
MAGPIE_INLINE std::uint32_t split_place(std::uint32_t i, bool flag, std::uint32_t p, std::uint32_t q) {
  return flag ? i - p + q : p - 1;
}

/// Whether a segment begins where an element goes: where one began before, and where the second part does.
MAGPIE_INLINE bool split_head(std::uint32_t place, bool head_at_place, bool flag, std::uint32_t q) {
  return head_at_place || (flag && place == q);
}

MAGPIE_NAMESPACE_END
