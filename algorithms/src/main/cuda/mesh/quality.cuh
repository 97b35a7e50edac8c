/// @file
/// When a triangle is bad, which are excused, and which point mends one.
///
/// Layer: algorithm; pure functions. Sources: Ruppert, "A Delaunay refinement algorithm for quality 2-dimensional mesh
/// generation" (1995); Üngör, "Off-centers: a new type of Steiner points" (2009); Miller, Pav and Walkington, "When and
/// why Delaunay refinement algorithms work" (2005), for small angles of the input. Rounding here decides which vertices
/// are inserted, never whether the mesh is valid.
///
/// Range: differences of coordinates are 0 or of magnitude 1e-70 to 1e70.
#pragma once

#include "mesh.cuh"

namespace magpie::mesh {

/// What is asked of every triangle.
struct quality {
  double sine_squared;  ///< of the least angle allowed
  double off_center;    ///< height of an off-center over its edge, in lengths of the edge; 0 = circumcenters only
  double doubled_area;  ///< twice the largest area allowed; infinite = any
  u32 sharp;            ///< 1: the input has angles below 60 degrees between segments
  u32 kept;             ///< which fixed edges are never split: 0 none, 1 those of the boundary, 2 all
  /// Of each region of the domain twice the largest area allowed there, at most `doubled_area`, ascending; empty: that in
  /// all of them.
  array<const double> areas;
};

/// A mesh and what is asked of it: the last fields of every kernel that refines.
struct mesh_arguments {
  array<u32> triangles;
  array<double> points;
  array<u32> vertex_segment;
  array<u32> edge_segment;
  array<u32> segment_ends;
  quality asked;

