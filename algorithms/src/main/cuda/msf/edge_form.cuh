/// @file
/// The edge-centric minimum spanning forest: Boruvka over a shrinking worklist of edges between component roots.
///
/// One run: `partition`, `choose`, `settle` (each vertex's least arc, straight from the CSR arrays), a merge of round
/// one (`hook_chosen`, or the region `merge_chosen` and then `flatten_chosen`), `build` (the edges that still join two components,
/// one direction each, with their roots), then rounds until the list is empty. A dense graph is built twice: light edges
/// first, and the heavy ones when most of them lie within one component.
///
/// A round is a merge, a pass over the components that it united, and `compact`, which makes the next list. Without
/// transactions that is `merge_exclusive` and `flatten_losers`; with them `nominate`, the region `merge_nominated` over the
/// entries that it found, and `flatten_nominated`.
///
/// An entry of the list is 16 bytes in two arrays: `ends` = root u << 32 | root v, `keys` = weight << 32 | canonical arc.
/// `compact` stores the roots that it found back (implicit path compression) and offers the key to both in the same pass,
/// so a round reads the list twice and writes what is left once.
///
/// Why the pass over components: all ends in a list are roots when it is made, and each component of the list is the
/// own end of exactly one entry, that of its least edge. So each former root has one thread that points it to its root,
/// and `compact` finds that by one read, which a cache near the core serves unless the word is a joint one. Had it to
/// walk, nearly all of its walks would go through the few words above the root of the giant component, and halve their
/// ways there.
///
/// A series of rounds is one launch where all threads of a grid can wait for each other (`unite_exclusively`, the region
/// `merge_rounds`), else a launch for each phase. The phases are the same.
///
/// `counters` holds a record for each round. Where a walk in making a list did not reach its root, the round's merge does
/// nothing and `compact` goes on with the walks; where one of the pass over components did not, `compact` walks, too. So no
/// chain of parents, however long, holds a warp up; and the host need not look at the counters between rounds.
#pragma once

#include "forest.cuh"
#include "magpie/parallel/append.cuh"
#include "mutants.cuh"

namespace msf {

/// The words of a round's record.
enum record_word : u32 {
  record_length,      ///< entries of its list
  record_unfinished,  ///< not 0: some of them have ends that are not roots
  record_least,       ///< entries that are the least edge of one of their components
  record_deep,        ///< not 0: some component that was merged does not point to its root
  record_stopped,     ///< not 0: the launch was to end after this round's transactions
  record_words
};
MAGPIE_CONSTANT(record_length)
MAGPIE_CONSTANT(record_unfinished)
MAGPIE_CONSTANT(record_least)
MAGPIE_CONSTANT(record_deep)
MAGPIE_CONSTANT(record_stopped)
MAGPIE_CONSTANT(record_words)

/// What series that were launched one after the other say of themselves, all together.
enum summary_word : u32 {
  /// Not 0: one of them may have left edges that join two components. Its list had no room for all or ends that are not roots,
  /// a component that it merged does not point to its root, or it was stopped.
  summary_left,
  summary_rounds,  ///< rounds that united something, of series that left nothing
  summary_words
};
MAGPIE_CONSTANT(summary_left)
MAGPIE_CONSTANT(summary_rounds)
MAGPIE_CONSTANT(summary_words)

/// How a kernel reads what launches before it wrote, and no one else.
struct of_earlier_launches {
  template <class T>
  MAGPIE_INLINE static T load(const T* p) {
    return magpie::ld_plain(p);
  }
};

/// How a phase of a kernel reads what phases before it wrote: by no cache that only a launch's end empties.
struct of_earlier_phases {
  template <class T>
  MAGPIE_INLINE static T load(const T* p) {
    return magpie::ld_own(p);
  }
};

/// Whether launches are recorded or traced, each by itself: then a series of rounds is not one of them.
inline constexpr u32 observed = magpie::stm::recording || magpie::tracing ? 1 : 0;
MAGPIE_CONSTANT(observed)

MAGPIE_INLINE u32* record_of(const array<u32>& counters, u32 round) { return &counters[u64{round} * record_words]; }

/// Whether list 0 is whole, and all its ends are roots. If not, it is not for a series in one launch.
MAGPIE_INLINE bool is_ready(const array<u32>& counters, const array<u64>& ends, const array<u64>& keys) {
  const u64 length = magpie::ld_rlx_dev(record_of(counters, 0) + record_length);
  return length <= ends.length && length <= keys.length &&
         magpie::ld_rlx_dev(record_of(counters, 0) + record_unfinished) == 0;
}

/// The end of a series: one thread says how it was.
MAGPIE_INLINE void sum_up(const thread& self, const array<u32>& summary, bool left, u32 rounds) {
  if (self.rank() != 0) return;
  if (left) {
    magpie::st_rlx_dev(&summary[summary_left], 1);
  } else {
    magpie::red_add_rlx_dev(&summary[summary_rounds], rounds);
  }
}

/// Splits the graph into pieces of equal work, and readies the vertices whose arcs lie in more than one piece.
///
/// Participation: any thread, one piece boundary each. Shared state: none within the launch (boundaries of one vertex
/// write the same values).
/// Cost: a binary search over the offsets for each boundary.
struct partition {
  u32 vertices;
  u32 piece;
  u32 count;
  array<const u32> offsets;
  array<u32> start;         ///< count + 1
  array<u32> arc;           ///< `none` for split vertices
  array<u64> best;          ///< `no_key` for split vertices
  array<u64> partial_keys;  ///< 2 count: minima of the split vertices at a piece's begin and end

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u64 total = u64{vertices} + magpie::ld_plain(&offsets[vertices]);
    for (u32 c : self.items(count + 1)) {
      const u64 at = u64{c} * piece < total ? u64{c} * piece : total;
      u32 low_end = 0;
      u32 high_end = vertices;
      while (low_end < high_end) {  // the last v with v + offsets[v] <= at
        const u32 middle = low_end + (high_end - low_end + 1) / 2;
        if (u64{middle} + magpie::ld_plain(&offsets[middle]) <= at) {
          low_end = middle;
        } else {
          high_end = middle - 1;
        }
      }
      magpie::st_rlx_dev(&start[c], low_end);
      if (c < count) {
        magpie::st_rlx_dev(&partial_keys[2 * u64{c}], no_key);
        magpie::st_rlx_dev(&partial_keys[2 * u64{c} + 1], no_key);
      }
      if (low_end < vertices) {
        magpie::st_rlx_dev(&best[low_end], no_key);
        magpie::st_rlx_dev(&arc[low_end], none);
      }
    }
  }
};
MAGPIE_KERNEL(partition)

