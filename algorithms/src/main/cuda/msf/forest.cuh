/// @file
/// What the kernels of the minimum spanning forest share: keys, union-find walks, the balanced walk over a CSR graph,
/// the worklist.
///
/// Layer: algorithm. Words used throughout:
/// - `parent[v]`: union-find; a root points to itself. Parents only ever move toward the root, so a chain of relaxed
///   loads ends at a vertex that was a root, whatever runs alongside it.
/// - `best[r]`: at a root, the least key of an edge that leaves its component; `no_key` if none is known.
/// - `edge_of[v]`: the arc over which the former root v was hooked, `none` for a root. Each vertex is hooked once at
///   most, so this array *is* the forest and needs no counter and no atomic.
/// - key: weight << 32 | id. Ids are unique within a round, hence keys too, and the choices of a round form trees whose
///   only cycles are pairs that chose the same edge.
///
/// The first three lie apart (`separate_words`), or share one word for each vertex (`joint_words`).
///
/// Limits: vertices <= 2^31 - 2, arcs < 2^31, weights 0 .. 2^31 - 1.
#pragma once

#include "magpie/parallel/warp.cuh"
#include "magpie/parallel/warp_segmentation.cuh"
#include "magpie/stm.cuh"

namespace msf {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using magpie::array;
using magpie::lanes_below;
using magpie::owner_of;
using magpie::thread;

inline constexpr u32 none = 0xffffffffu;
inline constexpr u64 no_key = ~u64{0};
/// Marks an arc that lies in the list of its larger end point; see `canonicalize`.
inline constexpr u32 reverse_flag = 0x80000000u;
/// The weight of an arc that the vertex-centric form has pruned: no legal weight.
inline constexpr u32 pruned = 0xffffffffu;

inline constexpr bool scalar = magpie::scalar_warps;
/// Worklist entries that a lane of a warp handles at once: loads in flight on a GPU.
inline constexpr u32 lane_batch = 4;
MAGPIE_CONSTANT(lane_batch)
/// The same of any thread; on a processor, appends per atomic.
inline constexpr u32 batch = scalar ? 16 : lane_batch;
/// Offers to one component from which a warp makes one of them.
inline constexpr u32 enough_to_combine = 8;
/// Up to this degree a warp's lanes walk their own vertices' arcs; above it they share them.
inline constexpr u32 own_arcs = scalar ? none : 8;
/// Steps of one walk toward a root; a walk that needs more is left for the next pass, each of which halves the way.
inline constexpr u32 hops = 64;

MAGPIE_INLINE u64 key_of(u32 weight, u32 id) { return u64{weight} << 32 | id; }
MAGPIE_INLINE u32 high(u64 v) { return static_cast<u32>(v >> 32); }
MAGPIE_INLINE u32 low(u64 v) { return static_cast<u32>(v); }
MAGPIE_INLINE u32 least(u32 a, u32 b) { return a < b ? a : b; }
MAGPIE_INLINE u32 most(u32 a, u32 b) { return a < b ? b : a; }

/// Offers `key` to a component: monotone, so an atomic minimum and no transaction. The read before it is only a guard
/// (a stale value is larger, and costs one needless minimum); it saves most of the atomics.
MAGPIE_INLINE void offer(u64* best, u64 key) {
  if (key < magpie::ld_rlx_dev(best)) magpie::red_min_rlx_dev(best, key);
}
MAGPIE_INLINE void offer(const array<u64>& best, u32 root, u64 key) { offer(&best[root], key); }

/// `offer` by a warp. Where many lanes offer to the component of the first that does, their least key stands for all: nearly
/// every entry may have an end in one giant component. All lanes, converged.
MAGPIE_INLINE void offer_together(const thread& self, const array<u64>& best, u32 root, u64 key, bool wanted) {
  const u32 all = self.ballot(wanted);
  if (all == 0) return;
  const u32 first = magpie::lowest_bit(all);
  const bool same = wanted & (self.shuffle(root, first) == root);
  if (magpie::popcount(self.ballot(same)) >= enough_to_combine) {
    const u32 weight = self.reduce_min(same ? high(key) : none);
    const u32 id = self.reduce_min(same && high(key) == weight ? low(key) : none);
    if (self.lane() == first) offer(best, root, key_of(weight, id));
    wanted &= !same;
  }
  if (wanted) offer(best, root, key);
}

/// Parents as kernels without transactions see and shorten them.
struct shared_parents {
  const array<u32>& parent;
  MAGPIE_INLINE u32 above(u32 v) const { return magpie::ld_rlx_dev(&parent[v]); }
  MAGPIE_INLINE void shorten(u32 v, u32 g) const { magpie::st_rlx_dev(&parent[v], g); }
};

/// The same in a transaction, past its claims: hints.
template <class Tx>
struct hinted_parents {
  Tx& tx;
  const array<u32>& parent;
  MAGPIE_INLINE u32 above(u32 v) const { return tx.glance(&parent[v]); }
  MAGPIE_INLINE void shorten(u32 v, u32 g) const { tx.leave_hint(&parent[v], g); }
};

/// Walks from v to its root by at most `hops` double steps and re-points what it passes by path halving: idempotent, each store replaces
/// a parent by one of its ancestors, so plain relaxed stores race harmlessly. `found` tells whether v's root was reached;
/// if not, the result is an ancestor.
template <class Parents>
MAGPIE_INLINE u32 climb(const Parents& parents, u32 v, u32 p, u32 g, bool& found) {
  found = true;
  if ((p == v) | (g == p)) return p;  // one branch, since which of the two it is cannot be foreseen
  for (u32 step = 0; step < hops; ++step) {
    parents.shorten(v, g);
    v = g;
    p = parents.above(v);
    if (p == v) return v;
    g = parents.above(p);
    if (g == p) return p;
  }
  found = false;
  return v;
}

template <class Parents>
MAGPIE_INLINE u32 climb(const Parents& parents, u32 v, bool& found) {
  const u32 p = parents.above(v);
  return climb(parents, v, p, p == v ? v : parents.above(p), found);
}

/// What each vertex has of its component, in three arrays. As parents they are `shared_parents`.
struct separate_words {
  array<u32> parent;
  array<u32> edge_of;
  array<u64> best;

