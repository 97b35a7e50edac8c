/// @file
/// Device-wide reduction and scan with any associative operator, in one and two launches.
///
/// Layer: parallel, called from kernels; the module `primitives` has those of the facade. The array [0, n) is cut into
/// pieces, a warp to each. The first launch, `reduce_pieces`, leaves each piece's reduction in `sums`; in the second,
/// `scan_pieces`, a warp first reduces the sums of the pieces before its own, all of them again, which is cheaper
/// than a launch for it while there are a few thousand, and then scans its piece. With a single piece the first launch
/// can be left out. No shared memory, no barrier of a block, no atomic.
///
/// Participation: every thread of the grid, warps whole. `load(i)` and `store(i, before, value)` are called once for each
/// i of [0, n), by the lanes that have one, and call no collectives; `load(i)` comes before `store(i)`, of the same
/// thread, so that a scan in place reads with `ld_own`. `before` is op over load(0) .. load(i - 1), the exclusive scan;
/// op(before, value) is the inclusive one.
/// Shared state: `sums[c]`, written in the first launch by piece c's warp, read-only in the second.
/// Preconditions: piece >= 1, the same in both launches; `sums` has room for ceil(n / piece) values.
/// Cost: work O(n + p^2) with p pieces; span O(n / p + log w + p / w) with warps of width w; global memory: each element is loaded
/// twice and stored once; 2 p sums. Determinism: schedule_independent: the grouping depends on n, piece and the width.
/// See: test_parallel_scan.cpp.
#pragma once

#include "magpie/parallel/operators.cuh"
#include "magpie/parallel/warp.cuh"

MAGPIE_NAMESPACE_BEGIN

/// First launch: sums[c] = op over piece c.
template <class T, class Op, class Load>
MAGPIE_INLINE void reduce_pieces(const thread& self, std::uint64_t n, std::uint64_t piece, const array<T>& sums, Op op,
                                 Load&& load) {
  for_each_piece(self, n, piece, [&](std::uint64_t c, std::uint64_t from, std::uint64_t to) {
    const T sum = warp_reduce_range<T>(self, from, to, op, load);
    if (self.lane() == 0) st_plain(&sums[c], sum);
  });
}

/// Scans [from, to), before which stands `before`; gives op over both, on every lane.
template <class T, class Op, class Load, class Store>
MAGPIE_INLINE T scan_range(const thread& self, std::uint64_t from, std::uint64_t to, T before, Op op, Load&& load,
                           Store&& store) {
  if constexpr (scalar_warps) {
    for (std::uint64_t i = from; i < to; ++i) {
      const T value = load(i);
      store(i, before, value);
      before = op(before, value);
    }
  } else {
    constexpr std::uint32_t rows = rows_in_flight<T>;
    const std::uint32_t width = self.width();
    MAGPIE_NO_UNROLL
    for (std::uint64_t base = from; base < to; base += rows * width) {
      T value[rows];
      T scanned[rows];
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < rows; ++k) {
        const std::uint64_t i = base + k * width + self.lane();
        value[k] = i < to ? load(i) : op.identity();
      }
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < rows; ++k) scanned[k] = warp_inclusive_scan(self, value[k], op);
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < rows; ++k) {
        const std::uint64_t i = base + k * width + self.lane();
        const T left = warp_shuffle_up(self, scanned[k], 1);
        if (i < to) store(i, self.lane() == 0 ? before : op(before, left), value[k]);
        before = op(before, warp_shuffle(self, scanned[k], width - 1));
      }
    }
  }
  return before;
}

/// Second launch: the scan. Where `total` is not null, it receives op over the whole array (nothing if n is 0).
template <class T, class Op, class Load, class Store>
MAGPIE_INLINE void scan_pieces(const thread& self, std::uint64_t n, std::uint64_t piece, const array<T>& sums, Op op,
                               Load&& load, Store&& store, T* total) {
  for_each_piece(self, n, piece, [&](std::uint64_t c, std::uint64_t from, std::uint64_t to) {
    const T before = warp_reduce_range<T>(self, 0, c, op, [&](std::uint64_t i) { return ld_plain(&sums[i]); });
    const T end = scan_range(self, from, to, before, op, load, store);
    if (total != nullptr && to == n && self.lane() == 0) st_plain(total, end);
  });
}

MAGPIE_NAMESPACE_END
