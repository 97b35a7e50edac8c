/// @file
/// Refinement of several partitions of one graph at once, in rounds that move many vertices together.
///
/// Layer: algorithm, lock-free phases. The partitions are *members* of a population; member m's arrays begin at m times
/// their length for one. All members take each step in one launch, so that on a small graph many of them cost a GPU
/// little more than one. What a round does next is decided on the device, for each member by itself; the host looks
/// every few rounds whether all are done.
///
/// A round, after Gilbert, Madduri, Boman and Rajamanickam, "Jet: Multilevel Graph Partitioning on GPUs" (2024):
///
///     connect       each vertex next to a move adds up again how it is connected to the parts; sums the cut
///     judge         keeps the best partition so far; decides: move for the cut, or for balance, or end
///     choose        vertices name the part that they would go to, and what they would gain
///     cutoffs       balance: how good a move out of a heavy part must be
///     settle_moves  cut: gains again, as if all better moves of neighbors were done; those that do not lose are settled
///     make_moves    parts, part weights
///
/// Where a vertex has too many arcs for one thread, hubs.cuh puts launches before and between these that walk over
/// them.
///
/// Moves for the cut ignore balance; rounds for balance then move what costs least out of parts that are too
/// heavy. A vertex that moved for the cut sits the next such round out.
///
/// Shared state: every word has one writer in a launch, except sums (relaxed additions), and `touched`, which all
/// writers set to one value. Launches order the rest. So a round is the same on every machine and for every order of a
/// vertex's arcs, except which of the vertices that are equally good leave a part that is too heavy. Without
/// `additions` there are no such sums: refine_free.cuh takes their place, and a round is the same without exception.
///
/// Parts of different shares are even ones to all this: one that may weigh less than another has a constant ballast in
/// its part weight, so that one limit holds for all, and the most room is where the sum is least.
///
/// Limits: vertices, arcs, the weight of all vertices and of all edges < 2^31; members times vertices, rounded up to
/// whole warps, < 2^32; members * parts < 2^31. A part's ballast is at most the weight of all vertices, and so is what
/// the part weighs besides: their sum, a word of `part_weights`, is < 2^32, not 2^31. The weight by which a part exceeds
/// `limit`, which is no less than its ballast with what it may weigh, is < 2^31 again.
#pragma once

#include <cmath>

#include "graph.cuh"

