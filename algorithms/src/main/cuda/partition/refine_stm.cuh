/// @file
/// Moves for the cut by transactions: each moves one vertex, with its exact gain under claims.
///
/// Layer: algorithm, the transactional phase. It takes the place of `settle_moves` and `make_moves` in rounds for the
/// cut (refine.cuh).
/// Objects: the vertices of all members (a vertex stands for its `part`), and the parts of all members (a part stands
/// for its entry of `part_weights`).
///
/// The list of those that would move is sorted, what gains most first, and older items outrank younger ones: so the ranks of
/// the transactions do what the thesis's ranges of gains stand in for, a priority queue (section 4.4.3). A transaction
/// claims its vertex and its rivals, the neighbors that are listed too; the parts of all others are constant in this
/// launch, and what they add to the gain is summed before it (`gather_rivals`). So a transaction is short whatever its
/// vertex's degree, and in social networks, where nearly every vertex is at a boundary, vertices with a common neighbor
/// do not exclude each other. It moves if nothing is lost by the gain that it has now, or by the gain that it would have
/// once all better moves are done (`supposed_move`). The second is how `settle_moves` decides, and refinement needs it:
/// where every move pays at once, rounds only descend, and end at the nearest minimum, on meshes 2 % above. Who cannot
/// pay either way, whoever else moves, is not listed, and claims nothing.
///
/// Moves ignore balance, as in the other ways to refine: with a bound on what a part may weigh nearly all parts
/// are full and nothing moves; cuts of social networks were up to 1.6 times as large. Rounds for balance mend it.
///
/// A vertex of many rivals would claim them one after the other and exclude all of theirs; where most of a graph moves at
/// once, on coarse graphs of social networks, transactions would follow each other in single file. Such a crowded vertex
/// is settled after the transactions, by `settle_moves`; so are hubs, by `settle_hubs`.
///
/// Two ways to keep part weights: `move_vertex` claims both parts in an inner transaction, as the thesis has it; every
/// move then meets every other one at few hot words. `move_vertex_reserved` claims no part, and adds to both weights
/// once it has committed: nobody reads them in this launch.
#pragma once

#include "magpie/parallel/append.cuh"
#include "magpie/stm.cuh"
#include "refine.cuh"

