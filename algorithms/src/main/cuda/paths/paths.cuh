/// @file
/// What the kernels of shortest paths share: words for vertices, the walk over the arcs of a list of vertices, and the
/// lists themselves.
///
/// Layer: algorithm. Words used throughout:
/// - length: of an arc, its weight or 1: a whole number from 0 to 2^31 - 1, or a float from 0.
/// - distance: 64 bits. Of whole lengths their sum; of floats the bits of their sum as a double, added up arc by arc from the source,
///   which as whole numbers are in the order of the sums: none is negative, and the largest is below 2^31 * 2^128, so none is
///   infinite. How lengths are added and divided is a type, `whole_lengths` or `float_lengths`; all else compares distances alone.
/// - `word[v]`: all ones while v is not reached, else distance << shift. With `shift` 32 the low half is the predecessor, so
///   that both change by one access; distances are below 2^32 - 1 then, which the host sees to. With `shift` 0 the word is the
///   distance.
/// - to relax an arc from v to w: to offer w the distance of v plus the arc's length, which w takes if it is less than its own.
/// - frontier: the vertices whose distance has fallen since their arcs were last relaxed, each once. Where warps go on by themselves
///   (local_rounds.cuh), one that a warp has listed may have been relaxed by another meanwhile, with a lower distance.
///
/// A frontier is a CSR as soon as it is appended: one addition of (1, arcs) to a counter of two halves gives an entry both its
/// place and the number of arcs before it; its end is stored behind it, as the next one's beginning, so that the last entry has one,
/// too. So `csr_pieces` cuts its arcs into equal pieces, hubs included, without a scan.
/// Where vertices are split, its elements are the nodes of a vertex beyond the first, in place of arcs; see nodes.cuh.
///
/// Every word that is not all ones is the length of some walk from the source, and in every launch a word ends no higher than
/// it began: what is stored is less than what the storing thread has read, and that is what the word was before or what some
/// thread has stored in this launch. By atomics, transactions, and where a word has one writer, it never rises within a launch
/// either. By plain stores (`by_stores`) it may, over a lower one that came meanwhile. So rounds end, and their end, where
/// no arc shortens anything, is a fixed point: the distances. That holds of sums that are rounded, too: adding a length neither lowers
/// a distance nor puts the larger of two below the smaller, so each vertex ends with the least sum over all walks.
///
/// Limits: vertices <= 2^31 - 2, arcs < 2^31, launches of one search < 2^32.
#pragma once

#include "magpie/kernel.cuh"
#include "magpie/parallel/append.cuh"
#include "magpie/parallel/warp_segmentation.cuh"

namespace paths {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using magpie::array;
using magpie::thread;

inline constexpr u32 none = 0xffffffffu;
inline constexpr u64 unreached = ~u64{0};

MAGPIE_INLINE u32 high(u64 v) { return static_cast<u32>(v >> 32); }
MAGPIE_INLINE u32 low(u64 v) { return static_cast<u32>(v); }

/// Words of a record; see steps.cuh.
enum record_word : u32 {
  record_size,        ///< of the frontier: vertices << 32 | arcs
  record_least,       ///< the least distance in the far pile; all ones if it was not looked for, or if there is none
  record_last_size,   ///< of the frontier before
  record_done,        ///< what the launch before has done, a `task`
  record_number,      ///< launches before
  record_unexplored,  ///< arcs of vertices that were in no frontier
  record_threshold,   ///< distances from which on a vertex is far; all ones in no order
  record_pile,        ///< which pile is the far one: 0 or 1
  record_rounds,      ///< frontiers so far,
  record_pulled,      ///< those of them from which no arcs were relaxed, as vertices looked from below,
  record_arcs,        ///< and arcs that leave the others
  record_words
};
inline constexpr u32 record_count = 3;
MAGPIE_CONSTANT(record_size)
MAGPIE_CONSTANT(record_least)
MAGPIE_CONSTANT(record_done)
MAGPIE_CONSTANT(record_number)
MAGPIE_CONSTANT(record_unexplored)
MAGPIE_CONSTANT(record_threshold)
MAGPIE_CONSTANT(record_rounds)
MAGPIE_CONSTANT(record_pulled)
MAGPIE_CONSTANT(record_arcs)
MAGPIE_CONSTANT(record_words)
MAGPIE_CONSTANT(record_count)

/// Places in `totals`, which the host reads between launches.
enum total : u32 {
  frontier_size,        ///< of the frontier that is appended: vertices << 32 | elements
  relaxed,              ///< distances that fell, in all, but for those that fell by transactions
  far_size,             ///< vertices appended to a far pile,
  far_size_of_other,    ///< and to the other one
  offers,               ///< offers appended
  far_least,            ///< the least distance in the far pile
  heavy_size,           ///< of the list of heavy vertices: vertices << 32 | arcs; of every other round,
  heavy_size_of_other,  ///< and of the rounds between
  pushed,               ///< arcs of nodes that were relaxed, where frontiers do not count arcs
  records,              ///< what launches leave for the next ones; see steps.cuh
  total_count = records + record_count * record_words
};
MAGPIE_CONSTANT(frontier_size)
MAGPIE_CONSTANT(relaxed)
MAGPIE_CONSTANT(far_size)
MAGPIE_CONSTANT(offers)
MAGPIE_CONSTANT(far_least)
MAGPIE_CONSTANT(heavy_size)
MAGPIE_CONSTANT(heavy_size_of_other)
MAGPIE_CONSTANT(pushed)
MAGPIE_CONSTANT(records)
MAGPIE_CONSTANT(total_count)

/// What stands for the vertices; see above.
struct vertex_words {
  array<u64> word;
  u64 shift;  ///< 0 or 32