  MAGPIE_INLINE view arrays() const {
    return {reinterpret_cast<word_pair*>(triangles.data), reinterpret_cast<word_pair*>(points.data),
            vertex_segment.data, edge_segment.data, segment_ends.data};
  }
};

MAGPIE_INLINE point operator-(point a, point b) { return {a.x - b.x, a.y - b.y}; }
MAGPIE_INLINE double dot(point a, point b) { return a.x * b.x + a.y * b.y; }
MAGPIE_INLINE double cross(point a, point b) { return a.x * b.y - a.y * b.x; }

/// Squares of a triangle's edges, each opposite the corner of its name.
struct edge_squares {
  double a, b, c;
  MAGPIE_INLINE edge_squares(point pa, point pb, point pc)
      : a(dot(pc - pb, pc - pb)), b(dot(pa - pc, pa - pc)), c(dot(pb - pa, pb - pa)) {}
  /// The corner opposite the shortest edge, where the least angle is.
  MAGPIE_INLINE u32 least() const { return a < b ? (a < c ? 0u : 2u) : (b < c ? 1u : 2u); }
};

/// What is asked of the triangles of a region of the domain.
MAGPIE_INLINE quality in_region(quality q, u32 region) {
  if (q.areas.size() != 0) q.doubled_area = ld_plain(&q.areas[region]);
  return q;
}

MAGPIE_INLINE bool is_large(point a, point b, point c, const quality& q) {
  return cross(b - a, c - a) > q.doubled_area;
}

/// Whether the least angle or the area is out of bounds.
MAGPIE_INLINE bool is_bad(point a, point b, point c, const quality& q) {
  const edge_squares square(a, b, c);
  const u32 least = square.least();
  const double legs = least == 0 ? square.b * square.c : least == 1 ? square.c * square.a : square.a * square.b;
  const double area = cross(b - a, c - a);
  return area * area < q.sine_squared * legs || is_large(a, b, c, q);
}

/// What orders the work, least first: the upper half of the square of the shortest edge, as a number. Triangles with the
/// shortest edges go first: mending them saves others, whose edges would only be made shorter (Shewchuk's Triangle).
MAGPIE_INLINE u32 urgency(point a, point b, point c) {
  const edge_squares square(a, b, c);
  const u32 least = square.least();
  const double shortest = least == 0 ? square.a : least == 1 ? square.b : square.c;
  return static_cast<u32>(__builtin_bit_cast(u64, shortest) >> 32);
}

/// The larger magnitude of a point's coordinates.
MAGPIE_INLINE double size(point a) {
  const double x = std::fabs(a.x);
  const double y = std::fabs(a.y);
  return x > y ? x : y;
}

/// The largest magnitude of a coordinate of the input; inserted points stay within twice as much.
inline constexpr double farthest = exact::largest / 2;

/// The point with coordinates that exact predicates are too coarse for, mostly rounding errors, set to 0.
MAGPIE_INLINE point without_specks(point p) {
  return {std::fabs(p.x) < exact::smallest ? 0 : p.x, std::fabs(p.y) < exact::smallest ? 0 : p.y};
}

/// Where to insert a vertex for the counter-clockwise triangle a b c: its circumcenter, or the off-center of its shortest
/// edge if that is nearer to it.
MAGPIE_INLINE point mending_point(point a, point b, point c, const quality& q) {
  // Turn the triangle so that a b is its shortest edge.
  const u32 least = edge_squares(a, b, c).least();
  const point first = least == 2 ? a : least == 0 ? b : c;
  const point second = least == 2 ? b : least == 0 ? c : a;
  const point third = least == 2 ? c : least == 0 ? a : b;
  const point u = second - first;
  const point v = third - first;
  const double uu = dot(u, u);
  const double vv = dot(v, v);
  const double scale = 0.5 / cross(u, v);
  point center{(v.y * uu - u.y * vv) * scale, (u.x * vv - v.x * uu) * scale};
  const point off{0.5 * u.x - q.off_center * u.y, 0.5 * u.y + q.off_center * u.x};
  // Also if the center is not a number, as of a triangle whose area rounds to 0.
  if (q.off_center > 0 && !(dot(off, off) >= dot(center, center))) center = off;
  // One that is out of range lies outside of the domain, and so does another one on the way there.
  const double reach = size(center);
  if (reach > farthest) center = {center.x * (farthest / reach), center.y * (farthest / reach)};
  return without_specks({first.x + center.x, first.y + center.y});
}

/// Whether an edge between these two is too short to mend anything at: one unit in the last place of their coordinates,
/// or two at the most. Its middle would be one of its ends.
MAGPIE_INLINE bool too_near(point a, point b) {
  const double least = 0x1p-53 * (size(a) + size(b));
  return dot(b - a, b - a) < least * least;
}

/// Whether p lies inside the circle that has a b as its diameter.
MAGPIE_INLINE bool encroaches(point p, point a, point b) { return dot(a - p, b - p) < 0; }

/// Whether a fixed edge is never split, given what lies beyond it.
MAGPIE_INLINE bool is_kept(u32 link, const quality& q) {
  return !breaks(mutant::kept_split) && q.kept > (link == none ? 0u : 1u);
}

/// Whether the triangle of p and an edge a b that is never split, on whose left p lies, would be worse than none: whether its
/// angle at p leaves less than the least one allowed to one of the others. (Triangle's diametral lenses.)
MAGPIE_INLINE bool spoils(point p, point a, point b, const quality& q) {
  const point u = a - p;
  const point v = b - p;
  const double cosine = dot(u, v);
  const double least = 1 - 2 * q.sine_squared;
  return cosine < 0 && cosine * cosine > least * least * dot(u, u) * dot(v, v);
}

/// Whether a bad triangle is left as it is for a small angle of the input, below 60 degrees between two segments:
/// - its least angle is that angle, between two fixed edges at an input vertex; no other triangulation has a larger one
///   there (Shewchuk, "Delaunay refinement algorithms for triangular mesh generation", 2002);
/// - or its shortest edge joins two vertices that were inserted on the two segments, equally far from where these meet,
///   to a part in a million (Miller, Pav and Walkington; so does Shewchuk's Triangle): to split it would repeat the
///   situation at a smaller scale, without end.
/// A triangle that is too large is never left. `on` has the corners' entries of `vertex_segment`.
template <class Access>
MAGPIE_INLINE bool is_excused(const Access& mesh, const point (&p)[3], const u32 (&on)[3], u32 flags,
                              const quality& q) {
  if (is_large(p[0], p[1], p[2], q)) return false;
  const u32 k = edge_squares(p[0], p[1], p[2]).least();
  const u32 i = after(k);
  const u32 j = before(k);
  if (on[k] == corner_vertex && (flags & fixed_bit(i)) != 0 && (flags & fixed_bit(j)) != 0) return true;
  if (on[i] >= most_segments || on[j] >= most_segments || on[i] == on[j]) return false;
  for (u32 end = 0; end < 2; ++end) {
    const u32 shared = mesh.segment_end(on[i], end);
    const bool starts = shared == mesh.segment_end(on[j], 0);
    if (!starts && shared != mesh.segment_end(on[j], 1)) continue;
    const point at = mesh.vertex(shared);
    const point u = mesh.vertex(mesh.segment_end(on[i], 1 - end)) - at;
    const point v = mesh.vertex(mesh.segment_end(on[j], starts ? 1 : 0)) - at;
    const double cosine = dot(u, v);
    const double near = dot(p[i] - at, p[i] - at);
    const double away = dot(p[j] - at, p[j] - at);
    // Below 60 degrees, and the distances agree to less than a part in a million.
    if (cosine > 0 && 4 * cosine * cosine > dot(u, u) * dot(v, v) && near < away * (1 + 1.9e-6) &&
        away < near * (1 + 1.9e-6)) {
      return true;
    }
  }
  return false;
}

}  // namespace magpie::mesh
