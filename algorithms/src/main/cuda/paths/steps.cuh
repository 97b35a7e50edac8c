/// @file
/// Searches over frontiers whose launches find out for themselves what is to be done next, so that the host starts many of them
/// without a look in between.
///
/// A search on a road network or a grid has thousands of small rounds. If the host reads the size of a frontier before it starts
/// the next round, each takes two trips over the bus more than the kernel. Here all launches are of one kernel: `search_step` reads
/// what the launch before has left, a record, decides by it, and leaves a record for the next one. Those behind the end do nothing.
/// At a look at a long search the host may turn to the kernel whose warps go on by themselves, `search_local`, for good: a kernel of
/// its own, as it needs more registers, which others would pay for.
///
/// On processors, where a launch costs the host as much as many small rounds, one launch has many steps, as far as the threads that
/// help are there.
///
/// Records, `record_words` words each, lie in `totals` from `records` on, and take turns. A launch reads record `turn`; its first
/// thread writes the words of the next one, but for those to which all threads add or contribute minima (`record_size`,
/// `record_least`), and clears these in the one behind, which none reads or adds to now. So no word is read in the launch that
/// changes it, and all threads decide alike.
#pragma once

#include "local_rounds.cuh"
#include "order.cuh"
#include "pull.cuh"
#include "push.cuh"

namespace paths {

/// What a launch does.
enum task : u32 {
  task_push,        ///< relaxes the arcs of the frontier
  task_pull,        ///< lets vertices that are not reached look for the frontier
  task_find_least,  ///< no vertex is near: looks for the nearest of the far ones
  task_split,       ///< sorts the far ones by a threshold beyond that
  task_find_slack,  ///< lists the vertices that plain stores have left behind
  task_none         ///< the search is at its end
};
MAGPIE_CONSTANT(task_push)
MAGPIE_CONSTANT(task_none)

/// From which end vertices are looked for.
enum direction : u32 { direction_push, direction_pull, direction_auto };
MAGPIE_CONSTANT(direction_push)
MAGPIE_CONSTANT(direction_pull)
MAGPIE_CONSTANT(direction_auto)

/// When to begin looking from below, and when to stop (Beamer, Asanovic and Patterson, SC 2012). They compare the frontier's arcs with
/// the unexplored ones alone; here the vertices count with these. Otherwise all vertices would be asked for a frontier of a few near the
/// end of a long search, where few arcs are left.
inline constexpr u32 alpha = 14;
inline constexpr u32 beta = 24;
MAGPIE_CONSTANT(alpha)
MAGPIE_CONSTANT(beta)

/// A walk over a frontier whose entries have few arcs, if `together` is not 0: a warp takes so many entries at a time, at most as
/// many as it has lanes. That spares the searches for the bounds of equal pieces, which take longer than the arcs of a small
/// frontier.
template <class Lengths>
struct frontier_walk : arc_walk<Lengths> {
  u32 together;
  const level_marks& marks;

  template <class Body>
  MAGPIE_INLINE void for_each(const thread& self, const vertex_words& vertices, Body&& body) const {
    if (together == 0) {
      arc_walk<Lengths>::for_each(self, vertices, body);
      return;
    }
    const u64 stride = u64{magpie::warp_count(self)} * together;
    for (u64 base = u64{magpie::warp_rank(self)} * together; base < this->segments; base += stride) {
      const u32 mine = static_cast<u32>(base) + self.lane();
      const u32 end = this->segments - base < together ? this->segments : static_cast<u32>(base) + together;
      const bool present = mine < end;
      const u32 last = magpie::ld_plain(&this->starts[present ? mine + 1 : end]);
      const u32 first = present ? magpie::ld_plain(&this->starts[mine]) : last;
      this->for_each_of(
          self, vertices,
          {mine, first, last, self.shuffle(first, 0), self.shuffle(last, self.width() - 1), present, false}, body);
    }
  }
};

/// A vertex that is reached is marked.
template <class Taking, class Lengths>
MAGPIE_INLINE bool offer(const frontier_walk<Lengths>& arcs, const vertex_words& vertices, u32 w, u64 distance,
                         u32 predecessor) {
  const bool fell = Taking::take(vertices, w, distance, predecessor);
  if (fell && arcs.marks.mark.length != 0) magpie::st_rlx_dev(&arcs.marks.mark[w], level_marks::of(distance));
  return fell;
}

/// What vertices that look for the frontier need.
template <class Lengths>
struct from_below {
  entering_arcs<Lengths> entering;
  level_marks marks;
};

/// What a search works on: the same for all of its launches.
template <class Lengths>
struct search {
  u32 vertex_count;
  u32 weighted;  ///< 1: an arc is as long as its weight; 0: 1
  u32 looks;  ///< a `direction`; other than push only for arcs of length 1, where a frontier is a level; push if warps go on
  u32 slack;     ///< 1: words may rise within a launch, so that vertices may be left behind
  u32 once;      ///< 1: no distance falls twice, so that no vertex is listed twice, until warps go on
  u32 together;  ///< entries of a frontier whose arcs a warp shares; 0: frontiers are cut into equal pieces
  u32 most_pieces;
  u32 least_piece;
  u64 delta;  ///< how much farther than the nearest a vertex may be to be near; 0: there is no order
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const typename Lengths::weight> weights;
  from_below<Lengths> below;
  vertex_words vertices;
  array<u32> list;  ///< two frontiers, which take turns, as do the piles
  array<u32> starts;
  array<u32> next_list;
  array<u32> next_starts;
  array<u32> far;
  array<u32> next_far;
  array<u32> stamp;
  array<u32> in_far;
  array<u64> totals;
  u32 local_rounds;  ///< for how many rounds a warp goes on by itself; read by `search_local`, whose `together` is not 0
};

/// One launch; with `Local` one whose warps go on by themselves. It only pushes, as frontiers are no levels from then on.
///
/// Participation: whole warps. Shared state: that of the task; `totals`, see above. Rule: that of the task.
/// Cost: what the task costs; a launch behind the end reads a record.
template <class Lengths, class Taking, bool Local = false>
struct search_step {
  static_assert(!Local || Taking::only_falls, "who goes on relies on distances that only fall");

