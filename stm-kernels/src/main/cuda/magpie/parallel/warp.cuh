/// @file
/// What the lanes of a warp do together with values of any type: shuffles, scans, reductions, pieces of an array; and the
/// associative operators of scans and reductions, with their identities.
///
/// Layer: parallel, called from kernels. Participation: all lanes of the warp, converged, in every function here. Right
/// for every width from 1 to 32, also those that are not powers of two; at width 1 everything is a plain loop. Shared
/// state: none of its own. Determinism: schedule_independent.
///
/// An operator is a trivially copyable type with `T operator()(T a, T b)`, which is associative, and
/// `T identity()`, for which op(identity, a) == a == op(a, identity). `static constexpr bool commutative = true` lets
/// reductions take their elements in another order; without it they keep it. T is any trivially copyable type whose
/// size is a multiple of 4 bytes.
#pragma once

#include <cstring>
#include <limits>
#include <type_traits>

#include "magpie/platform/platform.cuh"

MAGPIE_NAMESPACE_BEGIN

/// Whether `Op` says of itself that the order of its operands does not matter.
template <class Op>
inline constexpr bool is_commutative = false;
template <class Op>
  requires requires { requires Op::commutative; }
inline constexpr bool is_commutative<Op> = true;

/// Sum; whole numbers wrap around. Sums of floating-point numbers are not associative: theirs depend on the grouping,
/// which the lengths of array and pieces determine and nothing else.
template <class T>
struct plus {
  static constexpr bool commutative = true;
  MAGPIE_INLINE T identity() const { return T{}; }
  MAGPIE_INLINE T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      using wide = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b));
    } else {
      return a + b;
    }
  }
};

/// The ends of the order of numbers.
template <class T>
inline constexpr T highest = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                                  : std::numeric_limits<T>::max();
template <class T>
inline constexpr T lowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                                 : std::numeric_limits<T>::lowest();

template <class T>
struct minimum {
  static constexpr bool commutative = true;
  MAGPIE_INLINE T identity() const { return highest<T>; }
  MAGPIE_INLINE T operator()(T a, T b) const { return b < a ? b : a; }
};

template <class T>
struct maximum {
  static constexpr bool commutative = true;
  MAGPIE_INLINE T identity() const { return lowest<T>; }
  MAGPIE_INLINE T operator()(T a, T b) const { return a < b ? b : a; }
};

/// Bit by bit; of words that are 0 or all ones, or of which only one bit counts, the logical "and".
template <class T>
struct bits_and {
  static constexpr bool commutative = true;
  MAGPIE_INLINE T identity() const { return static_cast<T>(~T{0}); }
  MAGPIE_INLINE T operator()(T a, T b) const { return a & b; }
};

/// Bit by bit; "is any not 0" is the logical "or".
template <class T>
struct bits_or {
  static constexpr bool commutative = true;
  MAGPIE_INLINE T identity() const { return T{0}; }
  MAGPIE_INLINE T operator()(T a, T b) const { return a | b; }
};

/// The warp's width where it is known when compiling, else 0.
template <class Thread>
inline constexpr std::uint32_t static_width = 0;
template <class Thread>
  requires requires { typename std::integral_constant<std::uint32_t, Thread::width()>; }
inline constexpr std::uint32_t static_width<Thread> = Thread::width();

/// Whether a warp is one thread.
inline constexpr bool scalar_warps = static_width<thread> == 1;

/// Rows of the warp's width that a lane has in flight in a walk over an array of `T`.
template <class T>
inline constexpr std::uint32_t rows_in_flight = sizeof(T) <= 4 ? 8 : 4;

/// `move`, a collective for numbers, applied to each word of `v`.
template <class T, class Move>
MAGPIE_INLINE T move_words(T v, Move&& move) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0, "lanes exchange whole words");
  if constexpr (scalar_warps) {
    return v;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return move(v);
  } else {
    std::uint32_t words[sizeof(T) / 4];
    std::memcpy(words, &v, sizeof v);
    MAGPIE_UNROLL
    for (std::uint32_t k = 0; k < sizeof(T) / 4; ++k) words[k] = move(words[k]);
    std::memcpy(&v, words, sizeof v);
    return v;
  }
}

