/// @file
/// Refinement without transactions: cavities are marked, then those that kept all their marks are filled.
///
/// Layer: algorithm. The race and check phases of Nasre, Burtscher and Pingali, "Morph Algorithms on GPUs" (2013, section
/// 7.3), as two launches, with a maximum in place of the racing stores: so the middle phase, which restores priorities
/// that the race lost, is not needed, and of cavities that overlap the one of the highest priority always wins.
///
/// A launch handles a slice of the items. Marks carry the slice's epoch above the priority, so that none is ever cleared.
/// Only cavities are marked. A cavity is filled if each of its triangles has its mark, and no triangle around it one of
/// higher priority: then none of the triangles around it is in a cavity that is filled, and two filled cavities share at
/// most triangles around them, where each writes links of its own.
#pragma once

#include "schedule.cuh"

namespace magpie::mesh {

/// Words of an item's footprint: the sizes, the edge that is split, the point in four words, the triangles of the cavity,
/// those around it.
inline constexpr u32 footprint_head = 6;
inline constexpr u32 footprint_words = footprint_head + 2 * usual + 2;
static_assert(footprint_words == 56, "MeshKernels.java");
inline constexpr u32 stuck_bit = 1u << 31;

struct slice {
  u32 count;
  u32 epoch;
  u32 bits;    ///< of the priority; 2^bits >= count
  u32 stride;  ///< of footprints: >= count

  /// Larger wins; mixed, as neighbours in a list are neighbours in the mesh and a run of rising ones would all lose.
  MAGPIE_INLINE u32 mark(u32 i) const { return epoch << bits | (i * 2654435769u & ((1u << bits) - 1u)); }
};

/// Finds the cavities of a slice and marks them.
struct mark_cavities {
  u32 count;
  u32 epoch;
  u32 bits;
  u32 stride;
  array<u32> items;
  u32 first;  ///< of `items`
  array<u32> marks;
  array<u32> footprints;
  array<u32> large;
  array<u32> tallies;
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const still_access still{mesh.arrays()};
    const slice part{count, epoch, bits, stride};
    cavity<usual> c;
    for (u32 i : self.items(count)) {
      const u32 item = ld_plain(&items[first + i]);
      u32 edge;
      const finding found = look(still, item, mesh.asked, c, edge);
      if (found == finding::too_large) st_plain(&large[append(self, &tallies[tally::large])], item);
      u32 sizes = 0;
      if (found == finding::insert || (found == finding::stuck && edge_of(item) == whole)) {
        u32 n = footprint_head - 1;
        const auto needs = [&](u32 t) { st_plain(&footprints[u64{++n} * stride + i], t); };
        const auto marks_of = [&](u32 t) {
          needs(t);
          red_max_rlx_dev(&marks[t], part.mark(i));
        };
        st_plain(&footprints[u64{stride} + i], edge);
        const u64 at[2] = {__builtin_bit_cast(u64, c.at.x), __builtin_bit_cast(u64, c.at.y)};
        for (u32 k = 0; k < 4; ++k) {
          st_plain(&footprints[u64{2 + k} * stride + i], static_cast<u32>(at[k / 2] >> (32 * (k % 2))));
        }
        if (found == finding::stuck) {
          marks_of(triangle_of(item));
          sizes = stuck_bit | 1u << 16 | 1u;
        } else {
          for (u32 k = 0; k < c.triangles; ++k) marks_of(c.ids[k]);
          for (u32 k = 0; k < c.rim; ++k) {
            if (c.outer[k] != none) needs(triangle_of(c.outer[k]));
          }
          sizes = c.triangles << 16 | (n - (footprint_head - 1));
        }
      }
      if (found == finding::stuck && edge_of(item) != whole) red_add_rlx_dev(&tallies[tally::stuck], 1u);
      st_plain(&footprints[i], sizes);
    }
  }
};
MAGPIE_KERNEL(mark_cavities)

