/// @file
/// Associative operators with their identities, for scans and reductions.
///
/// Layer: parallel. An operator is a trivially copyable type with `T operator()(T a, T b)`, which is associative, and
/// `T identity()`, for which op(identity, a) == a == op(a, identity). `static constexpr bool commutative = true` lets
/// reductions take their elements in another order; without it they keep it. T is any trivially copyable type whose
/// size is a multiple of 4 bytes.
#pragma once

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

MAGPIE_NAMESPACE_END
