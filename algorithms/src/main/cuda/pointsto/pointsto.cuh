/// @file
/// What the kernels of the points-to analysis share: nodes, sets, and the edges between nodes.
///
/// Layer: algorithm. Words used throughout:
/// - A *node* is a variable. `rep[v]`: the node that stands for v, itself for a *root*; a collapsed cycle is one root and nodes
///   that point to it. A node other than a root points to a lesser one, so every way of relaxed loads ends. Written by
///   `start_nodes`, by the region `collapse_cycle`, and by `flatten`, after which each way has one step.
/// - A *location* is a variable whose address is taken, numbered without gaps: bit i of a set stands for location i, which is
///   variable `location[i]`. Sets are dense, rows of `words_per_row` words, or sparse (sparse.cuh); only those of roots count.
/// - An *edge* says that the set of one node includes that of another. Edges are in lists, of the including node where nodes
///   pull, of the included one where they push: `owner[e]` has e in its list, `end[e]` is the other. The list of root v begins at
///   `head[v]` and ends at `tail[v]`, the next edge is `next[e]`, `none` stands for no edge. Owners and ends are variables: what
///   counts are their roots. Edges are added, and two lists become one, but no edge ever goes.
/// - `changed[v]`: the last round in which the set of root v grew. `fresh[v]`: the last one in which its list did.
///
/// Within a launch sets only grow, and every launch but those of transactions adds what some constraint asks for: whatever
/// relaxed loads see, what a launch adds is in the least solution. A round in which nothing changed saw everything.
///
/// Rounds are launched several ahead of what the host knows: see `node_arrays::stopped`.
///
/// Limits: variables <= 2^31 - 2, edges <= 2^30.
#pragma once

#include "magpie/parallel/append.cuh"
#include "magpie/parallel/warp.cuh"
#include "magpie/stm.cuh"

namespace pointsto {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using magpie::array;
using magpie::thread;

inline constexpr u32 none = 0xffffffffu;
inline constexpr u64 no_key = ~u64{0};

/// Numbers that the host reads after some rounds. Of rounds: `lost`, edges that found no room in this one; `known`, edges at its
/// beginning; `grew`, the last one in which a set grew or an edge came; `reached`, the last one that ended. Of sparse sets: `words`
/// that there are, and `lost_words`, additions that found no room.
namespace total {
enum index : u32 {
  edges,
  lost,
  known,
  grew,
  reached,
  raised,
  suspects,
  new_suspects,
  members,
  items,
  remaining,
  merged,
  words,
  lost_words,
  count
};
}
MAGPIE_CONSTANT(total::edges)
MAGPIE_CONSTANT(total::lost)
MAGPIE_CONSTANT(total::known)
MAGPIE_CONSTANT(total::grew)
MAGPIE_CONSTANT(total::reached)
MAGPIE_CONSTANT(total::raised)
MAGPIE_CONSTANT(total::suspects)
MAGPIE_CONSTANT(total::new_suspects)
MAGPIE_CONSTANT(total::members)
MAGPIE_CONSTANT(total::items)
MAGPIE_CONSTANT(total::remaining)
MAGPIE_CONSTANT(total::merged)
MAGPIE_CONSTANT(total::words)
MAGPIE_CONSTANT(total::lost_words)
MAGPIE_CONSTANT(total::count)

/// The root of v, while transactions may merge or not.
MAGPIE_INLINE u32 find(const array<u32>& rep, u32 v) {
  u32 r = magpie::ld_rlx_dev(&rep[v]);
  while (r != v) {
    v = r;
    r = magpie::ld_rlx_dev(&rep[v]);
  }
  return v;
}

/// The bits of a word from the lowest on.
template <class Body>
MAGPIE_INLINE void for_each_bit(u64 word, Body&& body) {
  for (; word != 0; word &= word - 1) {
    const u32 low = static_cast<u32>(word);
    body(low != 0 ? magpie::lowest_bit(low) : 32 + magpie::lowest_bit(static_cast<u32>(word >> 32)));
  }
}

/// Calls body(i) for each i below n that is this warp's, the same on all lanes.
template <class Body>
MAGPIE_INLINE void for_each_of_warp(const thread& self, u64 n, Body&& body) {
  MAGPIE_NO_UNROLL
  for (u64 i = magpie::warp_rank(self); i < n; i += magpie::warp_count(self)) body(static_cast<u32>(i));
}

/// Mixes all bits of a key, for hash tables (SplitMix64's last step).
MAGPIE_INLINE u64 spread(u64 key) {
  key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9u;
  key = (key ^ key >> 27) * 0x94d049bb133111ebu;
  return key ^ key >> 31;
}

/// One bit for each location and variable. A place is a position in `words`.
struct dense_sets {
  u64 words_per_row;
  array<u64> words;

