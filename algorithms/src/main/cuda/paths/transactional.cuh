/// @file
/// Relaxation by transactions: a vertex's distance and its predecessor change together, as two data of one object.
///
/// One round: `propose_arcs` lists the arcs that improve something (lock-free, so that arcs that do not cost no
/// transaction), the region `take_offer` takes the offers that are still better, and `list_taken` lists the vertices whose
/// distance fell.
#pragma once

#include "magpie/stm.cuh"
#include "paths.cuh"

namespace paths {

/// Offers, in any order.
struct offer_list {
  array<u32> to;
  array<u32> from;
  array<u64> distance;
};

/// Lists the arcs of a walk that offer their target a lower distance.
///
/// Participation: whole warps. Shared state: `word`, read only; the list behind `totals[offers]`, which has room for all arcs
/// of the walk. Bytes: 8 (12 if weighted) for each arc, and a gathered word; 16 for each offer.
template <class Lengths>
struct propose {
  arc_walk<Lengths> arcs;
  vertex_words vertices;
  offer_list offered;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    arcs.for_each(self, vertices, [&](u32 v, u64 word, u32 arc, bool here) {
      if (!here) return;
      const u32 w = magpie::ld_plain(&arcs.neighbors[arc]);
      const u64 distance = Lengths::add(arcs, vertices.distance(word), arc);
      if (distance >= vertices.distance(magpie::ld_rlx_dev(&vertices.word[w]))) return;
      const u64 place = magpie::append(self, &totals[offers]);
      magpie::st_plain(&offered.to[place], w);
      magpie::st_plain(&offered.from[place], v);
      magpie::st_plain(&offered.distance[place], distance);
    });
  }
};
using propose_arcs = propose<whole_lengths>;
using propose_arcs_float = propose<float_lengths>;
MAGPIE_KERNEL(propose_arcs)
MAGPIE_KERNEL(propose_arcs_float)

/// Takes an offer, unless the vertex has got one that is as good. Items: offers. Objects: vertices, each of which stands for its
/// distance and its predecessor.
///
/// As small as a transaction can be that is worth one: one object, a read, two writes that nobody may see apart.
///
/// Predecessors make no cycle, along level arcs either: no vertex is nearer than its predecessor, as that has only come nearer since. To
/// close a cycle, a vertex would have to take a lower distance from one that comes behind it, and is no nearer.
struct take_offer {
  magpie::stm::guarded<u64> distance;
  magpie::stm::guarded<u32> predecessor;
  array<const u32> to;
  array<const u32> from;
  array<const u64> offered;

  static constexpr u32 max_objects = 1;
  static constexpr u32 max_writes = 2;

  MAGPIE_DEVICE void soon(u32 item) const { magpie::prefetch(&distance.unguarded(magpie::ld_plain(&to[item]))); }

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, u32 item) const {
    const u32 w = magpie::ld_plain(&to[item]);
    const u64 mine = magpie::ld_plain(&offered[item]);
#if defined(MAGPIE_PATHS_TWO_STORES)  // a planted fault, which the verifier must notice
    static_cast<void>(tx);
    if (magpie::min_rlx_dev(&distance.unguarded(w), mine) <= mine) return magpie::stm::outcome::cancel;
    magpie::st_rlx_dev(&predecessor.unguarded(w), magpie::ld_plain(&from[item]));
#else
    if (MAGPIE_TRY(tx.get(distance, w)) <= mine) return magpie::stm::outcome::cancel;
    MAGPIE_TRY(tx.set(distance, w, mine));
    MAGPIE_TRY(tx.set(predecessor, w, magpie::ld_plain(&from[item])));
#endif
    return magpie::stm::outcome::commit;
  }
};
MAGPIE_REGION(take_offer)

/// Lists the vertices that have taken an offer: those whose distance is that of an offer now, as it was higher when the
/// offer was made.
///
/// Participation: whole warps, an offer for each lane. Shared state: the lists.
struct list_taken {
  u64 count;
  array<const u32> to;
  array<const u64> offered;
  vertex_words vertices;
  reached_lists lists;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    list_writer out(lists);
    for (u64 base : self.warp_items(count)) {
      const u64 i = base + self.lane();
      const u32 w = i < count ? magpie::ld_plain(&to[i]) : none;
      const u64 distance = i < count ? magpie::ld_plain(&offered[i]) : unreached;
      const bool taken = w != none && magpie::ld_plain(&vertices.word[w]) == distance;
      out.list(self, taken, w, distance);  // several may have made the same offer, so the commits are counted
    }
    out.flush(self);
  }
};
MAGPIE_KERNEL(list_taken)

}  // namespace paths
