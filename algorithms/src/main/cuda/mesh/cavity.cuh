/// @file
/// The cavity of a point: the triangles whose circumcircles contain it, found from one of them; and the fan of new
/// triangles that fills it.
///
/// Layer: algorithm, shared by every way to synchronize. Private to one thread. `Access` says how a mesh is read, see
/// `shared_access`.
///
/// Method: Bowyer and Watson, depth first, over edges that are not fixed. The triangles of a cavity form a tree, as there
/// is no vertex inside, so that the edges of its rim come out in counter-clockwise order and new triangle i, between the
/// point and rim edge i, has new triangles i - 1 and i + 1 beside it. In-circle tests are exact: in a constrained
/// Delaunay triangulation every rim edge then has the point strictly on its left, fixed ones excepted, which are
/// tested: a point that lies beyond one, on it, or inside its diametral circle is not inserted (Ruppert 1995).
///
/// A vertex that was just inserted may be named by a triangle before its position can be seen. Positions that were not
/// written yet are NaN, each word is written once, and a search that meets one is torn.
///
/// Reading a mesh that others change is allowed: what is found may then be nonsense, but every index stays in range, and
/// the search ends: each step consumes an edge, and edges come with triangles, at most `Most`.
#pragma once

#include "quality.cuh"

namespace magpie::mesh {

enum class growth : u32 {
  whole,       ///< the cavity is complete
  obstructed,  ///< a fixed edge is in the way: `obstacle`
  too_large,   ///< more than `Most` triangles
  torn,        ///< the mesh changed meanwhile
  missed,      ///< rounding put the point outside of the circumcircle that it is to lie in
};

template <u32 Most>
struct cavity {
  static constexpr u32 most_triangles = Most;
  static constexpr u32 most_rim = Most + 2;

  u32 triangles;
  u32 rim;       ///< edges
  u32 split;     ///< rim edge at which the second half of a split edge's cavity begins; `none` = no edge is split
  u32 far;       ///< its first triangle's place in `ids`
  bool open;     ///< the split edge lies on the boundary: the fan does not close
  u32 obstacle;  ///< link to a fixed edge, as seen from the cavity
  u32 end;       ///< second vertex of the last rim edge
  point at;
  // Small on purpose: these arrays lie in a thread's local memory, whose traffic bounds the kernels.
  u32 ids[Most];
  record seen[Most];                ///< as read
  u32 outer[most_rim];              ///< link to what lies beyond rim edge i
  u32 beyond[most_rim];             ///< the corner seen there; of a fixed edge its link from inside, then its segment
  u32 rim_vertex[most_rim];         ///< first vertex of rim edge i
  u32 fixed[(most_rim + 31) / 32];  ///< a bit for each rim edge

  MAGPIE_INLINE bool is_fixed(u32 i) const { return (fixed[i / 32] >> (i % 32) & 1u) != 0; }
  /// Before `fill`, once nobody else can change the cavity: looks up the segments of the fixed rim edges.
  template <class Access>
  MAGPIE_INLINE void read_segments(const Access& mesh) {
    for (u32 i = 0; i < rim; ++i) {
      if (is_fixed(i)) beyond[i] = mesh.segment(beyond[i]);
    }
  }
  /// Second vertex of rim edge i.
  MAGPIE_INLINE u32 vertex_after(u32 i) const { return i + 1 < rim ? rim_vertex[i + 1] : end; }

  /// The cavity of `p` around triangle `t`, whose circumcircle contains p; else it is `missed`, and no more than t.
  /// `Guarded`: fixed edges on which p encroaches are obstacles.
  template <bool Guarded, class Access>
  MAGPIE_INLINE growth around(const Access& mesh, u32 t, const record& r, const point (&corners)[3], point p) {
    reset(p);
    ids[0] = t;
    seen[0] = r;
    triangles = 1;
    if (!(in_circle(corners[0], corners[1], corners[2], p) > 0)) return growth::missed;
    push(0, 2);
    push(0, 1);
    push(0, 0);
    return grow<Guarded>(mesh, r.corner[1], corners[1]);
  }

