/// @file
/// The minimum spanning forest of edges that come in chunks, of which no more are kept than a forest has.
///
/// Layer: algorithm. Edges are ordered by weight and then number, so no two are equal, and F(A and B) = F(F(A) and B) as a
/// set: an edge that some path of lighter ones makes needless in A is needless in more edges, too.
///
/// Most edges are needless once there is a forest. `test_edges` finds out without a list: a new edge that no edge of the
/// forest's path between its ends is heavier than loses. What is left of a chunk, `take_edges` writes behind the forest.
/// When there is no room for more, or enough to be worth it, the two become the next forest: `list_range` lists those in a
/// range of keys that join two components, light ones first, the rounds of edge_form.cuh unite along that list;
/// `mark_chosen` marks the edges over which vertices were hooked, and `flag_marked` and `gather_edges` pack them in their
/// order. Both forest and chunks ascend by number, and all of a chunk's numbers are beyond the forest's, so the order of
/// the 31-bit places of edges is that of the 64-bit numbers.
///
/// The heaviest edge of a path: the tree of what Boruvka's algorithm does to the forest (King, A simpler minimum spanning
/// tree verification algorithm, Algorithmica 1997). The vertices are its leaves, level 0. Each component of a level chooses
/// its least edge; the components that are united by these are one of the next level, and each is a node whose weight is
/// that of the edge that it chose. The heaviest edge between two leaves is the heaviest node on their ways up to where they
/// meet. Each level has at most half of the nodes of the one before, so the ways are short, and all of the same length.
/// `offer_edges`, `choose_nodes`, `hook_nodes` and `flatten_nodes`, `number_nodes` and `settle_nodes` make a level, in its own
/// words. The tree lies where components and lists do while a forest is made.
///
/// Two lists of edges, each ascending by number, become one that does by `place_merged`, `spread_halves`, `spread_words`
/// and `spread_longs`; its forest is made as any other.
///
/// The forest and what is behind it: `ends` = source << 32 | target, `weights`, and of numbers `lows`, 32 bits, and where these are
/// not the same for long runs `highs`, else empty. A weight's 32 bits have the order
/// of the weights, see weight_keys.cuh; a key is weight << 32 | place. `marked` is set in `ends` of chosen edges, and of
/// those within one node of the tree.
///
/// Without transactions a vertex's component has a joint word, see forest.cuh; with them its words are separate.
///
/// Limits: vertices <= 2^31 - 2, edges kept < 2^31.
#pragma once

#include "edge_form.cuh"
#include "weight_keys.cuh"

namespace msf {

/// The bit of an edge's `ends` that no vertex needs.
inline constexpr u64 marked = u64{1} << 63;

/// The words of a test's result.
enum tally_word : u32 {
  tally_kept,   ///< edges that did not lose; nodes of a level
  tally_wrong,  ///< the first edge that is none; `none` if there is no such
  tally_words
};
MAGPIE_CONSTANT(tally_kept)
MAGPIE_CONSTANT(tally_wrong)
MAGPIE_CONSTANT(tally_words)

/// The tree by which edges are tested. The nodes of levels from 1 are numbered from 0, level after level: as each level has at
/// most half of the nodes of the one before, they are fewer than vertices.
///
/// The word of a leaf or node is weight << 32 | the node above, so that a step up takes one access; `no_key` without one above.
/// While a level is made, its words are the keys of its least edges, weight << 32 | place; then the low halves are what
/// `level_nodes` says.
struct tree {
  array<raw<u64>> leaves;
  array<raw<u64>> nodes;  ///< the first of them
  array<raw<u64>> more;   ///< the others