  /// Of the distance that a word holds; at least 2^32 - 1 for one that is all ones.
  MAGPIE_INLINE u64 distance(u64 w) const { return w >> shift; }
  MAGPIE_INLINE u64 make(u64 distance, u32 predecessor) const {
    return shift == 0 ? distance : distance << 32 | predecessor;
  }
};

/// Lengths that are whole numbers: weights, or 1.
struct whole_lengths {
  using weight = u32;

  /// The distance at the end of an arc of a walk, by the one where it begins.
  template <class Walk>
  static MAGPIE_INLINE u64 add(const Walk& arcs, u64 distance, u32 arc) {
    return distance + (arcs.weighted == 0 ? 1 : u64{magpie::ld_plain(&arcs.weights[arc])});
  }

  /// A distance farther by `delta`.
  static MAGPIE_INLINE u64 farther(u64 distance, u64 delta) { return distance + delta; }

  /// The number of the range, `delta` wide, that a distance is in.
  static MAGPIE_INLINE u64 range(u64 distance, u64 delta) { return distance / delta; }
};

/// Lengths that are floats, all of them weights; distances, and `delta`, are bits of doubles.
struct float_lengths {
  using weight = float;

  template <class Walk>
  static MAGPIE_INLINE u64 add(const Walk& arcs, u64 distance, u32 arc) {
    return bits(number(distance) + double{magpie::ld_plain(&arcs.weights[arc])});
  }

  /// The next double, if `delta` is too small to be added.
  static MAGPIE_INLINE u64 farther(u64 distance, u64 delta) {
    const u64 sum = bits(number(distance) + number(delta));
    return sum > distance ? sum : distance + 1;
  }

  /// Range r ends where range r + 1 begins, at (r + 1) * `delta`, rounded, as the host has it: a quotient that was rounded to the
  /// other side is put right. Precondition: it is below 2^52.
  static MAGPIE_INLINE u64 range(u64 distance, u64 delta) {
    const double width = number(delta);
    const u64 range = static_cast<u64>(number(distance) / width);
    if (number(distance) < static_cast<double>(range) * width) return range - 1;
    return number(distance) < static_cast<double>(range + 1) * width ? range : range + 1;
  }

 private:
  static MAGPIE_INLINE u64 bits(double d) { return __builtin_bit_cast(u64, d); }
  static MAGPIE_INLINE double number(u64 b) { return __builtin_bit_cast(double, b); }
};

/// Levels of a search by levels in a byte for each vertex, eight times as many to a line of a cache as words: 0 while it is not
/// reached, else 1 + level % 3. That is enough for who looks from below: a vertex with an arc to one that was not reached before
/// a launch is of the last level, or is being reached, or is not reached.
struct level_marks {
  static constexpr u32 of_source = 1;