namespace magpie::partition {

using i32 = std::int32_t;

/// The lot by which part q is preferred for v to others as good: the greater, and of equal lots the lower part.
MAGPIE_INLINE u32 lot_of(u32 seed, u32 v, u32 q) { return mixed(seed, u64{v} << 32 | q); }

/// What a member does in the present round.
namespace step {
inline constexpr u32 cut = 0, balance = 1, force_balance = 2, wait = 3, finish = 4, done = 5;
}
/// What happens to a member's best partition in the present round.
namespace keep {
inline constexpr u32 nothing = 0, save = 1, restore = 2;
}
/// Words of a member's record.
namespace record {
inline constexpr u32 step = 0;
inline constexpr u32 keep = 1;
inline constexpr u32 doubled_cut = 2;  ///< of the present partition, as `connect` sums it
inline constexpr u32 best_doubled_cut = 3;
inline constexpr u32 best_heaviest = 4;  ///< the heaviest part's weight in the best partition
inline constexpr u32 since = 5;          ///< rounds without progress
inline constexpr u32 in_a_row = 6;       ///< rounds for balance
inline constexpr u32 phase = 7;
inline constexpr u32 rounds = 8;
inline constexpr u32 moves = 9;
inline constexpr u32 first_doubled_cut = 10;
inline constexpr u32 words = 12;
}  // namespace record
MAGPIE_CONSTANT(step::done)
MAGPIE_CONSTANT(record::step)
MAGPIE_CONSTANT(record::best_doubled_cut)
MAGPIE_CONSTANT(record::best_heaviest)
MAGPIE_CONSTANT(record::rounds)
MAGPIE_CONSTANT(record::moves)
MAGPIE_CONSTANT(record::first_doubled_cut)
MAGPIE_CONSTANT(record::words)

/// Classes of what a move for balance costs, and where zero cost is among them.
inline constexpr u32 classes = 256;
inline constexpr u32 free_class = 64;
MAGPIE_CONSTANT(classes)

/// Smaller is better: gains times weight descending, then losses by weight ascending; steps of an eighth of an octave.
MAGPIE_INLINE u32 class_of(u32 in, u32 out, u32 weight) {
  if (out > in) {
    const u32 octave = 31 - countl_zero(out - in);
    return octave < free_class ? free_class - 1 - octave : 0;
  }
  if (in == out) return free_class;
  const float loss = static_cast<float>(in - out) / static_cast<float>(weight);
  constexpr u32 least = (127 - 12) << 3;  // 2^-12
  const u32 eighths = __builtin_bit_cast(u32, loss) >> 20;
  const u32 above = eighths < least ? 0 : eighths - least;
  return above + free_class + 1 < classes ? above + free_class + 1 : classes - 1;
}

/// What is left to other kernels than those of this file.
struct ways {
  u32 additions;   ///< 1: kernels keep sums by relaxed additions; 0: they leave sums to refine_free.cuh
  u32 hub_degree;  ///< vertices of so many arcs, at least `parts`, are left to hubs.cuh; `none` if there are none
};

/// The members, the graph that they partition, and what a round knows. Arrays of a graph's vertices have `vertices`
/// elements for each member, unless it is said otherwise.
struct population {
  u32 members;
  u32 vertices;
  u32 arcs;
  u32 parts;
  ways how;
  array<const u32> offsets;         ///< of the graph: vertices + 1
  array<const u32> neighbors;       ///< of the graph: arcs
  array<const u32> weights;         ///< of the graph: arcs
  array<const u32> vertex_weights;  ///< of the graph: vertices
  array<u32> part;                  ///< a vertex's part
  array<u32> best;                  ///< the same in the best partition so far
  array<u32> part_weights;          ///< parts for each member; ballast included
  array<u32> best_weights;          ///< the same
  array<u32> touched;               ///< 0; 1: this vertex or a neighbor has moved; 2: never summed up
  array<u64> table;                 ///< arcs for each member; see `connections`
  array<u32> entries;               ///< how many of them a vertex has
  array<u32> inside;                ///< weight of a vertex's edges within its part
  array<u32> outside;               ///< the greatest weight of its edges to one other part, or what `connect` says
  array<u32> other;                 ///< that part, or `none`; of several as good one by lot
  array<u32> moved;                 ///< 1: in the last round for the cut
  array<u32> wish;                  ///< the part it would go to, or `none`
  array<i32> worth;                 ///< of that, for the cut: the gain; for balance: the class of the loss
  array<u32> go;                    ///< the part that it goes to, or `none`; for `crowded` see refine_stm.cuh
  array<u32> records;               ///< record::words for each member

  /// A bit of `go` between transactions and `settle_moves`: no transaction decides on this vertex.
  static constexpr u32 crowded = 1u << 31;

  MAGPIE_INLINE u32* record_of(u32 m) const { return &records[m * record::words]; }
  /// A word that nobody writes in this launch.
  MAGPIE_INLINE u32 word(u32 m, u32 field) const { return ld_plain(&record_of(m)[field]); }
  MAGPIE_INLINE u32 at(u32 m, u32 v) const { return m * vertices + v; }

  /// Calls `body(member, vertex, inside)` for the vertices of every member whose step is not `done`; `inside` is false
  /// for lanes beyond the last vertex. The lanes of a warp are in one member and converged.
  template <class Body>
  MAGPIE_INLINE void for_each(const thread& self, Body&& body) const {
    if (self.width() == 1) {
      for (u32 m = 0; m < members; ++m) {
        if (word(m, record::step) == step::done) continue;
        for (u32 v : self.items(vertices)) body(m, v, true);
      }
    } else {
      const u32 row = (vertices + self.width() - 1) / self.width() * self.width();
      for (u32 base : self.warp_items(members * row)) {
        const u32 m = base / row;
        if (word(m, record::step) == step::done) continue;
        const u32 v = base - m * row + self.lane();
        body(m, v, v < vertices);
      }
    }
  }