/// Round one's discovery: each vertex finds its least arc, by weight and then neighbor, without the list and
/// without atomics (but for vertices split between pieces).
///
/// Why (weight, neighbor): seen from either end it is the order (weight, smaller end, larger end) restricted to the
/// edges of one vertex, so the choices are consistent although no arc knows its other direction; parallel edges
/// count as one.
/// Participation: whole warps; a warp takes a piece, its lanes a block of vertices; short lists are walked by their own
/// lane, else the block's arcs are read in rows of the warp's width and reduced by segments.
/// Shared state: `best` of split vertices only: monotone, atomic minimum.
/// Out: `to[v]` the neighbor (v itself if there is none), `arc[v]` the arc, flagged if the neighbor is smaller.
/// Bytes: 4 per vertex and 8 per arc in, 8 per vertex out.
struct choose {
  u32 vertices;
  u32 piece;
  u32 count;
  array<const u32> offsets;
  array<const u32> start;
  array<const u32> neighbors;
  array<const u32> weights;
  array<u32> to;
  array<u32> arc;
  array<u64> best;
  array<u64> partial_keys;
  array<u32> partial_arcs;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const pieces graph{vertices, piece, count, offsets, start};
    for (u64 base : self.warp_items(u64{count} * self.width())) {
      const u32 c = static_cast<u32>(base / self.width());
      for_each_block(self, graph, c, [&](const block& b, u32 begin, u32 end) {
        u64 key = no_key;
        u32 a = none;
        if (scalar || self.all(b.last - b.first <= own_arcs)) {
          for (u32 j = b.first; j < b.last; ++j) consider(b.v, j, key, a);
        } else {
          rows(self, b, begin, end, key, a);
        }
        conclude(b, c, key, a);
      });
    }
  }

 private:
  MAGPIE_INLINE void consider(u32 v, u32 j, u64& key, u32& a) const {
    const u32 x = magpie::ld_plain(&neighbors[j]);
    const u64 candidate = key_of(magpie::ld_plain(&weights[j]), x);
    if (x != v && candidate < key) {
      key = candidate;
      a = j;
    }
  }

  MAGPIE_INLINE void rows(const thread& self, const block& b, u32 begin, u32 end, u64& key, u32& a) const {
    const u32 width = self.width();
    const u32 v0 = b.v - self.lane();
    for (u32 row = begin; row < end; row += width) {
      const u32 j = row + self.lane();
      const bool in = j < end;
      u32 owner = owner_of(self, b.first, in ? j : end - 1);
      u64 k = no_key;
      u32 mine = none;
      if (in) {
        consider(v0 + owner, j, k, mine);
      } else {
        owner = width;
      }
      segment_minimum(self, owner, k, mine);
      const bool here = b.first < b.last && b.first < row + width && b.last > row;
      const u32 head = here ? most(b.first, row) - row : 0;
      const u64 got = self.shuffle(k, head);
      const u32 got_arc = self.shuffle(mine, head);
      if (here && got < key) {
        key = got;
        a = got_arc;
      }
    }
  }

  MAGPIE_INLINE void conclude(const block& b, u32 c, u64 key, u32 a) const {
    if (a != none && low(key) < b.v) a |= reverse_flag;
    if (b.whole) {
      if (b.present || b.first < b.last) {
        magpie::st_rlx_dev(&to[b.v], key == no_key ? b.v : low(key));
        magpie::st_rlx_dev(&arc[b.v], a);
      }
    } else if (key != no_key) {
      magpie::red_min_rlx_dev(&best[b.v], key);
      const u64 slot = 2 * u64{c} + (b.before ? 0 : 1);
      magpie::st_rlx_dev(&partial_keys[slot], key);
      magpie::st_rlx_dev(&partial_arcs[slot], a);
    }
  }
};
MAGPIE_KERNEL(choose)

/// Gives the vertices that were split between pieces their choice: of the pieces' minima, the least.
///
/// Participation: any thread, one piece each. Shared state: `arc` of split vertices, atomic minimum; `to`, same value by
/// all writers.
struct settle {
  u32 vertices;
  u32 piece;
  u32 count;
  array<const u32> offsets;
  array<const u32> start;
  array<const u64> best;
  array<const u64> partial_keys;
  array<const u32> partial_arcs;
  array<u32> to;
  array<u32> arc;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const pieces graph{vertices, piece, count, offsets, start};
    for (u32 c : self.items(count)) {
      const u32 v = magpie::ld_plain(&start[c]);
      if (v >= vertices) continue;
      const u32 a = graph.first_arc(v, u64{c} * piece);
      if (a > magpie::ld_plain(&offsets[v]) && a < magpie::ld_plain(&offsets[v + 1])) {
        const u64 key = magpie::ld_plain(&best[v]);
        magpie::st_rlx_dev(&to[v], key == no_key ? v : low(key));
        offer_arc(2 * u64{c}, v, key);      // the vertex's arcs in this piece ...
        offer_arc(2 * u64{c} - 1, v, key);  // ... and in the one before, if they begin there (c >= 1: it is split)
      }
    }
  }

 private:
  MAGPIE_INLINE void offer_arc(u64 slot, u32 v, u64 key) const {
    if (key != no_key && magpie::ld_plain(&partial_keys[slot]) == key) {
      magpie::red_min_rlx_dev(&arc[v], magpie::ld_plain(&partial_arcs[slot]));
    }
  }
};
MAGPIE_KERNEL(settle)

/// Points v to the root of the tree that it is in by its and others' choices, whose only cycles are pairs that chose each
/// other; the smaller of such a pair is the root. If the way is too long, v points to an ancestor, and `deep` is 1. Gives
/// whether v is a root.
template <class Parents>
MAGPIE_INLINE bool hook_choice(const Parents& parents, u32 v, u32 choice, const array<u32>& deep) {
  u32 before = v;
  u32 p = choice;
  u32 root = v;
  bool found = p == v;
  for (u32 step = 0; !found && step < hops; ++step) {
    const u32 g = parents.above(p);
    if (g == p || g == before) {  // a root, or p and the vertex before it chose each other
      root = g == p ? p : least(p, before);
      found = true;
    } else {
      before = p;
      p = g;
      if (step >= 4) parents.shorten(v, p);  // a long way: let others profit
    }
  }
  if (!found) {
    parents.shorten(v, p);
    magpie::st_rlx_dev(&deep[0], 1);
  } else if (root == v || root != choice) {
    parents.shorten(v, root);
  }
  return found && root == v;
}

/// Round one's merge without transactions and without atomics: `parent` comes in as the choices, whose only cycles are
/// pairs that chose each other; the smaller of such a pair becomes the root. Shortens the way to the root on the same pass.
///
/// Participation: any thread, one vertex each. Shared state: `parent[v]` and `best[v]` are written by v's thread only, others
/// read `parent` relaxed: each value they may see is an ancestor, or the other half of v's pair. `edge_of[v]` comes in as v's
/// choice; v's thread alone reads it, for use only if v becomes a root; if v is the larger half of a pair, the other half's
/// thread writes it, else v's.
/// Rule: idempotent, so no region.
/// Out: `parent[v]` the root, or an ancestor and `deep` is 1; roots: `edge_of` none, `best` no_key.
/// Bytes: 8 in, about one gathered sector, and 4 out per vertex; 12 more per root.
struct hook_chosen {
  u32 vertices;
  array<u32> parent;
  array<u32> edge_of;
  array<u64> best;
  array<u32> deep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 choice = magpie::ld_rlx_dev(&parent[v]);
      const u32 arc = magpie::ld_rlx_dev(&edge_of[v]);  // of no use but to roots; their read would wait for the walk
      if (hook_choice(shared_parents{parent}, v, choice, deep)) {
        // The larger half of a pair is hooked over the arc of the smaller one, which is canonical.
        if (choice != v) magpie::st_rlx_dev(&edge_of[choice], arc);
        magpie::st_rlx_dev(&edge_of[v], none);
        magpie::st_rlx_dev(&best[v], no_key);
      }
    }
  }
};
MAGPIE_KERNEL(hook_chosen)

