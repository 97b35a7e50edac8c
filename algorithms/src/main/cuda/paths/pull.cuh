/// @file
/// Relaxation of the arcs that enter vertices: each vertex looks for itself, so that every word has one writer and nothing
/// is atomic. Walks over the transposed graph.
#pragma once

#include "paths.cuh"

namespace paths {

/// The arcs that enter vertices.
template <class Lengths>
struct entering_arcs {
  u32 vertices;
  u32 weighted;
  array<const u32> offsets;
  array<const u32> neighbors;                     ///< where they come from
  array<const typename Lengths::weight> weights;  ///< not read where arcs have length 1
};

/// Who is reached, and in which level, as words have it. Shared state: `word[w]` by w's lane.
struct levels_of_words {
  const vertex_words& vertices;

  MAGPIE_INLINE bool is_reached(u32 w) const { return magpie::ld_rlx_dev(&vertices.word[w]) != unreached; }
  MAGPIE_INLINE bool is_of(u32 v, u64 level) const {
    return vertices.distance(magpie::ld_rlx_dev(&vertices.word[v])) == level;
  }
  MAGPIE_INLINE void reach(u32 w, u64 level, u32 v) const {
    magpie::st_rlx_dev(&vertices.word[w], vertices.make(level, v));
  }
};

/// The same by marks, which are written with the words.
struct levels_of_marks {
  const vertex_words& vertices;
  const level_marks& marks;

  MAGPIE_INLINE bool is_reached(u32 w) const { return magpie::ld_rlx_dev(&marks.mark[w]) != 0; }
  MAGPIE_INLINE bool is_of(u32 v, u64 level) const {
    return magpie::ld_rlx_dev(&marks.mark[v]) == level_marks::of(level);
  }
  MAGPIE_INLINE void reach(u32 w, u64 level, u32 v) const {
    magpie::st_rlx_dev(&vertices.word[w], vertices.make(level, v));
    magpie::st_rlx_dev(&marks.mark[w], level_marks::of(level));
  }
};

/// A level of a breadth-first search from below: each vertex that is not reached looks for one of the last level, and stops
/// at the first (Beamer, Asanovic and Patterson, SC 2012). Calls reached(w, v), by w's lane, once w is reached.
///
/// Participation: whole warps, a vertex for each lane. Shared state: that of `levels`, by w's lane; others may read it before or
/// after, and neither is of the last level. Rule: one writer for each word.
/// Cost: between one arc for each vertex that is not reached and all of them; the lane with the longest list holds its warp up.
template <class Lengths, class Levels, class Reached>
MAGPIE_INLINE void look_from_below(const thread& self, const entering_arcs<Lengths>& arcs, const Levels& levels,
                                   const reached_lists& lists, u64 level, Reached&& reached) {
  list_writer out(lists);
  for (u64 base : self.warp_items(u64{arcs.vertices})) {
    const u64 mine = base + self.lane();
    const u32 w = mine < arcs.vertices ? static_cast<u32>(mine) : none;
    bool found = false;
    if (w != none && !levels.is_reached(w)) {
      const u32 last = magpie::ld_plain(&arcs.offsets[w + 1]);
      for (u32 a = magpie::ld_plain(&arcs.offsets[w]); !found && a < last; ++a) {
        const u32 v = magpie::ld_plain(&arcs.neighbors[a]);
        found = levels.is_of(v, level);
        if (!found) continue;
        levels.reach(w, level + 1, v);
        reached(w, v);
      }
    }
    out.push(self, found, w, level + 1);
  }
  out.flush(self);
}

/// The same as a launch, between levels that transactions take: words do not hold predecessors.
struct pull_level {
  entering_arcs<whole_lengths> arcs;
  vertex_words vertices;
  reached_lists lists;
  array<u32> predecessor;  ///< of w by its lane
  u64 level;               ///< the last one

  MAGPIE_DEVICE void operator()(const thread& self) const {
    look_from_below(self, arcs, levels_of_words{vertices}, lists, level,
                    [&](u32 w, u32 v) { magpie::st_rlx_dev(&predecessor[w], v); });
  }
};
MAGPIE_KERNEL(pull_level)

/// One step toward the fixed point from below: each vertex takes the least that its arcs offer. Repeated until no distance
/// falls.
///
/// Participation: whole warps, arcs shared by segments. Shared state: `word[w]` by w's lane, relaxed; others may read it before
/// or after. Rule: one writer for each word, and distances only fall. With packed words the predecessor is that of the
/// least word, and changes only when the distance falls; see `by_minimum`.
/// Bytes: 4 (8 if weighted) for each arc and a gathered word; 8 for each vertex.
template <class Lengths>
struct pull_over_all {
  entering_arcs<Lengths> arcs;
  vertex_words vertices;
  reached_lists lists;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    list_writer out(lists);
    for (u64 base : self.warp_items(u64{arcs.vertices})) {
      const u64 w = base + self.lane();
      const u64 least = magpie::reduce_elements<u64>(
          self, magpie::block_at(self, arcs.offsets, arcs.vertices, base), magpie::minimum<u64>{}, [&](u32 a, u32) {
            const u32 v = magpie::ld_plain(&arcs.neighbors[a]);
            const u64 word = magpie::ld_rlx_dev(&vertices.word[v]);
            return word == unreached ? unreached : vertices.make(Lengths::add(arcs, vertices.distance(word), a), v);
          });
      const u64 distance = vertices.distance(least);
      const bool fell = w < arcs.vertices && least != unreached &&
                        distance < vertices.distance(magpie::ld_rlx_dev(&vertices.word[w]));
      if (fell) magpie::st_rlx_dev(&vertices.word[w], least);
      out.push(self, fell, static_cast<u32>(w), distance);
    }
    out.flush(self);
  }
};
using pull_all = pull_over_all<whole_lengths>;
using pull_all_float = pull_over_all<float_lengths>;
MAGPIE_KERNEL(pull_all)
MAGPIE_KERNEL(pull_all_float)

}  // namespace paths