  u32 turn;  ///< the number of launches before, modulo `record_count`
  search<Lengths> in;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u64* const is = record(turn);
    const u64 size = magpie::ld_plain(is + record_size);
    const u64 number = magpie::ld_plain(is + record_number);
    const u64 unexplored = magpie::ld_plain(is + record_unexplored) - low(size);
    const u64 pile = magpie::ld_plain(is + record_pile);
    const u64 done = magpie::ld_plain(is + record_threshold);
    const task now = next_task(is, size, unexplored, pile);
    u64 threshold = done;
    u64 next_pile = pile;
    if (now == task_split) {
      const u64 least = magpie::ld_plain(is + record_least);
      threshold = least == unreached ? unreached : Lengths::farther(least, in.delta);
      next_pile = 1 - pile;
    }
    if (self.rank() == 0) leave(is, size, number, unexplored, now, threshold, next_pile);

    const bool odd = number % 2 != 0;
    const bool second = next_pile != 0;
    const array<const u32> read = view(odd ? in.next_list : in.list);
    const array<const u32> read_starts = view(odd ? in.next_starts : in.starts);
    const reached_lists lists{odd ? in.list : in.next_list,
                              odd ? in.starts : in.next_starts,
                              in.offsets,
                              in.stamp,
                              second ? in.next_far : in.far,
                              in.in_far,
                              in.totals,
                              in.delta == 0 ? unreached : threshold,
                              1,
                              static_cast<u32>(number + 1),
                              1,
                              0,
                              records + (turn + 1) % record_count * record_words + record_size,
                              second ? u32{far_size_of_other} : u32{far_size},
                              Local ? 0 : in.once};
    switch (now) {
      case task_push: push(self, size, walk(high(size), low(size), 1, read, read_starts), lists); break;
      case task_pull:
        if constexpr (!Local) {
          look_from_below(self, in.below.entering, levels_of_marks{in.vertices, in.below.marks}, lists, number,
                          [](u32, u32) {});
        }
        break;
      case task_find_least:
        look_for_least(self, former(pile, done), in.vertices, record(turn + 1) + record_least);
        break;
      case task_split: sort_far(self, former(pile, done), in.vertices, lists); break;
      case task_find_slack:
        list_slack(self, walk(in.vertex_count, magpie::ld_plain(&in.offsets[in.vertex_count]), 0, read, in.offsets),
                   in.vertices, lists);
        break;
      case task_none: break;
    }
  }

  /// On processors, which have steps follow each other within a launch (platform/passes.cuh): makes this the launch of the next
  /// step, and gives the threads that it is worth.
  MAGPIE_DEVICE u32 next_pass() {
    turn = (turn + 1) % record_count;
    const u64* const is = record(turn);
    if (magpie::ld_plain(is + record_done) == task_none) return 0;
    const u64 size = magpie::ld_plain(is + record_size);
    const u64 pile = magpie::ld_plain(is + record_pile);
    const auto worth = [&](u64 work) { return pieces_of(work, in.least_piece, in.most_pieces); };
    switch (next_task(is, size, magpie::ld_plain(is + record_unexplored) - low(size), pile)) {
      case task_push: return worth(u64{high(size)} + low(size));
      case task_pull: return worth(in.vertex_count);
      case task_find_least:
      case task_split: return worth(far_count(pile));
      case task_find_slack: return worth(u64{in.vertex_count} + magpie::ld_plain(&in.offsets[in.vertex_count]));
      case task_none: break;
    }
    return 1;
  }