/// Points v, whose parent is `first`, to its root; gives whether the way was short enough. If not, v points to an ancestor,
/// and each such pass at least halves the way.
///
/// Only v's own thread writes v's parent meanwhile. If passers-by halved their ways, too, one that has read v's parent
/// before v reached its root could put v back to an ancestor after that.
template <class Parents>
MAGPIE_INLINE bool point_to_root(const Parents& parents, u32 v, u32 first) {
  u32 before = v;
  u32 p = first;
  bool found = false;
  for (u32 step = 0; !found && step < hops; ++step) {
    const u32 g = parents.above(p);
    if (g == p) {
      found = true;
    } else {
      if (breaks(mutant::passers_shorten)) parents.shorten(before, g);
      before = p;
      p = g;
      if (step >= 4) parents.shorten(v, p);  // a long way: let others profit
    }
  }
  if (p != first) parents.shorten(v, p);
  return found;
}

/// Shortens each vertex's way to its root; after a merge of round one by transactions, and for the component labels.
///
/// Participation: any thread, one vertex each. Shared state: `parent[v]` is written by v's thread only; idempotent.
/// Out: `parent[v]` the root, or an ancestor and `deep` is 1. With `ready` = 1, roots get `best` no_key.
struct flatten {
  u32 vertices;
  u32 ready;
  array<u32> parent;
  array<u64> best;
  array<u32> deep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 first = magpie::ld_rlx_dev(&parent[v]);
      if (first == v) {
        if (ready != 0) magpie::st_rlx_dev(&best[v], no_key);
      } else if (!point_to_root(shared_parents{parent}, v, first)) {
        magpie::st_rlx_dev(&deep[0], 1);
      }
    }
  }
};
MAGPIE_KERNEL(flatten)

/// The same of joint words.
struct flatten_joint {
  u32 vertices;
  u32 ready;
  joint_words components;
  array<u32> deep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 first = components.above(v);
      if (first == v) {
        if (ready != 0) magpie::st_rlx_dev(&components.words[v], no_key);
      } else if (!point_to_root(components, v, first)) {
        magpie::st_rlx_dev(&deep[0], 1);
      }
    }
  }
};
MAGPIE_KERNEL(flatten_joint)

/// Makes list 0 of a series of rounds: the edges of weight [lightest, heaviest] that join two components, from their
/// smaller end point's list, with the roots of both ends; offers each to its two components.
///
/// Participation: whole warps, pieces and blocks as in `choose`. Shared state: `best` at roots, monotone, guarded atomic
/// minimum; record 0 of `counters`: `record_length` appends, `record_unfinished` is set where a walk did not reach its
/// root; `parent` by path halving, idempotent. Idempotent as a whole: it may run again with larger arrays.
/// Bytes: 4 per vertex and 8 per arc in; a gathered root per arc in range and direction; 16 out and two gathered `best`
/// per edge that is kept.
struct build {
  u32 vertices;
  u32 piece;
  u32 count;
  u32 lightest;
  u32 heaviest;
  array<const u32> offsets;
  array<const u32> start;
  array<const u32> neighbors;
  array<const u32> weights;
  array<u32> parent;
  array<u64> best;
  array<u64> ends;
  array<u64> keys;
  array<u32> counters;
  array<const u32> deep;  ///< from hook_chosen or flatten: 0 = every parent is a root
  /// If `summary_left` is not 0, a lighter list is still to be worked on, and this one stays empty.
  array<const u32> summary;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (magpie::ld_plain(&summary[summary_left]) != 0) return;
    const pieces graph{vertices, piece, count, offsets, start};
    const bool flat = magpie::ld_plain(&deep[0]) == 0;
    if constexpr (scalar) {
      scan(self, graph, flat);
    } else {
      share(self, graph, flat);
    }
  }

 private:
  /// On a GPU: each warp's lanes share the arcs of its blocks.
  MAGPIE_INLINE void share(const thread& self, const pieces& graph, bool flat) const {
    const u32 width = self.width();
    stage<batch> ready;
    for (u64 base : self.warp_items(u64{count} * width)) {
      for_each_block(self, graph, static_cast<u32>(base / width), [&](const block& b, u32 begin, u32 end) {
        bool rooted = true;
        const u32 root = b.first < b.last ? root_of(b.v, flat, rooted) : 0;
        if (self.all(b.last - b.first <= own_arcs)) {
          for (u32 step = 0; self.any(b.first + step < b.last); ++step) {
            const u32 j = b.first + step;
            if (j < b.last) consider(b.v, root, rooted, flat, j, ready);
            if (self.any(ready.count == batch)) ready.flush(self, &counters[record_length], ends, keys);
          }
        } else {
          const u32 v0 = b.v - self.lane();
          const u32 roots = self.ballot(rooted);
          for (u32 row = begin; row < end; row += width) {
            const u32 j = row + self.lane();
            const u32 owner = owner_of(self, b.first, j < end ? j : end - 1);
            const u32 r = self.shuffle(root, owner);
            if (j < end) consider(v0 + owner, r, (roots >> owner & 1u) != 0, flat, j, ready);
            if (self.any(ready.count == batch)) ready.flush(self, &counters[record_length], ends, keys);
          }
        }
      });
    }
    ready.flush(self, &counters[record_length], ends, keys);
  }

  /// Arcs in range, the roots of whose ends are to be looked up.
  struct candidates {
    static constexpr u32 enough = 64;  ///< to be looked up together: one cache miss does not wait for the other
    static constexpr u32 more = 32;    ///< arcs between two looks at how many there are

    u32 sources[enough + more];
    u32 arcs[enough + more];
    u32 count = 0;
  };

  /// On a processor: arcs in order. Whether one is wanted cannot be foreseen, so nothing branches on it.
  MAGPIE_INLINE void scan(const thread& self, const pieces& graph, bool flat) const {
    const u32 range = heaviest - lightest;
    candidates found;
    for (u32 c : self.items(count)) {
      for_each_block(self, graph, c, [&](const block& b, u32, u32) {
        for (u32 j = b.first; j < b.last;) {
          const u32 end = least(b.last, j + candidates::more);
          u32 n = found.count;
          for (; j < end; ++j) {
            found.sources[n] = b.v;
            found.arcs[n] = j;
            n += static_cast<u32>(magpie::ld_plain(&neighbors[j]) > b.v) &
                 static_cast<u32>(magpie::ld_plain(&weights[j]) - lightest <= range);
          }
          found.count = n;
          if (n >= candidates::enough) look_up(self, found, flat);
        }
      });
    }
    look_up(self, found, flat);
  }

  /// Appends and offers the candidates that join two components, and forgets all.
  MAGPIE_NOINLINE void look_up(const thread& self, candidates& found, bool flat) const {
    for (u32 k = 0; k < found.count; ++k) magpie::prefetch(&parent[magpie::ld_plain(&neighbors[found.arcs[k]])]);
    stage<candidates::enough + candidates::more> ready;
    bool all_rooted = true;
    for (u32 k = 0; k < found.count; ++k) {
      const u32 j = found.arcs[k];
      bool u_rooted = true;
      bool v_rooted = true;
      const u32 u = root_of(found.sources[k], flat, u_rooted);
      const u32 v = root_of(magpie::ld_plain(&neighbors[j]), flat, v_rooted);
      ready.push_if(u != v, u64{u} << 32 | v, key_of(magpie::ld_plain(&weights[j]), j));
      all_rooted &= u_rooted & v_rooted;
    }
    found.count = 0;
    conclude(ready, all_rooted, best, &counters[record_unfinished]);
    ready.flush(self, &counters[record_length], ends, keys);
  }

  MAGPIE_INLINE u32 root_of(u32 v, bool flat, bool& found) const {
    if (flat) return magpie::ld_rlx_dev(&parent[v]);
    return climb(shared_parents{parent}, v, found);
  }

  MAGPIE_INLINE void consider(u32 v, u32 ru, bool rooted, bool flat, u32 j, stage<batch>& ready) const {
    const u32 x = magpie::ld_plain(&neighbors[j]);
    const u32 w = magpie::ld_plain(&weights[j]);
    if (x <= v || w < lightest || w > heaviest) return;
    bool found = true;
    const u32 rv = root_of(x, flat, found);
    if (ru == rv) return;
    const u64 key = key_of(w, j);
    ready.push(u64{ru} << 32 | rv, key);
    if (found && rooted) {
      offer(best, ru, key);
      offer(best, rv, key);
    } else {
      magpie::st_rlx_dev(&counters[record_unfinished], 1);
    }
  }
};
MAGPIE_KERNEL(build)