  MAGPIE_INLINE u64* at(u64 place) const { return &words[place]; }

  /// Calls body(k, word, place) for each word of v's set that is this lane's, the same ones in each walk.
  template <class Body>
  MAGPIE_INLINE void for_each_word(const thread& self, u32 v, Body&& body) const {
    MAGPIE_NO_UNROLL
    for (u64 k = self.lane(); k < words_per_row; k += self.width()) {
      body(k, magpie::ld_rlx_dev(&words[place(v, k)]), place(v, k));
    }
  }

  /// Adds bits to word k of v's set, by one writer or several; whether that changed it.
  MAGPIE_INLINE bool add(u32 v, u64 k, u64 bits) const {
    u64* const to = &words[place(v, k)];
    if ((bits & ~magpie::ld_rlx_dev(to)) == 0) return false;
    return (bits & ~magpie::or_rlx_dev(to, bits)) != 0;
  }

  /// The same where no other warp writes to v's set, and no other lane of this one to that word.
  MAGPIE_INLINE bool add_alone(u32 v, u64 k, u64 bits) const {
    u64* const to = &words[place(v, k)];
    const u64 before = magpie::ld_rlx_dev(to);
    if ((bits & ~before) == 0) return false;
    magpie::st_rlx_dev(to, before | bits);
    return true;
  }

  /// Leaves in root's set what v's has, too, by one writer or several. All lanes of a warp.
  MAGPIE_INLINE void keep_common(const thread& self, u32 root, u32 v) const {
    for_each_word(self, v, [&](u64 k, u64 word, u64) {
      u64* const to = &words[place(root, k)];
      if ((magpie::ld_rlx_dev(to) & ~word) != 0) magpie::red_and_rlx_dev(to, word);
    });
  }

 private:
  MAGPIE_INLINE u64 place(u32 v, u64 k) const { return v * words_per_row + k; }
};

/// The nodes.
struct node_arrays {
  u32 variables;
  u32 round;  ///< the present one, from 1
  array<u32> rep;
  array<u32> changed;
  array<u32> fresh;
  array<u32> head;
  array<u32> tail;
  array<u64> totals;

  /// Whether this round is not to run: the one before changed nothing, or an edge or a word was lost, and the host has to make room.
  ///
  /// The host launches rounds ahead of what it knows. In a launch that loses something threads may stop or not: all of it is repeated.
  MAGPIE_INLINE bool stopped() const {
    return magpie::ld_rlx_dev(&totals[total::lost]) != 0 || magpie::ld_rlx_dev(&totals[total::lost_words]) != 0 ||
           magpie::ld_rlx_dev(&totals[total::grew]) + 1 < round;
  }
  /// To be called by threads that change something.
  MAGPIE_INLINE void goes_on() const { magpie::red_max_rlx_dev(&totals[total::grew], u64{round}); }
  /// To be called by all threads of the last launch of a round.
  MAGPIE_INLINE void reach(const thread& self) const {
    if (self.rank() == 0) magpie::st_plain(&totals[total::reached], u64{round});
  }