  /// Whether a path's heaviest edge is no heavier than a weight. False if there is no path.
  MAGPIE_INLINE bool joins(u32 u, u32 v, u32 weight) const {
    if (u == v) return true;
    u64 a = magpie::ld_plain(&leaves[u].bits);
    u64 b = magpie::ld_plain(&leaves[v].bits);
    for (;;) {
      if ((low(a) == none) | (low(b) == none) | (high(a) > weight) | (high(b) > weight)) return false;
      if (low(a) == low(b)) return true;
      a = magpie::ld_plain(word(low(a), 1));
      b = magpie::ld_plain(word(low(b), 1));
    }
  }

  /// The two nodes of a level that an edge joins; one and the same from the level on at which its ends meet.
  struct node_pair {
    u32 a;
    u32 b;
  };
  MAGPIE_INLINE node_pair nodes_of(u64 end, u32 level) const {
    node_pair at{high(end & ~marked), low(end)};
    for (u32 i = 0; i < level && at.a != at.b; ++i) {
      at.a = link(at.a, i);
      at.b = link(at.b, i);
    }
    return at;
  }

  /// The node above one of a level that has been made; of one that is being made its least edge or what it is joined to; or
  /// `none`.
  MAGPIE_INLINE u32 link(u32 node, u32 level) const { return low(magpie::ld_rlx_dev(word(node, level))); }

  /// The word of a leaf, at level 0, or of a node.
  MAGPIE_INLINE u64* word(u32 node, u32 level) const {
    if (level == 0) return &leaves[node].bits;
    return node < nodes.length ? &nodes[node].bits : &more[node - nodes.length].bits;
  }
};

/// Flags the edges of a part of a chunk that the forest does not make needless. Self-loops are needless.
///
/// Participation: all threads (a collective at the end). Shared state: `tallies`, atomic addition and minimum.
/// Bytes: 12 in and 4 out per edge; two gathered nodes for each level of the ways up to the first heavier node.
struct test_edges {
  u32 from;
  u32 count;
  u32 vertices;
  u32 floating;  ///< of weights, as in weight_keys.cuh
  u32 reverse;
  u32 tested;  ///< 0: there is no tree, and all but self-loops are kept
  array<const u32> sources;
  array<const u32> targets;
  array<const raw<u32>> weights;
  tree made;
  array<u32> flags;  ///< from 0
  array<u32> tallies;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u64 kept = 0;
    if constexpr (scalar) {
      constexpr u32 together = 64;  // whose cache misses overlap
      for (u64 group : self.items((u64{count} + together - 1) / together)) {
        const u32 begin = static_cast<u32>(group * together);
        const u32 end = begin + least(together, count - begin);
        for (u32 i = begin; i < end; ++i) {
          soon(magpie::ld_plain(&sources[from + i]));
          soon(magpie::ld_plain(&targets[from + i]));
        }
        for (u32 i = begin; i < end; ++i) kept += test(i);
      }
    } else {
      for (u32 i : self.items(count)) kept += test(i);
    }
    kept = self.reduce_add(kept);
    if (self.lane() == 0 && kept != 0) magpie::red_add_rlx_dev(&tallies[tally_kept], static_cast<u32>(kept));
  }

 private:
  MAGPIE_INLINE void soon(u32 v) const {
    if (tested != 0 && v < vertices) magpie::prefetch(&made.leaves[v].bits);
  }

  /// 1 if the edge is kept, which its flag says, too.
  MAGPIE_INLINE u32 test(u32 i) const {
    const u32 u = magpie::ld_plain(&sources[from + i]);
    const u32 v = magpie::ld_plain(&targets[from + i]);
    const bool finite = floating == 0 || (magpie::ld_plain(&weights[from + i].bits) << 1) < 0xff000000u;
    const bool right = (u < vertices) & (v < vertices) & finite;
    if (!right) magpie::red_min_rlx_dev(&tallies[tally_wrong], from + i);
    const bool loses =
        u == v || (right && tested != 0 && made.joins(u, v, low(place_of(weights[from + i], floating, reverse))));
    const u32 kept = right && !loses ? 1 : 0;
    magpie::st_plain(&flags[i], kept);
    return kept;
  }
};
MAGPIE_KERNEL(test_edges)