/// Fills the cavities of a slice that kept their marks. The others' items are pushed again.
struct fill_cavities {
  u32 count;
  u32 epoch;
  u32 bits;
  u32 stride;
  array<u32> items;
  u32 first;
  array<u32> marks;
  array<u32> footprints;
  array<u32> pushed;  ///< at least `most_pushes<usual>` places for each item
  array<u32> tallies;
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m = mesh.arrays();
    const slice part{count, epoch, bits, stride};
    cavity<usual> c;
    for (u32 i : self.items(count)) {
      const u32 sizes = ld_plain(&footprints[i]);
      if (sizes == 0) continue;
      const u32 item = ld_plain(&items[first + i]);
      if (!won(part, i, sizes)) {
        red_add_rlx_dev(&tallies[tally::lost], 1u);
        push(self, item);
        continue;
      }
      if ((sizes & stuck_bit) != 0) {
        red_add_rlx_dev(&tallies[tally::stuck], 1u);
        red_and_rlx_dev(m.flags(triangle_of(item)), ~bad);
        continue;
      }
      // The same point again, and in-circle tests are exact: so it is the same cavity. Nobody else writes what it is made
      // of, and links of triangles around it do not matter.
      const u32 edge = ld_plain(&footprints[u64{stride} + i]);
      const shared_access shared{m};
      const point at = point_of(i);
      if (edge == none) {
        const u32 t = triangle_of(item);
        const record r = shared.triangle(t);
        const point corners[3] = {shared.vertex(r.corner[0]), shared.vertex(r.corner[1]), shared.vertex(r.corner[2])};
        c.template around<false>(shared, t, r, corners, at);
      } else {
        c.across(shared, triangle_of(edge), edge_of(edge), shared.triangle(triangle_of(edge)), at);
      }
      c.read_segments(shared);
      const u32 first_slot = append<2>(self, &tallies[tally::triangles], c.rim - c.triangles);
      const u32 vertex = append(self, &tallies[tally::vertices]);
      u32 made[most_pushes<usual>];
      u32 n = 0;
      fill(m, c, edge == none ? none : ld_rlx_dev(m.segment(edge)), vertex, mesh.asked,
           [&](u32 k) { return k < c.triangles ? c.ids[k] : first_slot + (k - c.triangles); },
           [&](u32 work) { made[n++] = work; });
      if (edge != none && edge_of(item) == whole) made[n++] = item;
      const u32 place = append<most_pushes<usual>>(self, &tallies[tally::pushed], n);
      for (u32 k = 0; k < n; ++k) st_plain(&pushed[place + k], made[k]);
    }
  }

 private:
  MAGPIE_INLINE point point_of(u32 i) const {
    u64 at[2] = {0, 0};
    for (u32 k = 0; k < 4; ++k) {
      at[k / 2] |= u64{ld_plain(&footprints[u64{2 + k} * stride + i])} << (32 * (k % 2));
    }
    return {__builtin_bit_cast(double, at[0]), __builtin_bit_cast(double, at[1])};
  }
  MAGPIE_INLINE void push(const thread& self, u32 item) const {
    st_plain(&pushed[append(self, &tallies[tally::pushed])], item);
  }
  MAGPIE_INLINE bool won(const slice& part, u32 i, u32 sizes) const {
    const u32 inner = sizes >> 16 & 0x7fffu;
    const u32 all = sizes & 0xffffu;
    const u32 mine = part.mark(i);
    bool mine_all = true;
    for (u32 k = 0; k < all; ++k) {
      const u32 mark = ld_plain(&marks[ld_plain(&footprints[u64{footprint_head + k} * stride + i])]);
      mine_all = mine_all && (k < inner ? mark == mine : mark <= mine || active_mutant == mutant::rim_mark_ignored);
    }
    return mine_all;
  }
};
MAGPIE_KERNEL(fill_cavities)

}  // namespace magpie::mesh
