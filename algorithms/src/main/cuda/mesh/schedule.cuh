/// @file
/// Which items are due: what needs mending at first, and which of it is the most urgent.
///
/// Layer: algorithm, lock-free phases: each thread writes words of its own and places that it appended.
///
/// Order of work decides how large the mesh becomes. Items whose triangle has a shorter shortest edge go first, by
/// classes: a launch runs the first of them, as many as make up a batch, and what it pushes takes part in the next choice. What
/// waits lies in priority bins, see magpie/parallel/priority_bins.cuh; the threshold falls where more urgent items come up.
#pragma once

#include "look.cuh"
#include "magpie/parallel/priority_bins.cuh"

namespace magpie::mesh {

/// Classes of urgency: exponents of the square of the shortest edge, so each of a factor 1.4 in length.
inline constexpr u32 classes = 2048;
MAGPIE_CONSTANT(classes)

/// An item's class: 0 of edges, which come first; of triangles by their shortest edge. `no_class` = it needs nothing any more.
MAGPIE_INLINE u32 class_of(const view& m, u32 item) {
  if (edge_of(item) != whole) return 0;
  const u32 t = triangle_of(item);
  return (ld_plain(m.flags(t)) & (live | bad)) == (live | bad) ? ld_plain(m.urgency(t)) >> 20 : no_class;
}

MAGPIE_PRIORITY_BINS

/// Sets the flags and the urgency of every triangle, and lists what needs work.
struct find_work {
  u32 count;         ///< triangle slots
  array<u32> found;  ///< what needs work; what finds no place is counted anyway
  array<u32> tallies;
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m = mesh.arrays();
    const still_access still{m};
    for (u32 t : self.items(count)) {
      record r = m.load(t);
      if ((r.flags & live) == 0) continue;
      r.flags &= ~bad;
      const point p[3] = {still.vertex(r.corner[0]), still.vertex(r.corner[1]), still.vertex(r.corner[2])};
      const verdict is = judge<plain_search>(still, t, r, p, mesh.asked, [&](u32 item) { list(self, item); });
      st_rlx_dev(m.flags(t), r.flags);
      if (is == verdict::excused) append(self, &tallies[tally::excused]);
      if (is != verdict::bad) continue;
      append(self, &tallies[tally::bad]);
      st_rlx_dev(m.urgency(t), r.urgency);
    }
  }

 private:
  MAGPIE_INLINE void list(const thread& self, u32 item) const {
    const u32 place = append(self, &tallies[tally::found]);
    if (place < found.size()) st_plain(&found[place], item);
  }
};
MAGPIE_KERNEL(find_work)

/// Looks for what no constrained Delaunay triangulation has: triangles that are not counter-clockwise, and edges that are
/// not fixed and have the corner beyond them inside the circumcircle. `faults` receives their numbers, and the least
/// triangle of each kind.
struct check_delaunay {
  u32 count;  ///< triangles
  array<u32> triangles;
  array<double> points;
  array<u32> faults;  ///< flat triangles, least; edges, least triangle

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const still_access mesh{{reinterpret_cast<word_pair*>(triangles.data), reinterpret_cast<word_pair*>(points.data),
                             nullptr, nullptr, nullptr}};
    for (u32 t : self.items(count)) {
      const record r = mesh.triangle(t);
      const point p[3] = {mesh.vertex(r.corner[0]), mesh.vertex(r.corner[1]), mesh.vertex(r.corner[2])};
      if (!(orient2d(p[0], p[1], p[2]) > 0)) fault(0, t);
      for (u32 k = 0; k < 3; ++k) {
        if ((r.flags & fixed_bit(k)) != 0 || triangle_of(r.link[k]) < t) continue;
        const record beyond = mesh.triangle(triangle_of(r.link[k]));
        if (in_circle(p[0], p[1], p[2], mesh.vertex(pick(beyond.corner, edge_of(r.link[k])))) > 0) fault(2, t);
      }
    }
  }

 private:
  MAGPIE_INLINE void fault(u32 kind, u32 t) const {
    red_add_rlx_dev(&faults[kind], 1u);
    red_min_rlx_dev(&faults[kind + 1], t);
  }
};
MAGPIE_KERNEL(check_delaunay)

/// Counts new items by class.
struct count_classes {
  class_counting bins;
  array<u32> triangles;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m{reinterpret_cast<word_pair*>(triangles.data), nullptr, nullptr, nullptr, nullptr};
    bins.run(self, [&](u32 item) { return class_of(m, item); });
  }
};
MAGPIE_KERNEL(count_classes)

/// Sorts new items, and those of bins that are due. What waits in another bin than its own is dropped: its triangle was replaced,
/// and if the new one is bad, it was pushed itself.
struct sort_items {
  bin_sorting bins;
  array<u32> triangles;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m{reinterpret_cast<word_pair*>(triangles.data), nullptr, nullptr, nullptr, nullptr};
    bins.run(self, [&](u32 item) { return class_of(m, item); });
  }
};
MAGPIE_KERNEL(sort_items)

}  // namespace magpie::mesh
