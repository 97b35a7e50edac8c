/// @file
/// The work-efficient scan over a binary tree, plain and segmented, as chapter 4 of the thesis gives it (Algorithms 4.1 to
/// 4.4, after Sengupta, Harris, Zhang and Owens, 2007). A variant to compare with: scan.cuh does the same work in two
/// passes over memory.
///
/// Layer: parallel, called from kernels. An array is cut into tiles of a power of two, a warp to each. `sweep_up` builds a
/// tile's tree in place, one level after another, and gives its root to the next array, which has an element
/// for each tile and is scanned in the same way; `sweep_down` puts the scanned root in and pushes sums down. One launch
/// up and one down for each array.
///
/// Differences from the printed text: Algorithm 4.3 begins at d = 0; in lines 8 and 12 of Algorithm 4.4 the flag is the
/// partial "or", not the head flag; the right child becomes "parent op left", which matters where op does not commute;
/// the plain scan, too, takes its tile's root from the scanned roots instead of adding it to each element later.
///
/// Participation: whole warps. Shared state: a tile's values and flags, of its warp only; the lanes' relaxed accesses
/// of one level come before those of the next by `sync_warp`. Preconditions: `tile` is a power of two; T has 4 or 8 bytes.
/// Cost: work O(n), span O(log n) levels; 2 n accesses up, 5 n down. Determinism: schedule_independent.
/// See: test_parallel_two_sweep.cpp.
#pragma once

#include "magpie/parallel/warp.cuh"

MAGPIE_NAMESPACE_BEGIN

/// Algorithm 4.1: x[tile - 1] becomes op over x, each inner node op over its leaves.
template <class T, class Op>
MAGPIE_INLINE void sweep_up(const thread& self, T* x, std::uint32_t tile, Op op) {
  for (std::uint32_t half = 1; half < tile; half *= 2) {
    self.sync_warp();
    for (std::uint32_t k = self.lane() * 2 * half; k < tile; k += self.width() * 2 * half) {
      T* const right = x + k + 2 * half - 1;
      st_rlx_dev(right, op(ld_rlx_dev(x + k + half - 1), ld_rlx_dev(right)));
    }
  }
  self.sync_warp();
}

/// Algorithm 4.2: where x[tile - 1] is what stands before the tile, each leaf becomes op over all before it.
template <class T, class Op>
MAGPIE_INLINE void sweep_down(const thread& self, T* x, std::uint32_t tile, Op op) {
  for (std::uint32_t half = tile / 2; half > 0; half /= 2) {
    self.sync_warp();
    for (std::uint32_t k = self.lane() * 2 * half; k < tile; k += self.width() * 2 * half) {
      T* const left = x + k + half - 1;
      T* const right = x + k + 2 * half - 1;
      const T t = ld_rlx_dev(left);
      const T parent = ld_rlx_dev(right);
      st_rlx_dev(left, parent);
      st_rlx_dev(right, op(parent, t));
    }
  }
  self.sync_warp();
}

/// Algorithm 4.3: the same for segments; `f` begins as the head flags and becomes the tree of partial "or"s.
template <class T, class Op>
MAGPIE_INLINE void sweep_up(const thread& self, T* x, std::uint32_t* f, std::uint32_t tile, Op op) {
  for (std::uint32_t half = 1; half < tile; half *= 2) {
    self.sync_warp();
    for (std::uint32_t k = self.lane() * 2 * half; k < tile; k += self.width() * 2 * half) {
      const std::uint32_t l = k + half - 1;
      const std::uint32_t r = k + 2 * half - 1;
      const std::uint32_t flag = ld_rlx_dev(f + r);
      if (flag == 0) st_rlx_dev(x + r, op(ld_rlx_dev(x + l), ld_rlx_dev(x + r)));
      st_rlx_dev(f + r, ld_rlx_dev(f + l) | flag);
    }
  }
  self.sync_warp();
}

/// Algorithm 4.4; `head(i)` is the flag of the tile's i-th element as it was before the sweep up.
template <class T, class Op, class Head>
MAGPIE_INLINE void sweep_down(const thread& self, T* x, std::uint32_t* f, std::uint32_t tile, Op op, Head&& head) {
  for (std::uint32_t half = tile / 2; half > 0; half /= 2) {
    self.sync_warp();
    for (std::uint32_t k = self.lane() * 2 * half; k < tile; k += self.width() * 2 * half) {
      const std::uint32_t l = k + half - 1;
      const std::uint32_t r = k + 2 * half - 1;
      const T t = ld_rlx_dev(x + l);
      const T parent = ld_rlx_dev(x + r);
      st_rlx_dev(x + l, parent);
      if (head(k + half)) {
        st_rlx_dev(x + r, op.identity());
      } else if (ld_rlx_dev(f + l) != 0) {
        st_rlx_dev(x + r, t);
      } else {
        st_rlx_dev(x + r, op(parent, t));
      }
      st_rlx_dev(f + l, 0u);
    }
  }
  self.sync_warp();
}

MAGPIE_NAMESPACE_END
