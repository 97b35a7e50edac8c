/// @file
/// The cavity of a point: the triangles whose circumcircles contain it, found from one of them; and the fan of new
/// triangles that fills it.
///
/// Layer: algorithm, shared by every way to synchronize. Private to one thread. `Access` says how a mesh is read, see
/// `shared_access`; `Search` which arithmetic comes first, see `plain_search`.
///
/// Method: Bowyer and Watson, depth first, over edges that are not fixed. The triangles of a cavity form a tree, as there
/// is no vertex inside, so that the edges of its rim come out in counter-clockwise order and new triangle i, between the
/// point and rim edge i, has new triangles i - 1 and i + 1 next to it. In-circle tests are exact: in a constrained
/// Delaunay triangulation every rim edge then has the point strictly on its left, fixed ones excepted, which are
/// tested: a point that lies beyond one, on it, or inside its diametral circle is not inserted (Ruppert 1995). Nor is one
/// beyond an edge that is never split, on it, or so near to it that it `spoils` the triangle there.
///
/// A vertex that was just inserted may be named by a triangle before its position can be seen. Positions that were not
/// written yet are NaN, each word is written once, and a search that meets one is torn.
///
/// Reading a mesh that others change is allowed: what is found may then be nonsense, but every index stays in range, and
/// the search ends: each step consumes an edge, and edges come with triangles, of which there is room for so many.
#pragma once

#include "quality.cuh"

namespace magpie::mesh {

enum class growth : u32 {
  whole,       ///< the cavity is complete
  obstructed,  ///< a fixed edge is in the way: `obstacle`
  kept,        ///< a fixed edge that is never split is in the way
  too_large,   ///< more triangles than there is room for
  torn,        ///< the mesh changed meanwhile
  missed,      ///< rounding put the point outside of the circumcircle that it is to lie in
  unsure,      ///< a test needs exact arithmetic
  incomplete,  ///< within a search only
};

/// Triangles of a cavity that the usual kernels have room for; the few larger ones run in `refine_large`.
inline constexpr u32 usual = 24;
MAGPIE_CONSTANT(usual)

/// In place of a number of triangles: as many as the memory holds that the cavity was `lent`.
inline constexpr u32 lent_memory = 0;

/// Words that a cavity of so many triangles is lent; a multiple of the 4 to which they are aligned.
MAGPIE_INLINE constexpr u64 lent_words(u64 triangles) {
  return (9 * triangles + 6 * (triangles + 2) + (triangles + 2 + 31) / 32 + 3) / 4 * 4;
}
MAGPIE_CONSTANT(lent_words(1000))

/// Whether tests that doubles do not decide are left `unsure`, or decided exactly. A call of exact arithmetic costs the
/// code around it registers, also where it is not made; so most searches are made without, and few again.
enum class arithmetic { doubles, exact };

/// Tests in doubles.
struct plain_search {
  MAGPIE_INLINE static double in_circle(point a, point b, point c, point d) { return in_circle_if_sure(a, b, c, d); }
  MAGPIE_INLINE static bool is_bad(point a, point b, point c, const quality& q) { return mesh::is_bad(a, b, c, q); }
};

/// Of a cavity in lent memory: how many triangles that holds.
template <u32 Most>
struct cavity_size {
  static constexpr u32 capacity = Most;
};
template <>
struct cavity_size<lent_memory> {
  u32 capacity;
};

/// Of at most `Most` triangles, or in `lent_memory`. `Shared`: others change the mesh during the search; what was seen is
/// kept.
template <u32 Most, class Search = plain_search, bool Shared = false>
struct cavity : cavity_size<Most> {
  template <class T, u32 Length>
  using places = std::conditional_t<Most == lent_memory, T*, T[(Length > 0 ? Length : 1)]>;

  MAGPIE_INLINE u32 most_triangles() const { return this->capacity; }
  MAGPIE_INLINE u32 most_rim() const { return most_triangles() + 2; }

  u32 triangles;
  u32 rim;         ///< edges
  u32 split;       ///< rim edge at which the second half of a split edge's cavity begins; `none` = no edge is split
  bool open;       ///< the split edge lies on the boundary: the fan does not close
  u32 obstacle;    ///< link to a fixed edge, as seen from the cavity
  u32 end;         ///< second vertex of the last rim edge
  u32 regions[2];  ///< the last region that a triangle of the cavity lies in; of a split edge's, in its second half
  point at;
  // Small on purpose: these arrays lie in a thread's local memory, whose traffic bounds the kernels.
  places<u32, Most> ids;                   ///< in the order of the search
  places<record, Shared ? Most : 1> seen;  ///< those, as read
  places<u32, Most + 2> outer;             ///< link to what lies beyond rim edge i
  places<u32, Most + 2> beyond;      ///< the corner seen there; of a fixed edge its link from inside, then its segment
  places<u32, Most + 2> rim_vertex;  ///< first vertex of rim edge i
  places<u32, (Most + 2 + 31) / 32> fixed;  ///< a bit for each rim edge

