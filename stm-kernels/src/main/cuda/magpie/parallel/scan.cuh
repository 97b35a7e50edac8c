/// @file
/// Device-wide reduction and scan with any associative operator, of an array or of its segments, in one and two launches.
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
///
/// Segments by head flags (`reduce_headed_pieces`, `scan_headed_pieces`): an ordinary scan of pairs of flag and value. A
/// segment begins at each head and, whatever its flag says, at position 0. The pairs' operator (Schwartz 1980, Blelloch
/// 1990) is associative if op is, and never commutes: (f, a) * (g, b) = (f | g, g ? b : a op b). Contracts, shared state and
/// cost are those above with values of `headed<T>`; per element one flag is loaded with each value.
///
/// `sweep_up` and `sweep_down` are the work-efficient scan over a binary tree, plain and segmented, as chapter 4 of the
/// thesis gives it (Algorithms 4.1 to 4.4, after Sengupta, Harris, Zhang and Owens, 2007). A variant to compare with: the
/// scans above do the same work in two passes over memory. An array is cut into tiles of a power of two, a warp to each.
/// `sweep_up` builds a tile's tree in place, one level after another, and gives its root to the next array, which has an
/// element for each tile and is scanned in the same way; `sweep_down` puts the scanned root in and pushes sums down. One
/// launch up and one down for each array.
///
/// Differences from the printed text: Algorithm 4.3 begins at d = 0; in lines 8 and 12 of Algorithm 4.4 the flag is the
/// partial "or", not the head flag; the right child becomes "parent op left", which matters where op does not commute;
/// the plain scan, too, takes its tile's root from the scanned roots instead of adding it to each element later.
///
/// Participation of sweeps: whole warps. Shared state: a tile's values and flags, of its warp only; the lanes' relaxed
/// accesses of one level come before those of the next by `sync_warp`. Preconditions: `tile` is a power of two; T has 4 or
/// 8 bytes. Cost: work O(n), span O(log n) levels; 2 n accesses up, 5 n down. Determinism: schedule_independent.
/// See: test_parallel_scan.cpp, test_parallel_two_sweep.cpp.
#pragma once

#include <type_traits>

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

// ---- Segments.

/// A value, and whether a segment begins at it or, in a reduction, since where the reduction begins. No padding.
template <class T>
struct headed {
  using flag = std::conditional_t<sizeof(T) % 8 == 0, std::uint64_t, std::uint32_t>;
  flag head;
  T value;
};

template <class Op>
struct segmented {
  Op op;

  MAGPIE_INLINE auto identity() const { return headed<decltype(op.identity())>{0, op.identity()}; }
  template <class T>
  MAGPIE_INLINE headed<T> operator()(headed<T> a, headed<T> b) const {
    return {a.head | b.head, b.head != 0 ? b.value : op(a.value, b.value)};
  }
};

/// The warp's scan and reduction of pairs: one ballot tells every lane where its segment begins, so that only values
/// are exchanged.
template <class T, class Op>
MAGPIE_INLINE headed<T> warp_inclusive_scan(const thread& self, headed<T> v, segmented<Op> op) {
  if constexpr (scalar_warps) {
    return v;
  } else {
    const std::uint32_t lane = self.lane();
    const std::uint32_t heads = self.ballot(v.head != 0) & (lanes_below(self) | 1u << lane);
    const std::uint32_t first = heads != 0 ? 31u - countl_zero(heads) : 0u;
    for (std::uint32_t distance = 1; distance < self.width(); distance *= 2) {
      const T left = warp_shuffle_up(self, v.value, distance);
      if (lane >= first + distance) v.value = op.op(left, v.value);
    }
    v.head = heads != 0 ? 1 : 0;
    return v;
  }
}
template <class T, class Op>
MAGPIE_INLINE headed<T> warp_reduce(const thread& self, headed<T> v, segmented<Op> op) {
  return warp_shuffle(self, warp_inclusive_scan(self, v, op), self.width() - 1);
}

/// First launch of a segmented scan; `head(i)` says whether a segment begins at i. From a piece's end back to its last head:
/// what is before that counts for no later piece. Elements are loaded at most once, most of them never.
template <class T, class Op, class Head, class Load>
MAGPIE_INLINE void reduce_headed_pieces(const thread& self, std::uint64_t n, std::uint64_t piece,
                                        const array<headed<T>>& sums, Op op, Head&& head, Load&& load) {
  const segmented<Op> both{op};
  for_each_piece(self, n, piece, [&](std::uint64_t c, std::uint64_t from, std::uint64_t to) {
    headed<T> sum = both.identity();
    if constexpr (scalar_warps) {
      for (std::uint64_t i = to; i > from && sum.head == 0;) {
        --i;
        sum = both({head(i) ? 1u : 0u, load(i)}, sum);
      }
    } else {
      const std::uint32_t width = self.width();
      for (std::uint64_t end = to; end > from && sum.head == 0;) {
        const std::uint64_t rows = rows_in_flight<T> * width;
        const std::uint64_t begin = end - from < rows ? from : end - rows;
        sum = both(warp_reduce_range<headed<T>>(self, begin, end, both,
                                                [&](std::uint64_t i) {
                                                  return headed<T>{head(i) ? 1u : 0u, load(i)};
                                                }),
                   sum);
        end = begin;
      }
    }
    if (self.lane() == 0) st_plain(&sums[c], sum);
  });
}

/// The last position of [from, to) that `mark` holds for, 0 if there is none, on every lane.
template <class Mark>
MAGPIE_INLINE std::uint64_t last_marked(const thread& self, std::uint64_t from, std::uint64_t to, Mark&& mark) {
  if constexpr (scalar_warps) {
    while (to > from) {
      if (mark(--to)) return to;
    }
  } else {
    const std::uint32_t width = self.width();
    while (to > from) {
      const std::uint64_t begin = to - from < width ? from : to - width;
      const std::uint64_t i = begin + self.lane();
      const std::uint32_t marks = self.ballot(i < to && mark(i));
      if (marks != 0) return begin + (31u - countl_zero(marks));
      to = begin;
    }
  }
  return 0;
}

/// Second launch; calls store(i, before, value) with op over the elements of i's segment before i.
template <class T, class Op, class Head, class Load, class Store>
MAGPIE_INLINE void scan_headed_pieces(const thread& self, std::uint64_t n, std::uint64_t piece,
                                      const array<headed<T>>& sums, Op op, Head&& head, Load&& load, Store&& store) {
  scan_pieces(
      self, n, piece, sums, segmented<Op>{op},
      [&](std::uint64_t i) {
        return headed<T>{head(i) ? 1u : 0u, load(i)};
      },
      [&](std::uint64_t i, headed<T> before, headed<T> own) {
        store(i, own.head != 0 ? op.identity() : before.value, own.value);
      },
      static_cast<headed<T>*>(nullptr));
}

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