/// Writes edges of a chunk behind those that are kept.
///
/// Participation: any thread, one edge each. Shared state: none. Bytes: per edge 4 and gathered 12 in, 16 out.
struct take_edges {
  u32 count;
  u32 from;  ///< what `positions` count from
  u32 kept;
  u32 floating;
  u32 reverse;
  u32 consecutive;  ///< 0: the chunk has its numbers
  u64 first;        ///< else the first of them
  array<const u32> positions;
  array<const u32> sources;
  array<const u32> targets;
  array<const raw<u32>> weights;
  array<const u64> chunk_numbers;
  array<u64> ends;
  array<u32> kept_weights;
  array<u32> lows;
  array<u32> highs;  ///< may be empty

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 k : self.items(count)) {
      const u32 i = from + magpie::ld_plain(&positions[k]);
      const u32 e = kept + k;
      magpie::st_plain(&ends[e], u64{magpie::ld_plain(&sources[i])} << 32 | magpie::ld_plain(&targets[i]));
      magpie::st_plain(&kept_weights[e], low(place_of(weights[i], floating, reverse)));
      const u64 number = consecutive != 0 ? first + i : magpie::ld_plain(&chunk_numbers[i]);
      magpie::st_plain(&lows[e], low(number));
      if (highs.length != 0) magpie::st_plain(&highs[e], high(number));
    }
  }
};
MAGPIE_KERNEL(take_edges)

/// Removes all marks. Bytes: 8 in per edge, 8 out per marked one.
struct clear_marks {
  u32 count;
  array<u64> ends;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 e : self.items(count)) {
      const u64 end = magpie::ld_own(&ends[e]);
      if ((end & marked) != 0) magpie::st_plain(&ends[e], end & ~marked);
    }
  }
};
MAGPIE_KERNEL(clear_marks)

/// Keys of edges at equal distances. Participation: any thread, one sample each. Shared state: none. Bytes: a gathered word
/// in, 8 out for each.
struct sample_keys {
  u32 length;  ///< edges
  u32 count;
  array<const u32> weights;
  array<u64> sample;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      const u32 e = static_cast<u32>(u64{i} * length / count);
      magpie::st_plain(&sample[i], key_of(magpie::ld_plain(&weights[e]), e));
    }
  }
};
MAGPIE_KERNEL(sample_keys)