  /// Takes the memory for `most` triangles, `lent_words` of them, that nobody else uses.
  MAGPIE_INLINE void lend(u32* words, u32 most) requires(Most == lent_memory && Shared) {
    this->capacity = most;
    const auto take = [&](u64 count) {
      u32* const taken = words;
      words += count;
      return taken;
    };
    seen = reinterpret_cast<record*>(take(8 * u64{most}));
    ids = take(most);
    outer = take(u64{most} + 2);
    beyond = take(u64{most} + 2);
    rim_vertex = take(u64{most} + 2);
    stack_ = reinterpret_cast<side*>(take(3 * (u64{most} + 2)));
    fixed = take((u64{most} + 2 + 31) / 32);
  }

  MAGPIE_INLINE bool is_fixed(u32 i) const { return (fixed[i / 32] >> (i % 32) & 1u) != 0; }
  /// Whether a fixed edge is on the rim.
  MAGPIE_INLINE bool meets_fixed() const {
    for (u32 i = 0; i < rim; ++i) {
      if (is_fixed(i)) return true;
    }
    return false;
  }
  /// Before `fill`, once nobody else can change the cavity: looks up the segments of the fixed rim edges.
  template <class Access>
  MAGPIE_INLINE void read_segments(const Access& mesh) {
    if (breaks(mutant::segments_read_early)) return;
    for (u32 i = 0; i < rim; ++i) {
      if (is_fixed(i)) beyond[i] = mesh.segment(beyond[i]);
    }
  }
  /// Second vertex of rim edge i.
  MAGPIE_INLINE u32 vertex_after(u32 i) const { return i + 1 < rim ? rim_vertex[i + 1] : end; }
  /// The region that the new triangle at rim edge i lies in.
  MAGPIE_INLINE u32 region_at(u32 i) const { return split != none && i >= split ? regions[1] : regions[0]; }

  /// The cavity of nothing: triangle t alone, for what was looked at there.
  MAGPIE_INLINE void only(u32 t, const record& r) {
    triangles = rim = 0;
    add(t, r);
  }

  /// Begins the cavity of `p` at triangle `t`, in whose circumcircle it must lie, or it is `missed`: for `grow_around`.
  template <arithmetic By>
  MAGPIE_INLINE growth begin(u32 t, const record& r, const point (&corners)[3], point p) {
    reset(p);
    add(t, r);
    regions[0] = r.flags >> region_shift;
    const double side = side_of_circle<By>(corners[0], corners[1], corners[2]);
    if (By == arithmetic::doubles && side != side) return growth::unsure;
    if (!(side > 0)) return growth::missed;
    push(side_of(r, t, 2));
    push(side_of(r, t, 1));
    return growth::whole;
  }

  /// The rest of a cavity that began at triangle `t`; fixed edges on which its point encroaches are obstacles. Called by
  /// all of `lanes`; does nothing, and its result means nothing, unless `begun`.
  template <arithmetic By, class Access, class Lanes>
  MAGPIE_INLINE growth grow_around(const Access& mesh, const Lanes& lanes, bool begun, u32 t, const record& r,
                                   const point (&corners)[3], const quality& q) {
    return grow<true, By>(mesh, lanes, begun, side_of(r, t, 0), r.corner[1], corners[1], q);
  }

  /// Puts another triangle among those that were looked at; false if there is no room.
  MAGPIE_INLINE bool add(u32 t, const record& r) {
    if (triangles == most_triangles()) return false;
    ids[triangles] = t;
    if constexpr (Shared) seen[triangles] = r;
    ++triangles;
    return true;
  }

  /// The cavity of `p`, a point that divides edge k of triangle t, fixed, on both of its sides. It must lie in the
  /// circumcircles of both triangles there, or is `missed`. In exact arithmetic.
  template <class Access>
  MAGPIE_INLINE growth across(const Access& mesh, u32 t, u32 k, const record& r, point p) {
    reset(p);
    const growth first = half(mesh, t, k, r, 0);
    if (first != growth::whole) return first;
    const u32 other = pick(r.link, k);
    turn(other);
    if (open) return first;
    const record next = mesh.triangle(triangle_of(other));
    if (pick(next.link, edge_of(other)) != link_of(t, k)) return growth::torn;
    return half(mesh, triangle_of(other), edge_of(other), next, 1);
  }

