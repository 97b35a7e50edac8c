/// @file
/// Predecessors from finished distances: of each vertex the least one from which an arc is tight, that is, as long as the
/// distances differ.
///
/// Tight arcs of positive length lead from lower to higher distances and make no cycle. Those of length 0 may, so they are
/// taken in rounds: a vertex that has only such arcs gets its predecessor from one that had its own in an earlier round.
/// Idempotent and associative, so no region. Determinism: schedule_independent.
#pragma once

#include "paths.cuh"

namespace paths {

/// Predecessors by tight arcs of positive length.
///
/// Participation: whole warps. Shared state: `predecessor`, atomic minimum behind a look; `round`, the same value by all.
/// Before: the source is its own predecessor and of round 0 (if there are rounds), all others have `none`.
struct find_predecessors {
  arc_walk arcs;
  vertex_words vertices;
  array<u32> predecessor;
  array<u32> round;  ///< written if `in_rounds` is 1
  u32 in_rounds;     ///< 1: there are arcs of length 0, and `extend_predecessors` follows

  MAGPIE_DEVICE void operator()(const thread& self) const {
    arcs.for_each(self, vertices, [&](u32 v, u64 word, u32 arc, bool here) {
      if (!here) return;
      const u64 length = arc_length(arcs, arc);
      const u32 w = magpie::ld_plain(&arcs.neighbors[arc]);
      if (length == 0 || vertices.distance(magpie::ld_plain(&vertices.word[w])) != vertices.distance(word) + length)
        return;
      if (v < magpie::ld_rlx_dev(&predecessor[w])) magpie::red_min_rlx_dev(&predecessor[w], v);
      if (in_rounds != 0) magpie::st_rlx_dev(&round[w], 0);
    });
  }
};
MAGPIE_KERNEL(find_predecessors)

/// One round over tight arcs of length 0, from 1 on, until `changed` stays 0.
///
/// Participation: whole warps. Shared state: as above; a vertex that gets its round in this launch has it from all who give it
/// one, and gives none itself before the next.
struct extend_predecessors {
  arc_walk arcs;
  vertex_words vertices;
  array<u32> predecessor;
  array<u32> round;
  array<u32> changed;
  u64 present;  ///< the round's number

  MAGPIE_DEVICE void operator()(const thread& self) const {
    bool any_change = false;
    arcs.for_each(self, vertices, [&](u32 v, u64 word, u32 arc, bool here) {
      if (!here || arc_length(arcs, arc) != 0 || magpie::ld_rlx_dev(&round[v]) >= present) return;
      const u32 w = magpie::ld_plain(&arcs.neighbors[arc]);
      if (magpie::ld_plain(&vertices.word[w]) != word || magpie::ld_rlx_dev(&round[w]) < present) return;
      if (v < magpie::ld_rlx_dev(&predecessor[w])) magpie::red_min_rlx_dev(&predecessor[w], v);
      magpie::st_rlx_dev(&round[w], static_cast<u32>(present));
      any_change = true;
    });
    if (any_change) magpie::st_rlx_dev(&changed[0], 1);
  }
};
MAGPIE_KERNEL(extend_predecessors)

}  // namespace paths