/// Every vertex its own component, hooked by nothing.
struct start_alone {
  u32 vertices;
  array<u32> parent;
  array<u32> edge_of;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      magpie::st_rlx_dev(&parent[v], v);
      magpie::st_rlx_dev(&edge_of[v], none);
    }
  }
};
MAGPIE_KERNEL(start_alone)

/// Calls `body(place, end, key, of_u, of_v)` for each entry of a round's list that is the least edge of its first end, of its
/// second, or of both. `place` numbers these entries from 0, in no order; `record_least` counts them.
///
/// Does nothing while some entry's ends are not roots, or the list has more entries than room. Participation: whole warps,
/// entries in batches. Shared state: `record_least` appends; `best` is read relaxed.
template <class Lists, class Body>
MAGPIE_INLINE void for_each_least(const thread& self, u32* record, const array<const u64>& ends,
                                  const array<const u64>& keys, const array<u64>& best, Body&& body) {
  const u64 length = magpie::ld_rlx_dev(record + record_length);
  const u64 room = ends.length < keys.length ? ends.length : keys.length;
  if (length > room || magpie::ld_rlx_dev(record + record_unfinished) != 0) return;
  const u64 groups = (length + batch - 1) / batch;
  if constexpr (scalar) {
    for (u64 group : self.items(groups)) {
      const u64 first = group * batch;
      const u64 last = first + batch < length ? first + batch : length;
      u64 found[batch];
      u32 n = 0;
      // Whether an entry is one cannot be foreseen, so nothing branches on it.
      for (u64 e = first; e < last; ++e) {
        const u64 end = Lists::load(&ends[e]);
        const u64 key = Lists::load(&keys[e]);
        found[n] = e;
        n += static_cast<u32>(magpie::ld_rlx_dev(&best[high(end)]) == key) |
             static_cast<u32>(magpie::ld_rlx_dev(&best[low(end)]) == key);
      }
      if (n == 0) continue;
      u64 place = magpie::add_rlx_dev(record + record_least, n);
      for (u32 k = 0; k < n; ++k) {
        const u64 end = Lists::load(&ends[found[k]]);
        const u64 key = Lists::load(&keys[found[k]]);
        body(place++, end, key, magpie::ld_rlx_dev(&best[high(end)]) == key,
             magpie::ld_rlx_dev(&best[low(end)]) == key);
      }
    }
  } else {
    const u64 width = self.width();
    for (u64 base : self.warp_items((groups + width - 1) / width * width)) {
      const u64 first = base * batch + self.lane();
      u64 end[batch];
      u64 key[batch];
      bool of_u[batch];
      bool of_v[batch];
      MAGPIE_UNROLL
      for (u32 k = 0; k < batch; ++k) {
        const u64 e = first + k * width;
        end[k] = e < length ? Lists::load(&ends[e]) : 0;
        key[k] = e < length ? Lists::load(&keys[e]) : no_key;
      }
      MAGPIE_UNROLL
      for (u32 k = 0; k < batch; ++k) {
        const bool present = key[k] != no_key;
        of_u[k] = present && magpie::ld_rlx_dev(&best[high(end[k])]) == key[k];
        of_v[k] = present && magpie::ld_rlx_dev(&best[low(end[k])]) == key[k];
      }
      u32 n = 0;
      MAGPIE_UNROLL
      for (u32 k = 0; k < batch; ++k) n += static_cast<u32>(of_u[k] || of_v[k]);
      u64 place = magpie::append<batch>(self, record + record_least, n);
      MAGPIE_UNROLL
      for (u32 k = 0; k < batch; ++k) {
        if (of_u[k] || of_v[k]) body(place++, end[k], key[k], of_u[k], of_v[k]);
      }
    }
  }
}

/// A round's merge without transactions: each component is hooked by the one entry that is its least edge, so no two
/// threads write one parent and no read-modify-write is needed; of two components that chose the same edge the smaller
/// root stays. Lists the roots that were hooked.
///
/// Participation: whole warps, entries in batches. Shared state: the words of a root that is hooked: one writer each, by
/// uniqueness of keys. `best[r]` of the root that stays is reset by the entry both chose; an entry that reads it before or
/// after, or a joint word before or after it is hooked, concludes the same: it is not r's least edge. `record_least` appends.
/// Rule: each write has one writer, so no region.
/// Bytes per entry: 16 in, two gathered `best`; per component: three words out, or a joint one and a word.
template <class Lists, class Components>
struct exclusive_merge {
  u32 round;
  array<u32> counters;
  array<const u64> ends;
  array<const u64> keys;
  Components components;
  array<u32> losers;  ///< as `nominated_ends`

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_least<Lists>(self, record_of(counters, round), ends, keys, components.keys(),
                          [&](u64 place, u64 end, u64 key, bool of_u, bool of_v) {
                            const u32 u = high(end);
                            const u32 v = low(end);
                            const bool u_hooks = of_u && (!of_v || v < u);
                            const u32 loser = u_hooks ? u : v;
                            const u32 winner = u_hooks ? v : u;
                            components.hook(loser, winner, Components::id_of(key));
                            if (of_u && of_v) magpie::st_rlx_dev(&components.keys()[winner], no_key);
                            magpie::st_plain(&losers[place], loser);
                          });
  }
};
using merge_exclusive_launched = exclusive_merge<of_earlier_launches, separate_words>;
using merge_exclusive_joint_launched = exclusive_merge<of_earlier_launches, joint_words>;
MAGPIE_KERNEL_AS(merge_exclusive, merge_exclusive_launched)
MAGPIE_KERNEL_AS(merge_exclusive_joint, merge_exclusive_joint_launched)

/// Marks a nominated arc that is the least edge of both its ends.
inline constexpr u32 both_flag = 0x80000000u;

