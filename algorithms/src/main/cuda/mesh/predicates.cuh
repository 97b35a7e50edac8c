/// @file
/// The two geometric predicates of Delaunay triangulations, with exact signs: orientation and in-circle.
///
/// Layer: algorithm; per thread, no shared state. Only the sign of a result means something, and it is that of the
/// exact determinant of the given doubles.
///
/// Method: adaptive precision as in J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
/// Geometric Predicates", Discrete & Computational Geometry 18, 1997. The determinant is first computed in doubles and
/// taken if it exceeds the bound on its error (section 4). Otherwise it is computed exactly as an expansion (section 2)
/// from the coordinates' exact differences. Expansions keep no zeros, so that the cost follows the number of bits there
/// are: differences without rounding error, the usual case on grids and between close points, give the shortest ones.
///
/// Range: every coordinate is 0 or of magnitude 2^-204 to 2^250, about 4e-62 to 1.8e75. Then all coordinates are
/// multiples of 2^-256, products of four differences are multiples of 2^-1024 below 2^1004, and nothing overflows or
/// underflows. Larger coordinates, infinities and NaN give the right sign or NaN; smaller ones can give a wrong sign.
///
/// Contraction: the bounds hold whether or not the compiler fuses the products and sums of the approximate determinant,
/// as that only omits roundings; the exact part names its roundings. `-ffast-math` is refused.
///
/// Cost: about 10 operations for `orient2d`, 40 for `in_circle`, no memory, while the approximation decides. The exact
/// part is a call, of some hundred to some ten thousand operations, and takes 1 KB of stack; on sm_90 it needs 64
/// registers.
///
/// See: test_mesh_predicates.cpp.
#pragma once

#include <cmath>

#include "magpie/kernel.cuh"
#include "mutants.cuh"

#if defined(__FAST_MATH__)
#error "predicates.cuh needs IEEE 754 arithmetic: compile without -ffast-math"
#endif

namespace magpie::mesh {

struct point {
  double x, y;
};

namespace exact {

/// Half the distance from 1 to the next double.
inline constexpr double epsilon = 0x1p-53;
/// Bounds on the error relative to the sum of the products' magnitudes; Shewchuk's A bounds.
inline constexpr double orient2d_bound = (3 + 16 * epsilon) * epsilon;
inline constexpr double in_circle_bound = (10 + 96 * epsilon) * epsilon;
/// The largest magnitude of a coordinate, and the smallest one but 0.
inline constexpr double largest = 0x1p250;
inline constexpr double smallest = 0x1p-204;

/// Whether the sign of an approximate determinant is sure. It is not where the magnitude of its products is infinite or
/// NaN; where that is 0, all products are.
MAGPIE_INLINE bool exceeds(double determinant, double bound, double magnitude) {
  return std::fabs(determinant) > bound * magnitude || magnitude == 0;
}

/// A value as the unevaluated sum of two doubles.
struct pair {
  double high, low;
};

/// high = a + b rounded, low = the rounding error.
MAGPIE_INLINE pair two_sum(double a, double b) {
  const double sum = add_rn(a, b);
  const double of_b = sub_rn(sum, a);
  return {sum, add_rn(sub_rn(a, sub_rn(sum, of_b)), sub_rn(b, of_b))};
}

/// high = a * b rounded, low = the rounding error.
MAGPIE_INLINE pair two_product(double a, double b) {
  const double product = mul_rn(a, b);
  return {product, fma_rn(a, b, -product)};
}

/// An exact sum of doubles: nonzero, non-overlapping parts by increasing magnitude.
///
/// A full expansion is compressed, which leaves at most one part for each 53 bits between its lowest and its highest
/// bit. Those must be fewer than `Capacity`: sums of doubles below 2^1008 have 40 at most.
template <int Capacity>
struct expansion {
  double part[Capacity];
  int size = 0;

  /// Shewchuk's Grow-Expansion with elimination of zeros.
  MAGPIE_NOINLINE void add(double value) {
    if (size == Capacity) compress();
    int kept = 0;
    for (int i = 0; i < size; ++i) {
      const pair sum = two_sum(value, part[i]);
      value = sum.high;
      if (sum.low != 0) part[kept++] = sum.low;
    }
    if (value != 0) part[kept++] = value;
    size = kept;
  }

  MAGPIE_INLINE void add_product(double a, double b) {
    const pair product = two_product(a, b);
    add(product.low);
    add(product.high);
  }

  /// Adds sign * a * b.
  MAGPIE_NOINLINE void add_product(const pair& a, const pair& b, double sign) {
    const double of_a[] = {a.low, a.high}, of_b[] = {b.low, b.high};
    for (const double factor : of_a) {
      if (factor == 0) continue;
      for (const double other : of_b) add_product(sign * factor, other);
    }
  }

