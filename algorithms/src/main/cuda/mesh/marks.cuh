/// @file
/// What all refinement by marks has in common: slices of items, their marks, and the footprints of their cavities.
///
/// Layer: algorithm. One launch finds the cavities of a slice, another one fills those that are nobody else's; between them
/// a cavity lies in memory as its footprint. Marks carry the epoch of their use above an item's priority, so that none is
/// ever cleared.
///
/// A footprint says which triangles there are, in the order in which the search found them: to fill a cavity, or to use it
/// again later, costs no second search, as long as its triangles are as they were.
#pragma once

#include "look.cuh"

namespace magpie::mesh {

/// A slice of the items: first fields of the kernels that work on one.
struct slice {
  u32 count;
  u32 first;   ///< of `items`
  u32 epoch;   ///< of the marks
  u32 bits;    ///< of a priority; 2^bits >= count
  u32 stride;  ///< of footprints: >= count
  array<u32> items;
  array<u32> marks;  ///< of each triangle
  array<u32> footprints;
  array<u32> tallies;

  /// Words of a footprint: the sizes, the edge that is split, the point in four, the triangles of the cavity, those around
  /// it.
  static constexpr u32 head = 6;
  static constexpr u32 words = head + 2 * usual + 2;

  /// Bits of the sizes, above the numbers of triangles in the cavity (from `inner_shift` on) and in all. A footprint whose
  /// sizes are 0 is none.
  static constexpr u32 inner_shift = 8;
  static constexpr u32 number = (1u << inner_shift) - 1u;
  static constexpr u32 kept = 1u << 28;    ///< of one that is `stuck`: an edge that is never split is in the way
  static constexpr u32 filled = 1u << 29;  ///< done
  static constexpr u32 behind = 1u << 30;  ///< met a mark of higher priority
  static constexpr u32 stuck = 1u << 31;   ///< the item's triangle is to be given up
  static_assert(words - head <= number);

  MAGPIE_INLINE u32 item(u32 i) const { return ld_plain(&items[first + i]); }
  MAGPIE_INLINE u32* word(u32 k, u32 i) const { return &footprints[u64{k} * stride + i]; }
  /// Its sizes; relaxed.
  MAGPIE_INLINE u32 load_sizes(u32 i) const { return ld_rlx_dev(word(0, i)); }
  MAGPIE_INLINE void store_sizes(u32 i, u32 value) const { st_rlx_dev(word(0, i), value); }
  /// The k-th triangle of footprint i.
  MAGPIE_INLINE u32 triangle(u32 k, u32 i) const { return ld_plain(word(head + k, i)); }
  MAGPIE_INLINE static u32 inner(u32 sizes) { return sizes >> inner_shift & number; }
  MAGPIE_INLINE static u32 all(u32 sizes) { return sizes & number; }
  MAGPIE_INLINE u32 mark(u32 priority) const { return epoch << bits | priority; }

  /// Finds the cavity of item i and writes its footprint but for the sizes, which it gives. `large` receives the item if
  /// its cavity is too large. Calls `note(t, inside)` for each triangle t of the footprint.
  ///
  /// Called by all of `lanes`; where it is not `active` there is no item, and nothing is found.
  template <class Search, class Lanes, class Note>
  MAGPIE_INLINE u32 find(const thread& self, const Lanes& lanes, bool active, const mesh_arguments& mesh,
                         const array<u32>& large, u32 i, u32 item, Note&& note) const {
    const still_access still{mesh.arrays()};
    cavity<usual, Search> c;
    u32 edge;
    finding found = search(still, lanes, active, item, mesh.asked, c, edge);
    if (found == finding::obstructed) found = look_at_obstacle(still, edge, c);
    // Nobody changes the mesh meanwhile, so that to look again would show the same.
    if (found == finding::torn) {
      append(self, &tallies[tally::torn]);
      found = finding::stuck;
    }
    if (found == finding::too_large) st_plain(&large[append(self, &tallies[tally::large])], item);
    if (found == finding::stuck && edge_of(item) != whole) {
      append(self, &tallies[tally::stuck]);
      append(self, &tallies[tally::stuck_edges]);
      return 0;
    }
    const bool gives_up = found == finding::stuck || found == finding::kept;
    if (found != finding::insert && !gives_up) return 0;
    u32 n = 0;
    const auto list = [&](u32 t, bool inside) {
      st_plain(word(head + n++, i), t);
      note(t, inside);
    };
    if (gives_up) {
      list(triangle_of(item), true);
      return stuck | (found == finding::kept ? kept : 0u) | 1u << inner_shift | 1u;
    }
    st_plain(word(1, i), edge);
    const u64 parts[2] = {__builtin_bit_cast(u64, c.at.x), __builtin_bit_cast(u64, c.at.y)};
    MAGPIE_UNROLL
    for (u32 k = 0; k < 4; ++k) st_plain(word(2 + k, i), static_cast<u32>(parts[k / 2] >> (32 * (k % 2))));
    for (u32 k = 0; k < c.triangles; ++k) list(c.ids[k], true);
    for (u32 k = 0; k < c.rim; ++k) {
      if (c.outer[k] != none) list(triangle_of(c.outer[k]), false);
    }
    return c.triangles << inner_shift | n;
  }