 private:
  MAGPIE_INLINE u64* record(u32 of_turn) const { return &in.totals[records + of_turn % record_count * record_words]; }
  MAGPIE_INLINE u64 far_count(u64 pile) const {
    return magpie::ld_plain(&in.totals[pile != 0 ? far_size_of_other : far_size]);
  }
  MAGPIE_INLINE far_pile former(u64 pile, u64 done) const {
    return {view(pile != 0 ? in.next_far : in.far), far_count(pile), done};
  }
  static MAGPIE_INLINE array<const u32> view(const array<u32>& a) { return {a.data, a.length}; }

  /// Relaxes the arcs of the frontier. Warps that go on have its entries spread over them, while it is small.
  MAGPIE_INLINE void push(const thread& self, u64 size, const arc_walk<Lengths>& arcs,
                          const reached_lists& lists) const {
    if constexpr (Local && !magpie::scalar_warps) {
      const u32 warps = magpie::warp_count(self);
      const u32 each = (high(size) + warps - 1) / warps;
      if (each <= in.together) {
        relax_for_rounds<Taking>(self, frontier_walk<Lengths>{arcs, each, in.below.marks}, in.vertices, lists,
                                 in.local_rounds);
        return;
      }
    }
    relax_walk<Taking>(self, frontier_walk<Lengths>{arcs, in.together, in.below.marks}, in.vertices, lists);
  }

  /// What is to be done. The size of a pile is read only where the launch appends nothing to it.
  MAGPIE_INLINE task next_task(const u64* is, u64 size, u64 unexplored, u64 pile) const {
    const u64 before = magpie::ld_plain(is + record_done);
    if (before == task_none) return task_none;
    if (before == task_find_least) return task_split;
    if (high(size) != 0) {
      if constexpr (Local) return task_push;
      if (in.looks != direction_auto) return in.looks == direction_pull ? task_pull : task_push;
      const u64 last = magpie::ld_plain(is + record_last_size);
      const u64 looked_at = unexplored + in.vertex_count;  // from below each vertex is asked whether it is reached
      const bool from_above = before == task_pull ? high(size) <= high(last) && high(size) < in.vertex_count / beta
                                                  : low(size) <= low(last) || low(size) <= looked_at / alpha;
      return from_above ? task_push : task_pull;
    }
    if (in.delta != 0 && far_count(pile) != 0) return task_find_least;
    return in.slack != 0 && before != task_find_slack ? task_find_slack : task_none;
  }

  /// Writes the records of the launches to come. One thread.
  MAGPIE_INLINE void leave(const u64* is, u64 size, u64 number, u64 unexplored, task now, u64 threshold,
                           u64 pile) const {
    u64* const next = record(turn + 1);
    magpie::st_plain(next + record_last_size, size);
    magpie::st_plain(next + record_done, now);
    magpie::st_plain(next + record_number, number + 1);
    magpie::st_plain(next + record_unexplored, unexplored);
    magpie::st_plain(next + record_threshold, threshold);
    magpie::st_plain(next + record_pile, pile);
    const bool round = now == task_push || now == task_pull;
    magpie::st_plain(next + record_rounds, magpie::ld_plain(is + record_rounds) + (round ? 1 : 0));
    magpie::st_plain(next + record_pulled, magpie::ld_plain(is + record_pulled) + (now == task_pull ? 1 : 0));
    magpie::st_plain(next + record_arcs, magpie::ld_plain(is + record_arcs) + (now == task_push ? low(size) : 0));
    // The pile to which the next launch appends, if it is `task_split`.
    if (now == task_find_least) magpie::st_plain(&in.totals[pile != 0 ? far_size : far_size_of_other], 0);
    u64* const behind = record(turn + 2);
    magpie::st_plain(behind + record_size, 0);
    magpie::st_plain(behind + record_least, unreached);
  }

  /// A walk over so many segments, which have so many arcs.
  MAGPIE_INLINE arc_walk<Lengths> walk(u32 segments, u32 arcs, u32 listed, const array<const u32>& read,
                                       const array<const u32>& read_starts) const {
    return {segments,   pieces_of(u64{segments} + arcs, in.least_piece, in.most_pieces),
            listed,     in.weighted,
            read,       read_starts,
            in.offsets, in.neighbors,
            in.weights};
  }
};
using search_atomic = search_step<whole_lengths, by_minimum>;
using search_stores = search_step<whole_lengths, by_stores>;
using search_atomic_float = search_step<float_lengths, by_minimum>;
using search_stores_float = search_step<float_lengths, by_stores>;
using search_local = search_step<whole_lengths, by_minimum, true>;
using search_local_float = search_step<float_lengths, by_minimum, true>;
MAGPIE_KERNEL(search_atomic)
MAGPIE_KERNEL(search_stores)
MAGPIE_KERNEL(search_atomic_float)
MAGPIE_KERNEL(search_stores_float)
MAGPIE_KERNEL(search_local)
MAGPIE_KERNEL(search_local_float)

}  // namespace paths
