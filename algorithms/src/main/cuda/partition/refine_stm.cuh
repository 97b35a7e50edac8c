/// @file
/// Moves for the cut by transactions: each moves one vertex, with its exact gain under claims.
///
/// Layer: algorithm, the transactional phase. It takes the place of `settle_moves` and `make_moves` in rounds for the
/// cut (refine.cuh).
/// Objects: the vertices of all members (a vertex stands for its `part`), and the parts of all members (a part stands
/// for its entry of `part_weights`).
///
/// The list of who would move is sorted, what gains most first, and older items outrank younger ones: so the ranks of
/// the transactions do what the thesis's ranges of gains stand in for, a priority queue (section 4.4.3). A transaction
/// claims its vertex and all beside it, computes the gain that it has now, and moves if nothing is lost. What moved
/// earlier is seen as it is, where `settle_moves` supposes it.
///
/// A hub would claim all its neighbours in the turn of one thread: `settle_hubs` decides on hubs, after the
/// transactions, with the same bound on part weights.
///
/// Two ways to keep part weights: `move_vertex` claims both parts in an inner transaction, as the thesis has it; every
/// move then meets every other one at few hot words. `move_vertex_reserved` takes room in the new part by one addition
/// when it plans, gives it back when it rolls back, and takes the old part's share off once it has committed: weights
/// may then be counted too high for a moment, never too low.
#pragma once

#include "magpie/parallel/append.cuh"
#include "magpie/stm.cuh"
#include "refine.cuh"

namespace magpie::partition {

/// Lists the vertices that would move for the cut, but hubs, with keys that ascend from the greatest gain.
struct list_moves {
  population all;
  array<u32> items;  ///< places, `population::at`
  array<u32> keys;
  array<u32> count;  ///< 1 element, 0 before

  MAGPIE_DEVICE void operator()(const thread& self) const {
    all.for_each(self, [&](u32 m, u32 v, bool in) {
      if (!in || all.word(m, record::step) != step::cut) return;
      const u32 i = all.at(m, v);
      if (ld_plain(&all.wish[i]) == none || all.is_hub(v)) return;
      const u32 place = append(self, &count[0]);
      st_plain(&items[place], i);
      st_plain(&keys[place], 0x7fffffffu - static_cast<u32>(ld_plain(&all.worth[i])));
    });
  }
};
MAGPIE_KERNEL(list_moves)

/// What a planned move will write.
struct planned_move {
  stm::handle vertex;
  stm::handle old_part;
  stm::handle new_part;
  u32 from;
  u32 to;
  u32 from_weight;
  u32 to_weight;
  bool reserved;
};

/// Items: places of the list. Reads are unvalidated: what a plan computes from parts that change meanwhile is thrown
/// away, as the commit, or the cancel, finds a claim lost; parts are always below `parts`, and no loop depends on them.
template <bool Inner>
struct move_vertex_region {
  population all;
  stm::objects vertices;
  stm::objects parts;
  array<const u32> items;
  u32 ceiling;  ///< what a part may weigh after a move

  static constexpr u32 max_objects = 24;
  static constexpr u32 max_writes = 0;
  static constexpr stm::reads reads = stm::reads::unvalidated;
  static constexpr u32 inner_attempts = 8;
  using state = planned_move;

  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx& tx, u32 item, state& s) const {
    const u32 i = ld_plain(&items[item]);
    const u32 m = i / all.vertices;
    const u32 v = i - m * all.vertices;
    s.reserved = false;
    s.to = ld_plain(&all.wish[i]);
    s.vertex = tx.open(vertices, i);
    if (!tx.read(s.vertex, &all.part[i], s.from)) return stm::outcome::retry;
    i32 gain = 0;
    bool whole = true;
    all.for_each_neighbor(m, v, [&](u32 j, u32 e) {
      u32 q = none;
      whole = whole && tx.read(tx.open(vertices, j), &all.part[j], q);
      const i32 w = static_cast<i32>(ld_plain(&all.weights[e]));
      if (q == s.to) {
        gain += w;
      } else if (q == s.from) {
        gain -= w;
      }
    });
    if (!whole) return stm::outcome::retry;
    if (gain < 0) return stm::outcome::cancel;
    const u32 weight = ld_plain(&all.vertex_weights[v]);
    if constexpr (Inner) {
      return tx.inner(inner_attempts, [&](Tx& in) {
        const u32 base = m * all.parts;
        s.old_part = in.open(parts, base + s.from);
        s.new_part = in.open(parts, base + s.to);
        if (!in.read(s.old_part, &all.part_weights[base + s.from], s.from_weight)) return stm::outcome::retry;
        if (!in.read(s.new_part, &all.part_weights[base + s.to], s.to_weight)) return stm::outcome::retry;
        return s.to_weight + weight <= ceiling ? stm::outcome::commit : stm::outcome::cancel;
      });
    } else {
      u32* const room = &all.part_weights[m * all.parts + s.to];
      s.reserved = add_rlx_dev(room, weight) + weight <= ceiling;
      if (s.reserved) return stm::outcome::commit;
      red_add_rlx_dev(room, 0u - weight);
      return stm::outcome::cancel;
    }
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, u32 item, const state& s) const {
    const u32 i = ld_plain(&items[item]);
    tx.store(s.vertex, &all.part[i], s.to);
    if constexpr (Inner) {
      const u32 base = i / all.vertices * all.parts;
      const u32 weight = ld_plain(&all.vertex_weights[i % all.vertices]);
      tx.store(s.old_part, &all.part_weights[base + s.from], s.from_weight - weight);
      tx.store(s.new_part, &all.part_weights[base + s.to], s.to_weight + weight);
    }
  }

  /// Words that nobody reads in this launch, and sums.
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, u32 item, const state& s) const {
    const u32 i = ld_plain(&items[item]);
    const u32 m = i / all.vertices;
    const u32 v = i - m * all.vertices;
    if constexpr (!Inner) {
      red_add_rlx_dev(&all.part_weights[m * all.parts + s.from], 0u - ld_plain(&all.vertex_weights[v]));
    }
    st_plain(&all.moved[i], 1u);
    all.touch(m, v);
    red_add_rlx_dev(&all.record_of(m)[record::moves], 1u);
  }

  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx&, u32 item, state& s) const {
    if constexpr (!Inner) {
      if (!s.reserved) return;
      s.reserved = false;
      const u32 i = ld_plain(&items[item]);
      red_add_rlx_dev(&all.part_weights[i / all.vertices * all.parts + s.to],
                      0u - ld_plain(&all.vertex_weights[i % all.vertices]));
    }
  }
};
using move_vertex = move_vertex_region<true>;
using move_vertex_reserved = move_vertex_region<false>;
MAGPIE_REGION(move_vertex)
MAGPIE_REGION(move_vertex_reserved)

}  // namespace magpie::partition