  /// Calls `body(vertex's place, arc)` for each neighbor of v.
  template <class Body>
  MAGPIE_INLINE void for_each_neighbor(u32 m, u32 v, Body&& body) const {
    const u32 last = ld_plain(&offsets[v + 1]);
    for (u32 e = ld_plain(&offsets[v]); e < last; ++e) body(at(m, ld_plain(&neighbors[e])), e);
  }

  MAGPIE_INLINE bool is_hub(u32 v) const { return ld_plain(&offsets[v + 1]) - ld_plain(&offsets[v]) >= how.hub_degree; }

  /// Marks a vertex and its neighbors for `connect`; a hub's neighbors are left to `touch_by_hubs`.
  MAGPIE_INLINE void touch(u32 m, u32 v) const {
    st_rlx_dev(&touched[at(m, v)], 1u);
    if (is_hub(v)) return;
    for_each_neighbor(m, v, [&](u32 j, u32) { st_rlx_dev(&touched[j], 1u); });
  }
};

/// Adds the lanes' weights to the words of their parts in a row that the warp alone has; `none` for a lane that has
/// nothing. All lanes, converged. The word of part q is lane q % width's. Cost: as many steps as there are parts among
/// the lanes.
MAGPIE_INLINE void add_by_part(const thread& self, u32* row, u32 part, u32 weight) {
  if constexpr (scalar_warps) {
    if (part != none) st_plain(&row[part], ld_own(&row[part]) + weight);
  } else {
    for (u32 left = self.ballot(part != none); left != 0; left = self.ballot(part != none)) {
      const u32 q = self.shuffle(part, lowest_bit(left));
      const u32 sum = self.reduce_add(part == q ? weight : 0u);
      if (self.lane() == q % self.width()) st_plain(&row[q], ld_own(&row[q]) + sum);
      if (part == q) part = none;
    }
  }
}

/// A sum of what the lanes of a warp add for one member after the other, into a word of its record; nothing without
/// `additions`.
class tally {
 public:
  MAGPIE_INLINE tally(const population& all, u32 field) : all_(all), field_(field) {}
  /// All lanes, converged, with the same member.
  MAGPIE_INLINE void begin(const thread& self, u32 m) {
    if (m == member_) return;
    end(self);
    member_ = m;
  }
  MAGPIE_INLINE void add(u32 n) { sum_ += n; }
  MAGPIE_INLINE void end(const thread& self) {
    if (member_ == none) return;
    if (all_.how.additions == 0) return;
    const u32 total = self.reduce_add(sum_);
    if (self.lane() == 0 && total != 0) red_add_rlx_dev(&all_.record_of(member_)[field_], total);
    sum_ = 0;
  }

 private:
  const population& all_;
  u32 field_;
  u32 member_ = none;
  u32 sum_ = 0;
};

/// How a vertex is connected to parts: entries of weight << 32 | part, from where its arcs begin. Each part once; where
/// there are at least `parts` arcs part q has place q, and the weight may be 0.
struct connections {
  MAGPIE_INLINE static u32 part(u64 entry) { return static_cast<u32>(entry); }
  MAGPIE_INLINE static u32 weight(u64 entry) { return static_cast<u32>(entry >> 32); }
};

/// sum / sqrt(parts), rounded down. The sum is less than 2^31, so that its square fits.
MAGPIE_INLINE u32 estimated_outside(u32 sum, u32 parts) {
  if (parts <= 1) return sum;
  const u64 square = u64{sum} * sum / parts;
  u64 root = static_cast<u64>(std::sqrt(static_cast<double>(square)));
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return static_cast<u32>(root);
}

/// Sums up again how each vertex next to a move is connected, and the cut.
///
/// With `estimated`, `outside` is not what connects the vertex to the part that it would go to, but what connects it to all
/// other parts together over the root of their number: moves for the cut are then filtered and ranked by that, as by mt-metis
/// and the thesis, section 4.2.3. Where they would go, and whether they pay, is exact nevertheless.
struct connect {
  population all;
  u32 seed;
  u32 estimated;  ///< 1: gains are estimated