  /// Puts another triangle among those that were seen; false if there is no room.
  MAGPIE_INLINE bool add(u32 t, const record& r) {
    if (triangles == Most) return false;
    ids[triangles] = t;
    seen[triangles++] = r;
    return true;
  }

  /// The cavity of `p`, a point that divides edge k of triangle t, fixed, on both of its sides. It must lie in the
  /// circumcircles of both triangles there, or is `missed`.
  template <class Access>
  MAGPIE_INLINE growth across(const Access& mesh, u32 t, u32 k, const record& r, point p) {
    reset(p);
    const growth first = half(mesh, t, k, r);
    if (first != growth::whole) return first;
    split = rim;
    far = triangles;
    const u32 other = pick(r.link, k);
    open = other == none;
    if (open) return first;
    const record next = mesh.triangle(triangle_of(other));
    if (pick(next.link, edge_of(other)) != link_of(t, k)) return growth::torn;
    return half(mesh, triangle_of(other), edge_of(other), next);
  }

 private:
  u32 depth_;
  /// Edges to look beyond: place of the triangle in `ids` << 2 | edge. The rim goes on at the top one.
  u32 stack_[most_rim];

  MAGPIE_INLINE void reset(point p) {
    at = p;
    triangles = rim = depth_ = 0;
    split = none;
    far = 0;
    open = false;
    obstacle = none;
    for (u32& bits : fixed) bits = 0;
  }
  MAGPIE_INLINE void push(u32 place, u32 edge) { stack_[depth_++] = place << 2 | edge; }

  /// Triangle t, without its edge k, and what belongs to it.
  template <class Access>
  MAGPIE_INLINE growth half(const Access& mesh, u32 t, u32 k, const record& r) {
    if (triangles == Most) return growth::too_large;
    const u32 place = triangles++;
    ids[place] = t;
    seen[place] = r;
    push(place, before(k));
    push(place, after(k));
    const u32 from = pick(r.corner, before(k));
    const point from_point = mesh.vertex(from);
    const point apex = mesh.vertex(pick(r.corner, k));
    if (is_absent(apex)) return growth::torn;
    if (!(in_circle(apex, mesh.vertex(pick(r.corner, after(k))), from_point, at) > 0)) return growth::missed;
    return grow<false>(mesh, from, from_point);
  }