  /// The downward pass of Shewchuk's Compress: each part becomes the rounded sum of itself and all below it, as far as
  /// they matter, so the next is smaller by 2^53 at least.
  MAGPIE_NOINLINE void compress() {
    int begin = size - 1;
    double sum = part[begin];
    for (int i = size - 2; i >= 0; --i) {
      const pair next = two_sum(sum, part[i]);
      sum = next.high;
      if (next.low == 0) continue;
      part[begin--] = next.high;
      sum = next.low;
    }
    part[begin] = sum;
    for (int i = begin; i < size; ++i) part[i - begin] = part[i];
    size -= begin;
  }

  /// The largest part: it has the sign of the whole.
  MAGPIE_INLINE double leading() const { return size == 0 ? 0.0 : part[size - 1]; }
};

/// Not for NaN either.
MAGPIE_INLINE bool in_range(point p) { return std::fabs(p.x) <= largest && std::fabs(p.y) <= largest; }

MAGPIE_INLINE pair difference(double a, double b) { return two_sum(a, -b); }

/// The sign of `orient2d` from exact arithmetic.
MAGPIE_NOINLINE double orient2d(point a, point b, point c) {
  if (!(in_range(a) && in_range(b) && in_range(c))) return NAN;
  expansion<16> sum;
  sum.add_product(difference(a.x, c.x), difference(b.y, c.y), 1);
  sum.add_product(difference(a.y, c.y), difference(b.x, c.x), -1);
  return sum.leading();
}

/// The sign of `in_circle` from exact arithmetic.
MAGPIE_NOINLINE double in_circle(point a, point b, point c, point d) {
  if (!(in_range(a) && in_range(b) && in_range(c) && in_range(d))) return NAN;
  const pair x[] = {difference(a.x, d.x), difference(b.x, d.x), difference(c.x, d.x)};
  const pair y[] = {difference(a.y, d.y), difference(b.y, d.y), difference(c.y, d.y)};
  expansion<48> sum;
  MAGPIE_NO_UNROLL
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    expansion<16> lift, cross;
    lift.add_product(x[i], x[i], 1);
    lift.add_product(y[i], y[i], 1);
    cross.add_product(x[j], y[k], 1);
    cross.add_product(y[j], x[k], -1);
    for (int l = 0; l < lift.size; ++l) {
      for (int m = 0; m < cross.size; ++m) sum.add_product(lift.part[l], cross.part[m]);
    }
  }
  return sum.leading();
}

}  // namespace exact

/// As `orient2d`, or NaN where doubles do not tell.
MAGPIE_INLINE double orient2d_if_sure(point a, point b, point c) {
  const double left = (a.x - c.x) * (b.y - c.y);
  const double right = (a.y - c.y) * (b.x - c.x);
  const double determinant = left - right;
  const double magnitude = std::fabs(left) + std::fabs(right);
  const bool sure = exact::exceeds(determinant, exact::orient2d_bound, magnitude);
  return sure ? determinant : NAN;
}

/// Which way a, b, c turn: > 0 counter-clockwise, < 0 clockwise, 0 on one line. NaN only out of range.
MAGPIE_INLINE double orient2d(point a, point b, point c) {
  const double turn = orient2d_if_sure(a, b, c);
  return turn == turn ? turn : exact::orient2d(a, b, c);
}

/// As `in_circle`, or NaN where doubles do not tell.
MAGPIE_INLINE double in_circle_if_sure(point a, point b, point c, point d) {
  const double ax = a.x - d.x, ay = a.y - d.y;
  const double bx = b.x - d.x, by = b.y - d.y;
  const double cx = c.x - d.x, cy = c.y - d.y;
  const double bc = bx * cy, cb = by * cx;
  const double ca = cx * ay, ac = cy * ax;
  const double ab = ax * by, ba = ay * bx;
  const double a_lift = ax * ax + ay * ay;
  const double b_lift = bx * bx + by * by;
  const double c_lift = cx * cx + cy * cy;
  const double determinant = a_lift * (bc - cb) + b_lift * (ca - ac) + c_lift * (ab - ba);
  const double magnitude = a_lift * (std::fabs(bc) + std::fabs(cb)) + b_lift * (std::fabs(ca) + std::fabs(ac)) +
                           c_lift * (std::fabs(ab) + std::fabs(ba));
  const bool sure = breaks(mutant::in_circle_rounded) || exact::exceeds(determinant, exact::in_circle_bound, magnitude);
  return sure ? determinant : NAN;
}

/// Where d is with respect to the circle through the counter-clockwise triangle a, b, c: > 0 inside, < 0 outside, 0 on
/// it; the opposite for a clockwise one. NaN only out of range.
MAGPIE_INLINE double in_circle(point a, point b, point c, point d) {
  const double side = in_circle_if_sure(a, b, c, d);
  return side == side ? side : exact::in_circle(a, b, c, d);
}

}  // namespace magpie::mesh