/// Makes list 0 of a series of rounds: of the edges those with keys [lightest, heaviest] that join two components,
/// with the roots of both ends; offers each to its two components. As `build` does for a graph.
///
/// Participation: whole warps. Shared state: `best` at roots, monotone, guarded atomic minimum; record 0 of `counters`:
/// `record_length` appends, `record_unfinished` is set where a walk did not reach its root; `parent` by path halving,
/// idempotent.
/// Bytes: 4 in per edge; in range 8 more and two gathered parents; 16 out and two gathered `best` per edge that is kept.
template <class Components>
struct range_listing {
  u32 length;
  u64 lightest;
  u64 heaviest;
  array<const u64> ends;
  array<const u32> weights;
  Components components;
  array<u64> next_ends;
  array<u64> next_keys;
  array<u32> counters;
  array<const u32> deep;  ///< 0 = every parent is a root

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const bool flat = magpie::ld_plain(&deep[0]) == 0;
    if constexpr (scalar) {
      scan(self, flat);
    } else {
      share(self, flat);
    }
  }

 private:
  /// On a processor: whether an edge is wanted cannot be foreseen, so nothing branches on it; and cache misses overlap.
  MAGPIE_INLINE void scan(const thread& self, bool flat) const {
    constexpr u32 together = 64;
    for (u64 group : self.items((u64{length} + together - 1) / together)) {
      const u64 begin = group * together;
      const u64 end = begin + together < length ? begin + together : length;
      u64 found[together];
      u32 n = 0;
      for (u64 e = begin; e < end; ++e) {
        found[n] = e;
        n += static_cast<u32>(key(e) - lightest <= heaviest - lightest);
      }
      for (u32 k = 0; k < n; ++k) {
        components.soon(high(magpie::ld_plain(&ends[found[k]])));
        components.soon(low(magpie::ld_plain(&ends[found[k]])));
      }
      stage<together> ready;
      bool all_rooted = true;
      for (u32 k = 0; k < n; ++k) {
        const u64 both = magpie::ld_plain(&ends[found[k]]);
        const u64 mine = Components::listed(key(found[k]));
        const u32 u = root_of(high(both), flat, all_rooted);
        const u32 v = root_of(low(both), flat, all_rooted);
        ready.push_if(u != v, u64{u} << 32 | v, mine);
      }
      conclude(ready, all_rooted, components.keys(), &counters[record_unfinished]);
      ready.flush(self, &counters[record_length], next_ends, next_keys);
    }
  }

  MAGPIE_INLINE void share(const thread& self, bool flat) const {
    const u64 width = self.width();
    stage<batch> ready;
    for (u64 base : self.warp_items((u64{length} + width - 1) / width * width)) {
      const u64 e = base + self.lane();
      u64 mine = e < length ? key(e) : no_key;
      u32 u = 0;
      u32 v = 0;
      bool rooted = true;
      if (e < length && mine - lightest <= heaviest - lightest) {
        const u64 both = magpie::ld_plain(&ends[e]);
        mine = Components::listed(mine);
        u = root_of(high(both), flat, rooted);
        v = root_of(low(both), flat, rooted);
      }
      if (u != v) {
        ready.push(u64{u} << 32 | v, mine);
        if (!rooted) magpie::st_rlx_dev(&counters[record_unfinished], 1);
      }
      offer_together(self, components.keys(), u, mine, u != v && rooted);
      offer_together(self, components.keys(), v, mine, u != v && rooted);
      if (self.any(ready.count == batch)) ready.flush(self, &counters[record_length], next_ends, next_keys);
    }
    ready.flush(self, &counters[record_length], next_ends, next_keys);
  }

  MAGPIE_INLINE u64 key(u64 e) const { return key_of(magpie::ld_plain(&weights[e]), static_cast<u32>(e)); }

  /// The root above v; `rooted` becomes false if the way was too long.
  MAGPIE_INLINE u32 root_of(u32 v, bool flat, bool& rooted) const {
    if (flat) return components.above(v);
    bool found;
    const u32 r = climb(components, v, found);
    rooted &= found;
    return r;
  }
};
MAGPIE_KERNEL_AS(list_range, range_listing<separate_words>)
MAGPIE_KERNEL_AS(list_range_joint, range_listing<joint_words>)

/// Marks the edges over which vertices were hooked: they are the forest.
///
/// Participation: any thread, one vertex each. Shared state: none, as no edge hooks two vertices.
/// Bytes: 4 in per vertex, or a joint word; a scattered word in and out per edge of the forest.
struct mark_chosen {
  u32 vertices;
  array<const u64> words;    ///< joint
  array<const u32> edge_of;  ///< empty where words are joint
  array<u64> ends;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      const u32 e = edge_of.length != 0 ? magpie::ld_plain(&edge_of[v]) : hooked_by(magpie::ld_plain(&words[v]));
      if (e != none) magpie::st_plain(&ends[e], magpie::ld_own(&ends[e]) | marked);
    }
  }

 private:
  static MAGPIE_INLINE u32 hooked_by(u64 word) { return joint_words::is_root(word) ? none : low(word); }
};
MAGPIE_KERNEL(mark_chosen)