/// The value of lane `source`.
template <class T>
MAGPIE_INLINE T warp_shuffle(const thread& self, T v, std::uint32_t source) {
  return move_words(v, [&](auto word) { return self.shuffle(word, source); });
}
/// The value of the lane `distance` below; the own value where there is none.
template <class T>
MAGPIE_INLINE T warp_shuffle_up(const thread& self, T v, std::uint32_t distance) {
  return move_words(v, [&](auto word) { return self.shuffle_up(word, distance); });
}
/// The value of the lane `distance` above; the own value where there is none.
template <class T>
MAGPIE_INLINE T warp_shuffle_down(const thread& self, T v, std::uint32_t distance) {
  return move_words(v, [&](auto word) { return self.shuffle_down(word, distance); });
}

/// The bits of the lanes below this one.
MAGPIE_INLINE std::uint32_t lanes_below(const thread& self) { return (1u << self.lane()) - 1u; }

/// The warp's number in the grid, and how many there are.
MAGPIE_INLINE std::uint32_t warp_rank(const thread& self) { return self.rank() / self.width(); }
MAGPIE_INLINE std::uint32_t warp_count(const thread& self) { return self.size() / self.width(); }

/// op over the values of lanes 0 to this one.
template <class T, class Op>
MAGPIE_INLINE T warp_inclusive_scan(const thread& self, T v, Op op) {
  for (std::uint32_t distance = 1; distance < self.width(); distance *= 2) {
    const T left = warp_shuffle_up(self, v, distance);
    if (self.lane() >= distance) v = op(left, v);
  }
  return v;
}

/// op over the values of all lanes in their order, on every lane.
template <class T, class Op>
MAGPIE_INLINE T warp_reduce(const thread& self, T v, Op op) {
  for (std::uint32_t distance = 1; distance < self.width(); distance *= 2) {
    const T right = warp_shuffle_down(self, v, distance);
    if (self.lane() + distance < self.width()) v = op(v, right);
  }
  return warp_shuffle(self, v, 0);
}

/// op over load(from) .. load(to - 1), in this order unless op commutes, on every lane.
template <class T, class Op, class Load>
MAGPIE_INLINE T warp_reduce_range(const thread& self, std::uint64_t from, std::uint64_t to, Op op, Load&& load) {
  T sum = op.identity();
  if constexpr (scalar_warps) {
    for (std::uint64_t i = from; i < to; ++i) sum = op(sum, load(i));
    return sum;
  } else {
    constexpr std::uint32_t rows = rows_in_flight<T>;
    const std::uint32_t width = self.width();
    MAGPIE_NO_UNROLL
    for (std::uint64_t base = from; base < to; base += rows * width) {
      T v[rows];
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < rows; ++k) {
        const std::uint64_t i = base + k * width + self.lane();
        v[k] = i < to ? load(i) : op.identity();
      }
      MAGPIE_UNROLL
      for (std::uint32_t k = 0; k < rows; ++k) {
        sum = op(sum, is_commutative<Op> ? v[k] : warp_reduce(self, v[k], op));
      }
    }
    return is_commutative<Op> ? warp_reduce(self, sum, op) : sum;
  }
}

/// Calls body(c, from, to) for each piece c of [0, n) that is this warp's: [from, to) has `piece` positions, in the last
/// one perhaps fewer. All lanes make the same calls.
template <class Body>
MAGPIE_INLINE void for_each_piece(const thread& self, std::uint64_t n, std::uint64_t piece, Body&& body) {
  const std::uint64_t count = (n + piece - 1) / piece;
  MAGPIE_NO_UNROLL
  for (std::uint64_t c = warp_rank(self); c < count; c += warp_count(self)) {
    const std::uint64_t from = c * piece;
    body(c, from, n - from < piece ? n : from + piece);
  }
}

MAGPIE_NAMESPACE_END