  MAGPIE_INLINE u32 above(u32 v) const { return shared_parents{parent}.above(v); }
  MAGPIE_INLINE void shorten(u32 v, u32 g) const { shared_parents{parent}.shorten(v, g); }
  MAGPIE_INLINE void soon(u32 v) const { magpie::prefetch(&parent[v]); }

  /// The least keys of roots.
  MAGPIE_INLINE const array<u64>& keys() const { return best; }
  /// A key as lists and `keys` have it, and its id.
  static MAGPIE_INLINE u64 listed(u64 key) { return key; }
  static MAGPIE_INLINE u32 id_of(u64 key) { return low(key); }

  /// The parent of a vertex that is a root or points to one, as no one writes parents meanwhile; `wanted` becomes false where
  /// that read also tells that to offer `key` to the root is of no use.
  template <class Lists>
  MAGPIE_INLINE u32 root_above(u32 v, u64, bool&) const {
    return Lists::load(&parent[v]);
  }

  /// Hooks a root below another one over an edge. Called by one thread.
  MAGPIE_INLINE void hook(u32 loser, u32 winner, u32 edge) const {
    magpie::st_rlx_dev(&parent[loser], winner);
    magpie::st_rlx_dev(&edge_of[loser], edge);
  }
};

/// The same in one word: a root needs no parent, and what has been hooked no key. The word of a root is its least key, whose
/// id has `root_bit`, or `no_key`; that of another vertex is parent << 32 | the edge over which it was hooked. Ids < 2^31 - 1.
///
/// Shared state: offers go to roots, ways are shortened elsewhere, and only `hook` makes the one into the other, in launches
/// or phases that do neither. So each read tells whether v was a root, and a way may be shortened by many: all of them
/// write one edge and an ancestor.
struct joint_words {
  array<u64> words;

  static constexpr u32 root_bit = 0x80000000u;

  static MAGPIE_INLINE bool is_root(u64 word) { return (low(word) & root_bit) != 0; }

  MAGPIE_INLINE u32 above(u32 v) const {
    const u64 word = magpie::ld_rlx_dev(&words[v]);
    return is_root(word) ? v : high(word);
  }
  /// v is no root.
  MAGPIE_INLINE void shorten(u32 v, u32 g) const {
    magpie::st_rlx_dev(&words[v], key_of(g, low(magpie::ld_rlx_dev(&words[v]))));
  }
  MAGPIE_INLINE void soon(u32 v) const { magpie::prefetch(&words[v]); }