  /// The cavity of footprint i, of these sizes, ready to be filled; its triangles are this thread's, and as they were. Gives
  /// the edge that is split, or `none`.
  template <class Search>
  MAGPIE_INLINE u32 gather(const shared_access& mesh, u32 i, u32 item, u32 sizes, cavity<usual, Search>& c) const {
    u64 parts[2];
    MAGPIE_UNROLL
    for (u32 k = 0; k < 2; ++k) {
      parts[k] = u64{ld_plain(word(3 + 2 * k, i))} << 32 | ld_plain(word(2 + 2 * k, i));
    }
    const u32 edge = ld_plain(word(1, i));
    c.again(mesh, edge == none ? item : edge,
            {__builtin_bit_cast(double, parts[0]), __builtin_bit_cast(double, parts[1])}, inner(sizes),
            [&](u32 k) { return triangle(k, i); });
    c.read_segments(mesh);
    return edge;
  }
};
MAGPIE_CONSTANT(slice::words)

/// An item's mark. Larger wins; mixed, as neighbors in a list are neighbors in the mesh and a run of rising ones would
/// all lose.
MAGPIE_INLINE u32 mixed_mark(const slice& part, u32 i) { return part.mark(i * 2654435769u & ((1u << part.bits) - 1u)); }

/// Whether footprint i, of these sizes, kept the marks that a maximum set: its first `marked` triangles, the cavity among
/// them, have its mark, and the others none of higher priority.
MAGPIE_INLINE bool kept_marks(const slice& part, u32 i, u32 sizes, u32 marked) {
  const u32 mine = mixed_mark(part, i);
  bool mine_all = true;
  for (u32 k = 0; k < slice::all(sizes); ++k) {
    const u32 mark = ld_plain(&part.marks[part.triangle(k, i)]);
    mine_all = mine_all && (k < marked ? mark == mine : mark <= mine || breaks(mutant::rim_mark_ignored));
  }
  return mine_all;
}

/// Gives up the triangle of a footprint of these sizes, which is stuck.
MAGPIE_INLINE void give_up(const thread& self, const view& m, u32 item, u32 sizes, const array<u32>& tallies) {
  append(self, &tallies[tally::stuck]);
  if ((sizes & slice::kept) != 0) append(self, &tallies[tally::kept]);
  red_and_rlx_dev(m.flags(triangle_of(item)), ~bad);
}

/// The items that filling a cavity makes.
struct made_items {
  u32 items[most_pushes<usual>];
  u32 count = 0;

  MAGPIE_INLINE void add(u32 item) { items[count++] = item; }
  /// Appends them to a list behind a counter.
  MAGPIE_FORCE_INLINE void append_to(const thread& self, const array<u32>& list, u32* counter) const {
    const u32 place = append<most_pushes<usual>>(self, counter, count);
    for (u32 k = 0; k < count; ++k) st_plain(&list[place + k], items[k]);
  }
};

}  // namespace magpie::mesh
