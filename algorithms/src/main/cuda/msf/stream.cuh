/// @file
/// The minimum spanning forest of edges that come in chunks, of which no more are kept than a forest has.
///
/// Layer: algorithm. Edges are ordered by weight and then number, so no two are equal, and F(A and B) = F(F(A) and B) as a
/// set: an edge that some path of lighter ones makes needless in A is needless in more edges, too.
///
/// One step, for each chunk: `list_edges` lists the present forest and the chunk behind it; the rounds of edge_form.cuh
/// unite along that list; `mark_hooking` marks the entries over which vertices were hooked, and the host packs them
/// stably: they are the next forest. Where there are many edges for each vertex, light ones go first: `list_edges` only writes
/// them down, `sample_weights` tells which are light, and `list_range` lists these; when they are united it lists the heavy
/// ones that still join two components, which are few. Both forest and chunks ascend by number, and all of a chunk's numbers
/// are beyond the forest's, so the order of the 31-bit places of entries in a list is that of the 64-bit numbers.
///
/// The present forest: `ends` = source << 32 | target, `keys` = weight << 32 | place, `numbers`. A weight's 32 bits have the
/// order of the weights, see weight_keys.cuh.
///
/// Limits: vertices <= 2^31 - 2, entries of a list < 2^31.
#pragma once

#include "edge_form.cuh"
#include "weight_keys.cuh"

namespace msf {

/// Makes list 0 of the edges of the present forest and of a chunk, whose every end is a root: each vertex is alone. Offers
/// each edge to its two ends. Self-loops are nobody's least edge; the first `compact` drops them.
///
/// Participation: any thread, one entry each. Shared state: `best`, monotone, guarded atomic minimum.
/// Bytes: per kept edge 16 in, 8 out; per edge of the chunk 12 in, 24 out, 8 fewer if its numbers are there; for both two
/// gathered `best`.
struct list_edges {
  u32 kept;      ///< edges of the present forest
  u32 arrived;   ///< edges of the chunk
  u32 floating;  ///< of weights, as in weight_keys.cuh
  u32 reverse;
  u32 consecutive;  ///< 0: the chunk's numbers are behind the forest's
  u64 first;        ///< else the first of them
  u32 offered;      ///< 0: only written down, for list_range
  array<const u32> sources;
  array<const u32> targets;
  array<const raw<u32>> weights;
  array<u64> ends;
  array<u64> keys;
  array<u64> numbers;
  array<u64> best;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 e : self.items(kept + arrived)) {
      u64 end;
      u32 weight;
      if (e < kept) {
        end = magpie::ld_plain(&ends[e]);
        weight = high(magpie::ld_own(&keys[e]));
      } else {
        const u32 i = e - kept;
        end = u64{magpie::ld_plain(&sources[i])} << 32 | magpie::ld_plain(&targets[i]);
        weight = low(place_of(weights[i], floating, reverse));
        magpie::st_plain(&ends[e], end);
        if (consecutive != 0) magpie::st_plain(&numbers[e], first + i);
      }
      const u64 key = key_of(weight, e);
      magpie::st_plain(&keys[e], key);
      if (offered != 0 && high(end) != low(end)) {
        offer(best, high(end), key);
        offer(best, low(end), key);
      }
    }
  }
};
MAGPIE_KERNEL(list_edges)

/// Weights of edges at equal distances. Participation: any thread, one sample each. Shared state: none. Bytes: a gathered word
/// in, 4 out for each.
struct sample_weights {
  u32 length;  ///< edges
  u32 count;
  array<const u64> keys;
  array<u32> sample;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      magpie::st_plain(&sample[i], high(magpie::ld_plain(&keys[u64{i} * length / count])));
    }
  }
};
MAGPIE_KERNEL(sample_weights)