namespace magpie::partition {

/// Leaves in `go` of each vertex where it would move for the cut, if it may lose nothing by it, and `none` for the others
/// and for hubs.
struct propose_moves {
  population all;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    all.for_each(self, [&](u32 m, u32 v, bool in) {
      if (!in || all.word(m, record::step) != step::cut) return;
      const u32 i = all.at(m, v);
      const u32 to = ld_plain(&all.wish[i]);
      st_plain(&all.go[i], to != none && !all.is_hub(v) && may_pay(m, v, i, to) ? to : none);
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
MAGPIE_KERNEL(propose_moves)

/// Lists the vertices that `propose_moves` has left, but crowded ones, with keys that ascend from the greatest gain.
struct list_moves {
  population all;
  u32 most_rivals;   ///< neighbors that are proposed too; of more the vertex is crowded
  array<u32> items;  ///< places, `population::at`
  array<u32> keys;
  array<u64> sums;  ///< 2 elements, 0 before: how many are listed; the sum of their neighbors that are proposed too

  MAGPIE_DEVICE void operator()(const thread& self) const {
    all.for_each(self, [&](u32 m, u32 v, bool in) {
      if (!in || all.word(m, record::step) != step::cut) return;
      const u32 i = all.at(m, v);
      const u32 to = ld_rlx_dev(&all.go[i]);
      if (to == none) return;
      u32 rivals = 0;
      const u32 last = ld_plain(&all.offsets[v + 1]);
      for (u32 e = ld_plain(&all.offsets[v]); e < last && rivals <= most_rivals; ++e) {
        // Others mark theirs meanwhile; a marked one is not `none` either.
        if (ld_rlx_dev(&all.go[all.at(m, ld_plain(&all.neighbors[e]))]) != none) ++rivals;
      }
      if (rivals > most_rivals) {
        st_rlx_dev(&all.go[i], to | population::crowded);
        return;
      }
      if (rivals != 0) red_add_rlx_dev(&sums[1], u64{rivals});
      const u64 place = append(self, &sums[0]);
      st_plain(&items[place], i);
      st_plain(&keys[place], 0x7fffffffu - static_cast<u32>(ld_plain(&all.worth[i])));
    });
  }
};
MAGPIE_KERNEL(list_moves)

/// A listed neighbor of a listed vertex.
struct rival {
  u32 place;   ///< its vertex's, `population::at`
  u32 weight;  ///< of the edge to it, below 2^31; `first` is set where its move is the better one

  static constexpr u32 first = 1u << 31;
  static constexpr u32 words = 2;
};
MAGPIE_CONSTANT(rival::words)

/// A listed vertex: its rivals, and what all its other neighbors add to the gain of its move.
struct listed_move {
  u64 begin;     ///< of its rivals
  u32 rivals;    ///< how many
  i32 gain;      ///< now
  i32 supposed;  ///< once all better moves are done, those of its rivals among them
  u32 unused;

  static constexpr u32 words = 6;
};
MAGPIE_CONSTANT(listed_move::words)
static_assert(sizeof(rival) == 4 * rival::words && sizeof(listed_move) == 4 * listed_move::words);

/// Gathers the rivals of each listed vertex.
struct gather_rivals {
  population all;
  array<const u32> items;
  u32 listed;
  array<listed_move> moves;  ///< of the items
  array<rival> rivals;       ///< of all together
  array<u64> used;           ///< 1 element, 0 before

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 item : self.items(listed)) {
      const u32 i = ld_plain(&items[item]);
      const u32 m = i / all.vertices;
      const u32 v = i - m * all.vertices;
      const supposed_move move(all, i, ld_plain(&all.part[i]), ld_plain(&all.go[i]));
      u32 count = 0;
      all.for_each_neighbor(m, v, [&](u32 j, u32) { count += is_rival(j) ? 1u : 0u; });
      const u64 begin = count == 0 ? 0 : add_rlx_dev(&used[0], u64{count});
      u64 next = begin;
      i32 gain = 0;
      i32 supposed = 0;
      all.for_each_neighbor(m, v, [&](u32 j, u32 e) {
        const u32 q = ld_plain(&all.part[j]);
        const u32 then = move.supposed_part(all, j, q);
        if (!is_rival(j)) {
          gain += move.gain(all, q, e);
          supposed += move.gain(all, then, e);
          return;
        }
        const bool first = then != q;  // a listed vertex wishes for another part than its own
        if (first) supposed += move.gain(all, then, e);
        rival* const entry = &rivals[next++];
        st_plain(&entry->place, j);
        st_plain(&entry->weight, ld_plain(&all.weights[e]) | (first ? rival::first : 0u));
      });
      listed_move* const result = &moves[item];
      st_plain(&result->begin, begin);
      st_plain(&result->rivals, count);
      st_plain(&result->gain, gain);
      st_plain(&result->supposed, supposed);
    }
  }

 private:
  /// Whether the vertex at place j is listed.
  MAGPIE_INLINE bool is_rival(u32 j) const {
    const u32 to = ld_plain(&all.go[j]);
    return to != none && (to & population::crowded) == 0;
  }
};
MAGPIE_KERNEL(gather_rivals)

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
  array<const listed_move> moves;
  array<const rival> rivals;

  static constexpr u32 max_objects = 24;
  static constexpr u32 max_writes = 0;
  static constexpr stm::reads reads = stm::reads::unvalidated;
  static constexpr u32 inner_attempts = 8;
  using state = planned_move;

  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx& tx, u32 item, state& s) const {
    const u32 i = ld_plain(&items[item]);
    s.to = ld_plain(&all.go[i]);
    s.vertex = tx.open(vertices, i);
    if (!tx.read(s.vertex, &all.part[i], s.from)) return stm::outcome::retry;
    const listed_move* const move = &moves[item];
    i32 gain = ld_plain(&move->gain);
    i32 supposed = ld_plain(&move->supposed);
    const u64 end = ld_plain(&move->begin) + ld_plain(&move->rivals);
    for (u64 r = ld_plain(&move->begin); r < end; ++r) {
      const u32 j = ld_plain(&rivals[r].place);
      const u32 weight = ld_plain(&rivals[r].weight);
      u32 q = none;
      if (!tx.read(tx.open(vertices, j), &all.part[j], q)) return stm::outcome::retry;
      const i32 w = static_cast<i32>(weight & ~rival::first);
      const i32 now = q == s.to ? w : q == s.from ? -w : 0;
      gain += now;
      if ((weight & rival::first) == 0) supposed += now;
    }
    if (gain < 0 && supposed < 0) return stm::outcome::cancel;
    if constexpr (Inner) {
      return tx.inner(inner_attempts, [&](Tx& in) {
        const u32 base = i / all.vertices * all.parts;
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
