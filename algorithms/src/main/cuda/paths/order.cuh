/// @file
/// Which vertices relax their arcs next: by a far pile or by bins, and the search for arcs that were missed.
#pragma once

#include "magpie/parallel/priority_bins.cuh"
#include "paths.cuh"

namespace paths {

/// The vertices of the far pile, to be looked at again.
struct far_pile {
  array<const u32> far;
  u64 count;
  u64 done;  ///< vertices below this distance have relaxed their arcs since they got it
};

/// The least distance in the far pile that is not done, to `least`, which is all ones before.
///
/// Participation: whole warps. Shared state: `least`, an atomic minimum for each warp.
MAGPIE_INLINE void look_for_least(const thread& self, const far_pile& pile, const vertex_words& vertices, u64* least) {
  u64 found = unreached;
  for (u64 i : self.items(pile.count)) {
    const u64 distance = vertices.distance(magpie::ld_plain(&vertices.word[magpie::ld_plain(&pile.far[i])]));
    if (distance >= pile.done && distance < found) found = distance;
  }
  found = magpie::warp_reduce(self, found, magpie::minimum<u64>{});
  if (self.lane() == 0 && found != unreached) magpie::red_min_rlx_dev(least, found);
}

/// The same as a launch, to `totals[far_least]`.
struct find_far_least {
  far_pile pile;
  vertex_words vertices;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const { look_for_least(self, pile, vertices, &totals[far_least]); }
};
MAGPIE_KERNEL(find_far_least)

/// Sorts the far pile by a threshold: vertices below it become the frontier, the others stay on a pile, and those that have
/// come near meanwhile and are done are dropped (Davidson, Baxter, Garland and Owens, IPDPS 2014).
///
/// Participation: whole warps, a vertex for each lane. Shared state: the lists, with another pile; `in_far[v]` by the one lane
/// that has v.
MAGPIE_INLINE void sort_far(const thread& self, const far_pile& pile, const vertex_words& vertices,
                            const reached_lists& lists) {
  list_writer out(lists);
  for (u64 base : self.warp_items(pile.count)) {
    const u64 i = base + self.lane();
    const u32 v = i < pile.count ? magpie::ld_plain(&pile.far[i]) : none;
    const u64 distance = v == none ? 0 : vertices.distance(magpie::ld_plain(&vertices.word[v]));
    const bool stays = v != none && distance >= lists.threshold;
    out.push_far(self, stays, v);
    if (v != none && !stays) magpie::st_plain(&lists.in_far[v], 0);
    out.push_again(self, v != none && !stays && distance >= pile.done, v);
  }
  out.flush(self);
}

/// The same as a launch.
struct split_far {
  far_pile pile;
  vertex_words vertices;
  reached_lists lists;

  MAGPIE_DEVICE void operator()(const thread& self) const { sort_far(self, pile, vertices, lists); }
};
MAGPIE_KERNEL(split_far)

// ---- By bins: what was put on the far pile is sorted into priority bins, whose classes are ranges of distances, `delta` wide
// (delta-stepping). A vertex whose distance falls while it waits is put on the pile once more, so that it may be in several bins,
// and in one more than once; those in which it is no longer drop it, and `stamp` lets one entry of the others into the frontier.

MAGPIE_PRIORITY_BINS

/// Of ranges: as many as have a bin of their own, none for class 0, and one for all that are beyond.
inline constexpr u32 range_classes = magpie::priority_bins::count;
MAGPIE_CONSTANT(range_classes)

/// Classes of vertices by their distance.
template <class Lengths>
struct distance_classes {
  vertex_words vertices;
  u64 delta;
  u64 origin;  ///< the number of the range that is class 1
  u64 done;    ///< vertices below this distance have relaxed their arcs since they got it

  MAGPIE_INLINE u32 operator()(u32 v) const {
    const u64 distance = vertices.distance(magpie::ld_plain(&vertices.word[v]));
    if (distance < done) return magpie::no_class;
    const u64 range = Lengths::range(distance, delta) - origin;
    return range < range_classes - 2 ? 1 + static_cast<u32>(range) : range_classes - 1;
  }
};

template <class Lengths>
struct range_counting {
  magpie::class_counting bins;
  distance_classes<Lengths> classes;

  MAGPIE_DEVICE void operator()(const thread& self) const { bins.run(self, classes); }
};
using count_ranges = range_counting<whole_lengths>;
using count_ranges_float = range_counting<float_lengths>;
MAGPIE_KERNEL(count_ranges)
MAGPIE_KERNEL(count_ranges_float)

template <class Lengths>
struct range_sorting {
  magpie::bin_sorting bins;
  distance_classes<Lengths> classes;

  MAGPIE_DEVICE void operator()(const thread& self) const { bins.run(self, classes); }
};
using sort_ranges = range_sorting<whole_lengths>;
using sort_ranges_float = range_sorting<float_lengths>;
MAGPIE_KERNEL(sort_ranges)
MAGPIE_KERNEL(sort_ranges_float)

/// The vertices that are due become the frontier, each once.
///
/// Participation: whole warps, a vertex for each lane. Shared state: the lists.
struct list_due {
  array<const u32> due;
  u64 count;
  reached_lists lists;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    list_writer out(lists);
    for (u64 base : self.warp_items(count)) {
      const u64 i = base + self.lane();
      out.push_again(self, i < count, i < count ? magpie::ld_plain(&due[i]) : none);
    }
    out.flush(self);
  }
};
MAGPIE_KERNEL(list_due)

/// Lists the vertices of which an arc still improves something: after a run of plain stores over frontiers, where one store
/// may have undone another whose vertex relaxed its arcs before.
///
/// Participation: whole warps. Shared state: `word`, read only; the lists.
template <class Lengths>
MAGPIE_INLINE void list_slack(const thread& self, const arc_walk<Lengths>& arcs, const vertex_words& vertices,
                              const reached_lists& lists) {
  list_writer out(lists);
  arcs.for_each(self, vertices, [&](u32 v, u64 word, u32 arc, bool here) {
    const bool slack =
        here && Lengths::add(arcs, vertices.distance(word), arc) <
                    vertices.distance(magpie::ld_plain(&vertices.word[magpie::ld_plain(&arcs.neighbors[arc])]));
    out.push_again(self, slack, v);
  });
  out.flush(self);
}

/// The same as a launch.
template <class Lengths>
struct slack_search {
  arc_walk<Lengths> arcs;
  vertex_words vertices;
  reached_lists lists;

  MAGPIE_DEVICE void operator()(const thread& self) const { list_slack(self, arcs, vertices, lists); }
};
using find_slack = slack_search<whole_lengths>;
using find_slack_float = slack_search<float_lengths>;
MAGPIE_KERNEL(find_slack)
MAGPIE_KERNEL(find_slack_float)

}  // namespace paths
