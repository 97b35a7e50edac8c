/// @file
/// Which items are due: what needs mending at first, and the choice of the most urgent ones between launches.
///
/// Layer: algorithm, lock-free phases: each thread writes words of its own and places that it appended.
///
/// Order of work decides how large the mesh becomes. Items whose triangle has a shorter shortest edge go first, by
/// thresholds: all items below one run together, and what they push below it runs with the next launch.
#pragma once

#include "refine_stm.cuh"

namespace magpie::mesh {

/// How urgent an item is, 0 first: edges, then triangles by their shortest edge. `none` = it is no longer due.
MAGPIE_INLINE u32 urgency_of(const view& m, u32 item) {
  if (edge_of(item) != whole) return 0;
  const u32 t = triangle_of(item);
  return (ld_plain(m.flags(t)) & (live | bad)) == (live | bad) ? ld_plain(m.urgency(t)) : none;
}

/// Sets the flags and the urgency of every triangle, and lists what needs work.
struct find_work {
  u32 count;  ///< triangle slots
  array<u32> found;    ///< what needs work; what finds no place is counted all the same
  array<u32> tallies;
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m = mesh.arrays();
    const quality& q = mesh.asked;
    const still_access still{m};
    for (u32 t : self.items(count)) {
      const record r = m.load(t);
      if ((r.flags & live) == 0) continue;
      const point p[3] = {still.vertex(r.corner[0]), still.vertex(r.corner[1]), still.vertex(r.corner[2])};
      for (u32 k = 0; k < 3; ++k) {
        if ((r.flags & fixed_bit(k)) != 0 && encroaches(p[k], p[after(k)], p[before(k)])) list(self, link_of(t, k));
      }
      bool wanting = is_bad(p[0], p[1], p[2], q);
      if (wanting && q.sharp != 0) {
        const u32 on[3] = {still.vertex_segment(r.corner[0]), still.vertex_segment(r.corner[1]),
                           still.vertex_segment(r.corner[2])};
        wanting = !is_excused(still, p, on, r.flags, q);
        if (!wanting) red_add_rlx_dev(&tallies[tally::excused], 1u);
      }
      st_rlx_dev(m.flags(t), wanting ? r.flags | bad : r.flags & ~bad);
      if (!wanting) continue;
      red_add_rlx_dev(&tallies[tally::bad], 1u);
      st_rlx_dev(m.urgency(t), urgency(p[0], p[1], p[2]));
      list(self, link_of(t, whole));
    }
  }

 private:
  MAGPIE_INLINE void list(const thread& self, u32 item) const {
    const u32 place = append(self, &tallies[tally::later]);
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

/// Counts items by the upper bits of their urgency, one in `sample`.
struct count_urgencies {
  static constexpr u32 shift = 20;  ///< exponent of the square: steps of a factor 1.4 in length
  u32 count;
  u32 sample;
  array<u32> items;
  array<u32> triangles;
  array<u32> histogram;  ///< 4096 entries

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m{reinterpret_cast<word_pair*>(triangles.data), nullptr, nullptr, nullptr, nullptr};
    for (u32 i : self.items(count / sample)) {
      const u32 urgency = urgency_of(m, ld_plain(&items[u64{i} * sample]));
      if (urgency != none) red_add_rlx_dev(&histogram[urgency >> shift], 1u);
    }
  }
};
MAGPIE_KERNEL(count_urgencies)

/// Lists the items that are due, those at most as late as `threshold`, and the others for later. Items that are no longer
/// due are dropped. Neighbours in the list are spread over the launch: item i of the old list is the i * `stride`-th to
/// be looked at, modulo the power of two `range`.
struct select_due {
  u32 count;
  u32 range;   ///< a power of two, at least `count`
  u32 stride;  ///< odd
  u32 threshold;
  array<u32> items;
  array<u32> triangles;
  array<u32> due;
  array<u32> later;
  array<u32> tallies;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m{reinterpret_cast<word_pair*>(triangles.data), nullptr, nullptr, nullptr, nullptr};
    for (u32 turn : self.items(range)) {
      const u32 i = turn * stride & (range - 1);
      if (i >= count) continue;
      const u32 item = ld_plain(&items[i]);
      const u32 urgency = urgency_of(m, item);
      if (urgency == none) continue;
      if (urgency <= threshold) {
        st_plain(&due[append(self, &tallies[tally::due])], item);
      } else {
        st_plain(&later[append(self, &tallies[tally::later])], item);
      }
    }
  }
};
MAGPIE_KERNEL(select_due)

}  // namespace magpie::mesh
