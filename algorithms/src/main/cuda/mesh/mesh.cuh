/// @file
/// The mesh as kernels see it: triangles that point to each other, vertices, segments.
///
/// Layer: algorithm. Conventions: triangles are counter-clockwise; edge k of a triangle lies opposite its corner k, from
/// corner (k+1)%3 to corner (k+2)%3. An edge is *fixed* if it lies on a segment of the input; every edge without a
/// triangle beyond is fixed.
///
/// Invariant of every state between launches and under claims: if triangle t has the link (u, j) at edge k, then u has
/// the link (t, k) at edge j, and both edges are fixed or neither is.
///
/// Limits: triangle slots < 2^30, vertices < 2^31, segments < 2^31.
#pragma once

#include <cstddef>

#include "magpie/stm.cuh"
#include "predicates.cuh"

namespace magpie::mesh {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline constexpr u32 none = 0xffffffffu;

/// A triangle's record: 32 bytes, one sector of memory.
struct alignas(16) record {
  u32 corner[3];  ///< vertices
  u32 flags;      ///< `fixed_bit(k)`, `live`, `bad`, region; 0 = a slot without a triangle
  u32 link[3];    ///< what lies beyond edge k: `link_of(triangle, its edge)`, or `none`
  u32 urgency;    ///< of a bad triangle: orders the work, see quality.cuh
};
static_assert(sizeof(record) == 32);
inline constexpr u32 record_words = sizeof(record) / sizeof(u32);
MAGPIE_CONSTANT(record_words)
inline constexpr u32 flags_word = offsetof(record, flags) / sizeof(u32);
MAGPIE_CONSTANT(flags_word)

inline constexpr u32 live = 8;
MAGPIE_CONSTANT(live)
inline constexpr u32 bad = 16;  ///< to be mended: fails what is asked, is not excused, and was not given up
/// Above the flags: which region of the domain the triangle lies in, see `import_triangles`.
inline constexpr u32 region_shift = 5;
inline constexpr u32 most_regions = 1u << (32 - region_shift);
MAGPIE_CONSTANT(most_regions)
MAGPIE_INLINE constexpr u32 fixed_bit(u32 edge) { return 1u << edge; }

MAGPIE_INLINE constexpr u32 link_of(u32 triangle, u32 edge) { return triangle << 2 | edge; }
MAGPIE_INLINE constexpr u32 triangle_of(u32 link) { return link >> 2; }
MAGPIE_INLINE constexpr u32 edge_of(u32 link) { return link & 3u; }
MAGPIE_INLINE constexpr u32 after(u32 k) { return k == 2 ? 0 : k + 1; }
MAGPIE_INLINE constexpr u32 before(u32 k) { return k == 0 ? 2 : k - 1; }
/// a[k] for a k that is not constant, without an address: the array stays in registers.
MAGPIE_INLINE u32 pick(const u32 (&a)[3], u32 k) { return k == 0 ? a[0] : k == 1 ? a[1] : a[2]; }

/// An item of work is a link: edge 0 to 2 = split that fixed edge of the triangle, `whole` = mend the triangle.
inline constexpr u32 whole = 3;

/// Entries of `vertex_segment` that are no segment's number.
inline constexpr u32 free_vertex = none;  ///< inserted inside the domain
inline constexpr u32 input_vertex = none - 1;
inline constexpr u32 corner_vertex = none - 2;  ///< of the input, and two segments meet there at a small angle
inline constexpr u32 absent_vertex = none - 3;  ///< no vertex
inline constexpr u32 most_segments = none - 4;
MAGPIE_CONSTANT(free_vertex)
MAGPIE_CONSTANT(input_vertex)
MAGPIE_CONSTANT(corner_vertex)
MAGPIE_CONSTANT(absent_vertex)

/// The arrays of a mesh.
///
/// Records are read in pairs of words and written in pairs, or where only a link or a flag changes, in words of 32 bits.
/// The PTX model orders accesses of one size only; that a pair shows some value of each of its words, which is all that
/// is asked of a look without claims, and the last one under claims, is what the hardware does.
struct view {
  word_pair* triangles;  ///< two to a record
  word_pair* points;
  u32* vertex_segment;      ///< the segment that a vertex was put on, or what else it is
  u32* edge_segment;        ///< 3 t + k: the segment that fixed edge k of triangle t lies on; else undefined
  const u32* segment_ends;  ///< 2 s, 2 s + 1: input vertices