  array<u8> mark;  ///< without elements where nothing is looked for from below

  static MAGPIE_INLINE u8 of(u64 level) { return static_cast<u8>(of_source + level % 3); }
};
MAGPIE_CONSTANT(level_marks::of_source)

/// Offers w a distance; whether it took it.
template <class Taking, class Walk>
MAGPIE_INLINE bool offer(const Walk&, const vertex_words& vertices, u32 w, u64 distance, u32 predecessor) {
  return Taking::take(vertices, w, distance, predecessor);
}

/// Into how many pieces a launch cuts so much work, at least 1.
MAGPIE_INLINE u32 pieces_of(u64 work, u32 least_piece, u32 most_pieces) {
  const u64 pieces = work / least_piece;
  return static_cast<u32>(pieces < 1 ? 1 : pieces < most_pieces ? pieces : most_pieces);
}

/// Which arcs a launch walks over: those of all vertices, or of a frontier.
template <class Lengths>
struct arc_walk {
  using lengths = Lengths;

  u32 segments;  ///< vertices, or entries of the frontier
  u32 pieces;
  u32 listed;    ///< 1: of a frontier
  u32 weighted;  ///< 1: an arc is as long as its weight; 0: 1
  array<const u32> list;
  array<const u32> starts;  ///< segments + 1: of a frontier as it was appended; else the graph's offsets
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const typename Lengths::weight> weights;  ///< not read where arcs have length 1

  /// Calls body(v, word, arc, here) for each arc of a reached vertex v, whose word was `word` a moment ago. The lanes of a
  /// warp call together, so that body may use collectives; those without an arc have `here` false.
  ///
  /// Participation: whole warps, converged. Shared state: `word`, relaxed. Whatever is read is the length of a walk, so what
  /// it offers is no less than the distance that is to be found. Where words only fall, a stale one is higher, and whoever
  /// lowered it has listed the vertex again. Where plain stores may raise them, `find_slack` or the next round over all vertices
  /// finds what was missed.
  template <class Body>
  MAGPIE_INLINE void for_each(const thread& self, const vertex_words& vertices, Body&& body) const {
    const magpie::csr_pieces csr{segments, pieces, starts};
    for (u32 c = magpie::warp_rank(self); c < pieces; c += magpie::warp_count(self)) {
      csr.for_each_block(self, c, [&](const magpie::segment_block& b) { for_each_of(self, vertices, b, body); });
    }
  }

  /// The same for one block.
  template <class Body>
  MAGPIE_INLINE void for_each_of(const thread& self, const vertex_words& vertices, const magpie::segment_block& b,
                                 Body&& body) const {
    u32 v = none;
    u32 first = 0;  // from positions in the walk to arcs
    u64 word = unreached;
    if (b.first < b.last) {
      v = listed != 0 ? magpie::ld_plain(&list[b.segment]) : b.segment;
      first = magpie::ld_plain(&offsets[v]) - magpie::ld_plain(&starts[b.segment]);
      word = magpie::ld_rlx_dev(&vertices.word[v]);
    }
    if (!self.any(word != unreached)) return;
    magpie::for_each_element(self, b, [&](u32 a, u32 owner, bool here) {
      const u64 theirs = self.shuffle(word, owner);
      body(self.shuffle(v, owner), theirs, self.shuffle(first, owner) + a, here && theirs != unreached);
    });
  }
};

/// Appends v, with `elements` elements, to a list that is a CSR, if `listed`.
///
/// Participation: all lanes, converged. Shared state: `total`, one addition for each warp that lists something; the places given
/// out are disjoint, but for the one behind them, where whoever has it next stores the same; read in the next launch.
MAGPIE_FORCE_INLINE void append_entry(const thread& self, u64* total, const array<u32>& list, const array<u32>& starts,
                                      bool listed, u32 v, u32 elements) {
  if (!self.any(listed)) return;
  const u64 own = listed ? u64{1} << 32 | elements : 0;
  const u64 end = magpie::warp_inclusive_scan(self, own, magpie::plus<u64>{});
  const u64 all = self.shuffle(end, self.width() - 1);
  u64 base = 0;
  if (self.lane() == 0) base = magpie::add_rlx_dev(total, all);
  base = self.shuffle(base, 0);
  if (self.lane() == 0) magpie::st_rlx_dev(&starts[high(base + all)], low(base + all));
  if (!listed) return;
  const u64 place = base + end - own;
  magpie::st_plain(&list[high(place)], v);
  magpie::st_rlx_dev(&starts[high(place)], low(place));
}

/// Where vertices go whose distance fell: to the next frontier, or to the far pile (in an order).
struct reached_lists {
  array<u32> list;
  array<u32> starts;
  array<const u32> offsets;  ///< the graph's
  array<u32> stamp;          ///< for each vertex the last launch that listed it; not used with `once`
  array<u32> far;
  array<u32> in_far;  ///< `far_mark` while the far pile has the vertex
  array<u64> totals;
  u64 threshold;  ///< distances from which on a vertex is far; all ones in no order
  u32 far_mark;   ///< the far pile's number, from 1
  u32 launch;     ///< its number, from 1
  u32 collects;   ///< 0: there are no lists, and vertices go nowhere
  u32 bound;    ///< 0: an entry's elements are its arcs; else its nodes of so many arcs at most, without the first one
  u32 size_at;  ///< where `totals` has the size of the list,
  u32 far_at;   ///< and that of the far pile
  u32 once;     ///< 1: a distance falls once, of which `take`, or the one lane that pulls, tells one thread; no stamps

