/// @file
/// Which vertices relax their arcs next: the near-far order, and the search for arcs that were missed.
#pragma once

#include "paths.cuh"

namespace paths {

/// The vertices of the far pile, to be looked at again.
struct far_pile {
  array<const u32> far;
  u64 count;
  u64 done;  ///< vertices below this distance have relaxed their arcs since they got it
};

/// The least distance in the far pile that is not done, to `totals[far_least]`, which is all ones before.
/// Shared state: that, an atomic minimum for each warp.
struct find_far_least {
  far_pile pile;
  vertex_words vertices;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u64 least = unreached;
    for (u64 i : self.items(pile.count)) {
      const u64 distance = vertices.distance(magpie::ld_plain(&vertices.word[magpie::ld_plain(&pile.far[i])]));
      if (distance >= pile.done && distance < least) least = distance;
    }
    least = magpie::warp_reduce(self, least, magpie::minimum<u64>{});
    if (self.lane() == 0 && least != unreached) magpie::red_min_rlx_dev(&totals[far_least], least);
  }
};
MAGPIE_KERNEL(find_far_least)

/// Sorts the far pile by a threshold: vertices below it become the frontier, the others stay on a pile, and those that have
/// come near meanwhile and are done are dropped (Davidson, Baxter, Garland and Owens, IPDPS 2014).
///
/// Participation: whole warps, a vertex for each lane. Shared state: the lists; `in_far[v]` by the one lane that has v.
struct split_far {
  far_pile pile;
  vertex_words vertices;
  reached_lists lists;  ///< with another pile

  MAGPIE_DEVICE void operator()(const thread& self) const {
    list_writer out(lists);
    for (u64 base : self.warp_items(pile.count)) {
      const u64 i = base + self.lane();
      const u32 v = i < pile.count ? magpie::ld_plain(&pile.far[i]) : none;
      const u64 distance = v == none ? 0 : vertices.distance(magpie::ld_plain(&vertices.word[v]));
      const bool stays = v != none && distance >= lists.threshold;
      if (stays) out.push_far(self, v);
      if (v != none && !stays) magpie::st_plain(&lists.in_far[v], 0);
      out.push_again(self, v != none && !stays && distance >= pile.done, v);
    }
    out.flush(self);
  }
};
MAGPIE_KERNEL(split_far)

/// Lists the vertices of which an arc still improves something: after a run of plain stores over frontiers, where one store
/// may have undone another whose vertex relaxed its arcs before.
///
/// Participation: whole warps. Shared state: `word`, read only; the lists.
struct find_slack {
  arc_walk arcs;
  vertex_words vertices;
  reached_lists lists;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    list_writer out(lists);
    arcs.for_each(self, vertices, [&](u32 v, u64 word, u32 arc, bool here) {
      const bool slack =
          here && vertices.distance(word) + arc_length(arcs, arc) <
                      vertices.distance(magpie::ld_plain(&vertices.word[magpie::ld_plain(&arcs.neighbors[arc])]));
      out.push_again(self, slack, v);
    });
    out.flush(self);
  }
};
MAGPIE_KERNEL(find_slack)

}  // namespace paths
