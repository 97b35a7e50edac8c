/// @file
/// The minimum spanning forest of edges that come in chunks, of which no more are kept than a forest has.
///
/// Layer: algorithm. Edges are ordered by weight and then number, so no two are equal, and F(A and B) = F(F(A) and B) as a
/// set: an edge that some path of lighter ones makes needless in A is needless in more edges, too.
///
/// One step, for each chunk: `list_edges` lists the present forest and the chunk behind it; the rounds of edge_form.cuh
/// unite along that list; `mark_hooking` marks the entries over which vertices were hooked, and the host packs them
/// stably: they are the next forest. Both forest and chunks ascend by number, and all of a chunk's numbers are beyond the
/// forest's, so the order of the 31-bit places of entries in a list is that of the 64-bit numbers.
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
      if (high(end) != low(end)) {
        offer(best, high(end), key);
        offer(best, low(end), key);
      }
    }
  }
};
MAGPIE_KERNEL(list_edges)

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