  MAGPIE_DEVICE void operator()(const thread& self) const {
    tally cut(all, record::doubled_cut);
    all.for_each(self, [&](u32 m, u32 v, bool in) {
      cut.begin(self, m);
      if (!in) return;
      const u32 i = all.at(m, v);
      const u32 why = ld_own(&all.touched[i]);
      if (why == 0) return;
      st_plain(&all.touched[i], 0u);
      cut.add(look(m, v, i, why == 2));
    });
    cut.end(self);
  }

 private:
  /// Gives by how much the doubled cut is larger than before; modulo 2^32.
  MAGPIE_INLINE u32 look(u32 m, u32 v, u32 i, bool first_time) const {
    const u32 first = ld_plain(&all.offsets[v]);
    const u32 degree = ld_plain(&all.offsets[v + 1]) - first;
    const u64 row = u64{m} * all.arcs + first;
    u32 count = 0;
    if (degree >= all.how.hub_degree) {
      count = all.parts;  // `join_hub_sums` has filled them
    } else if (degree >= all.parts && all.parts > 4) {
      count = all.parts;
      for (u32 q = 0; q < count; ++q) st_plain(&all.table[row + q], u64{q});
      all.for_each_neighbor(m, v, [&](u32 j, u32 e) {
        u64* const entry = &all.table[row + ld_plain(&all.part[j])];
        const u32 w = ld_plain(&all.weights[e]);
        st_plain(entry, ld_own(entry) + (u64{w} << 32));
      });
    } else {
      all.for_each_neighbor(m, v, [&](u32 j, u32 e) {
        const u32 q = ld_plain(&all.part[j]);
        const u32 w = ld_plain(&all.weights[e]);
        u32 k = 0;
        while (k < count && connections::part(ld_own(&all.table[row + k])) != q) ++k;
        u64* const entry = &all.table[row + k];
        st_plain(entry, k < count ? ld_own(entry) + (u64{w} << 32) : u64{w} << 32 | q);
        if (k == count) ++count;
      });
    }
    const u32 home = ld_plain(&all.part[i]);
    u32 sum = 0;
    u32 own = 0;
    u32 most = 0;
    u32 to = none;
    u32 lot = 0;
    u32 others = 0;
    bool drawn = false;  // of `to`, only where another part is as good
    for (u32 k = 0; k < count; ++k) {
      const u64 entry = ld_own(&all.table[row + k]);
      const u32 q = connections::part(entry);
      const u32 w = connections::weight(entry);
      sum += w;
      others += q != home && w != 0 ? 1 : 0;
      if (q == home) {
        own = w;
      } else if (w > most) {
        most = w;
        to = q;
        drawn = false;
      } else if (w == most && to != none) {
        if (!drawn) lot = lot_of(seed, v, to);
        drawn = true;
        const u32 theirs = lot_of(seed, v, q);
        if (theirs > lot || (theirs == lot && q < to)) {
          lot = theirs;
          to = q;
        }
      }
    }
    const u32 before = first_time ? sum : ld_own(&all.inside[i]);
    st_plain(&all.entries[i], count);
    st_plain(&all.inside[i], own);
    st_plain(&all.outside[i], estimated != 0 ? estimated_outside(sum - own, others) : most);
    st_plain(&all.other[i], to);
    return before - own;
  }
};
MAGPIE_KERNEL(connect)

/// Decides what each member does in this round. A warp for each member.
///
/// A member is better when it is feasible and cuts less; while none was feasible, when its heaviest part is lighter.
/// Progress is a cut below 0.999 of the best, as in Jet. After `patience` rounds without any, the next of `phases`
/// phases begins from the best partition, with a stricter bound on what a move may lose; after the last the best
/// partition is put back, and the member is done.
struct judge {
  population all;
  u32 limit;
  u32 patience;
  u32 phases;
  u32 most_rounds;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 m = self.rank() / self.width(); m < all.members; m += self.size() / self.width()) {
      u32* const mine = all.record_of(m);
      const u32 stage = ld_rlx_dev(&mine[record::step]);
      if (stage == step::done) continue;
      if (stage == step::finish) {
        self.sync_warp();
        if (self.lane() == 0) st_rlx_dev(&mine[record::step], step::done);
        continue;
      }
      u32 heaviest = 0;
      for (u32 q = self.lane(); q < all.parts; q += self.width()) {
        const u32 w = ld_own(&all.part_weights[m * all.parts + q]);
        heaviest = w > heaviest ? w : heaviest;
      }
      heaviest = self.shuffle(warp_reduce(self, heaviest, maximum<u32>{}), 0);
      u32 kept = 0;
      if (self.lane() == 0) kept = decide(mine, heaviest);
      kept = self.shuffle(kept, 0);
      if (kept == keep::nothing) continue;
      for (u32 q = self.lane(); q < all.parts; q += self.width()) {
        u32* const now = &all.part_weights[m * all.parts + q];
        u32* const best = &all.best_weights[m * all.parts + q];
        if (kept == keep::save) {
          st_plain(best, ld_own(now));
        } else {
          st_plain(now, ld_own(best));
        }
      }
    }
  }

 private:
  MAGPIE_INLINE u32 decide(u32* mine, u32 heaviest) const {
    const u32 cut = ld_own(&mine[record::doubled_cut]);
    const u32 best = ld_own(&mine[record::best_doubled_cut]);
    const u32 best_heaviest = ld_own(&mine[record::best_heaviest]);
    const u32 round = ld_own(&mine[record::rounds]);
    u32 since = ld_own(&mine[record::since]) + 1;
    bool better = false;
    if (round == 0) {
      st_plain(&mine[record::first_doubled_cut], cut);
      better = true;
      since = 0;
    } else if (heaviest <= limit) {
      const bool first = best_heaviest > limit;
      better = first || cut < best;
      if (first || u64{cut} * 1000 < u64{best} * 999) since = 0;
    } else {
      better = heaviest < best_heaviest;
      if (better) since = 0;
    }
    if (better) {
      st_plain(&mine[record::best_doubled_cut], cut);
      st_plain(&mine[record::best_heaviest], heaviest);
    }
    u32 next = heaviest <= limit ? step::cut : step::balance;
    u32 kept = better ? keep::save : keep::nothing;
    u32 in_a_row = next == step::balance ? ld_own(&mine[record::in_a_row]) + 1 : 0;
    if (in_a_row > 2) next = step::force_balance;
    if (since >= patience || round >= most_rounds) {
      const u32 phase = ld_own(&mine[record::phase]) + 1;
      const bool last = phase >= phases || round >= most_rounds;
      if (last) {
        next = step::finish;
      } else {
        st_plain(&mine[record::phase], phase);
        since = 0;
        if (!better) next = step::wait;
      }
      if (!better) kept = keep::restore;
    }
    st_plain(&mine[record::since], since);
    st_plain(&mine[record::in_a_row], in_a_row);
    st_plain(&mine[record::rounds], round + 1);
    st_rlx_dev(&mine[record::step], next);
    st_plain(&mine[record::keep], kept);
    return kept;
  }
};
MAGPIE_KERNEL(judge)