/// Copies the roots above some vertices, to which all of them point. Participation: any thread, one vertex each. Shared state:
/// none. Bytes: 8 in, 4 out.
struct label_vertices {
  u32 from;
  u32 count;
  joint_words components;
  array<u32> labels;  ///< from 0

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) magpie::st_plain(&labels[i], components.above(from + i));
  }
};
MAGPIE_KERNEL(label_vertices)

/// Flags the marked ones of a part of the edges. Bytes: 8 in, 4 out.
struct flag_marked {
  u32 from;
  u32 count;
  array<const u64> ends;
  array<u32> flags;  ///< from 0

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count))
      magpie::st_plain(&flags[i], static_cast<u32>(magpie::ld_plain(&ends[from + i]) >> 63));
  }
};
MAGPIE_KERNEL(flag_marked)

/// Copies edges' ends, without marks, and weights to arrays from 0.
///
/// Participation: any thread, one edge each. Shared state: none. Bytes: per edge 4 and gathered 12 in, 12 out.
struct gather_edges {
  u32 from;  ///< what `positions` count from
  u32 count;
  array<const u32> positions;
  array<const u64> ends;
  array<const u32> weights;
  array<u64> to_ends;
  array<u32> to_weights;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 k : self.items(count)) {
      const u32 e = from + magpie::ld_plain(&positions[k]);
      magpie::st_plain(&to_ends[k], magpie::ld_plain(&ends[e]) & ~marked);
      magpie::st_plain(&to_weights[k], magpie::ld_plain(&weights[e]));
    }
  }
};
MAGPIE_KERNEL(gather_edges)

/// Copies words of edges to an array from 0. Participation: any thread, one edge each. Shared state: none. Bytes: per edge 4
/// and gathered 4 in, 4 out.
struct gather_words {
  u32 from;  ///< what `positions` count from
  u32 count;
  array<const u32> positions;
  array<const u32> words;
  array<u32> to;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 k : self.items(count)) {
      magpie::st_plain(&to[k], magpie::ld_plain(&words[from + magpie::ld_plain(&positions[k])]));
    }
  }
};
MAGPIE_KERNEL(gather_words)

/// Writes the numbers of a part of the edges, as Java has them. Participation: any thread, one edge each. Shared state: none.
/// Bytes: 4 or 8 in, 8 out.
struct join_halves {
  u32 from;
  u32 count;
  u32 high;  ///< where `highs` is empty
  array<const u32> lows;
  array<const u32> highs;
  array<u64> to;  ///< from 0

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      const u32 upper = highs.length != 0 ? magpie::ld_plain(&highs[from + i]) : high;
      magpie::st_plain(&to[i], u64{upper} << 32 | magpie::ld_plain(&lows[from + i]));
    }
  }
};
MAGPIE_KERNEL(join_halves)

/// Tells where each edge of two lists that ascend by number goes in the one list of both: its index, and how many edges of the
/// other list have lesser numbers. No number is in both.
///
/// Participation: any thread, one edge each. Shared state: none. Bytes: 8 in and 4 out per edge; a gathered number for each bit
/// of the other list's length.
struct place_merged {
  u32 count;
  u32 more_count;
  array<const u64> numbers;
  array<const u64> more_numbers;
  array<u32> places;  ///< those of the second list follow those of the first

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(u64{count} + more_count)) {
      const bool is_first = i < count;
      const u32 e = static_cast<u32>(is_first ? i : i - count);
      const u32 before = is_first ? less_than(magpie::ld_plain(&numbers[e]), more_numbers, more_count)
                                  : less_than(magpie::ld_plain(&more_numbers[e]), numbers, count);
      magpie::st_plain(&places[i], e + before);
    }
  }

 private:
  static MAGPIE_INLINE u32 less_than(u64 number, const array<const u64>& list, u32 length) {
    u32 begin = 0;
    for (u32 left = length; left != 0;) {
      const u32 half = left / 2;
      if (magpie::ld_plain(&list[begin + half]) < number) {
        begin += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    return begin;
  }
};
MAGPIE_KERNEL(place_merged)

/// Writes numbers to their places, in halves. Participation: any thread, one number each. Shared state: none. Bytes: 12 in,
/// scattered 4 or 8 out.
struct spread_halves {
  u32 count;
  array<const u32> places;
  array<const u64> from;
  array<u32> lows;
  array<u32> highs;  ///< may be empty

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      const u32 e = magpie::ld_plain(&places[i]);
      const u64 number = magpie::ld_plain(&from[i]);
      magpie::st_plain(&lows[e], low(number));
      if (highs.length != 0) magpie::st_plain(&highs[e], high(number));
    }
  }
};
MAGPIE_KERNEL(spread_halves)

