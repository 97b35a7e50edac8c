/// @file
/// Rounds that a warp goes on for by itself.
///
/// On a network of roads or a grid a search has thousands of rounds, most of them so small that each takes as long as its loads one
/// after the other, and the launch. So a warp keeps vertices whose distance it has lowered, and relaxes their arcs in the same
/// launch, for some rounds. Distances are then no longer those of levels: what a warp gives may fall again, in this launch or
/// later. That costs work, which a GPU has to spare while frontiers are small.
///
/// Why nothing is missed: whoever lowers a distance either keeps the vertex, with that distance, and relaxes its arcs, or lists it.
/// No mark says that a vertex is kept, so no other warp relies on it; several may keep the same one, each with the
/// distance that it gave. One that finds a lower distance in its word leaves the vertex to whoever stored that.
#pragma once

#include "push.cuh"

namespace paths {

/// Vertices that a warp keeps, one in each lane at most.
class kept_vertices {
 public:
  MAGPIE_INLINE u32 count() const { return count_; }
  MAGPIE_INLINE bool has(const thread& self) const { return self.lane() < count_; }
  MAGPIE_INLINE u32 vertex() const { return vertex_; }
  MAGPIE_INLINE u64 distance() const { return distance_; }
  MAGPIE_INLINE u32 first() const { return first_; }
  MAGPIE_INLINE u32 degree() const { return degree_; }
  MAGPIE_INLINE void clear() { count_ = 0; }

  /// Keeps the vertices of the lanes that want it, as far as there is room; gives whether this lane's is not kept. All lanes,
  /// converged.
  MAGPIE_INLINE bool keep(const thread& self, bool wanted, u32 v, u64 distance, u32 first, u32 degree) {
    const u32 lanes = self.ballot(wanted);
    if (lanes == 0) return false;
    const u32 place = count_ + magpie::popcount(lanes & ((1u << self.lane()) - 1));
    const u32 nth = self.lane() - count_;
    const u32 wanting = magpie::popcount(lanes);
    const bool takes = nth < wanting;
    const u32 from = takes ? nth_set_bit(lanes, nth) : self.lane();
    const u32 v_of = self.shuffle(v, from);
    const u64 distance_of = self.shuffle(distance, from);
    const u32 first_of = self.shuffle(first, from);
    const u32 degree_of = self.shuffle(degree, from);
    if (takes) {
      vertex_ = v_of;
      distance_ = distance_of;
      first_ = first_of;
      degree_ = degree_of;
    }
    count_ = count_ + wanting < self.width() ? count_ + wanting : self.width();
    return wanted && place >= self.width();
  }

 private:
  u32 count_ = 0;  ///< of the warp
  u32 vertex_ = none;
  u64 distance_ = unreached;
  u32 first_ = 0;
  u32 degree_ = 0;
};

/// Relaxes the arcs of a walk as `relax_walk` does, and then for `rounds` rounds at most those of vertices it has lowered itself.
///
/// Participation: whole warps. Shared state: that of `relax_walk`; `totals[pushed]`, one addition for each warp.
template <class Taking, class Walk>
MAGPIE_INLINE void relax_for_rounds(const thread& self, const Walk& arcs, const vertex_words& vertices,
                                    const reached_lists& lists, u32 rounds) {
  list_writer out(lists);
  kept_vertices kept;
  const auto relax = [&](u32 v, u64 distance, u32 arc, u32 w, bool here) {
    u32 first = 0;
    u32 degree = 0;
    bool fell = false;
    if (here) {
      distance = Walk::lengths::add(arcs, distance, arc);
      first = magpie::ld_plain(&arcs.offsets[w]);  // wanted if w takes the offer; to have them then costs a load
      degree = magpie::ld_plain(&arcs.offsets[w + 1]) - first;
      fell = offer<Taking>(arcs, vertices, w, distance, v);
    }
    const bool near = fell && distance < lists.threshold;
    const bool listed = kept.keep(self, near && degree != 0, w, distance, first, degree);
    out.count(self, fell);
    out.list(self, listed || (fell && !near), w, distance);
  };
  arcs.for_each(self, vertices, [&](u32 v, u64 word, u32 arc, bool here) {
    relax(v, vertices.distance(word), arc, here ? magpie::ld_plain(&arcs.neighbors[arc]) : none, here);
  });
  u64 walked = 0;
  for (u32 round = 0; round < rounds && kept.count() != 0; ++round) {
    const bool has = kept.has(self);
    const u32 v = kept.vertex();
    const u64 distance = kept.distance();
    const u32 first = kept.first();
    const bool lowest = has && vertices.distance(magpie::ld_rlx_dev(&vertices.word[v])) >= distance;
    const u32 degree = lowest ? kept.degree() : 0;
    kept.clear();
    const u32 end = magpie::warp_inclusive_scan(self, degree, magpie::plus<u32>{});
    const u32 all = self.shuffle(end, self.width() - 1);
    walked += degree;
    magpie::for_each_element(self, {self.lane(), end - degree, end, 0, all, has, false},
                             [&](u32 a, u32 owner, bool here) {
                               const u32 arc = self.shuffle(first - (end - degree), owner) + a;
                               const u32 w = here ? magpie::ld_plain(&arcs.neighbors[arc]) : none;
                               relax(self.shuffle(v, owner), self.shuffle(distance, owner), arc, w, here);
                             });
  }
  out.list(self, kept.has(self), kept.vertex(), kept.distance());
  out.flush(self);
  walked = magpie::warp_reduce(self, walked, magpie::plus<u64>{});
  if (self.lane() == 0 && walked != 0) magpie::red_add_rlx_dev(&lists.totals[pushed], walked);
}

}  // namespace paths