/// Makes list 0 of a series of rounds: of the edges that were written down those of weight [lightest, heaviest] that join two
/// components, with the roots of both ends; offers each to its two components. As `build` does for a graph.
///
/// Participation: whole warps. Shared state: `best` at roots, monotone, guarded atomic minimum; record 0 of `counters`:
/// `record_length` appends, `record_unfinished` is set where a walk did not reach its root; `parent` by path halving,
/// idempotent.
/// Bytes: 8 in per edge; in range 8 more and two gathered parents; 16 out and two gathered `best` per edge that is kept.
struct list_range {
  u32 length;
  u32 lightest;
  u32 heaviest;
  array<const u64> ends;
  array<const u64> keys;
  array<u32> parent;
  array<u64> best;
  array<u64> next_ends;
  array<u64> next_keys;
  array<u32> counters;
  array<const u32> deep;  ///< 0 = every parent is a root

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const bool flat = magpie::ld_plain(&deep[0]) == 0;
    if constexpr (scalar) {
      scan(self, flat);
    } else {
      share(self, flat);
    }
  }

 private:
  /// On a processor: whether an edge is wanted cannot be foreseen, so nothing branches on it; and cache misses overlap.
  MAGPIE_INLINE void scan(const thread& self, bool flat) const {
    constexpr u32 together = 64;
    for (u64 group : self.items((u64{length} + together - 1) / together)) {
      const u64 begin = group * together;
      const u64 end = begin + together < length ? begin + together : length;
      u64 found[together];
      u32 n = 0;
      for (u64 e = begin; e < end; ++e) {
        found[n] = e;
        n += static_cast<u32>(high(magpie::ld_plain(&keys[e])) - lightest <= heaviest - lightest);
      }
      for (u32 k = 0; k < n; ++k) {
        magpie::prefetch(&parent[high(magpie::ld_plain(&ends[found[k]]))]);
        magpie::prefetch(&parent[low(magpie::ld_plain(&ends[found[k]]))]);
      }
      stage<together> ready;
      bool all_rooted = true;
      for (u32 k = 0; k < n; ++k) {
        const u64 both = magpie::ld_plain(&ends[found[k]]);
        const u32 u = root_of(high(both), flat, all_rooted);
        const u32 v = root_of(low(both), flat, all_rooted);
        ready.push_if(u != v, u64{u} << 32 | v, magpie::ld_plain(&keys[found[k]]));
      }
      conclude(ready, all_rooted, best, &counters[record_unfinished]);
      ready.flush(self, &counters[record_length], next_ends, next_keys);
    }
  }

  MAGPIE_INLINE void share(const thread& self, bool flat) const {
    const u64 width = self.width();
    stage<batch> ready;
    for (u64 base : self.warp_items((u64{length} + width - 1) / width * width)) {
      const u64 e = base + self.lane();
      const u64 key = e < length ? magpie::ld_plain(&keys[e]) : no_key;
      u32 u = 0;
      u32 v = 0;
      bool rooted = true;
      if (e < length && high(key) - lightest <= heaviest - lightest) {
        const u64 both = magpie::ld_plain(&ends[e]);
        u = root_of(high(both), flat, rooted);
        v = root_of(low(both), flat, rooted);
      }
      if (u != v) {
        ready.push(u64{u} << 32 | v, key);
        if (!rooted) magpie::st_rlx_dev(&counters[record_unfinished], 1);
      }
      offer_together(self, best, u, key, u != v && rooted);
      offer_together(self, best, v, key, u != v && rooted);
      if (self.any(ready.count == batch)) ready.flush(self, &counters[record_length], next_ends, next_keys);
    }
    ready.flush(self, &counters[record_length], next_ends, next_keys);
  }

  /// The root above v; `rooted` becomes false if the way was too long.
  MAGPIE_INLINE u32 root_of(u32 v, bool flat, bool& rooted) const {
    if (flat) return magpie::ld_rlx_dev(&parent[v]);
    bool found;
    const u32 r = climb(shared_parents{parent}, v, found);
    rooted &= found;
    return r;
  }
};
MAGPIE_KERNEL(list_range)

/// Marks the entries over which vertices were hooked: they are the forest.
///
/// Participation: any thread, one vertex each. Shared state: none, as no entry hooks two vertices.
/// Bytes: 4 in per vertex, a scattered word out per edge of the forest.
struct mark_hooking {
  u32 vertices;
  array<const u32> edge_of;
  array<u32> marks;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 e = magpie::ld_plain(&edge_of[v]);
      if (e != none) magpie::st_plain(&marks[e], 1);
    }
  }
};
MAGPIE_KERNEL(mark_hooking)

}  // namespace msf