/// Keeps or puts back the best partition; then each vertex that may move names where it would go.
///
/// For the cut: to the part it is most connected to; if it would lose by that, only little of what holds it
/// (`filter`). For balance: out of a part that is too heavy, into one with room that it is most connected to, or into
/// any such.
struct choose {
  population all;
  u32 limit;
  u32 even;  ///< the weight of a part if all were equal, ballast included
  u32 seed;
  u32 phases;
  float first_filter;  ///< of the first phase, in [0, 1]
  float last_filter;
  const u32* fixed;          ///< of the graph: the part that a vertex stays in, or `none`; null if all may move
  array<u32> class_weights;  ///< members * parts * classes, 0 before: weight of a class's vertices that would leave

  MAGPIE_DEVICE void operator()(const thread& self) const {
    all.for_each(self, [&](u32 m, u32 v, bool in) {
      if (!in) return;
      const u32 i = all.at(m, v);
      const u32 kept = all.word(m, record::keep);
      if (kept == keep::save) {
        st_plain(&all.best[i], ld_own(&all.part[i]));
      } else if (kept == keep::restore) {
        put_back(m, v, i);
      }
      const u32 stage = all.word(m, record::step);
      u32 to = none;
      const bool stays = fixed != nullptr && ld_plain(&fixed[v]) != none;
      if (!stays && stage == step::cut) {
        to = for_cut(m, i);
      } else if (!stays && (stage == step::balance || stage == step::force_balance)) {
        to = for_balance(m, v, i, stage == step::force_balance);
      }
      st_plain(&all.wish[i], to);
    });
  }