  /// Makes the cavity of `p` again, which an earlier search found from `start`, around that triangle or across that edge, of
  /// the `n` triangles `id(0)` .. `id(n - 1)` in its order. These must be as they were, those around may have changed;
  /// `beyond` of rim edges that are not fixed is undefined.
  ///
  /// An edge leads on if the next triangle lies beyond it, else it is one of the rim. Each triangle is read while the one
  /// before is looked at. Ends, and stays in range, also where others, against the rules, changed the triangles.
  template <class Access, class Id>
  MAGPIE_INLINE void again(const Access& mesh, u32 start, point p, u32 n, Id&& id) {
    reset(p);
    for (u32 i = 0; i < n; ++i) ids[i] = id(i);
    record ahead = mesh.triangle(ids[0]);
    // The next one of `ids` joins the cavity.
    const auto advance = [&] {
      const record now = ahead;
      if (++triangles < n) ahead = mesh.triangle(ids[triangles]);
      return now;
    };
    for (u32 half = 0; triangles < n; ++half) {
      const u32 t = triangle_of(start);
      const u32 k = edge_of(start);
      const record first = advance();
      u32 region = first.flags >> region_shift;
      if (k == whole) push(side_of(first, t, 2));
      push(side_of(first, t, k == whole ? 1 : before(k)));
      side e = side_of(first, t, k == whole ? 0 : after(k));
      u32 from = pick(first.corner, k == whole ? 1 : before(k));
      while (true) {
        if (triangles < n && !e.stands() && e.link != none && triangle_of(e.link) == ids[triangles]) {
          const u32 next = ids[triangles];
          const u32 j = edge_of(e.link);
          const record r = advance();
          region = later(region, r);
          push(side_of(r, next, before(j)));
          e = side_of(r, next, after(j));
          continue;
        }
        add_rim(e, none, from);
        if (depth_ == 0) break;
        from = e.to();
        e = stack_[--depth_];
      }
      regions[half] = region;
      if (k == whole || half == 1) return;
      start = pick(first.link, k);
      turn(start);
      if (start == none) return;
    }
  }

 private:
  /// An edge of a triangle of the cavity, seen from there.
  struct side {
    u32 link;    ///< what lies beyond
    u32 inside;  ///< the edge itself
    u32 second;  ///< its second vertex, and whether it is fixed, in the top bit
    MAGPIE_INLINE u32 to() const { return second & ~(1u << 31); }
    MAGPIE_INLINE bool stands() const { return second >> 31 != 0; }
  };

  u32 depth_;
  places<side, Most + 2> stack_;  ///< edges to look beyond; the rim goes on at the top one

  MAGPIE_INLINE void reset(point p) {
    at = p;
    triangles = rim = depth_ = 0;
    split = none;
    open = false;
    obstacle = none;
    if constexpr (Most != lent_memory) {  // which may be much more than is used: add_rim
      for (u32 i = 0; i < (most_rim() + 31) / 32; ++i) fixed[i] = 0;
    }
  }
  /// Edge k of triangle t.
  MAGPIE_INLINE static side side_of(const record& r, u32 t, u32 k) {
    return {pick(r.link, k), link_of(t, k), pick(r.corner, before(k)) | (r.flags >> k & 1u) << 31};
  }
  /// The later of a region and that of a triangle.
  MAGPIE_INLINE static u32 later(u32 region, const record& r) {
    const u32 other = r.flags >> region_shift;
    return region < other ? other : region;
  }
  MAGPIE_INLINE void push(const side& e) { stack_[depth_++] = e; }
  /// On which side of the circle through a, b, c the point lies, see `in_circle`; NaN where doubles do not tell.
  template <arithmetic By>
  MAGPIE_INLINE double side_of_circle(point a, point b, point c) const {
    const double side = Search::in_circle(a, b, c, at);
    return By == arithmetic::doubles || side == side ? side : exact::in_circle(a, b, c, at);
  }
  /// Behind the first half of a split edge's cavity; `other` is what the edge links it to.
  MAGPIE_INLINE void turn(u32 other) {
    split = rim;
    open = other == none;
  }
  MAGPIE_INLINE void add_rim(const side& e, u32 behind, u32 from) {
    if (Most == lent_memory && rim % 32 == 0) fixed[rim / 32] = 0;
    if (e.stands()) fixed[rim / 32] |= 1u << (rim % 32);
    outer[rim] = e.link;
    beyond[rim] = e.stands() ? e.inside : behind;
    rim_vertex[rim] = from;
    ++rim;
    end = e.to();
  }