  /// Relaxed; a concurrent writer's record may come in part.
  MAGPIE_INLINE record load(u32 t) const {
    return unpack(ld_rlx_pair_dev(triangles + 2 * u64{t}), ld_rlx_pair_dev(triangles + 2 * u64{t} + 1));
  }
  /// Where nobody writes while the kernel runs.
  MAGPIE_INLINE record load_plain(u32 t) const {
    return unpack(ld_plain(triangles + 2 * u64{t}), ld_plain(triangles + 2 * u64{t} + 1));
  }
  /// Relaxed.
  MAGPIE_INLINE void store(u32 t, const record& r) const {
    st_rlx_pair_dev(triangles + 2 * u64{t}, {pack(r.corner[0], r.corner[1]), pack(r.corner[2], r.flags)});
    st_rlx_pair_dev(triangles + 2 * u64{t} + 1, {pack(r.link[0], r.link[1]), pack(r.link[2], r.urgency)});
  }
  MAGPIE_INLINE u32* corner(u32 at) const { return words(triangle_of(at)) + edge_of(at); }
  MAGPIE_INLINE u32* flags(u32 t) const { return words(t) + flags_word; }
  MAGPIE_INLINE u32* link(u32 at) const { return words(triangle_of(at)) + 4 + edge_of(at); }
  MAGPIE_INLINE u32* urgency(u32 t) const { return words(t) + 7; }
  MAGPIE_INLINE u32* segment(u32 at) const { return edge_segment + 3 * u64{triangle_of(at)} + edge_of(at); }

  /// NaN, in x or y, as long as the vertex's position cannot be seen.
  MAGPIE_INLINE point position(u32 v) const { return to_point(ld_rlx_pair_dev(points + v)); }
  MAGPIE_INLINE point position_plain(u32 v) const { return to_point(ld_plain(points + v)); }
  MAGPIE_INLINE void place(u32 v, point p) const {
    st_rlx_pair_dev(points + v, {__builtin_bit_cast(u64, p.x), __builtin_bit_cast(u64, p.y)});
  }

  MAGPIE_INLINE static record unpack(word_pair a, word_pair b) {
    return {{low(a.first), high(a.first), low(a.second)},
            high(a.second),
            {low(b.first), high(b.first), low(b.second)},
            high(b.second)};
  }
  MAGPIE_INLINE static point to_point(word_pair v) {
    return {__builtin_bit_cast(double, v.first), __builtin_bit_cast(double, v.second)};
  }

 private:
  MAGPIE_INLINE u32* words(u32 t) const { return reinterpret_cast<u32*>(triangles + 2 * u64{t}); }
  MAGPIE_INLINE static u64 pack(u32 low, u32 high) { return u64{high} << 32 | low; }
  MAGPIE_INLINE static u32 low(u64 v) { return static_cast<u32>(v); }
  MAGPIE_INLINE static u32 high(u64 v) { return static_cast<u32>(v >> 32); }
};

/// Whether a position was not written yet, or not seen whole.
MAGPIE_INLINE bool is_absent(point p) { return !breaks(mutant::absent_position_used) && (p.x != p.x || p.y != p.y); }

/// Reads a mesh that others may change.
struct shared_access {
  view m;
  MAGPIE_INLINE record triangle(u32 t) const { return m.load(t); }
  MAGPIE_INLINE point vertex(u32 v) const { return m.position(v); }
  MAGPIE_INLINE u32 segment(u32 edge) const { return ld_rlx_dev(m.segment(edge)); }
  MAGPIE_INLINE u32 vertex_segment(u32 v) const { return ld_rlx_dev(m.vertex_segment + v); }
  MAGPIE_INLINE u32 segment_end(u32 s, u32 end) const { return ld_plain(m.segment_ends + 2 * u64{s} + end); }
};

/// The same in a transaction, past its claims: hints.
template <class Tx>
struct hinted_access {
  Tx& tx;
  view m;
  MAGPIE_INLINE record triangle(u32 t) const {
    return view::unpack(tx.glance(m.triangles + 2 * u64{t}), tx.glance(m.triangles + 2 * u64{t} + 1));
  }
  MAGPIE_INLINE point vertex(u32 v) const { return view::to_point(tx.glance(m.points + v)); }
  MAGPIE_INLINE u32 segment(u32 edge) const { return tx.glance(m.segment(edge)); }
  MAGPIE_INLINE u32 vertex_segment(u32 v) const { return tx.glance(m.vertex_segment + v); }
  MAGPIE_INLINE u32 segment_end(u32 s, u32 end) const { return ld_plain(m.segment_ends + 2 * u64{s} + end); }
};

/// Reads a mesh that nobody changes while the kernel runs.
struct still_access {
  view m;
  MAGPIE_INLINE record triangle(u32 t) const { return m.load_plain(t); }
  MAGPIE_INLINE point vertex(u32 v) const { return m.position_plain(v); }
  MAGPIE_INLINE u32 segment(u32 edge) const { return ld_plain(m.segment(edge)); }
  MAGPIE_INLINE u32 vertex_segment(u32 v) const { return ld_plain(m.vertex_segment + v); }
  MAGPIE_INLINE u32 segment_end(u32 s, u32 end) const { return ld_plain(m.segment_ends + 2 * u64{s} + end); }
};

}  // namespace magpie::mesh