/// Lists the entries that are the least edge of one of their components, for merge_nominated: first the end whose it is. And
/// lets these components forget it, so that all components of the list have no key when the round ends.
///
/// A lane looks at an entry in a few cycles, while one that runs a region's items one after the other spends ten times as
/// much on one that cancels.
/// Participation: whole warps, entries in batches. Shared state: `record_least` appends; `best[r]` is reset by the one entry
/// that it names; another that reads it before or after concludes the same: it is not r's least edge.
/// Bytes per entry: 16 in, two gathered `best`; per component: 8 out, per nominated entry 12.
template <class Lists>
struct nomination {
  u32 round;
  array<u32> counters;
  array<const u64> ends;
  array<const u64> keys;
  array<u64> best;
  /// Room for as many entries as list 0 joins components, which have one least edge each: the vertices, or half as many
  /// where each component has two of them. There may be more components where round one's merge did not finish and the host
  /// does not know it yet: entries without room are counted only.
  array<u64> nominated_ends;
  array<u32> nominated_arcs;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for_each_least<Lists>(self, record_of(counters, round), ends, keys, best,
                          [&](u64 place, u64 end, u64 key, bool of_u, bool of_v) {
                            const u32 u = high(end);
                            const u32 v = low(end);
                            const u32 edge = low(key);
                            if (of_u) magpie::st_rlx_dev(&best[u], no_key);
                            if (of_v) magpie::st_rlx_dev(&best[v], no_key);
                            if (place >= nominated_ends.length) return;
                            magpie::st_plain(&nominated_ends[place], of_u ? end : u64{v} << 32 | u);
                            magpie::st_plain(&nominated_arcs[place], of_u && of_v ? edge | both_flag : edge);
                          });
  }
};
MAGPIE_KERNEL_AS(nominate, nomination<of_earlier_launches>)

/// Points the roots that merge_exclusive hooked to their roots.
///
/// Participation: any thread, a former root each. Shared state: r's parent is written by r's thread only; idempotent.
/// Out: r's parent the root, or an ancestor and `record_deep` is 1.
template <class Lists, class Components>
struct loser_flattening {
  u32 round;
  array<u32> counters;
  array<const u32> losers;
  Components components;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u32* const record = record_of(counters, round);
    for (u32 i : self.items(magpie::ld_rlx_dev(record + record_least))) {
      const u32 r = Lists::load(&losers[i]);
      if (!point_to_root(components, r, components.above(r))) magpie::st_rlx_dev(record + record_deep, 1);
    }
  }
};
using flatten_losers_launched = loser_flattening<of_earlier_launches, separate_words>;
using flatten_losers_joint_launched = loser_flattening<of_earlier_launches, joint_words>;
MAGPIE_KERNEL_AS(flatten_losers, flatten_losers_launched)
MAGPIE_KERNEL_AS(flatten_losers_joint, flatten_losers_joint_launched)

/// Points the components of a list to their roots after merge_nominated. Which of them were hooked only the region knew; but
/// each is the own end of one nominated entry.
///
/// Participation: any thread, a nominated entry each. Shared state and what comes out: as in flatten_losers.
template <class Lists>
struct nominated_flattening {
  u32 round;
  array<u32> counters;
  array<const u64> ends;
  array<const u32> arcs;
  array<u32> parent;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u32* const record = record_of(counters, round);
    for (u32 i : self.items(magpie::ld_rlx_dev(record + record_least))) {
      const u64 end = Lists::load(&ends[i]);
      bool flat = settle(high(end));
      if ((Lists::load(&arcs[i]) & both_flag) != 0) flat &= settle(low(end));
      if (!flat) magpie::st_rlx_dev(record + record_deep, 1);
    }
  }

 private:
  MAGPIE_INLINE bool settle(u32 r) const {
    return point_to_root(shared_parents{parent}, r, magpie::ld_rlx_dev(&parent[r]));
  }
};
MAGPIE_KERNEL_AS(flatten_nominated, nominated_flattening<of_earlier_launches>)

/// Makes the next list: entries whose ends have become one component go, the others get their present roots and offer
/// their key to both.
///
/// Participation: whole warps, entries in batches. Shared state: where all ends point to their roots, parents are only read;
/// else as in `build`. Bytes per entry: 16 in, two gathered parents and what their walks need; per entry kept: 16 out, two
/// gathered `best`, but for roots whose joint word was read instead of a parent and shows that they have a lesser key.
template <class Lists, bool AlwaysFlat, class Components>
struct compaction {
  u32 round;
  array<const u64> ends;
  array<const u64> keys;
  Components components;
  array<u64> next_ends;
  array<u64> next_keys;
  array<u32> counters;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u32* const record = record_of(counters, round);
    if (AlwaysFlat ||
        (magpie::ld_rlx_dev(record + record_unfinished) | magpie::ld_rlx_dev(record + record_deep)) == 0) {
      renew<true>(self);
    } else {
      renew<AlwaysFlat>(self);
    }
  }

 private:
  template <bool Flat>
  MAGPIE_INLINE void renew(const thread& self) const {
    u32* const next = record_of(counters, round + 1);
    const u64 length = magpie::ld_rlx_dev(record_of(counters, round) + record_length);
    const u64 groups = (length + batch - 1) / batch;
    const u64 width = self.width();
    const u64 room = next_ends.length < next_keys.length ? next_ends.length : next_keys.length;
    for (u64 base : self.warp_items((groups + width - 1) / width * width)) {
      const u64 first = base * batch + self.lane();
      u64 end[batch];
      u64 key[batch];
      u32 up[batch] = {};
      u32 vp[batch] = {};
      u32 ug[batch] = {};
      u32 vg[batch] = {};
      bool u_wants[batch];
      bool v_wants[batch];
      MAGPIE_UNROLL
      for (u32 k = 0; k < batch; ++k) {
        const u64 e = first + k * width;
        end[k] = e < length ? Lists::load(&ends[e]) : 0;
        key[k] = e < length ? Lists::load(&keys[e]) : no_key;
      }
      MAGPIE_UNROLL
      for (u32 k = 0; k < batch; ++k) {
        u_wants[k] = true;
        v_wants[k] = true;
        if (key[k] != no_key) {
          up[k] = above<Flat>(high(end[k]), key[k], u_wants[k]);
          vp[k] = above<Flat>(low(end[k]), key[k], v_wants[k]);
        }
      }
      if constexpr (!Flat) {
        MAGPIE_UNROLL
        for (u32 k = 0; k < batch; ++k) {
          if (key[k] != no_key) {
            ug[k] = components.above(up[k]);
            vg[k] = components.above(vp[k]);
          }
        }
      }
      if constexpr (scalar) {
        stage<batch> ready;
        bool all_found = true;
        for (u32 k = 0; k < batch && key[k] != no_key; ++k) {
          const u32 u = root<Flat>(high(end[k]), up[k], ug[k], all_found);
          const u32 v = root<Flat>(low(end[k]), vp[k], vg[k], all_found);
          ready.push_if(u != v, u64{u} << 32 | v, key[k]);
        }
        conclude(ready, all_found, components.keys(), next + record_unfinished);
        ready.flush(self, next + record_length, next_ends, next_keys);
      } else {
        u32 kept[batch];
        u32 total = 0;
        MAGPIE_UNROLL
        for (u32 k = 0; k < batch; ++k) {
          u32 u = 0;
          u32 v = 0;
          bool found = true;
          if (key[k] != no_key) {
            u = root<Flat>(high(end[k]), up[k], ug[k], found);
            v = root<Flat>(low(end[k]), vp[k], vg[k], found);
            end[k] = u64{u} << 32 | v;
          }
          kept[k] = self.ballot(u != v);
          total += magpie::popcount(kept[k]);
          if (u != v && !found) magpie::st_rlx_dev(next + record_unfinished, 1);
          offer_together(self, components.keys(), u, key[k], u != v && found && u_wants[k]);
          offer_together(self, components.keys(), v, key[k], u != v && found && v_wants[k]);
        }
        if (total == 0) continue;
        u32 base_place = 0;
        if (self.lane() == 0) base_place = magpie::add_rlx_dev(next + record_length, total);
        u64 place = self.shuffle(base_place, 0);
        // A row of lanes after the other, so that neighbors write side by side.
        MAGPIE_UNROLL
        for (u32 k = 0; k < batch; ++k) {
          const u64 mine = place + magpie::popcount(kept[k] & lanes_below(self));
          if ((kept[k] >> self.lane() & 1u) != 0 && mine < room) {
            magpie::st_plain(&next_ends[mine], end[k]);
            magpie::st_plain(&next_keys[mine], key[k]);
          }
          place += magpie::popcount(kept[k]);
        }
      }
    }
  }

  /// The parent of v; where it is the root, as `root_above` of the components.
  template <bool Flat>
  MAGPIE_INLINE u32 above(u32 v, u64 key, bool& wanted) const {
    if constexpr (Flat) return components.template root_above<Lists>(v, key, wanted);
    return components.above(v);
  }

  /// The root above v, whose parent is p, whose is g. `found` becomes false if the way was too long.
  template <bool Flat>
  MAGPIE_INLINE u32 root(u32 v, u32 p, u32 g, bool& found) const {
    if constexpr (Flat) return p;
    bool reached;
    const u32 r = climb(components, v, p, g, reached);
    found &= reached;
    return r;
  }
};
using compact_launched = compaction<of_earlier_launches, false, separate_words>;
using compact_joint_launched = compaction<of_earlier_launches, false, joint_words>;
MAGPIE_KERNEL_AS(compact, compact_launched)
MAGPIE_KERNEL_AS(compact_joint, compact_joint_launched)

