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
/// claims its vertex and those neighbors that this launch may move; the others' parts are constant here. It moves if
/// nothing is lost by the gain that it has now, or by the gain that it would have once all better moves are done
/// (`supposed_move`). The second is how `settle_moves` decides, and refinement needs it: where every move pays at once,
/// rounds only descend, and end at the nearest minimum, on meshes 2 % above. Who cannot pay either way, whoever else
/// moves, is not listed, and claims nothing.
///
/// Moves take no heed of balance, as in the other ways to refine: with a bound on what a part may weigh nearly all parts
/// are full and nothing moves; cuts of social networks were up to 1.6 times as large. Rounds for balance mend it.
///
/// A hub would claim its neighbors in the turn of one thread: `settle_hubs` decides on hubs, after the transactions.
///
/// Two ways to keep part weights: `move_vertex` claims both parts in an inner transaction, as the thesis has it; every
/// move then meets every other one at few hot words. `move_vertex_reserved` claims no part, and adds to both weights
/// once it has committed: nobody reads them in this launch.
#pragma once

#include "magpie/parallel/append.cuh"
#include "magpie/stm.cuh"
#include "refine.cuh"

namespace magpie::partition {

/// Lists the vertices, but hubs, that would move for the cut and may lose nothing by it, with keys that ascend from the
/// greatest gain.
struct list_moves {
  population all;
  array<u32> items;  ///< places, `population::at`
  array<u32> keys;
  array<u32> count;  ///< 1 element, 0 before

  MAGPIE_DEVICE void operator()(const thread& self) const {
    all.for_each(self, [&](u32 m, u32 v, bool in) {
      if (!in || all.word(m, record::step) != step::cut) return;
      const u32 i = all.at(m, v);
      const u32 to = ld_plain(&all.wish[i]);
      if (to == none || all.is_hub(v) || !may_pay(m, v, i, to)) return;
      const u32 place = append(self, &count[0]);
      st_plain(&items[place], i);
      st_plain(&keys[place], 0x7fffffffu - static_cast<u32>(ld_plain(&all.worth[i])));
    });
  }

 private:
  MAGPIE_INLINE bool may_pay(u32 m, u32 v, u32 i, u32 to) const {
    const supposed_move move(all, i, ld_plain(&all.part[i]), to);
    i32 gain = 0;
    all.for_each_neighbor(m, v, [&](u32 j, u32 e) { gain += move.most_gain(all, j, e); });
    return gain >= 0;
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
};

/// Items: places of the list. Reads are unvalidated: what a plan computes from parts that change meanwhile is thrown
/// away, as the commit, or the cancel, finds a claim lost; parts are always below `parts`, and no loop depends on them.
template <bool Inner>
struct move_vertex_region {
  population all;
  stm::objects vertices;
  stm::objects parts;
  array<const u32> items;

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
    s.to = ld_plain(&all.wish[i]);
    s.vertex = tx.open(vertices, i);
    if (!tx.read(s.vertex, &all.part[i], s.from)) return stm::outcome::retry;
    const supposed_move move(all, i, s.from, s.to);
    i32 gain = 0;
    i32 supposed = 0;
    bool whole = true;
    all.for_each_neighbor(m, v, [&](u32 j, u32 e) {
      u32 q = none;
      if (ld_plain(&all.wish[j]) == none || all.is_hub(j - m * all.vertices)) {
        q = ld_plain(&all.part[j]);
      } else {
        whole = whole && tx.read(tx.open(vertices, j), &all.part[j], q);
      }
      gain += move.gain(all, q, e);
      supposed += move.gain(all, move.supposed_part(all, j, q), e);
    });
    if (!whole) return stm::outcome::retry;
    if (gain < 0 && supposed < 0) return stm::outcome::cancel;
    if constexpr (Inner) {
      return tx.inner(inner_attempts, [&](Tx& in) {
        const u32 base = m * all.parts;
        s.old_part = in.open(parts, base + s.from);
        s.new_part = in.open(parts, base + s.to);
        if (!in.read(s.old_part, &all.part_weights[base + s.from], s.from_weight)) return stm::outcome::retry;
        if (!in.read(s.new_part, &all.part_weights[base + s.to], s.to_weight)) return stm::outcome::retry;
        return stm::outcome::commit;
      });
    } else {
      return stm::outcome::commit;
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
      const u32 weight = ld_plain(&all.vertex_weights[v]);
      red_add_rlx_dev(&all.part_weights[m * all.parts + s.from], 0u - weight);
      red_add_rlx_dev(&all.part_weights[m * all.parts + s.to], weight);
    }
    st_plain(&all.moved[i], 1u);
    all.touch(m, v);
    red_add_rlx_dev(&all.record_of(m)[record::moves], 1u);
  }
};
using move_vertex = move_vertex_region<true>;
using move_vertex_reserved = move_vertex_region<false>;
MAGPIE_REGION(move_vertex)
MAGPIE_REGION(move_vertex_reserved)

}  // namespace magpie::partition