 private:
  MAGPIE_INLINE void put_back(u32 m, u32 v, u32 i) const {
    const u32 old = ld_own(&all.best[i]);
    st_plain(&all.moved[i], 0u);
    if (old == ld_own(&all.part[i])) return;
    st_plain(&all.part[i], old);
    all.touch(m, v);
  }

  MAGPIE_INLINE u32 for_cut(u32 m, u32 i) const {
    if (ld_own(&all.moved[i]) != 0) {
      st_plain(&all.moved[i], 0u);
      return none;
    }
    const u32 to = ld_plain(&all.other[i]);
    if (to == none) return none;
    const u32 out = ld_plain(&all.outside[i]);
    const u32 in = ld_plain(&all.inside[i]);
    if (out < in) {
      const u32 phase = all.word(m, record::phase);
      const float share = phases == 1 ? first_filter
                                      : first_filter + (last_filter - first_filter) * static_cast<float>(phase) /
                                                           static_cast<float>(phases - 1);
      if (in - out >= static_cast<u32>(share * static_cast<float>(in))) return none;
    }
    st_plain(&all.worth[i], static_cast<i32>(out - in));
    return to;
  }

  /// Parts lighter than this take what leaves the heavy ones.
  MAGPIE_INLINE u32 room_below(bool force) const { return force ? even : even + (limit - even) / 2; }

  MAGPIE_INLINE u32 for_balance(u32 m, u32 v, u32 i, bool force) const {
    const u32* const sums = &all.part_weights[m * all.parts];
    const u32 home = ld_own(&all.part[i]);
    const u32 here = ld_plain(&sums[home]);
    const u32 weight = ld_plain(&all.vertex_weights[v]);
    // One that is heavier than what is too much by half would only make another part too heavy.
    if (here <= limit || weight == 0 || u64{2} * weight > u64{3} * (here - even)) return none;
    u32 to = none;
    u32 out = 0;
    const u64 row = u64{m} * all.arcs + ld_plain(&all.offsets[v]);
    const u32 count = ld_plain(&all.entries[i]);
    for (u32 k = 0; k < count; ++k) {
      const u64 entry = ld_plain(&all.table[row + k]);
      const u32 q = connections::part(entry);
      const u32 w = connections::weight(entry);
      if (q == home || w == 0 || w < out || !has_room(sums, q, force)) continue;
      if (w == out) {
        const u32 lot = lot_of(seed, v, to);
        const u32 theirs = lot_of(seed, v, q);
        if (theirs < lot || (theirs == lot && to < q)) continue;
      }
      out = w;
      to = q;
    }
    if (to == none) {
      // From a part by lot onwards: the first with room, or else the lightest.
      u32 q = mixed(seed, u64{all.word(m, record::rounds)} << 32 | v) % all.parts;
      u32 lightest = home;
      for (u32 k = 0; k < all.parts; ++k) {
        if (ld_plain(&sums[q]) < ld_plain(&sums[lightest])) lightest = q;
        if (has_room(sums, q, force)) {
          lightest = q;
          break;
        }
        q = q + 1 == all.parts ? 0 : q + 1;
      }
      if (lightest == home) return none;
      to = lightest;
    }
    const u32 in = ld_plain(&all.inside[i]);
    const u32 of = class_of(in, out, weight);
    st_plain(&all.worth[i], static_cast<i32>(of));
    if (all.how.additions != 0) red_add_rlx_dev(&class_weights[u64{m * all.parts + home} * classes + of], weight);
    return to;
  }

  MAGPIE_INLINE bool has_room(const u32* sums, u32 q, bool force) const {
    return ld_plain(&sums[q]) < room_below(force);
  }
};
MAGPIE_KERNEL(choose)