/// An array as a phase sees it that does not write it.
MAGPIE_INLINE array<const u64> seen(const array<u64>& words) { return {words.data, words.length}; }

/// A series of rounds without transactions in one launch, for which the host need not look at anything in between.
///
/// The phases are those of `merge_exclusive`, `flatten_losers` and `compact`, with a barrier of the grid after each.
/// Precondition: list 0 is made. If it had no room for all its edges, or some of its ends are not roots, nothing is done; nor
/// after a round that leaves a component that does not point to its root. `summary` tells. Nothing else ends it before its time;
/// every phase is bounded.
template <class Components>
struct exclusive_rounds {
  static constexpr bool meets_grid = true;
  static constexpr unsigned block_size = 512;
  static constexpr unsigned resident_blocks = 2;  // as many as fit on every multiprocessor

  array<u64> ends;  ///< list 0 and every other one after it
  array<u64> keys;
  array<u64> next_ends;  ///< the others; no shorter: whether a later list has room is not asked
  array<u64> next_keys;
  Components components;
  array<u32> losers;
  array<u32> counters;
  array<u32> arrived;  ///< a word of 0
  array<u32> summary;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u32 due = 0;
    const u32 rounds = static_cast<u32>(counters.length / record_words) - 1;
    if (!is_ready(counters, ends, keys)) return sum_up(self, summary, true, 0);
    for (u32 round = 0; round < rounds; ++round) {
      if (magpie::ld_rlx_dev(record_of(counters, round) + record_length) == 0)
        return sum_up(self, summary, false, round);
      const bool odd = round % 2 != 0;
      const array<const u64> these_ends = seen(odd ? next_ends : ends);
      const array<const u64> these_keys = seen(odd ? next_keys : keys);
      exclusive_merge<of_earlier_phases, Components>{round, counters, these_ends, these_keys, components, losers}(self);
      magpie::grid_barrier::wait(self, &arrived[0], due);
      loser_flattening<of_earlier_phases, Components>{round, counters, {losers.data, losers.length}, components}(self);
      magpie::grid_barrier::wait(self, &arrived[0], due);
      if (magpie::ld_rlx_dev(record_of(counters, round) + record_deep) != 0) break;
      compaction<of_earlier_phases, true, Components>{
          round, these_ends, these_keys, components, odd ? ends : next_ends, odd ? keys : next_keys, counters}(self);
      magpie::grid_barrier::wait(self, &arrived[0], due);
    }
    sum_up(self, summary, true, 0);
  }
};
using separate_rounds = exclusive_rounds<separate_words>;
using joint_rounds = exclusive_rounds<joint_words>;
MAGPIE_KERNEL_AS(unite_exclusively, separate_rounds)
MAGPIE_KERNEL_AS(unite_exclusively_joint, joint_rounds)

/// Replaces arcs that `choose` found in the list of their larger end point by the same edge's canonical arc, where the
/// smaller end point's list is short enough to be searched by one thread; those of longer lists are counted in `left`,
/// for canonicalize.
///
/// Such an arc is that end point's choice (`choice[x]`, flagged); the other direction is the first arc to x of equal weight
/// in the neighbor's list. If the neighbor chose x, too, its own arc was taken.
/// Participation: any thread, one vertex each; processors take them many at a time, so that the cache misses of one do not
/// wait for another's. Shared state: `choice[x]` is read and written by x's thread only; `left` is set, always to 1.
/// Bytes: 4 per vertex; for each flagged one three gathered words and its neighbor's list.
struct find_canonical {
  u32 vertices;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<const u32> to;  ///< with transactions what each vertex chose, else its parent
  array<u32> choice;    ///< as in canonicalize
  array<u32> left;

  static constexpr u32 longest = scalar ? 256 : 32;
  static constexpr u32 together = scalar ? 64 : 1;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    bool some_left = false;
    u32 flagged[together];
    u32 count = 0;
    for (u32 x : self.items(vertices)) {
      const u32 found = magpie::ld_own(&choice[x]);
      flagged[count] = x;
      count += found == none ? 0 : found >> 31;
      if (count == together) {
        some_left |= !replace(flagged, count);
        count = 0;
      }
    }
    some_left |= !replace(flagged, count);
    if (some_left) magpie::st_rlx_dev(&left[0], 1);
  }

 private:
  /// Gives whether all lists were short enough.
  MAGPIE_INLINE bool replace(const u32 (&flagged)[together], u32 count) const {
    u32 source[together];
    for (u32 k = 0; k < count; ++k) {
      source[k] = magpie::ld_plain(&neighbors[magpie::ld_own(&choice[flagged[k]]) & ~reverse_flag]);
      magpie::prefetch(&to[source[k]]);
      magpie::prefetch(&offsets[source[k]]);
    }
    for (u32 k = 0; k < count; ++k) {
      const u32 first = magpie::ld_plain(&offsets[source[k]]);
      const u32 last = magpie::ld_plain(&offsets[source[k] + 1]);
      magpie::prefetch(&neighbors[first]);
      magpie::prefetch(&neighbors[last - 1]);
    }
    bool all = true;
    for (u32 k = 0; k < count; ++k) {
      if (magpie::ld_plain(&to[source[k]]) != flagged[k]) all &= replace(flagged[k], source[k]);
    }
    return all;
  }

  MAGPIE_INLINE bool replace(u32 x, u32 v) const {
    const u32 first = magpie::ld_plain(&offsets[v]);
    const u32 last = magpie::ld_plain(&offsets[v + 1]);
    if (last - first > longest) return false;
    if constexpr (scalar) {
      // The end of this loop can be foreseen; that of a search cannot. And of a single edge no weight need be read.
      u32 hits = 0;
      u32 hit = none;
      for (u32 j = first; j < last; ++j) {
        const bool here = magpie::ld_plain(&neighbors[j]) == x;
        hits += static_cast<u32>(here);
        hit = here ? j : hit;
      }
      if (hits == 1) {
        magpie::st_plain(&choice[x], hit);
        return true;
      }
    }
    const u32 weight = magpie::ld_plain(&weights[magpie::ld_own(&choice[x]) & ~reverse_flag]);
    for (u32 j = first; j < last; ++j) {
      if (magpie::ld_plain(&neighbors[j]) == x && magpie::ld_plain(&weights[j]) == weight) {
        magpie::st_plain(&choice[x], j);
        break;
      }
    }
    return true;
  }
};
MAGPIE_KERNEL(find_canonical)

