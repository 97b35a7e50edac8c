/// @file
/// The two tests that refinement makes most often, in single precision where that is sure: in-circle and quality.
///
/// Layer: algorithm; pure functions. Results are those of the tests in doubles, always: what is not sure here is asked there.
///
/// Bounds. Let u = 2^-24, and m the largest difference of coordinates, m <= 2^14 (else nothing is sure). A difference of
/// doubles, rounded to a float, is off by u of itself and by 2^-53. First order, relative to the magnitudes summed where
/// signs may cancel: a sum of two squares 4u, a difference of two products 4u, their product 9u, the sum of three of those
/// 11u. The square of an area then is off by 9u of the square of its magnitude, a threshold on it by 11u of itself and,
/// as the shortest of nearly equal edges may be another one, by 8u more. So 2^-20, 16u, is enough for in-circle, and
/// 2^-19 for the rest, also where factors are fused. Results below the range of floats add less than 2^-100: each of them is
/// off by 2^-150, and grows by factors of at most 2^14 and 2^29.
#pragma once

#include "cavity.cuh"

namespace magpie::mesh {

namespace single {

inline constexpr float in_circle_bound = 0x1p-20f;
inline constexpr float quality_bound = 0x1p-19f;
inline constexpr float least = 0x1p-100f;
/// Of a sum of squared differences.
inline constexpr float most = 0x1p28f;

/// -1 or 1, a sign, or 0 where it is not sure.
MAGPIE_INLINE int sure_sign(float difference, float bound, float magnitude) {
  return std::fabs(difference) > bound * magnitude + least ? (difference > 0 ? 1 : -1) : 0;
}

/// The sign of in_circle(a, b, c, d), or 0 where it is not sure.
MAGPIE_INLINE int in_circle(point a, point b, point c, point d) {
  const float ax = static_cast<float>(a.x - d.x), ay = static_cast<float>(a.y - d.y);
  const float bx = static_cast<float>(b.x - d.x), by = static_cast<float>(b.y - d.y);
  const float cx = static_cast<float>(c.x - d.x), cy = static_cast<float>(c.y - d.y);
  const float bc = bx * cy, cb = by * cx;
  const float ca = cx * ay, ac = cy * ax;
  const float ab = ax * by, ba = ay * bx;
  const float a_lift = ax * ax + ay * ay;
  const float b_lift = bx * bx + by * by;
  const float c_lift = cx * cx + cy * cy;
  const float determinant = a_lift * (bc - cb) + b_lift * (ca - ac) + c_lift * (ab - ba);
  const float magnitude = a_lift * (std::fabs(bc) + std::fabs(cb)) + b_lift * (std::fabs(ca) + std::fabs(ac)) +
                          c_lift * (std::fabs(ab) + std::fabs(ba));
  return a_lift + b_lift + c_lift <= most ? sure_sign(determinant, in_circle_bound, magnitude) : 0;
}

/// 1 if is_bad(a, b, c, q), -1 if not, or 0 where it is not sure.
MAGPIE_INLINE int is_bad(point a, point b, point c, const quality& q) {
  const float ux = static_cast<float>(b.x - a.x), uy = static_cast<float>(b.y - a.y);
  const float vx = static_cast<float>(c.x - a.x), vy = static_cast<float>(c.y - a.y);
  const float wx = static_cast<float>(c.x - b.x), wy = static_cast<float>(c.y - b.y);
  const float uu = ux * ux + uy * uy, vv = vx * vx + vy * vy, ww = wx * wx + wy * wy;
  if (!(uu + vv + ww <= most)) return 0;
  const float left = ux * vy, right = uy * vx;
  const float area = left - right;
  const float size = std::fabs(left) + std::fabs(right);
  const float legs = uu <= vv && uu <= ww ? vv * ww : vv <= ww ? uu * ww : uu * vv;
  const float allowed = static_cast<float>(q.sine_squared) * legs;
  const int angle = sure_sign(allowed - area * area, quality_bound, size * size + allowed);
  if (angle > 0) return 1;
  const float limit = static_cast<float>(q.doubled_area);
  const int large = std::isinf(limit) ? -1 : sure_sign(area - limit, quality_bound, size + limit);
  if (large > 0) return 1;
  return angle < 0 && large < 0 ? -1 : 0;
}

}  // namespace single

/// Tests in single precision first.
struct single_search {
  MAGPIE_INLINE static double in_circle(point a, point b, point c, point d) {
    const int sign = single::in_circle(a, b, c, d);
    return sign != 0 ? sign : in_circle_if_sure(a, b, c, d);
  }
  MAGPIE_INLINE static bool is_bad(point a, point b, point c, const quality& q) {
    const int sign = single::is_bad(a, b, c, q);
    return sign != 0 ? sign > 0 : mesh::is_bad(a, b, c, q);
  }
};

}  // namespace magpie::mesh