  /// Consumes the stack, whose top edge begins at `from`; each later one begins where the rim has got to. `Guarded`: fixed
  /// edges are obstacles where the point would encroach on them.
  template <bool Guarded, class Access>
  MAGPIE_INLINE growth grow(const Access& mesh, u32 from, point from_point) {
    while (depth_ > 0) {
      const u32 top = stack_[--depth_];
      const u32 place = top >> 2;
      const u32 k = top & 3u;
      const u32 link = seen[place].link[k];
      const u32 to = seen[place].corner[before(k)];
      const bool stands = (seen[place].flags & fixed_bit(k)) != 0;
      const point to_point = mesh.vertex(to);
      u32 behind;
      if (!stands) {
        if (link == none) return growth::torn;
        const u32 t = triangle_of(link);
        const u32 j = edge_of(link);
        const record next = mesh.triangle(t);
        behind = pick(next.corner, j);
        const point behind_point = mesh.vertex(behind);
        if (is_absent(to_point) || is_absent(behind_point)) return growth::torn;
        if ((active_mutant != mutant::cavity_short || triangles != 2) &&
            in_circle(to_point, from_point, behind_point, at) > 0) {
          if (pick(next.link, j) != link_of(ids[place], k)) return growth::torn;
          if (triangles == Most) return growth::too_large;
          ids[triangles] = t;
          seen[triangles] = next;
          push(triangles, before(j));
          push(triangles, after(j));
          ++triangles;
          continue;
        }
      } else {
        if constexpr (Guarded && active_mutant != mutant::encroachment_ignored) {
          if (encroaches(at, from_point, to_point) || !(orient2d(from_point, to_point, at) > 0)) {
            obstacle = link_of(ids[place], k);
            return growth::obstructed;
          }
        }
        behind = link_of(ids[place], k);
        fixed[rim / 32] |= 1u << (rim % 32);
      }
      if (rim == most_rim) return growth::torn;
      outer[rim] = link;
      beyond[rim] = behind;
      rim_vertex[rim] = from;
      ++rim;
      end = to;
      from = to;
      from_point = to_point;
    }
    return growth::whole;
  }
};

/// Writes the fan of `vertex` into a cavity whose triangles and surroundings are this thread's: new triangle i, of
/// `c.rim`, to slot `id(i)`, of which the first `c.triangles` are the cavity's own. `split_segment` is that of a split
/// edge. Calls `push(item)` for every triangle and edge that now needs work.
template <u32 Most, class Id, class Push>
MAGPIE_INLINE void fill(const view& m, const cavity<Most>& c, u32 split_segment, u32 vertex, const quality& q, Id&& id,
                        Push&& push) {
  const shared_access mesh{m};
  if constexpr (active_mutant == mutant::wrong_segment) split_segment = split_segment == 0 ? 1 : split_segment - 1;
  const u32 n = c.rim;
  const u32 vertex_segment = c.split == none ? free_vertex : split_segment;
  m.place(vertex, c.at);
  st_rlx_dev(m.vertex_segment + vertex, vertex_segment);
  point a = m.position(c.rim_vertex[0]);
  point b = a;
  for (u32 i = 0; i < n; ++i, a = b) {
    b = m.position(c.vertex_after(i));
    const u32 t = id(i);
    // Regions of the domain are bounded by fixed edges: the whole cavity lies in one, or each half does.
    const u32 region = c.seen[c.split != none && i >= c.split ? c.far : 0].flags >> region_shift;
    record r{{vertex, c.rim_vertex[i], c.vertex_after(i)},
             region << region_shift | live | (c.is_fixed(i) ? fixed_bit(0) : 0u),
             {c.outer[i], c.open ? none : link_of(id(0), 2), c.open ? none : link_of(id(n - 1), 1)},
             0};
    if (i + 1 < n) r.link[1] = link_of(id(i + 1), 2);
    if (i > 0) r.link[2] = link_of(id(i - 1), 1);
    if constexpr (active_mutant == mutant::fan_reversed) {
      const u32 next = r.link[1];
      r.link[1] = r.link[2];
      r.link[2] = next;
    }
    if (c.split != none) {
      if (i + 1 == n || i + 1 == c.split) r.flags |= fixed_bit(1);
      if (i == 0 || i == c.split) r.flags |= fixed_bit(2);
    }
    if (is_bad(c.at, a, b, q)) {
      bool excused = false;
      if (q.sharp != 0) {
        const u32 on[3] = {vertex_segment, mesh.vertex_segment(r.corner[1]), mesh.vertex_segment(r.corner[2])};
        excused = is_excused(mesh, {c.at, a, b}, on, r.flags, q);
      }
      if (!excused) {
        r.flags |= bad;
        r.urgency = urgency(c.at, a, b);
        if constexpr (active_mutant != mutant::bad_not_pushed) push(link_of(t, whole));
      }
    }
    if (active_mutant == mutant::record_flipped && i == 0) {
      r.corner[1] = r.corner[2];
      r.corner[2] = c.rim_vertex[i];
    }
    m.store(t, r);
    if (c.outer[i] != none && active_mutant != mutant::link_not_updated) st_rlx_dev(m.link(c.outer[i]), link_of(t, 0));
    if ((r.flags & fixed_bit(0)) != 0) {
      st_rlx_dev(m.segment(link_of(t, 0)), c.beyond[i]);
      if (encroaches(c.at, a, b)) push(link_of(t, 0));
    }
    if ((r.flags & fixed_bit(1)) != 0) {
      st_rlx_dev(m.segment(link_of(t, 1)), split_segment);
      if (encroaches(a, b, c.at)) push(link_of(t, 1));
    }
    if ((r.flags & fixed_bit(2)) != 0) {
      st_rlx_dev(m.segment(link_of(t, 2)), split_segment);
      if (encroaches(b, c.at, a)) push(link_of(t, 2));
    }
  }
}

/// Most items that one `fill` pushes, and one more.
template <u32 Most>
inline constexpr u32 most_pushes = 2 * (Most + 2) + 5;

}  // namespace magpie::mesh