/// As find_canonical, by the lists of the smaller end points, however long: each canonical arc (v, x) looks whether x's
/// choice is its other direction.
/// Participation: whole warps, pieces and blocks as in `choose`. Shared state: `choice`, atomic minimum: a canonical arc
/// is less than any flagged one, and the least that matches remains.
/// Bytes: 4 per vertex, 4 per arc, a gathered word per canonical arc, two more where it may match.
struct canonicalize {
  u32 vertices;
  u32 piece;
  u32 count;
  array<const u32> offsets;
  array<const u32> start;
  array<const u32> neighbors;
  array<const u32> weights;
  array<u32> choice;  ///< `edge_of` itself where round one merged without transactions

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const pieces graph{vertices, piece, count, offsets, start};
    const u32 width = self.width();
    for (u64 base : self.warp_items(u64{count} * width)) {
      for_each_block(self, graph, static_cast<u32>(base / width), [&](const block& b, u32 begin, u32 end) {
        if (scalar || self.all(b.last - b.first <= own_arcs)) {
          for (u32 j = b.first; j < b.last; ++j) consider(b.v, j);
        } else {
          const u32 v0 = b.v - self.lane();
          for (u32 row = begin; row < end; row += width) {
            const u32 j = row + self.lane();
            const u32 owner = owner_of(self, b.first, j < end ? j : end - 1);
            if (j < end) consider(v0 + owner, j);
          }
        }
      });
    }
  }

 private:
  MAGPIE_INLINE void consider(u32 v, u32 j) const {
    const u32 x = magpie::ld_plain(&neighbors[j]);
    if (x <= v) return;
    const u32 found = magpie::ld_rlx_dev(&choice[x]);
    if (found == none) return;
    const u32 other = found & ~reverse_flag;
    const bool flagged = other != found;
    // Of parallel edges of one weight the first is chosen, so what another arc of the list has left may be replaced.
    if (!flagged && (found <= j || found >= magpie::ld_plain(&offsets[v + 1]))) return;
    if (magpie::ld_plain(&neighbors[other]) == (flagged ? v : x) &&
        magpie::ld_plain(&weights[other]) == magpie::ld_plain(&weights[j])) {
      magpie::red_min_rlx_dev(&choice[x], j);
    }
  }
};
MAGPIE_KERNEL(canonicalize)

/// The result's summary: a bit for each chosen arc, the forest's weight and its number of edges.
///
/// Participation: all threads (a collective at the end). Shared state: `chosen` by atomic or, `totals` by atomic addition:
/// {weight, edges, arcs without a canonical one}.
struct summarize {
  u32 vertices;
  array<const u32> edge_of;
  array<const u32> choice;  ///< as in canonicalize
  array<const u32> weights;
  array<u32> chosen;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u64 weight = 0;
    u64 edges = 0;
    u64 flagged = 0;
    for (u32 v : self.items(vertices)) {
      u32 a = magpie::ld_plain(&edge_of[v]);
      if (a == none) continue;
      if ((a & reverse_flag) != 0 && (a & ~reverse_flag) < vertices) a = magpie::ld_plain(&choice[a & ~reverse_flag]);
      if ((a & reverse_flag) != 0) {
        ++flagged;
        continue;
      }
      weight += magpie::ld_plain(&weights[a]);
      ++edges;
      magpie::red_or_rlx_dev(&chosen[a / 32], 1u << (a % 32));
    }
    weight = self.reduce_add(weight);
    edges = self.reduce_add(edges);
    flagged = self.reduce_add(flagged);
    if (self.lane() == 0) {
      magpie::red_add_rlx_dev(&totals[0], weight);
      magpie::red_add_rlx_dev(&totals[1], edges);
      if (flagged != 0) magpie::red_add_rlx_dev(&totals[2], flagged);
    }
  }
};
MAGPIE_KERNEL(summarize)

// ---- Transactions. Hooking a root is neither monotone nor idempotent: it is right only while the vertex is a root,
// and it sets two words. Objects are vertices; a vertex stands for its `parent` and its `edge_of`.

/// What a planned union will write.
struct hooking {
  u32 loser;
  u32 winner;
};

/// Plans the union of the trees of u and v: finds both roots, claims the larger one, and looks again under the claim; if it
/// has been hooked meanwhile (which is another transaction's progress), asks to be tried again.
///
/// Why one claim is enough: a root is only ever hooked under a smaller vertex, so parents descend. While the larger root
/// a is claimed and is a root, the other tree's root, whatever it has become, is at most b < a and so another one; b
/// need not be a root any more. That keeps the root of a giant component, which everybody joins, out of the conflicts.
/// Outcome `cancel`: both ends lie in one tree, and will forever; so equal keys cannot make a cycle.
template <class Tx>
MAGPIE_INLINE magpie::stm::outcome plan_union(Tx& tx, const magpie::stm::objects& vertices, const array<u32>& parent,
                                              u32 u, u32 v, hooking& s) {
  using magpie::stm::outcome;
  const hinted_parents<Tx> hints{tx, parent};
  u = find(hints, u);  // and the way shortened: below the roots, which no transaction writes
  v = find(hints, v);
  if (u == v) return outcome::cancel;
  s.loser = most(u, v);
  s.winner = least(u, v);
  const auto h = tx.open(vertices, s.loser);
  u32 p;
  if (!h || !tx.read(h, &parent[s.loser], p)) return outcome::retry;
  return p == s.loser ? outcome::commit : outcome::retry;
}

/// Asks for what a union of the trees of u and v touches if both are roots; of other trees it is a beginning.
MAGPIE_INLINE void prefetch_union(const magpie::stm::objects& vertices, const array<u32>& parent,
                                  const array<u32>& edge_of, u32 u, u32 v) {
  const u32 loser = most(u, v);
  magpie::prefetch(&parent[u]);
  magpie::prefetch(&parent[v]);
  magpie::prefetch(&edge_of[loser]);
  magpie::prefetch(vertices.words + loser);
}

/// Round one's merge by transactions: vertex v joins the component of its choice. Items: vertices.
///
/// Pre-checks that need no claim: v chose nothing; v is the larger of a pair that chose each other (the smaller one's
/// transaction joins them once, over its own arc, which is canonical). `to` and `arc` do not change during the launch.
/// Out: `edge_of` of the hooked root: the chosen arc, or the flag and v where it still needs canonicalize.
/// With `reads::unvalidated` the region must survive a parent that is read under a claim stolen meanwhile: it is always a
/// vertex of the same tree, and parents descend, so walks end; the commit finds the theft.
template <magpie::stm::reads Reads>
struct merge_chosen_region {
  magpie::stm::objects vertices;
  array<const u32> to;
  array<const u32> arc;
  array<u32> parent;
  array<u32> edge_of;

