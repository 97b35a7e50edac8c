/// @file
/// Predecessors from finished distances: of each vertex the least one from which an arc is tight, that is, as long as the
/// distances differ.
///
/// Tight arcs from lower to higher distances make no cycle. Level ones, between equal distances, may: those of length 0, and those so
/// short that a double does not change when they are added. So they are taken in rounds: a vertex that has only such arcs gets its
/// predecessor from one that had its own in an earlier round.
/// Idempotent and associative, so no region. Determinism: schedule_independent.
#pragma once

#include "paths.cuh"

namespace paths {

/// Predecessors by tight arcs that are not level.
///
/// Participation: whole warps. Shared state: `predecessor`, atomic minimum behind a look; `round`, the same value by all.
/// Before: the source is its own predecessor and of round 0 (if there are rounds), all others have `none`.
template <class Lengths>
struct predecessors_by_tight_arcs {
  arc_walk<Lengths> arcs;
  vertex_words vertices;
  array<u32> predecessor;
  array<u32> round;  ///< written if `in_rounds` is 1
  u32 in_rounds;     ///< 1: there may be level arcs, and `extend_predecessors` follows

  MAGPIE_DEVICE void operator()(const thread& self) const {
    arcs.for_each(self, vertices, [&](u32 v, u64 word, u32 arc, bool here) {
      if (!here) return;
      const u64 distance = Lengths::add(arcs, vertices.distance(word), arc);
      const u32 w = magpie::ld_plain(&arcs.neighbors[arc]);
      if (distance == vertices.distance(word) || vertices.distance(magpie::ld_plain(&vertices.word[w])) != distance)
        return;
      if (v < magpie::ld_rlx_dev(&predecessor[w])) magpie::red_min_rlx_dev(&predecessor[w], v);
      if (in_rounds != 0) magpie::st_rlx_dev(&round[w], 0);
    });
  }
};
using find_predecessors = predecessors_by_tight_arcs<whole_lengths>;
using find_predecessors_float = predecessors_by_tight_arcs<float_lengths>;
MAGPIE_KERNEL(find_predecessors)
MAGPIE_KERNEL(find_predecessors_float)

/// One round over level arcs, from 1 on, until `changed` stays 0.
///
/// Participation: whole warps. Shared state: as above; a vertex that gets its round in this launch has it from all who give it
/// one, and gives none itself before the next.
template <class Lengths>
struct predecessors_by_level_arcs {
  arc_walk<Lengths> arcs;
  vertex_words vertices;
  array<u32> predecessor;
  array<u32> round;
  array<u32> changed;
  u64 present;  ///< the round's number

  MAGPIE_DEVICE void operator()(const thread& self) const {
    bool any_change = false;
    arcs.for_each(self, vertices, [&](u32 v, u64 word, u32 arc, bool here) {
      if (!here || Lengths::add(arcs, word, arc) != word || magpie::ld_rlx_dev(&round[v]) >= present) return;
      const u32 w = magpie::ld_plain(&arcs.neighbors[arc]);
      if (magpie::ld_plain(&vertices.word[w]) != word || magpie::ld_rlx_dev(&round[w]) < present) return;
      if (v < magpie::ld_rlx_dev(&predecessor[w])) magpie::red_min_rlx_dev(&predecessor[w], v);
      magpie::st_rlx_dev(&round[w], static_cast<u32>(present));
      any_change = true;
    });
    if (any_change) magpie::st_rlx_dev(&changed[0], 1);
  }
};
using extend_predecessors = predecessors_by_level_arcs<whole_lengths>;
using extend_predecessors_float = predecessors_by_level_arcs<float_lengths>;
MAGPIE_KERNEL(extend_predecessors)
MAGPIE_KERNEL(extend_predecessors_float)

}  // namespace paths