  /// Triangle t, without its edge k, and what belongs to it.
  template <class Access>
  MAGPIE_INLINE growth half(const Access& mesh, u32 t, u32 k, const record& r, u32 which) {
    if (!add(t, r)) return growth::too_large;
    regions[which] = r.flags >> region_shift;
    push(side_of(r, t, before(k)));
    const u32 from = pick(r.corner, before(k));
    const point from_point = mesh.vertex(from);
    const point to_point = mesh.vertex(pick(r.corner, after(k)));
    const point apex = mesh.vertex(pick(r.corner, k));
    if (is_absent(from_point) || is_absent(to_point) || is_absent(apex)) return growth::torn;
    if (!(side_of_circle<arithmetic::exact>(apex, to_point, from_point) > 0)) return growth::missed;
    return grow<false, arithmetic::exact>(mesh, single_lane{}, true, side_of(r, t, after(k)), from, from_point, {});
  }

  /// Consumes the edge `e`, which begins at `from`, and the stack; each later edge begins where the rim now ends.
  /// `Guarded`: fixed edges are obstacles where the point would encroach on them; only then `q` means anything.
  ///
  /// All of `lanes` go through the loop together, those that are not `running` too, so that they step together.
  template <bool Guarded, arithmetic By, class Access, class Lanes>
  MAGPIE_INLINE growth grow(const Access& mesh, const Lanes& lanes, bool running, side e, u32 from, point from_point,
                            const quality& q) {
    growth found = running ? growth::incomplete : growth::whole;
    while (lanes.any(found == growth::incomplete)) {
      if (found == growth::incomplete) found = look_beyond<Guarded, By>(mesh, e, from, from_point, q);
    }
    return found;
  }

  /// One step of it: to the triangle beyond e, or to the next edge on the stack. `incomplete` if it goes on.
  template <bool Guarded, arithmetic By, class Access>
  MAGPIE_INLINE growth look_beyond(const Access& mesh, side& e, u32& from, point& from_point, const quality& q) {
    const point to_point = mesh.vertex(e.to());
    if (is_absent(to_point)) return growth::torn;
    u32 behind = none;
    if (!e.stands()) {
      if (e.link == none) return growth::torn;
      const u32 t = triangle_of(e.link);
      const u32 j = edge_of(e.link);
      const record next = mesh.triangle(t);
      behind = pick(next.corner, j);
      const point behind_point = mesh.vertex(behind);
      if (is_absent(behind_point)) return growth::torn;
      const double side = side_of_circle<By>(to_point, from_point, behind_point);
      if (By == arithmetic::doubles && side != side) return growth::unsure;
      if ((!breaks(mutant::cavity_short) || triangles != 2) && side > 0) {
        if (pick(next.link, j) != e.inside) return growth::torn;
        if (!add(t, next)) return growth::too_large;
        if (split == none) {
          regions[0] = later(regions[0], next);
        } else {
          regions[1] = later(regions[1], next);
        }
        push(side_of(next, t, before(j)));
        e = side_of(next, t, after(j));
        return growth::incomplete;
      }
    } else {
      if (Guarded && !breaks(mutant::encroachment_ignored)) {
        const double turn =
            By == arithmetic::doubles ? orient2d_if_sure(from_point, to_point, at) : orient2d(from_point, to_point, at);
        if (By == arithmetic::doubles && turn != turn) return growth::unsure;
        const bool kept = is_kept(e.link, q);
        if (!(turn > 0) || (kept ? spoils(at, from_point, to_point, q) : encroaches(at, from_point, to_point))) {
          obstacle = e.inside;
          return kept ? growth::kept : growth::obstructed;
        }
      }
    }
    if (rim == most_rim()) return growth::torn;
    add_rim(e, behind, from);
    if (breaks(mutant::segments_read_early) && e.stands()) beyond[rim - 1] = mesh.segment(beyond[rim - 1]);
    if (depth_ == 0) return growth::whole;
    from = e.to();
    from_point = to_point;
    e = stack_[--depth_];
    return growth::incomplete;
  }
};

/// What `judge` found of a triangle.
enum class verdict : u32 { good, excused, bad };

/// Sets the flag and the urgency of triangle t in its record `r`, which has the rest, and calls `push(item)` if it is to be
/// mended, and for each of its fixed edges that may be split and that its apex encroaches on. `p` has the corners. `asked` is
/// what the mesh is held to; the triangle's region, which the record has, may ask for smaller areas.
template <class Search, class Access, class Push>
MAGPIE_INLINE verdict judge(const Access& mesh, u32 t, record& r, const point (&p)[3], const quality& asked,
                            Push&& push) {
  const quality q = breaks(mutant::region_ignored) ? asked : in_region(asked, r.flags >> region_shift);
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
      if (!breaks(mutant::bad_not_pushed)) push(link_of(t, whole));
    }
  }
  MAGPIE_UNROLL
  for (u32 k = 0; k < 3; ++k) {
    if ((r.flags & fixed_bit(k)) != 0 && !is_kept(r.link[k], q) && encroaches(p[k], p[after(k)], p[before(k)])) {
      push(link_of(t, k));
    }
  }
  return found;
}

