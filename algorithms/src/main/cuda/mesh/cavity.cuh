/// @file
/// The cavity of a point: the triangles whose circumcircles contain it, found from one of them; and the fan of new
/// triangles that fills it.
///
/// Layer: algorithm, shared by every way to synchronize. Private to one thread. `Access` says how a mesh is read, see
/// `shared_access`; `Search` which arithmetic comes first and whether the steps are noted, see `plain_search`.
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

#include <type_traits>

#include "quality.cuh"

namespace magpie::mesh {

enum class growth : u32 {
  whole,       ///< the cavity is complete
  obstructed,  ///< a fixed edge is in the way: `obstacle`
  too_large,   ///< more than `Most` triangles
  torn,        ///< the mesh changed meanwhile
  missed,      ///< rounding put the point outside of the circumcircle that it is to lie in
};

/// Triangles of a cavity that the usual kernels have room for; the few larger ones run in `refine_large`.
inline constexpr u32 usual = 24;

/// Tests in doubles first; the steps of a search are not noted.
struct plain_search {
  struct notes {};
  MAGPIE_INLINE static double in_circle(point a, point b, point c, point d) { return mesh::in_circle(a, b, c, d); }
  MAGPIE_INLINE static bool is_bad(point a, point b, point c, const quality& q) { return mesh::is_bad(a, b, c, q); }
};

/// The same, and notes the steps, for a cavity that is to be gathered again.
struct noted_search : plain_search {
  struct notes {
    u64 steps;  ///< bit i tells whether the i-th edge looked beyond led to another triangle
    u32 step;
  };
};

template <u32 Most, class Search = plain_search>
struct cavity : Search::notes {
  static constexpr bool notes_steps = !std::is_empty_v<typename Search::notes>;
  static constexpr u32 most_triangles = Most;
  static constexpr u32 most_rim = Most + 2;
  static_assert(!notes_steps || Most + most_rim <= 64, "a step is a bit");

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
    if constexpr (active_mutant == mutant::segments_read_early) return;
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
    if (!(Search::in_circle(corners[0], corners[1], corners[2], p) > 0)) return growth::missed;
    push_all();
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
    const u32 other = pick(r.link, k);
    turn(other);
    if (open) return first;
    const record next = mesh.triangle(triangle_of(other));
    if (pick(next.link, edge_of(other)) != link_of(t, k)) return growth::torn;
    return half(mesh, triangle_of(other), edge_of(other), next);
  }

  /// The cavity of `p` that an earlier search found around triangle t, or across its edge k if that is not `whole`, by the
  /// steps that it noted. Reads nothing but the cavity's triangles, which must be as they were; their links to triangles
  /// outside, and those, may have changed. Of rim edges that are not fixed `beyond` is undefined.
  template <class Access>
  MAGPIE_INLINE void again(const Access& mesh, u32 t, u32 k, point p, u64 noted) {
    reset(p);
    this->steps = noted;
    const record r = mesh.triangle(t);
    if (k == whole) {
      ids[0] = t;
      seen[0] = r;
      triangles = 1;
      push_all();
      regrow(mesh, r.corner[1]);
      return;
    }
    half_again(mesh, t, k, r);
    const u32 other = pick(r.link, k);
    turn(other);
    if (!open) half_again(mesh, triangle_of(other), edge_of(other), mesh.triangle(triangle_of(other)));
  }

 private:
  u32 depth_;
  /// Edges to look beyond: place of the triangle in `ids` << 2 | edge. The rim goes on at the top one.
  u32 stack_[most_rim];