  static constexpr u32 max_objects = 1;
  static constexpr u32 max_writes = 1;
  static constexpr bool order_dependent = true;  // a root goes below what a hint says is the other one
  static constexpr magpie::stm::reads reads = Reads;
  using state = hooking;

  MAGPIE_DEVICE void soon(u32 v) const {
    const u32 x = magpie::ld_plain(&to[v]);
    magpie::prefetch(&to[x]);
    prefetch_union(vertices, parent, edge_of, x, v);
  }

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome plan(Tx& tx, u32 v, state& s) const {
    const u32 x = magpie::ld_plain(&to[v]);
    if (x == v || (x < v && magpie::ld_plain(&to[x]) == v)) return magpie::stm::outcome::cancel;
    return plan_union(tx, vertices, parent, v, x, s);
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, u32 v, const state& s) const {
    const u32 a = magpie::ld_plain(&arc[v]);
    tx.store({}, &parent[s.loser], s.winner);
    tx.store({}, &edge_of[s.loser], (a & reverse_flag) != 0 ? (v | reverse_flag) : a);
  }
};
using merge_chosen = merge_chosen_region<magpie::stm::reads::validated>;
using merge_chosen_unvalidated = merge_chosen_region<magpie::stm::reads::unvalidated>;
MAGPIE_REGION(merge_chosen)
MAGPIE_REGION(merge_chosen_unvalidated)

/// A later round's merge by transactions: unites the ends of an entry that is the least edge of one of them. Items: the
/// entries that `nominate` listed, which do not change during the launch.
template <magpie::stm::reads Reads>
struct merge_nominated_region {
  magpie::stm::objects vertices;
  array<const u64> ends;
  array<const u32> arcs;
  array<u32> parent;
  array<u32> edge_of;

  static constexpr u32 max_objects = 1;
  static constexpr u32 max_writes = 1;
  static constexpr bool order_dependent = true;  // a root goes below what a hint says is the other one
  static constexpr magpie::stm::reads reads = Reads;
  using state = hooking;

  MAGPIE_DEVICE void soon(u32 e) const {
    const u64 end = magpie::ld_plain(&ends[e]);
    prefetch_union(vertices, parent, edge_of, high(end), low(end));
  }

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome plan(Tx& tx, u32 e, state& s) const {
    const u64 end = magpie::ld_plain(&ends[e]);
    return plan_union(tx, vertices, parent, high(end), low(end), s);
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, u32 e, const state& s) const {
    tx.store({}, &parent[s.loser], s.winner);
    tx.store({}, &edge_of[s.loser], magpie::ld_plain(&arcs[e]) & ~both_flag);
  }
};
/// A series of rounds by transactions in one launch: each is the region `merge_nominated` between the phases of
/// `flatten_nominated`, `compact` and `nominate`, with a barrier of the grid after each. Items of a round: the entries that were
/// nominated for it; of round 0 before the launch.
///
/// Ranks are given anew in each round: between two no word is claimed. If the launch is to end, whichever phase it is in,
/// all threads leave at the same barrier, and the record of the round that it began last says so. `summary` and when a series
/// ends with edges left: as in `unite_exclusively`, and where more entries were nominated than there is room for.
template <magpie::stm::reads Reads>
struct merge_rounds_region {
  magpie::stm::objects vertices;
  array<u64> ends;  ///< list 0 and every other one after it
  array<u64> keys;
  array<u64> next_ends;  ///< the others; no shorter
  array<u64> next_keys;
  array<u64> nominated_ends;
  array<u32> nominated_arcs;
  array<u32> parent;
  array<u32> edge_of;
  array<u64> best;
  array<u32> counters;
  array<u32> arrived;  ///< a word of 0
  array<u32> summary;

  static constexpr u32 max_objects = 1;
  static constexpr u32 max_writes = 1;
  static constexpr bool order_dependent = true;
  static constexpr magpie::stm::reads reads = Reads;
  static constexpr unsigned block_size = 256;  // fewer arrive at a barrier than of 64, the default
  using state = hooking;

  /// Of a thread, 0 at first.
  struct stage {
    u32 next_round;
    u32 due;
  };

  MAGPIE_DEVICE bool next(const thread& self, const magpie::stm::control& launch, stage& at, u64& items) const {
    const u32 round = at.next_round++;
    u32* const record = record_of(counters, round);
    const auto ends_with = [&](bool left) {
      sum_up(self, summary, left, round);
      return false;
    };
    if (round == 0) {
      if (!is_ready(counters, ends, keys)) return ends_with(true);
      if (magpie::ld_rlx_dev(record + record_length) == 0) return ends_with(false);
      if (magpie::ld_rlx_dev(record + record_least) > nominated_ends.length) return ends_with(true);
    } else {
      const u32 last = round - 1;
      const auto all_met = [&] {
        const bool met = magpie::grid_barrier::wait(self, &arrived[0], at.due, [&] { return launch.is_stopped(); });
        if (!met) magpie::st_rlx_dev(record_of(counters, last) + record_stopped, 1);
        return met;
      };
      if (!all_met()) return ends_with(true);
      const bool odd = last % 2 != 0;
      nominated_flattening<of_earlier_phases>{
          last, counters, seen(nominated_ends), {nominated_arcs.data, nominated_arcs.length}, parent}(self);
      if (!all_met()) return ends_with(true);
      if (magpie::ld_rlx_dev(record_of(counters, last) + record_deep) != 0) return ends_with(true);
      compaction<of_earlier_phases, true, separate_words>{last,
                                                          seen(odd ? next_ends : ends),
                                                          seen(odd ? next_keys : keys),
                                                          {parent, edge_of, best},
                                                          odd ? ends : next_ends,
                                                          odd ? keys : next_keys,
                                                          counters}(self);
      if (!all_met()) return ends_with(true);
      if (magpie::ld_rlx_dev(record + record_length) == 0) return ends_with(false);
      if (u64{round + 2} * record_words > counters.length) return ends_with(true);
      nomination<of_earlier_phases>{
          round,          counters,      seen(odd ? ends : next_ends), seen(odd ? keys : next_keys), best,
          nominated_ends, nominated_arcs}(self);
      if (!all_met()) return ends_with(true);
    }
    items = magpie::ld_rlx_dev(record + record_least);
    return true;
  }

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome plan(Tx& tx, u32 e, state& s) const {
    const u64 end = magpie::ld_own(&nominated_ends[e]);
    return plan_union(tx, vertices, parent, high(end), low(end), s);
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, u32 e, const state& s) const {
    tx.store({}, &parent[s.loser], s.winner);
    tx.store({}, &edge_of[s.loser], magpie::ld_own(&nominated_arcs[e]) & ~both_flag);
  }
};
using merge_rounds = merge_rounds_region<magpie::stm::reads::validated>;
using merge_rounds_unvalidated = merge_rounds_region<magpie::stm::reads::unvalidated>;
MAGPIE_REGION(merge_rounds)
MAGPIE_REGION(merge_rounds_unvalidated)

using merge_nominated = merge_nominated_region<magpie::stm::reads::validated>;
using merge_nominated_unvalidated = merge_nominated_region<magpie::stm::reads::unvalidated>;
MAGPIE_REGION(merge_nominated)
MAGPIE_REGION(merge_nominated_unvalidated)

}  // namespace msf