  /// Elements of an entry of the frontier whose vertex has so many arcs, 1 or more.
  MAGPIE_INLINE u32 elements(u32 degree) const { return bound == 0 ? degree : (degree - 1) / bound; }
};

/// The place of the nth bit that is set, counted from 0. Precondition: there are more than n.
MAGPIE_INLINE u32 nth_set_bit(u32 bits, u32 n) {
  u32 place = 0;
  for (u32 step = 16; step > 0; step /= 2) {
    const u32 below = magpie::popcount(bits >> place & ((1u << step) - 1));
    if (n >= below) {
      n -= below;
      place += step;
    }
  }
  return place;
}

/// Appends to the lists. One for each thread and launch; every lane makes the same calls, and `flush` is the last.
///
/// Shared state: `stamp` and `in_far` by exchange, which one thread wins (see also `once`): each vertex is in a list once. `totals` by
/// additions; the places given out are disjoint, and read in the next launch.
class list_writer {
 public:
  MAGPIE_INLINE explicit list_writer(const reached_lists& lists) : to_(lists) {}

  /// Counts v, if its distance fell to `distance`, and lists it. All lanes, converged.
  MAGPIE_INLINE void push(const thread& self, bool fell, u32 v, u64 distance) {
    count(self, fell);
    list(self, fell, v, distance);
  }

  /// Counts distances that fell. All lanes, converged.
  MAGPIE_INLINE void count(const thread& self, bool fell) {
    if constexpr (magpie::scalar_warps) {
      relaxed_ += fell ? 1 : 0;
    } else {
      relaxed_ += magpie::popcount(self.ballot(fell));
    }
  }

  /// Lists v, if its distance fell to `distance`; one that no arc leaves need not be. All lanes, converged.
  MAGPIE_INLINE void list(const thread& self, bool fell, u32 v, u64 distance) {
    if (to_.collects == 0 || !self.any(fell)) return;
    const bool far = fell && distance >= to_.threshold;
    push_far(self, far && degree_of(v) != 0 && magpie::exch_rlx_dev(&to_.in_far[v], to_.far_mark) != to_.far_mark, v);
    push_again(self, fell && !far, v);
  }

  /// Lists v in the frontier, whether its distance fell or not. All lanes, converged.
  MAGPIE_INLINE void push_again(const thread& self, bool wanted, u32 v) {
    const u32 degree = wanted ? degree_of(v) : 0;
    const bool listed = degree != 0 && (to_.once != 0 || magpie::exch_rlx_dev(&to_.stamp[v], to_.launch) != to_.launch);
    const u32 elements = listed ? to_.elements(degree) : 0;
    if constexpr (magpie::scalar_warps) {
      if (!listed) return;
      near_.v[near_.count] = v;
      elements_[near_.count] = elements;
      if (++near_.count == room) put_near(self);
    } else {
      const u32 lanes = self.ballot(listed);
      if (lanes == 0) return;
      const u32 all = near_.count + magpie::popcount(lanes);
      hold(self, lanes, near_.count, v, near_.v[0]);
      hold(self, lanes, near_.count, elements, elements_[0]);
      if (all >= self.width()) {
        const u32 before = near_.count - self.width();
        near_.count = self.width();
        put_near(self);
        hold(self, lanes, before, v, near_.v[0]);
        hold(self, lanes, before, elements, elements_[0]);
      }
      near_.count = all % self.width();
    }
  }