  MAGPIE_INLINE void reset(point p) {
    at = p;
    triangles = rim = depth_ = 0;
    if constexpr (notes_steps) this->steps = this->step = 0;
    split = none;
    far = 0;
    open = false;
    obstacle = none;
    for (u32& bits : fixed) bits = 0;
  }
  MAGPIE_INLINE void push(u32 place, u32 edge) { stack_[depth_++] = place << 2 | edge; }
  MAGPIE_INLINE void push_all() {
    push(0, 2);
    push(0, 1);
    push(0, 0);
  }
  MAGPIE_INLINE void note(bool further) {
    if constexpr (notes_steps) this->steps |= u64{further} << this->step++;
  }
  /// Behind the first half of a split edge's cavity; `other` is what the edge links it to.
  MAGPIE_INLINE void turn(u32 other) {
    split = rim;
    far = triangles;
    open = other == none;
  }
  MAGPIE_INLINE void add_rim(u32 place, u32 k, u32 link, u32 behind, bool stands, u32 from, u32 to) {
    if (stands) fixed[rim / 32] |= 1u << (rim % 32);
    outer[rim] = link;
    beyond[rim] = stands ? link_of(ids[place], k) : behind;
    rim_vertex[rim] = from;
    ++rim;
    end = to;
  }
  template <class Access>
  MAGPIE_INLINE void half_again(const Access& mesh, u32 t, u32 k, const record& r) {
    if (triangles == Most || rim == most_rim) return;
    const u32 place = triangles++;
    ids[place] = t;
    seen[place] = r;
    push(place, before(k));
    push(place, after(k));
    regrow(mesh, pick(r.corner, before(k)));
  }
  /// As `grow`, by the steps noted. Stays in range also where others, against the rules, changed the triangles.
  template <class Access>
  MAGPIE_INLINE void regrow(const Access& mesh, u32 from) {
    while (depth_ > 0 && rim < most_rim) {
      const u32 top = stack_[--depth_];
      const u32 place = top >> 2;
      const u32 k = top & 3u;
      const u32 link = seen[place].link[k];
      if ((this->steps >> this->step++ & 1u) != 0 && link != none) {
        ids[triangles] = triangle_of(link);
        seen[triangles] = mesh.triangle(triangle_of(link));
        push(triangles, before(edge_of(link)));
        push(triangles, after(edge_of(link)));
        ++triangles;
        continue;
      }
      const u32 to = seen[place].corner[before(k)];
      add_rim(place, k, link, none, (seen[place].flags & fixed_bit(k)) != 0, from, to);
      from = to;
    }
  }

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
    if (active_mutant != mutant::absent_apex_missed && is_absent(apex)) return growth::torn;
    if (!(Search::in_circle(apex, mesh.vertex(pick(r.corner, after(k))), from_point, at) > 0)) return growth::missed;
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
      u32 behind = none;
      if (!stands) {
        if (link == none) return growth::torn;
        const u32 t = triangle_of(link);
        const u32 j = edge_of(link);
        const record next = mesh.triangle(t);
        behind = pick(next.corner, j);
        const point behind_point = mesh.vertex(behind);
        if (is_absent(to_point) || is_absent(behind_point)) return growth::torn;
        if ((active_mutant != mutant::cavity_short || triangles != 2) &&
            Search::in_circle(to_point, from_point, behind_point, at) > 0) {
          if (pick(next.link, j) != link_of(ids[place], k)) return growth::torn;
          if (triangles == Most) return growth::too_large;
          ids[triangles] = t;
          seen[triangles] = next;
          push(triangles, before(j));
          push(triangles, after(j));
          ++triangles;
          note(true);
          continue;
        }
      } else {
        if constexpr (Guarded && active_mutant != mutant::encroachment_ignored) {
          if (encroaches(at, from_point, to_point) || !(orient2d(from_point, to_point, at) > 0)) {
            obstacle = link_of(ids[place], k);
            return growth::obstructed;
          }
        }
      }
      if (rim == most_rim) return growth::torn;
      add_rim(place, k, link, behind, stands, from, to);
      if (active_mutant == mutant::segments_read_early && stands) beyond[rim - 1] = mesh.segment(beyond[rim - 1]);
      note(false);
      from = to;
      from_point = to_point;
    }
    return growth::whole;
  }
};

/// What `judge` found of a triangle.
enum class verdict : u32 { good, excused, bad };

/// Sets the flag and the urgency of triangle t in its record `r`, which has the rest, and calls `push(item)` if it is to be
/// mended, and for each of its fixed edges that its apex encroaches on. `p` has the corners.
template <class Search, class Access, class Push>
MAGPIE_INLINE verdict judge(const Access& mesh, u32 t, record& r, const point (&p)[3], const quality& q, Push&& push) {
  verdict found = verdict::good;
  if (Search::is_bad(p[0], p[1], p[2], q)) {
    found = verdict::bad;
    if (q.sharp != 0) {
      const u32 on[3] = {mesh.vertex_segment(r.corner[0]), mesh.vertex_segment(r.corner[1]),
                         mesh.vertex_segment(r.corner[2])};
      if (is_excused(mesh, p, on, r.flags, q)) found = verdict::excused;
    }
    if (found == verdict::bad) {
      r.flags |= bad;
      r.urgency = urgency(p[0], p[1], p[2]);
      if constexpr (active_mutant != mutant::bad_not_pushed) push(link_of(t, whole));
    }
  }
  MAGPIE_UNROLL
  for (u32 k = 0; k < 3; ++k) {
    if ((r.flags & fixed_bit(k)) != 0 && encroaches(p[k], p[after(k)], p[before(k)])) push(link_of(t, k));
  }
  return found;
}

/// Writes the fan of `vertex` into a cavity whose triangles and surroundings are this thread's: new triangle i, of
/// `c.rim`, to slot `id(i)`, which may be one of the cavity's own. `split_segment` is that of a split edge. `Judged`: calls
/// `push(item)` for every triangle and edge that now needs work; else they are left to be judged.
template <bool Judged = true, u32 Most, class Search, class Id, class Push>
MAGPIE_INLINE void fill(const view& m, const cavity<Most, Search>& c, u32 split_segment, u32 vertex, const quality& q,
                        Id&& id, Push&& push) {
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
    if constexpr (Judged) judge<Search>(mesh, t, r, {c.at, a, b}, q, push);
    if (active_mutant == mutant::record_flipped && i == 0) {
      r.corner[1] = r.corner[2];
      r.corner[2] = c.rim_vertex[i];
    }
    m.store(t, r);
    if (c.outer[i] != none && active_mutant != mutant::link_not_updated) st_rlx_dev(m.link(c.outer[i]), link_of(t, 0));
    if ((r.flags & fixed_bit(0)) != 0) st_rlx_dev(m.segment(link_of(t, 0)), c.beyond[i]);
    if ((r.flags & fixed_bit(1)) != 0) st_rlx_dev(m.segment(link_of(t, 1)), split_segment);
    if ((r.flags & fixed_bit(2)) != 0) st_rlx_dev(m.segment(link_of(t, 2)), split_segment);
  }
}

/// Most items that one `fill` pushes, and one more.
template <u32 Most>
inline constexpr u32 most_pushes = 2 * (Most + 2) + 5;

}  // namespace magpie::mesh