/// Writes the fan of `vertex` into a cavity whose triangles and surroundings are this thread's: new triangle i, of
/// `c.rim`, to slot `id(i)`, which may be one of the cavity's own. `split_segment` is that of a split edge. `Judged`: calls
/// `push(item)` for every triangle and edge that now needs work; else they are left to be judged. Called by all of `lanes`,
/// and does nothing unless `active`.
template <bool Judged = true, u32 Most, class Search, bool Shared, class Lanes, class Id, class Push>
MAGPIE_INLINE void fill(const view& m, const Lanes& lanes, bool active, const cavity<Most, Search, Shared>& c,
                        u32 split_segment, u32 vertex, const quality& q, Id&& id, Push&& push) {
  const shared_access mesh{m};
  if (breaks(mutant::wrong_segment)) split_segment = split_segment == 0 ? 1 : split_segment - 1;
  const u32 n = active ? c.rim : 0;
  point a{};
  if (active) {
    m.place(vertex, c.at);
    st_rlx_dev(m.vertex_segment + vertex, c.split == none ? free_vertex : split_segment);
    a = m.position(c.rim_vertex[0]);
  }
  point b = a;
  point ahead{};  // the next one is on its way while a triangle is judged and written
  if (active) ahead = m.position(c.vertex_after(0));
  for (u32 i = 0; lanes.any(i < n); ++i, a = b) {
    if (i >= n) continue;
    b = ahead;
    if (i + 1 < n) ahead = m.position(c.vertex_after(i + 1));
    const u32 t = id(i);
    // Where fixed edges bound the regions of the domain, the whole cavity lies in one, or each half does. Elsewhere the new
    // triangles get the largest area bound of those that they replace, as later regions have larger ones: were it a smaller
    // one, bounds would spread. The host then gives triangles the regions in which they lie, and has the work go on.
    record r{{vertex, c.rim_vertex[i], c.vertex_after(i)},
             c.region_at(i) << region_shift | live | (c.is_fixed(i) ? fixed_bit(0) : 0u),
             {c.outer[i], c.open ? none : link_of(id(0), 2), c.open ? none : link_of(id(n - 1), 1)},
             0};
    if (i + 1 < n) r.link[1] = link_of(id(i + 1), 2);
    if (i > 0) r.link[2] = link_of(id(i - 1), 1);
    if (breaks(mutant::fan_reversed)) {
      const u32 next = r.link[1];
      r.link[1] = r.link[2];
      r.link[2] = next;
    }
    if (c.split != none) {
      if (i + 1 == n || i + 1 == c.split) r.flags |= fixed_bit(1);
      if (i == 0 || i == c.split) r.flags |= fixed_bit(2);
    }
    if constexpr (Judged) judge<Search>(mesh, t, r, {c.at, a, b}, q, push);
    if (breaks(mutant::record_flipped) && i == 0) {
      r.corner[1] = r.corner[2];
      r.corner[2] = c.rim_vertex[i];
    }
    m.store(t, r);
    if (c.outer[i] != none && !breaks(mutant::link_not_updated)) st_rlx_dev(m.link(c.outer[i]), link_of(t, 0));
    if ((r.flags & fixed_bit(0)) != 0) st_rlx_dev(m.segment(link_of(t, 0)), c.beyond[i]);
    if ((r.flags & fixed_bit(1)) != 0) st_rlx_dev(m.segment(link_of(t, 1)), split_segment);
    if ((r.flags & fixed_bit(2)) != 0) st_rlx_dev(m.segment(link_of(t, 2)), split_segment);
  }
}

/// Most items that one `fill` pushes, and one more.
template <u32 Most>
inline constexpr u32 most_pushes = 2 * (Most + 2) + 5;
MAGPIE_CONSTANT(most_pushes<usual>)
MAGPIE_CONSTANT(most_pushes<1000>)

}  // namespace magpie::mesh