/// Balance: finds for each part that is too heavy the class up to which vertices leave, and how much of that class.
struct cutoffs {
  population all;
  u32 limit;
  array<u32> class_weights;  ///< left 0
  array<u32> last_class;     ///< members * parts
  array<i32> left;           ///< members * parts: weight that may leave from the last class

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(all.members * all.parts)) {
      const u32 stage = all.word(i / all.parts, record::step);
      if (stage != step::balance && stage != step::force_balance) continue;
      const u32 weight = ld_plain(&all.part_weights[i]);
      if (weight <= limit) continue;
      u32* const sums = &class_weights[u64{i} * classes];
      u32 need = weight - limit;
      u32 last = classes;
      for (u32 c = 0; c < classes; ++c) {
        const u32 sum = ld_own(&sums[c]);
        if (sum == 0) continue;
        st_plain(&sums[c], 0u);
        if (last != classes) continue;
        if (sum >= need) {
          last = c;
        } else {
          need -= sum;
        }
      }
      st_plain(&last_class[i], last);
      st_plain(&left[i], static_cast<i32>(need));
    }
  }
};
MAGPIE_KERNEL(cutoffs)

/// A move for the cut, and what each arc of its vertex adds to the gain.
struct supposed_move {
  i32 worth;
  u32 place;
  u32 home;
  u32 to;

  /// Of the vertex at place i, which is in part `home`.
  MAGPIE_INLINE supposed_move(const population& all, u32 i, u32 home, u32 to)
      : worth(ld_plain(&all.worth[i])), place(i), home(home), to(to) {}

  /// Of arc e, if the neighbor that it leads to is in part q.
  MAGPIE_INLINE i32 gain(const population& all, u32 q, u32 e) const {
    const i32 w = static_cast<i32>(ld_plain(&all.weights[e]));
    return q == to ? w : q == home ? -w : 0;
  }

  /// The part of the vertex at place j, which is in part q, once all better moves are done: those that gain more, or as
  /// much by a vertex of a lower number.
  MAGPIE_INLINE u32 supposed_part(const population& all, u32 j, u32 q) const {
    const u32 wish = ld_plain(&all.wish[j]);
    if (wish == none) return q;
    const i32 theirs = ld_plain(&all.worth[j]);
    return theirs > worth || (theirs == worth && j < place) ? wish : q;
  }

  /// Of arc e, to the vertex at place j, once all better moves are done.
  MAGPIE_INLINE i32 supposed_gain(const population& all, u32 j, u32 e) const {
    return gain(all, supposed_part(all, j, ld_plain(&all.part[j])), e);
  }

  /// The most that arc e, to the vertex at place j, may add, whoever moves.
  MAGPIE_INLINE i32 most_gain(const population& all, u32 j, u32 e) const {
    const i32 now = gain(all, ld_plain(&all.part[j]), e);
    const u32 wish = ld_plain(&all.wish[j]);
    if (wish == none) return now;
    const i32 then = gain(all, wish, e);
    return then > now ? then : now;
  }
};

/// Settles who moves. For the cut: who does not lose as `supposed_move` has it; on hubs `settle_hubs` decides. For
/// balance: who is of a good enough class; without `additions` all, for `admit` to decide.
struct settle_moves {
  population all;
  u32 transactional;  ///< 1: transactions have made the moves for the cut, but of crowded vertices
  array<const u32> last_class;
  array<i32> left;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    all.for_each(self, [&](u32 m, u32 v, bool in) {
      if (!in) return;
      const u32 i = all.at(m, v);
      u32 to = ld_plain(&all.wish[i]);
      if (to != none) {
        const bool for_cut = all.word(m, record::step) == step::cut;
        if (for_cut && all.is_hub(v)) return;
        const bool settled = for_cut ? (transactional == 0 || is_crowded(i)) && pays(m, v, i, to) : leaves(m, v, i);
        if (!settled) to = none;
      }
      st_plain(&all.go[i], to);
    });
  }

 private:
  MAGPIE_INLINE bool is_crowded(u32 i) const {
    const u32 to = ld_own(&all.go[i]);
    return to != none && (to & population::crowded) != 0;
  }

  MAGPIE_INLINE bool pays(u32 m, u32 v, u32 i, u32 to) const {
    const supposed_move move(all, i, ld_plain(&all.part[i]), to);
    i32 gain = 0;
    all.for_each_neighbor(m, v, [&](u32 j, u32 e) { gain += move.supposed_gain(all, j, e); });
    return gain >= 0;
  }

  MAGPIE_INLINE bool leaves(u32 m, u32 v, u32 i) const {
    if (all.how.additions == 0) return true;
    const u32 from = m * all.parts + ld_plain(&all.part[i]);
    const u32 mine = static_cast<u32>(ld_plain(&all.worth[i]));
    const u32 last = ld_plain(&last_class[from]);
    if (mine != last) return mine < last;
    const i32 weight = static_cast<i32>(ld_plain(&all.vertex_weights[v]));
    return ld_rlx_dev(&left[from]) > 0 && add_rlx_dev(&left[from], -weight) > 0;
  }
};
MAGPIE_KERNEL(settle_moves)

