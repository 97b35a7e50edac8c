/// @file
/// Which items are due: what needs mending at first, and which of it is the most urgent.
///
/// Layer: algorithm, lock-free phases: each thread writes words of its own and places that it appended.
///
/// Order of work decides how large the mesh becomes. Items whose triangle has a shorter shortest edge go first, by
/// classes: a launch runs the first of them, as many as make up a batch, and what it pushes takes part in the next choice.
/// This is delta-stepping (Meyer and Sanders, "Delta-stepping: a parallelizable shortest path algorithm", 2003) with
/// urgency for distance, except that the threshold falls where more urgent items come up.
///
/// What waits lies in bins, one for each class. Two piles, near and far, as is usual on GPUs (Davidson, Baxter, Garland
/// and Owens, "Work-efficient parallel GPU methods for single-source shortest paths", 2014), would mean to look at all
/// that waits with each step of the threshold. With bins an item is counted once, and sorted twice at most: into its
/// bin, and into `due`. Before a launch new items are counted by class; with that and the bins' sizes the host chooses the
/// threshold, makes room in the bins, and has the new items and the bins up to the threshold sorted.
#pragma once

#include "look.cuh"

namespace magpie::mesh {

/// Classes of urgency: exponents of the square of the shortest edge, so each of a factor 1.4 in length.
inline constexpr u32 classes = 2048;
MAGPIE_CONSTANT(classes)

/// An item's class: 0 of edges, which come first; of triangles by their shortest edge. `none` = it needs nothing any more.
MAGPIE_INLINE u32 class_of(const view& m, u32 item) {
  if (edge_of(item) != whole) return 0;
  const u32 t = triangle_of(item);
  return (ld_plain(m.flags(t)) & (live | bad)) == (live | bad) ? ld_plain(m.urgency(t)) >> 20 : none;
}

inline constexpr u32 bins = 64;
MAGPIE_CONSTANT(bins)

/// Words from one list's end to the next one's, in `sort_items`: lines of memory of their own, as all threads add to them.
inline constexpr u32 end_words = 32;
MAGPIE_CONSTANT(end_words)

/// The bin of a class. Edges have the first one, and the second one is for all up to `base`; then each class has one of its
/// own; the last one has all that are beyond, until the host sorts them by a higher `base`.
MAGPIE_INLINE u32 bin_of(u32 of_class, u32 base) {
  if (of_class == 0) return 0;
  if (of_class <= base) return 1;
  const u32 bin = of_class - base + 1;
  return bin < bins ? bin : bins - 1;
}

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

/// Counts items by class, but for those that need nothing any more.
///
/// Few classes have nearly all items, and additions to one line of memory come one after the other. So the warp holds back
/// what it counted: class c in lane c modulo its width, until another class comes to that lane.
struct count_classes {
  u32 count;
  array<u32> items;
  array<u32> triangles;
  array<u32> counts;  ///< of each class

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m{reinterpret_cast<word_pair*>(triangles.data), nullptr, nullptr, nullptr, nullptr};
    u32 mine = none;
    u32 counted = 0;
    for (u32 first : self.warp_items(count)) {
      const u32 i = first + self.lane();
      const u32 of_class = i < count ? class_of(m, ld_plain(&items[i])) : none;
      for (u32 left = self.ballot(of_class != none); left != 0;) {
        const u32 next = self.shuffle(of_class, lowest_bit(left));
        const u32 equal = self.ballot(of_class == next);
        if (next % self.width() == self.lane()) {
          if (next != mine) add(mine, counted);
          counted = popcount(equal) + (next == mine ? counted : 0);
          mine = next;
        }
        left &= ~equal;
      }
    }
    add(mine, counted);
  }

 private:
  MAGPIE_INLINE void add(u32 of_class, u32 counted) const {
    if (counted != 0) red_add_rlx_dev(&counts[of_class], counted);
  }
};
MAGPIE_KERNEL(count_classes)

/// A list that `sort_items` takes items from, in turns: turn i of `turns` takes the i * `stride`-th, modulo `turns`, if there
/// is one. So neighbors in the list are spread.
struct source {
  u32 end;     ///< turns of this and all earlier sources
  u32 turns;   ///< a power of two, at least `count`
  u32 stride;  ///< odd
  u32 count;   ///< items
  u32 bin;     ///< what waits there; `none` = the new items
  u32 first;   ///< of a bin: its first place in `waiting`
};

inline constexpr u32 source_words = 6;
static_assert(sizeof(source) == source_words * sizeof(u32), "the host writes a source word by word");
MAGPIE_CONSTANT(source_words)

/// Appends new items, and those of bins up to `threshold`, to `due`; new items of later bins to these. Left out are those
/// that need nothing any more, and of items that waited in a bin those that belong to another one by now: their triangle
/// was replaced, and if the new one is bad, it was pushed itself.
struct sort_items {
  u32 turns;    ///< of all sources
  u32 sources;  ///< at least 1
  u32 base;     ///< see `bin_of`
  u32 threshold;
  array<u32> fresh;
  array<u32> triangles;
  array<u32> due;
  array<u32> waiting;
  array<u32> plan;  ///< where the next item goes in `due`, and in each bin of `waiting`, `end_words` each; the sources

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m{reinterpret_cast<word_pair*>(triangles.data), nullptr, nullptr, nullptr, nullptr};
    for (u32 turn : self.items(turns)) {
      source from = load(0);
      for (u32 s = 1; s < sources && turn >= from.end; ++s) from = load(s);
      const u32 i = (turn - (from.end - from.turns)) * from.stride & (from.turns - 1);
      if (i >= from.count) continue;
      const u32 item = ld_plain(from.bin == none ? &fresh[i] : &waiting[from.first + i]);
      const u32 of_class = class_of(m, item);
      if (of_class == none) continue;
      const u32 bin = bin_of(of_class, base);
      if (from.bin != none && from.bin != bin) continue;
      const bool now = bin <= threshold;
      const u32 place = append_to(self, plan.data, now ? 0 : end_words * (1 + bin));
      st_plain(now ? &due[place] : &waiting[place], item);
    }
  }

 private:
  MAGPIE_INLINE source load(u32 s) const {
    const u32 at = end_words * (1 + bins) + source_words * s;
    const auto word = [&](u32 k) { return ld_plain(&plan[at + k]); };
    return {word(0), word(1), word(2), word(3), word(4), word(5)};
  }
};
MAGPIE_KERNEL(sort_items)

}  // namespace magpie::mesh
