/// @file
/// Segmented scan by head flags: an ordinary scan, with any operator, of pairs of flag and value.
///
/// Layer: parallel, called from kernels. A segment begins at each head and, whatever its flag says, at position 0. The
/// pairs' operator (Schwartz 1980, Blelloch 1990) is associative if op is, and never commutes:
/// (f, a) * (g, b) = (f | g, g ? b : a op b). Contracts, shared state and cost are those of scan.cuh with values of
/// `headed<T>`; per element one flag is loaded with each value. See: test_parallel_scan.cpp.
#pragma once

#include <type_traits>

#include "magpie/parallel/scan.cuh"

MAGPIE_NAMESPACE_BEGIN

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
        sum = both(warp_reduce_range<headed<T>>(
                       self, begin, end, both,
                       [&](std::uint64_t i) { return headed<T>{head(i) ? 1u : 0u, load(i)}; }),
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
      [&](std::uint64_t i) { return headed<T>{head(i) ? 1u : 0u, load(i)}; },
      [&](std::uint64_t i, headed<T> before, headed<T> own) {
        store(i, own.head != 0 ? op.identity() : before.value, own.value);
      },
      static_cast<headed<T>*>(nullptr));
}

MAGPIE_NAMESPACE_END