/// Copies words to their places. Participation: any thread, one word each. Shared state: none. Bytes: 8 in, scattered 4 out.
struct spread_words {
  u32 count;
  array<const u32> places;
  array<const u32> from;
  array<u32> to;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) magpie::st_plain(&to[magpie::ld_plain(&places[i])], magpie::ld_plain(&from[i]));
  }
};
MAGPIE_KERNEL(spread_words)

/// The same with words of 64 bits. Bytes: 12 in, scattered 8 out.
struct spread_longs {
  u32 count;
  array<const u32> places;
  array<const u64> from;
  array<u64> to;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) magpie::st_plain(&to[magpie::ld_plain(&places[i])], magpie::ld_plain(&from[i]));
  }
};
MAGPIE_KERNEL(spread_longs)

/// Writes a part of the edges as Java has them: both ends, and of weights of 32 bits signed numbers of their order.
///
/// Participation: any thread, one edge each. Shared state: none. Bytes: 12 in, 12 out.
struct split_edges {
  u32 from;
  u32 count;
  u32 reverse;
  array<const u64> ends;
  array<const u32> weights;
  array<u32> sources;  ///< from 0, as the others
  array<u32> targets;
  array<u32> signed_weights;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      const u64 end = magpie::ld_plain(&ends[from + i]);
      const u32 weight = magpie::ld_plain(&weights[from + i]);
      magpie::st_plain(&sources[i], high(end));
      magpie::st_plain(&targets[i], low(end));
      magpie::st_plain(&signed_weights[i], (reverse != 0 ? ~weight : weight) ^ 0x80000000u);
    }
  }
};
MAGPIE_KERNEL(split_edges)

/// Offers the forest's edges to the two nodes of a level that each joins. Marks those that join none, for good.
///
/// Participation: any thread, one edge each. Shared state: nodes of this level, monotone, guarded atomic minimum; those of
/// the levels below stay. Bytes: 8 in per edge; per edge not marked 4 more and two gathered nodes for each level.
struct offer_edges {
  u32 count;
  u32 level;
  array<u64> ends;
  array<const u32> weights;
  tree made;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 e : self.items(count)) {
      const u64 end = magpie::ld_own(&ends[e]);
      if ((end & marked) != 0) continue;
      const tree::node_pair at = made.nodes_of(end, level);
      if (at.a == at.b) {
        magpie::st_plain(&ends[e], end | marked);
      } else {
        const u64 key = key_of(magpie::ld_plain(&weights[e]), e);
        offer(made.word(at.a, level), key);
        offer(made.word(at.b, level), key);
      }
    }
  }
};
MAGPIE_KERNEL(offer_edges)

/// Puts in place of each node's least edge the node that it joins it to, from 0 as `level_nodes` has it.
///
/// Participation: any thread, one node each. Shared state: none. Bytes: 8 in, 8 out; a gathered edge and two gathered nodes
/// for each level below.
struct choose_nodes {
  u32 base;  ///< the level's first node
  u32 count;
  u32 level;
  array<const u64> ends;
  tree made;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 x : self.items(count)) {
      u64* const word = made.word(base + x, level);
      const u64 key = magpie::ld_own(word);
      if (low(key) == none) continue;
      const tree::node_pair at = made.nodes_of(magpie::ld_plain(&ends[low(key)]), level);
      magpie::st_plain(word, key_of(high(key), (at.a == base + x ? at.b : at.a) - base));
    }
  }
};
MAGPIE_KERNEL(choose_nodes)