  /// Puts a vertex on the far pile, if `wanted`; its mark is set. All lanes, converged.
  MAGPIE_INLINE void push_far(const thread& self, bool wanted, u32 v) {
    if constexpr (magpie::scalar_warps) {
      if (!wanted) return;
      far_.v[far_.count] = v;
      if (++far_.count == room) put_far(self);
    } else {
      const u32 lanes = self.ballot(wanted);
      if (lanes == 0) return;
      const u32 all = far_.count + magpie::popcount(lanes);
      hold(self, lanes, far_.count, v, far_.v[0]);
      if (all >= self.width()) {
        const u32 before = far_.count - self.width();
        far_.count = self.width();
        put_far(self);
        hold(self, lanes, before, v, far_.v[0]);
      }
      far_.count = all % self.width();
    }
  }

  MAGPIE_INLINE void flush(const thread& self) {
    put_near(self);
    put_far(self);
    if (relaxed_ != 0 && self.lane() == 0) magpie::red_add_rlx_dev(&to_.totals[relaxed], relaxed_);
  }

 private:
  static constexpr u32 room = magpie::scalar_warps ? 64 : 1;

  /// What a warp holds back, so that many vertices cost one addition: one in each lane, or all in the only one.
  struct held {
    u32 count = 0;  ///< of the warp
    u32 v[room] = {};
  };

  MAGPIE_INLINE u32 degree_of(u32 v) const {
    return magpie::ld_plain(&to_.offsets[v + 1]) - magpie::ld_plain(&to_.offsets[v]);
  }

  /// Gives the values of `lanes` to others to hold: the nth to lane place + n, modulo 2^32, if there is one.
  static MAGPIE_INLINE void hold(const thread& self, u32 lanes, u32 place, u32 value, u32& holds) {
    const u32 nth = self.lane() - place;
    const bool takes = nth < magpie::popcount(lanes);
    const u32 taken = self.shuffle(value, takes ? nth_set_bit(lanes, nth) : self.lane());
    if (takes) holds = taken;
  }

  MAGPIE_INLINE void put_near(const thread& self) {
    if constexpr (magpie::scalar_warps) {
      if (near_.count == 0) return;
      u64 all = 0;
      for (u32 k = 0; k < near_.count; ++k) all += u64{1} << 32 | elements_[k];
      u64 place = magpie::add_rlx_dev(&to_.totals[to_.size_at], all);
      for (u32 k = 0; k < near_.count; ++k) {
        magpie::st_plain(&to_.list[high(place)], near_.v[k]);
        magpie::st_rlx_dev(&to_.starts[high(place)], low(place));
        place += u64{1} << 32 | elements_[k];
      }
      magpie::st_rlx_dev(&to_.starts[high(place)], low(place));
      near_.count = 0;
    } else {
      append_entry(self, &to_.totals[to_.size_at], to_.list, to_.starts, self.lane() < near_.count, near_.v[0],
                   elements_[0]);
    }
  }

  MAGPIE_INLINE void put_far(const thread& self) {
    if constexpr (magpie::scalar_warps) {
      if (far_.count == 0) return;
      const u64 place = magpie::add_rlx_dev(&to_.totals[to_.far_at], u64{far_.count});
      for (u32 k = 0; k < far_.count; ++k) magpie::st_plain(&to_.far[place + k], far_.v[k]);
      far_.count = 0;
    } else if (self.lane() < far_.count) {
      magpie::st_plain(&to_.far[magpie::append(self, &to_.totals[to_.far_at])], far_.v[0]);
    }
  }

  const reached_lists& to_;
  u64 relaxed_ = 0;
  held near_;
  held far_;
  u32 elements_[room] = {};
};

}  // namespace paths
