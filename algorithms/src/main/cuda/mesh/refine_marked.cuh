/// @file
/// Refinement without transactions: cavities are marked, then those that kept all their marks are filled.
///
/// Layer: algorithm. The race and check phases of Nasre, Burtscher and Pingali, "Morph Algorithms on GPUs" (2013, section
/// 7.3), as two launches, with a maximum in place of the racing stores: so the middle phase, which restores priorities
/// that the race lost, is not needed, and of cavities that overlap the one of the highest priority always wins. The three
/// phases as published: mesh_phases/mesh_phases.cu.
///
/// Only cavities are marked. A cavity is filled if each of its triangles has its mark, and no triangle around it one of
/// higher priority: then none of the triangles around it is in a cavity that is filled, and two filled cavities share at
/// most triangles around them, where each writes links of its own.
#pragma once

#include "marks.cuh"

namespace magpie::mesh {

/// Finds the cavities of a slice and marks them.
struct mark_cavities {
  slice part;
  array<u32> large;  ///< at least one place for each item
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const lane_group lanes = whole_warp(self);
    for (u32 first : self.warp_items(part.count)) {
      const u32 i = first + self.lane();
      const bool active = i < part.count;
      const u32 mine = mixed_mark(part, i);
      const u32 item = active ? part.item(i) : none;
      const u32 sizes = part.find<plain_search>(self, lanes, active, mesh, large, i, item, [&](u32 t, bool inside) {
        if (inside) red_max_rlx_dev(&part.marks[t], mine);
      });
      if (active) part.store_sizes(i, sizes);
    }
  }
};
MAGPIE_KERNEL(mark_cavities)

/// Fills the cavities of a slice that kept their marks. The others' items are pushed again.
struct fill_cavities {
  slice part;
  array<u32> pushed;  ///< at least `most_pushes<usual>` places for each item
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m = mesh.arrays();
    const array<u32>& tallies = part.tallies;
    const lane_group lanes = whole_warp(self);
    for (u32 first : self.warp_items(part.count)) {
      const u32 i = first + self.lane();
      const u32 sizes = i < part.count ? part.load_sizes(i) : 0;
      const u32 item = sizes != 0 ? part.item(i) : none;
      const bool wins = sizes != 0 && kept_marks(part, i, sizes, slice::inner(sizes));
      const bool fills = wins && (sizes & slice::stuck) == 0;
      if (wins && !fills) give_up(self, m, item, sizes, tallies);
      cavity<usual> c;
      u32 edge = none, segment = none, first_slot = 0, vertex = 0;
      if (fills) {
        edge = part.gather(shared_access{m}, i, item, sizes, c);
        if (edge != none) segment = ld_rlx_dev(m.segment(edge));
        first_slot = append<2>(self, &tallies[tally::triangles], c.rim - c.triangles);
        vertex = append(self, &tallies[tally::vertices]);
      }
      lanes.converge();
      made_items made;
      fill(
          m, lanes, fills, c, segment, vertex, mesh.asked,
          [&](u32 k) { return k < c.triangles ? c.ids[k] : first_slot + (k - c.triangles); },
          [&](u32 work) { made.add(work); });
      if (fills && edge != none && edge_of(item) == whole) made.add(item);
      if (sizes != 0 && !wins) {
        append(self, &tallies[tally::lost]);
        made.add(item);
      }
      made.append_to(self, pushed, &tallies[tally::pushed]);
    }
  }
};
MAGPIE_KERNEL(fill_cavities)

}  // namespace magpie::mesh