/// Moves those that are settled.
struct make_moves {
  population all;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    tally moves(all, record::moves);
    all.for_each(self, [&](u32 m, u32 v, bool in) {
      moves.begin(self, m);
      if (!in) return;
      const u32 i = all.at(m, v);
      const u32 to = ld_plain(&all.go[i]);
      if (to == none) return;
      if (all.how.additions != 0) {
        const u32 weight = ld_plain(&all.vertex_weights[v]);
        red_add_rlx_dev(&all.part_weights[m * all.parts + ld_own(&all.part[i])], 0u - weight);
        red_add_rlx_dev(&all.part_weights[m * all.parts + to], weight);
      }
      st_plain(&all.part[i], to);
      if (all.word(m, record::step) == step::cut) st_plain(&all.moved[i], 1u);
      all.touch(m, v);
      moves.add(1);
    });
    moves.end(self);
  }
};
MAGPIE_KERNEL(make_moves)

/// Begins a level: parts from the coarser graph's, part weights, and all that a round finds.
struct project {
  population all;
  u32 coarse_vertices;
  array<const u32> map;     ///< vertex -> coarse vertex
  array<const u32> coarse;  ///< parts of the coarser graph's vertices, for each member of its population
  array<const u32> chosen;  ///< which of those each member continues

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 m = 0; m < all.members; ++m) {
      const u32 from = ld_plain(&chosen[m]) * coarse_vertices;
      for (u32 v : self.items(all.vertices)) {
        const u32 q = ld_plain(&coarse[from + ld_plain(&map[v])]);
        const u32 i = all.at(m, v);
        st_plain(&all.part[i], q);
        st_plain(&all.touched[i], 2u);
        st_plain(&all.moved[i], 0u);
        st_plain(&all.go[i], none);
        if (all.how.additions != 0) {
          red_add_rlx_dev(&all.part_weights[m * all.parts + q], ld_plain(&all.vertex_weights[v]));
        }
      }
    }
  }
};
MAGPIE_KERNEL(project)

/// The map of a graph to itself.
struct count_up {
  u32 count;
  array<u32> numbers;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) st_plain(&numbers[i], i);
  }
};
MAGPIE_KERNEL(count_up)

/// The parts of a coarser graph's vertices, where vertices that became one are of one part.
struct restrict_parts {
  u32 vertices;
  array<const u32> map;
  array<const u32> part;
  array<u32> coarse;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) st_rlx_dev(&coarse[ld_plain(&map[v])], ld_plain(&part[v]));
  }
};
MAGPIE_KERNEL(restrict_parts)

/// The same of fixed vertices, where one that is free may have become one with them: `coarse` is `none` before. Both of
/// a pair that write write the same.
struct restrict_fixed {
  u32 vertices;
  array<const u32> map;
  array<const u32> fixed;
  array<u32> coarse;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 part = ld_plain(&fixed[v]);
      if (part != none) st_rlx_dev(&coarse[ld_plain(&map[v])], part);
    }
  }
};
MAGPIE_KERNEL(restrict_fixed)

}  // namespace magpie::partition