/// The nodes of a level once they have chosen, numbered from 0: the low half of a word is the node that this one is joined
/// to, itself for a root, or `none` for a node without edges, which is a root, too. Each is written by its own thread only.
struct level_nodes {
  const tree& made;
  u32 base;
  u32 level;

  MAGPIE_INLINE u32 above(u32 x) const {
    const u32 to = made.link(base + x, level);
    return to == none ? x : to;
  }
  MAGPIE_INLINE void shorten(u32 x, u32 to) const {
    u64* const word = made.word(base + x, level);
    magpie::st_rlx_dev(word, key_of(high(magpie::ld_rlx_dev(word)), to));
  }
};

/// Points each node of a level to the root of those that are joined to it.
///
/// Participation: any thread, one node each. Shared state and what comes out: links as parents in `hook_chosen`.
/// Bytes: 8 in, about one gathered sector, and 8 out per node.
struct hook_nodes {
  u32 base;
  u32 count;
  u32 level;
  tree made;
  array<u32> deep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const level_nodes nodes{made, base, level};
    for (u32 x : self.items(count)) {
      const u32 choice = made.link(base + x, level);
      if (choice != none) hook_choice(nodes, x, choice, deep);
    }
  }
};
MAGPIE_KERNEL(hook_nodes)

/// The same for nodes that point to an ancestor; after `hook_nodes`, while `deep` is 1.
struct flatten_nodes {
  u32 base;
  u32 count;
  u32 level;
  tree made;
  array<u32> deep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const level_nodes nodes{made, base, level};
    for (u32 x : self.items(count)) {
      const u32 first = nodes.above(x);
      if (first != x && !point_to_root(nodes, x, first)) magpie::st_rlx_dev(&deep[0], 1);
    }
  }
};
MAGPIE_KERNEL(flatten_nodes)

/// The bit of a root of joined nodes that has its number in place of itself; no node needs it.
inline constexpr u32 numbered = 0x80000000u;

/// Gives each tree of joined nodes a number from 0, in no order, which takes its root's place; one without edges needs none.
///
/// Participation: any thread, one node each. Shared state: a node's word is read and written by its thread only; `tallies`
/// appends. Bytes: 8 in, 8 out per root.
struct number_nodes {
  u32 base;
  u32 count;
  u32 level;
  tree made;
  array<u32> tallies;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 x : self.items(count)) {
      u64* const word = made.word(base + x, level);
      const u64 joined = magpie::ld_own(word);
      if (low(joined) == x) {
        magpie::st_plain(word, key_of(high(joined), magpie::append(self, &tallies[tally_kept]) | numbered));
      }
    }
  }
};
MAGPIE_KERNEL(number_nodes)

/// Puts in place of what a node is joined to the node above.
///
/// Participation: any thread, one node each. Shared state: a root's word, which its own thread replaces meanwhile: others read
/// its number or, without `numbered`, what that has become. Bytes: 8 and a gathered word in, 8 out.
struct settle_nodes {
  u32 base;
  u32 count;
  u32 level;
  u32 next;  ///< the first node of the next level
  tree made;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 x : self.items(count)) {
      u64* const word = made.word(base + x, level);
      const u64 joined = magpie::ld_rlx_dev(word);
      if (low(joined) == none) continue;
      u32 root = low(joined);
      if ((root & numbered) == 0) root = made.link(base + root, level);
      magpie::st_rlx_dev(word, key_of(high(joined), (root & numbered) == 0 ? root : next + (root & ~numbered)));
    }
  }
};
MAGPIE_KERNEL(settle_nodes)

}  // namespace msf
