/// @file
/// The module `mesh_sets`: refinement by maximal sets of cavities, which measures how many could be filled at the same time.
///
/// Layer: algorithm. A module of its own, so that `mesh` stays small: nobody loads it who does not ask for this variant.
///
/// A step lists all work and fills cavities of which no two overlap. With `around`, their neighborhoods, which are the
/// cavities and the triangles around them, have no triangle in common; without, no cavity has one of another one's
/// neighborhood. The set is maximal: of each other item, the cavity as it was when the step began overlaps one that was
/// filled. How many are filled is the available parallelism of Kulkarni, Burtscher, Inkulu, Pingali and Cascaval, "How much
/// parallelism is there in irregular applications?" (2009), as figure 2 of Nasre, Burtscher and Pingali, "Morph Algorithms
/// on GPUs" (2013), shows it. Items whose cavity is too large for the usual kernels are listed in `large` and take no part.
///
/// Passes of two launches fill them, with marks as in mesh/refine_marked.cuh. The triangles of a step, which are the new
/// ones and with `around` those next to them, get its number. An item leaves the step if there is such a triangle in its
/// neighborhood; who lost to another one's mark takes part in the next pass. Filling a cavity changes no other triangles
/// than its own, and links of those around it. So the cavity of an item that meets no triangle of the step is what it was
/// when the step began, and one that overlapped a filled cavity then meets what replaced it or lies around that. In each
/// pass the highest mark wins, so passes end; when none is left that lost, the set is maximal. Where a segment is in the
/// way, its cavity is the item's; an item whose way there the step has changed may leave the step, too.
#include "mesh/marks.cuh"

namespace magpie::mesh {

/// Further counters, behind those of `tally`.
namespace tally {
inline constexpr u32 overlapping = 13;  ///< items whose cavity overlaps one that the step filled
}  // namespace tally
MAGPIE_CONSTANT(tally::overlapping)

/// Lists all work, each encroached edge for itself.
struct list_work {
  u32 count;         ///< triangle slots
  u32 edges_only;    ///< 1: no triangles
  array<u32> found;  ///< what needs work; what finds no place is counted anyway
  array<u32> tallies;
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const still_access still{mesh.arrays()};
    for (u32 t : self.items(count)) {
      const record r = still.triangle(t);
      if ((r.flags & live) == 0) continue;
      for (u32 k = 0; k < 3; ++k) {
        if ((r.flags & fixed_bit(k)) == 0 || is_kept(r.link[k], mesh.asked)) continue;
        if (encroaches(still.vertex(pick(r.corner, k)), still.vertex(pick(r.corner, after(k))),
                       still.vertex(pick(r.corner, before(k))))) {
          list(self, link_of(t, k));
        }
      }
      if (edges_only == 0 && (r.flags & bad) != 0) list(self, link_of(t, whole));
    }
  }

 private:
  MAGPIE_INLINE void list(const thread& self, u32 item) const {
    const u32 place = append(self, &tallies[tally::found]);
    if (place < found.size()) st_plain(&found[place], item);
  }
};
MAGPIE_KERNEL(list_work)

/// What the kernels of a pass need beyond a slice.
struct pass {
  slice part;
  u32 step;             ///< above 0, and above those before
  u32 around;           ///< 1: the triangles around cavities count, too
  array<u32> taken_in;  ///< of each triangle slot: the last step whose triangle it was; 0 = none

  /// How many triangles of a footprint of these sizes are marked.
  MAGPIE_INLINE u32 marked(u32 sizes) const { return around != 0 ? slice::all(sizes) : slice::inner(sizes); }
};

/// Finds the cavities of a slice, and marks those that overlap none that the step has filled.
struct mark_free {
  pass at;
  array<u32> large;  ///< at least one place for each item
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const slice& part = at.part;
    for (u32 i : self.items(part.count)) {
      const u32 item = part.item(i);
      u32 sizes = 0;
      bool overlaps = is_taken(triangle_of(item));
      if (!overlaps) {
        sizes = part.find<plain_search>(self, single_lane{}, true, mesh, large, i, item,
                                        [&](u32 t, bool) { overlaps = overlaps || is_taken(t); });
      }
      if (overlaps) {
        append(self, &part.tallies[tally::overlapping]);
        sizes = 0;
      }
      part.store_sizes(i, sizes);
      const u32 mine = mixed_mark(part, i);
      // Not plain: this thread has just written them.
      for (u32 k = 0; k < at.marked(sizes); ++k) {
        red_max_rlx_dev(&part.marks[ld_rlx_dev(part.word(slice::head + k, i))], mine);
      }
    }
  }

 private:
  MAGPIE_INLINE bool is_taken(u32 t) const {
    return ld_plain(&at.taken_in[t]) == at.step && !breaks(mutant::overlap_ignored);
  }
};
MAGPIE_KERNEL(mark_free)

/// Fills the cavities of a slice that kept their marks, and lists the others' items for the next pass.
struct fill_free {
  pass at;
  array<u32> lost;  ///< at least one place for each item
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const slice& part = at.part;
    const view m = mesh.arrays();
    const array<u32>& tallies = part.tallies;
    for (u32 i : self.items(part.count)) {
      const u32 sizes = part.load_sizes(i);
      if (sizes == 0) continue;
      const u32 item = part.item(i);
      if (!kept_marks(part, i, sizes, at.marked(sizes))) {
        append(self, &tallies[tally::lost]);
        if (!breaks(mutant::losers_forgotten)) st_plain(&lost[append(self, &tallies[tally::pushed])], item);
        continue;
      }
      if ((sizes & slice::stuck) != 0) {
        give_up(self, m, item, sizes, tallies);
        continue;
      }
      cavity<usual> c;
      const u32 edge = part.gather(shared_access{m}, i, item, sizes, c);
      const u32 first_slot = append<2>(self, &tallies[tally::triangles], c.rim - c.triangles);
      const u32 vertex = append(self, &tallies[tally::vertices]);
      const auto id = [&](u32 k) { return k < c.triangles ? c.ids[k] : first_slot + (k - c.triangles); };
      // What is new and bad is listed when the next step begins.
      fill(m, single_lane{}, true, c, edge == none ? none : ld_rlx_dev(m.segment(edge)), vertex, mesh.asked, id,
           [](u32) {});
      for (u32 k = 0; k < c.rim; ++k) {
        st_rlx_dev(&at.taken_in[id(k)], at.step);
        if (at.around != 0 && c.outer[k] != none) st_rlx_dev(&at.taken_in[triangle_of(c.outer[k])], at.step);
      }
    }
  }
};
MAGPIE_KERNEL(fill_free)

}  // namespace magpie::mesh