  MAGPIE_INLINE const array<u64>& keys() const { return words; }
  static MAGPIE_INLINE u64 listed(u64 key) { return key | root_bit; }
  static MAGPIE_INLINE u32 id_of(u64 key) { return low(key) & ~root_bit; }

  /// Others may offer to v if it is a root.
  template <class Lists>
  MAGPIE_INLINE u32 root_above(u32 v, u64 key, bool& wanted) const {
    const u64 word = magpie::ld_rlx_dev(&words[v]);
    if (!is_root(word)) return high(word);
    wanted = key < word;
    return v;
  }

  MAGPIE_INLINE void hook(u32 loser, u32 winner, u32 edge) const {
    magpie::st_rlx_dev(&words[loser], key_of(winner, edge));
  }
};

/// The root above v as relaxed loads see it: a vertex that was v's root at some moment of the call.
///
/// The only loop on shared state in these kernels besides the regions' own. It waits for nobody: every step goes to
/// an ancestor, and between two merges a chain of ancestors is finite and only gets shorter; a merge that lengthens
/// it meanwhile is another thread's progress, of which there are fewer than vertices.
template <class Parents>
MAGPIE_INLINE u32 find(const Parents& parents, u32 v) {
  bool found;
  do {
    v = climb(parents, v, found);
  } while (!found);
  return v;
}

/// Entries that a lane has ready for the output worklist, at most `Room`, and their collective append.
///
/// The order of a worklist is not determined; its set of entries is.
template <u32 Room>
struct stage {
  u64 ends[Room];
  u64 keys[Room];
  u32 count = 0;

  MAGPIE_INLINE void push(u64 end, u64 key) {
    if constexpr (scalar) {
      ends[count] = end;
      keys[count] = key;
    } else {
      // Constant indices keep the arrays in registers.
      MAGPIE_UNROLL
      for (u32 k = 0; k < Room; ++k) {
        if (k == count) {
          ends[k] = end;
          keys[k] = key;
        }
      }
    }
    ++count;
  }

  /// The same if it is wanted, without a branch; for processors.
  MAGPIE_INLINE void push_if(bool wanted, u64 end, u64 key) {
    ends[count] = end;
    keys[count] = key;
    count += static_cast<u32>(wanted);
  }

  /// Offers each key to the entry's components, of which all cache lines are asked for first; for processors.
  MAGPIE_INLINE void offer_all(const array<u64>& best) const {
    for (u32 k = 0; k < count; ++k) {
      magpie::prefetch(&best[high(ends[k])]);
      magpie::prefetch(&best[low(ends[k])]);
    }
    for (u32 k = 0; k < count; ++k) {
      offer(best, high(ends[k]), keys[k]);
      offer(best, low(ends[k]), keys[k]);
    }
  }

  /// Appends what the warp's lanes hold behind `counter` with one addition; entries beyond the shorter array's length
  /// are counted and dropped (the host sees the count, grows the arrays, and builds again). All lanes, converged.
  MAGPIE_INLINE void flush(const thread& self, u32* counter, const array<u64>& out_ends, const array<u64>& out_keys) {
    const u64 room = out_ends.length < out_keys.length ? out_ends.length : out_keys.length;
    if constexpr (scalar) {
      if (count == 0) return;
      const u64 base = magpie::add_rlx_dev(counter, count);
      for (u32 k = 0; k < count; ++k) {
        if (base + k < room) {
          magpie::st_plain(&out_ends[base + k], ends[k]);
          magpie::st_plain(&out_keys[base + k], keys[k]);
        }
      }
    } else {
      u32 masks[Room];
      u32 total = 0;
      MAGPIE_UNROLL
      for (u32 k = 0; k < Room; ++k) {
        masks[k] = self.ballot(count > k);
        total += magpie::popcount(masks[k]);
      }
      if (total == 0) return;
      u32 base = 0;
      if (self.lane() == 0) base = magpie::add_rlx_dev(counter, total);
      u64 slot = self.shuffle(base, 0);
      MAGPIE_UNROLL
      for (u32 k = 0; k < Room; ++k) {
        const u64 mine = slot + magpie::popcount(masks[k] & lanes_below(self));
        if (count > k && mine < room) {
          magpie::st_plain(&out_ends[mine], ends[k]);
          magpie::st_plain(&out_keys[mine], keys[k]);
        }
        slot += magpie::popcount(masks[k]);
      }
    }
    count = 0;
  }
};

/// Offers a processor's entries to their components. If some walk did not reach its root, the list is marked instead: its
/// merge does nothing, and the next pass offers what is left of it.
template <u32 Room>
MAGPIE_INLINE void conclude(const stage<Room>& ready, bool all_rooted, const array<u64>& best, u32* mark) {
  if (all_rooted) {
    ready.offer_all(best);
  } else {
    magpie::st_rlx_dev(mark, 1);
  }
}

/// A graph, split into pieces of equal work: piece c holds positions [c * piece, (c + 1) * piece) of the sequence
/// "vertex 0, its arcs, vertex 1, its arcs, ...", in which vertex v stands at v + offsets[v]. So neither a hub nor a
/// run of isolated vertices makes one warp's piece longer than another's. `start[c]` is the last vertex at or before
/// the piece's first position.
struct pieces {
  u32 vertices;
  u32 piece;
  u32 count;
  array<const u32> offsets;
  array<const u32> start;

