/// @file
/// The module `mesh_graph`: graphs of a mesh in compressed sparse row form, made of its triangles where these lie.
///
/// Layer: algorithm. Participation: any thread, one side of a triangle each: side 3 t + k is opposite corner k of triangle t.
/// Shared state: degrees and cursors, which grow by atomic additions. Determinism: schedule_independent, but for the order in
/// which `list_vertex_arcs` leaves the arcs of each vertex, which are sorted afterwards.
/// Bytes: 8 read and 4 or 8 written per side.
#include "magpie/kernel.cuh"

namespace mesh_graph {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using magpie::array;
using magpie::thread;

/// In place of a triangle: none.
inline constexpr u32 none = 0xffffffffu;

/// Marks the sides with a triangle beyond. They are the arcs of the dual graph, in the order of the triangles that they leave.
struct mark_dual_arcs {
  u32 sides;
  array<const u32> neighbors;
  array<u32> marks;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(sides)) magpie::st_plain(&marks[i], magpie::ld_plain(&neighbors[i]) != none ? 1u : 0u);
  }
};
MAGPIE_KERNEL(mark_dual_arcs)

/// Where the arcs of each triangle begin.
struct gather_dual_offsets {
  u32 offset_count;        ///< one more than triangles
  array<const u32> ranks;  ///< marks before each side, and all
  array<u32> offsets;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 t : self.items(offset_count)) magpie::st_plain(&offsets[t], magpie::ld_plain(&ranks[3 * u64{t}]));
  }
};
MAGPIE_KERNEL(gather_dual_offsets)

/// A mesh as its arrays have it.
struct mesh {
  array<const u32> corners;
  array<const u32> neighbors;

  /// Calls `arc(from, to)` for the arcs that a side stands for: of the two triangles at an edge each has one direction, and at
  /// the boundary the only one has both.
  template <class Arc>
  MAGPIE_INLINE void arcs(u32 side, Arc&& arc) const {
    const u32 k = side % 3;
    const u32 first = side - k;
    const u32 from = magpie::ld_plain(&corners[first + (k + 1) % 3]);
    const u32 to = magpie::ld_plain(&corners[first + (k + 2) % 3]);
    arc(from, to);
    if (magpie::ld_plain(&neighbors[side]) == none) arc(to, from);
  }
};

struct count_vertex_arcs {
  u32 sides;
  mesh of;
  array<u32> degrees;  ///< 0 before

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 side : self.items(sides)) {
      of.arcs(side, [&](u32 from, u32) { magpie::red_add_rlx_dev(&degrees[from], 1u); });
    }
  }
};
MAGPIE_KERNEL(count_vertex_arcs)

struct list_vertex_arcs {
  u32 sides;
  mesh of;
  array<u32> cursors;  ///< where the arcs of each vertex begin, and then end
  array<u32> targets;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 side : self.items(sides)) {
      of.arcs(side, [&](u32 from, u32 to) { magpie::st_plain(&targets[magpie::add_rlx_dev(&cursors[from], 1u)], to); });
    }
  }
};
MAGPIE_KERNEL(list_vertex_arcs)

}  // namespace mesh_graph
