/// @file
/// What every refinement kernel does first with an item, whatever it synchronizes by: find the cavity to fill.
///
/// Layer: algorithm. Rules (Ruppert 1995): a bad triangle gets its mending point; where that would encroach on a fixed
/// edge, or lie beyond one, the edge is split instead; an edge that a vertex encroaches on is split. Where an edge that is
/// never split is in the way the triangle is left as it is. Edges with one end
/// at a corner are split at a power of two from it, so that those of both segments end at the same distance: without that
/// the parts of segments that meet at a small angle split each other forever, and from 32 degrees on bad triangles between
/// such at less than 120 degrees are seen to become ever smaller (Triangle splits so where two segments share a triangle). The
/// host says which vertices are corners: up to 30 degrees those where segments meet at less than 60.
#pragma once

#include "cavity.cuh"

namespace magpie::mesh {

enum class finding : u32 {
  insert,      ///< the cavity is there to be filled
  nothing,     ///< the item needs nothing
  torn,        ///< the mesh changed meanwhile: look again
  too_large,   ///< the cavity needs more room
  obstructed,  ///< of `search`: a fixed edge is in the way
  left,        ///< of a transaction with claims: left to one that has more room
  later,       ///< of a transaction: left to the next launch, as this one changed what is there
  unsure,      ///< within `search` only: doubles do not tell
  stuck,       ///< not to be mended in this precision: an edge is too short to be split, or a triangle too flat
  kept,        ///< not to be mended, as an edge that is never split is in the way
};

/// Counters of the kernels, in addition to those of the STM.
namespace tally {
inline constexpr u32 found = 0;         ///< items that were there at first
inline constexpr u32 listed = 1;        ///< of transfers: what a list has, or would have with more room
inline constexpr u32 pushed = 2;        ///< items pushed by kernels without a transactional push
inline constexpr u32 large = 3;         ///< items whose cavity was too large for the usual kernels
inline constexpr u32 stuck = 4;         ///< items given up, for lack of precision or an edge that is never split
inline constexpr u32 lost = 5;          ///< items to be tried again: that lost a mark, or found `later`
inline constexpr u32 triangles = 6;     ///< marked: slots in use
inline constexpr u32 vertices = 7;      ///< marked: slots in use
inline constexpr u32 bad = 8;           ///< bad triangles
inline constexpr u32 excused = 9;       ///< triangles that are excused
inline constexpr u32 stuck_edges = 10;  ///< marked: edges among those of `stuck`
inline constexpr u32 torn = 11;         ///< searches that contradicted themselves, and were given up
inline constexpr u32 kept = 12;         ///< those of `stuck` that an edge is in the way of that is never split
inline constexpr u32 total = 17;
}  // namespace tally
MAGPIE_CONSTANT(tally::found)
MAGPIE_CONSTANT(tally::listed)
MAGPIE_CONSTANT(tally::pushed)
MAGPIE_CONSTANT(tally::large)
MAGPIE_CONSTANT(tally::stuck)
MAGPIE_CONSTANT(tally::lost)
MAGPIE_CONSTANT(tally::triangles)
MAGPIE_CONSTANT(tally::vertices)
MAGPIE_CONSTANT(tally::bad)
MAGPIE_CONSTANT(tally::excused)
MAGPIE_CONSTANT(tally::stuck_edges)
MAGPIE_CONSTANT(tally::torn)
MAGPIE_CONSTANT(tally::kept)
MAGPIE_CONSTANT(tally::total)

/// The largest power of two that is at most two thirds of x: at least a third of it. x > 0, normal.
MAGPIE_INLINE double shell(double x) {
  return __builtin_bit_cast(double, __builtin_bit_cast(u64, x * (2.0 / 3.0)) & 0x7ff0000000000000u);
}

/// Where a fixed edge from a to b is split.
template <class Access>
MAGPIE_INLINE point split_point(const Access& mesh, u32 a, u32 b, point at_a, point at_b) {
  const bool corner_a = mesh.vertex_segment(a) == corner_vertex;
  const bool corner_b = mesh.vertex_segment(b) == corner_vertex;
  const point d = at_b - at_a;
  double part = 0.5;
  if (corner_a != corner_b) {
    const double length = sqrt(dot(d, d));
    part = shell(length) / length;
    if (corner_b) part = 1 - part;
  }
  return without_specks({at_a.x + part * d.x, at_a.y + part * d.y});
}

/// The cavity that splits `edge`, a fixed one as far as was seen, of a triangle that was seen as `r`. In exact arithmetic;
/// a call, as it is rarely needed.
template <class Access, u32 Most, class Search, bool Shared>
MAGPIE_NOINLINE finding look_at_edge(const Access& mesh, u32 edge, record r, cavity<Most, Search, Shared>& c) {
  const u32 k = edge_of(edge);
  if ((r.flags & live) == 0 || (r.flags & fixed_bit(k)) == 0) return finding::torn;
  const u32 a = pick(r.corner, after(k));
  const u32 b = pick(r.corner, before(k));
  const point at_a = mesh.vertex(a);
  const point at_b = mesh.vertex(b);
  if (is_absent(at_a) || is_absent(at_b)) return finding::torn;
  const point middle = split_point(mesh, a, b, at_a, at_b);
  const growth found = c.across(mesh, triangle_of(edge), k, r, middle);
  if (found == growth::too_large) return finding::too_large;
  if (found == growth::torn) return finding::torn;
  if (found == growth::missed || too_near(at_a, at_b)) return finding::stuck;
  // The middle is rounded: it must still see its whole rim.
  for (u32 i = 0; i < c.rim; ++i) {
    if (!(orient2d(mesh.vertex(c.rim_vertex[i]), mesh.vertex(c.vertex_after(i)), middle) > 0)) return finding::stuck;
  }
  return finding::insert;
}

/// Whether there is something to do for `item`, whose triangle is `r`: `insert`, or `nothing`, or `torn`.
template <class Access>
MAGPIE_INLINE finding needs(const Access& mesh, u32 item, const record& r) {
  if (edge_of(item) == whole) return (r.flags & (live | bad)) == (live | bad) ? finding::insert : finding::nothing;
  const u32 k = edge_of(item);
  if ((r.flags & live) == 0 || (r.flags & fixed_bit(k)) == 0) return finding::nothing;
  const point apex = mesh.vertex(pick(r.corner, k));
  const point from = mesh.vertex(pick(r.corner, after(k)));
  const point to = mesh.vertex(pick(r.corner, before(k)));
  if (is_absent(apex) || is_absent(from) || is_absent(to)) return finding::torn;
  return encroaches(apex, from, to) ? finding::insert : finding::nothing;
}

/// `search` by tests in doubles or in exact arithmetic.
template <arithmetic By, class Access, u32 Most, class Search, bool Shared, class Lanes>
MAGPIE_INLINE finding search_by(const Access& mesh, const Lanes& lanes, bool active, u32 item, const quality& q,
                                cavity<Most, Search, Shared>& c, u32& edge) {
  const u32 t = triangle_of(item);
  record r{};
  point corners[3] = {};
  finding found = finding::nothing;
  growth grown = growth::missed;
  edge = none;
  if (active) {
    r = mesh.triangle(t);
    c.only(t, r);
    found = needs(mesh, item, r);
    if (found == finding::insert && edge_of(item) == whole) {
      MAGPIE_UNROLL
      for (u32 k = 0; k < 3; ++k) corners[k] = mesh.vertex(r.corner[k]);
      const u32 least = edge_squares(corners[0], corners[1], corners[2]).least();
      if (is_absent(corners[0]) || is_absent(corners[1]) || is_absent(corners[2])) {
        found = finding::torn;
      } else if (too_near(least == 0 ? corners[1] : corners[0], least == 2 ? corners[1] : corners[2])) {
        found = finding::stuck;
      } else {
        grown = c.template begin<By>(t, r, corners, mending_point(corners[0], corners[1], corners[2], q));
      }
    }
  }
  const bool begun = grown == growth::whole;
  const growth end = c.template grow_around<By>(mesh, lanes, begun, t, r, corners, q);
  if (found != finding::insert) return found;
  if (edge_of(item) != whole) {
    edge = item;
    return look_at_edge(mesh, edge, r, c);
  }
  if (begun) grown = end;
  if (grown == growth::whole) return finding::insert;
  if (grown == growth::torn) return finding::torn;
  if (grown == growth::too_large) return finding::too_large;
  if (grown == growth::missed) return finding::stuck;
  if (grown == growth::kept) return finding::kept;
  if (grown == growth::unsure) return finding::unsure;
  edge = c.obstacle;
  return finding::obstructed;
}

/// What `search` does where doubles do not tell.
template <class Access, u32 Most, class Search, bool Shared>
MAGPIE_NOINLINE finding search_exactly(const Access& mesh, u32 item, const quality& q, cavity<Most, Search, Shared>& c,
                                       u32& edge) {
  return search_by<arithmetic::exact>(mesh, single_lane{}, true, item, q, c, edge);
}

/// Finds what `item` asks for. `edge` receives the fixed edge that is to be split or in the way, else `none`. On `nothing`
/// the cavity is the item's triangle as it was seen; on `obstructed` it has the triangles that led to that edge, the
/// item's first and the edge's among them; on `stuck` and `kept` it has what was looked at, the item's triangle among it.
/// Called by all of `lanes`; where it is not `active` there is no item, and it finds nothing.
template <class Access, u32 Most, class Search, bool Shared, class Lanes>
MAGPIE_INLINE finding search(const Access& mesh, const Lanes& lanes, bool active, u32 item, const quality& q,
                             cavity<Most, Search, Shared>& c, u32& edge) {
  const finding found = search_by<arithmetic::doubles>(mesh, lanes, active, item, q, c, edge);
  return found == finding::unsure ? search_exactly(mesh, item, q, c, edge) : found;
}

/// After a search that was `obstructed`: the cavity that splits the edge in the way.
template <class Access, u32 Most, class Search, bool Shared>
MAGPIE_INLINE finding look_at_obstacle(const Access& mesh, u32 edge, cavity<Most, Search, Shared>& c) {
  return look_at_edge(mesh, edge, mesh.triangle(triangle_of(edge)), c);
}

}  // namespace magpie::mesh