  MAGPIE_INLINE u64 total() const { return u64{vertices} + magpie::ld_plain(&offsets[vertices]); }

  /// The first arc at or after position `at`, whose last vertex at or before it is v.
  MAGPIE_INLINE u32 first_arc(u32 v, u64 at) const {
    if (v >= vertices) return magpie::ld_plain(&offsets[vertices]);
    const u32 offset = magpie::ld_plain(&offsets[v]);
    const u64 token = u64{v} + offset;
    return at == token ? offset : static_cast<u32>(offset + (at - token - 1));
  }
};

/// A warp's present block of consecutive vertices, one for each lane, clipped to its piece.
struct block {
  u32 v;      ///< this lane's vertex
  u32 first;  ///< its arcs in the piece: [first, last)
  u32 last;
  bool present;  ///< the vertex itself (its place, not only its arcs) lies in the piece
  bool whole;    ///< all its arcs do
  bool before;   ///< some of its arcs lie in an earlier piece
};

/// Calls `body(const block&, u32 begin, u32 end)` for each block of the warp's piece c; [begin, end) are the arcs of all
/// lanes together. All lanes, converged; body may use collectives.
template <class Body>
MAGPIE_INLINE void for_each_block(const thread& self, const pieces& graph, u32 c, Body&& body) {
  const u64 from = u64{c} * graph.piece;
  const u64 total = graph.total();
  const u64 to = from + graph.piece < total ? from + graph.piece : total;
  const u32 v_from = magpie::ld_plain(&graph.start[c]);
  const u32 v_to = magpie::ld_plain(&graph.start[c + 1]);
  const u32 a_from = graph.first_arc(v_from, from);
  const u32 a_to = graph.first_arc(v_to, to);
  const u32 width = self.width();
  for (u64 base = v_from; base <= v_to && base < graph.vertices; base += width) {
    const u64 mine = base + self.lane();
    const bool in = mine <= v_to && mine < graph.vertices;
    block b{static_cast<u32>(mine), a_to, a_to, false, true, false};
    if (in) {
      const u32 first = magpie::ld_plain(&graph.offsets[mine]);
      const u32 last = magpie::ld_plain(&graph.offsets[mine + 1]);
      const u64 token = mine + first;
      b.first = most(least(first, a_to), a_from);
      b.last = most(least(last, a_to), a_from);
      b.present = token >= from && token < to;
      b.whole = first >= a_from && last <= a_to;
      b.before = first < a_from;
    }
    body(b, self.shuffle(b.first, 0), self.shuffle(b.last, width - 1));
  }
}

/// Minimum over the lanes of one segment (equal `owner`, neighboring lanes), at the segment's first lane: key, and with
/// it the arc; of equal keys the one of the lowest lane. All lanes, converged.
MAGPIE_INLINE void segment_minimum(const thread& self, u32 owner, u64& key, u32& arc) {
  for (u32 distance = 1; distance < self.width(); distance *= 2) {
    const u32 their_owner = self.shuffle_down(owner, distance);
    const u64 their_key = self.shuffle_down(key, distance);
    const u32 their_arc = self.shuffle_down(arc, distance);
    if (self.lane() + distance < self.width() && their_owner == owner && their_key < key) {
      key = their_key;
      arc = their_arc;
    }
  }
}

}  // namespace msf