  MAGPIE_INLINE bool is_root(u32 v) const { return magpie::ld_rlx_dev(&rep[v]) == v; }
  /// Whether v's set grew in this round or the one before.
  MAGPIE_INLINE bool grew_lately(u32 v) const { return magpie::ld_rlx_dev(&changed[v]) + 1 >= round; }
  MAGPIE_INLINE bool is_fresh(u32 v) const { return magpie::ld_rlx_dev(&fresh[v]) == round; }
  MAGPIE_INLINE void grew(u32 v) const { magpie::st_rlx_dev(&changed[v], round); }
};

/// The edges, with a hash table of those that there are: no edge is there twice, as its ends were when it was added.
///
/// `add` may run on any number of threads, but not alongside a walk over lists. An edge that finds no room is counted as lost, and
/// the host repeats the launch with longer arrays: adding is idempotent.
struct edge_arrays {
  u32 pulls;     ///< 1: in the lists of including nodes, 0: in those of included ones
  u32 capacity;  ///< of `owner`, `end` and `next`
  u64 slots;     ///< of `table`, a power of 2, at least twice the capacity
  array<u32> owner;
  array<u32> end;
  array<u32> next;
  array<u64> table;
  array<u64> totals;

  /// Adds the edge by which the set of root `to` includes that of root `from`; whether it is new.
  MAGPIE_INLINE bool add(const node_arrays& nodes, u32 to, u32 from) const {
    const u32 at = pulls != 0 ? to : from;
    const u32 e = enter(nodes, at, pulls != 0 ? from : to);
    if (e == none) return false;
    magpie::st_rlx_dev(&nodes.fresh[at], nodes.round);
    return true;
  }

  /// Adds an edge to a list; its number, `none` if it is not new.
  MAGPIE_INLINE u32 enter(const node_arrays& nodes, u32 at, u32 other) const {
    if (at == other) return none;
    const u64 key = u64{at} << 32 | other;
    u64 slot = spread(key) & (slots - 1);
    u64 seen = magpie::ld_rlx_dev(&table[slot]);
    for (u64 step = 0; seen != key; ++step) {  // at most all slots
      if (seen == no_key) {
        // So many may be on their way past this look as there are threads, and the table has room for them or they are lost.
        if (magpie::ld_rlx_dev(&totals[total::edges]) >= capacity) return lose();
        seen = magpie::cas_rlx_dev(&table[slot], no_key, key);
        if (seen == no_key) return link(nodes, at, other);
        if (seen == key) return none;
      }
      if (step == slots) return lose();
      slot = (slot + 1) & (slots - 1);
      seen = magpie::ld_rlx_dev(&table[slot]);
    }
    return none;
  }

 private:
  MAGPIE_INLINE u32 link(const node_arrays& nodes, u32 at, u32 other) const {
    const u64 e = magpie::add_rlx_dev(&totals[total::edges], u64{1});
    if (e >= capacity) return lose();
    const u32 edge = static_cast<u32>(e);
    magpie::st_plain(&owner[edge], at);
    magpie::st_plain(&end[edge], other);
    const u32 before = magpie::exch_rlx_dev(&nodes.head[at], edge);
    magpie::st_plain(&next[edge], before);
    if (before == none) magpie::st_plain(&nodes.tail[at], edge);  // one thread only sees the list empty
    return edge;
  }

  MAGPIE_INLINE u32 lose() const {
    magpie::red_add_rlx_dev(&totals[total::lost], u64{1});
    return none;
  }
};

/// Every node is a root, with an empty list.
struct start_nodes {
  node_arrays nodes;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(nodes.variables)) {
      magpie::st_plain(&nodes.rep[v], static_cast<u32>(v));
      magpie::st_plain(&nodes.changed[v], 0u);
      magpie::st_plain(&nodes.fresh[v], 0u);
      magpie::st_plain(&nodes.head[v], none);
      magpie::st_plain(&nodes.tail[v], none);
    }
  }
};
MAGPIE_KERNEL(start_nodes)

}  // namespace pointsto
