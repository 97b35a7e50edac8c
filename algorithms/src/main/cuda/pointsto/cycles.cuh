/// @file
/// The search for cycles, by keys and without locks. What it lists is certain, what it misses costs time only.
///
/// A look has up to three steps, each of which runs only if the one before found something:
/// 1. `spread_keys` gives every node the greatest key of those that reach it, and of those that it reaches, over all edges.
///    Nodes of a cycle have both in common. These keys only rise as edges come, and are kept from look to look, so that a
///    look costs as many passes as news have to go.
/// 2. `list_suspects` lists the edges between nodes of equal keys. A cycle that was not there at the last look has an edge that
///    was not, and both ends of it have equal keys: if no new edge is listed, there is no new cycle.
/// 3. Over the listed edges, keys spread again, of other numbers and within classes of nodes that had everything in common so far.
///    If the greatest key that reaches a node is also the greatest that it reaches, then it lies on a cycle with the node
///    whose key that is. Such nodes are members of that node's group; `place_members` lists groups, for `collapse_cycle`. The
///    nodes with the greatest key in a class always are a group, and `place_members` splits the others up, so that what is left
///    shrinks from one time to the next.
///
/// A key belongs to a node: `key(v)` and `owner(key)` are inverse to each other.
#pragma once

#include "pointsto.cuh"

namespace pointsto {

/// Which numbers are the keys of nodes: those of one search within classes are in no order that another one's are in.
struct key_numbers {
  u32 factor;   ///< odd
  u32 inverse;  ///< of the factor, modulo 2^32

  MAGPIE_INLINE u32 key(u32 v) const { return (v + 1) * factor; }
  MAGPIE_INLINE u32 owner(u32 key) const { return key * inverse - 1; }
};

/// Raises a word; whether that changed it.
MAGPIE_INLINE bool raise(u32* p, u32 value) {
  return magpie::ld_rlx_dev(p) < value && magpie::max_rlx_dev(p, value) < value;
}

/// What is known of the ways to nodes and from them.
struct key_arrays {
  array<u32> above;  ///< for each root the greatest key of nodes that ways lead here from, its own included
  array<u32> below;  ///< of those that they lead to

  MAGPIE_INLINE bool same(u32 v, u32 w) const {
    return magpie::ld_rlx_dev(&above[v]) == magpie::ld_rlx_dev(&above[w]) &&
           magpie::ld_rlx_dev(&below[v]) == magpie::ld_rlx_dev(&below[w]);
  }

  MAGPIE_INLINE void start(u32 v, u32 key) const {
    magpie::st_plain(&above[v], key);
    magpie::st_plain(&below[v], key);
  }

  /// Takes the news of an edge to both of its ends; whether there were any.
  MAGPIE_INLINE bool spread(u32 from, u32 to) const {
    const bool down = raise(&above[to], magpie::ld_rlx_dev(&above[from]));
    return raise(&below[from], magpie::ld_rlx_dev(&below[to])) || down;
  }

  /// The key of the group whose member v is, if it is one.
  MAGPIE_INLINE bool on_cycle(u32 v, u32& key) const {
    key = magpie::ld_plain(&above[v]);
    return key == magpie::ld_plain(&below[v]);
  }
};

/// Passes that spread keys, launched several ahead of what the host knows. Passes are numbered from 1, through all searches.
///
/// A pass after one that changed nothing has nothing to do; nor has what follows passes that have not settled.
struct passes {
  u32 first;     ///< of this search
  u32 last;      ///< that was launched
  u32 complete;  ///< 1: what follows runs, settled or not
  array<u64> totals;

  static constexpr u32 most_sweeps = 8;

  /// Whether pass `number` may change anything.
  MAGPIE_INLINE bool goes_on(u32 number) const {
    return number == first || magpie::ld_rlx_dev(&totals[total::raised]) + 1 >= number;
  }
  /// Runs a thread's part of a pass again while that changes anything, as news come in from others, but not for long; whether it
  /// changed anything.
  template <class Body>
  MAGPIE_INLINE bool sweep(Body&& body) const {
    bool any = false;
    MAGPIE_NO_UNROLL
    for (u32 i = 0; i < most_sweeps && body(); ++i) any = true;
    return any;
  }
  MAGPIE_INLINE bool ended() const { return complete != 0 || magpie::ld_rlx_dev(&totals[total::raised]) < last; }
};

/// Every node has its own key, which is kept from look to look. In which order they are best, CycleCollapse.java says.
struct start_keys {
  u32 variables;
  key_numbers numbers;
  key_arrays keys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(variables)) keys.start(static_cast<u32>(v), numbers.key(static_cast<u32>(v)));
  }
};
MAGPIE_KERNEL(start_keys)

/// One pass, `rounds.last`, over all edges. Shared state: keys, monotone. The first pass of a search empties the list of
/// suspects, which nobody else looks at meanwhile.
struct spread_keys {
  u32 count;
  array<const u32> owner;
  array<const u32> end;
  node_arrays nodes;
  key_arrays keys;
  passes rounds;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (self.rank() == 0 && rounds.last == rounds.first) {
      magpie::st_plain(&rounds.totals[total::suspects], u64{0});
      magpie::st_plain(&rounds.totals[total::new_suspects], u64{0});
    }
    if (!rounds.goes_on(rounds.last)) return;
    const bool any = rounds.sweep([&] {
      bool more = false;
      for (u32 e : self.items(count)) {
        const u32 from = find(nodes.rep, magpie::ld_plain(&owner[e]));
        const u32 to = find(nodes.rep, magpie::ld_plain(&end[e]));
        more |= keys.spread(from, to);
      }
      return more;
    });
    if (any) magpie::red_max_rlx_dev(&rounds.totals[total::raised], u64{rounds.last});
  }
};
MAGPIE_KERNEL(spread_keys)

/// Lists the edges between nodes of equal keys, and says whether any from `first_new` on is among them.
struct list_suspects {
  u32 count;
  u32 first_new;
  array<const u32> owner;
  array<const u32> end;
  node_arrays nodes;
  key_arrays keys;
  passes rounds;
  array<u32> suspects;  ///< at least `count`

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (!rounds.ended()) return;
    bool any_new = false;
    for (u32 e : self.items(count)) {
      const u32 from = find(nodes.rep, magpie::ld_plain(&owner[e]));
      const u32 to = find(nodes.rep, magpie::ld_plain(&end[e]));
      if (from == to || !keys.same(from, to)) continue;
      magpie::st_plain(&suspects[magpie::append(self, &rounds.totals[total::suspects])], static_cast<u32>(e));
      any_new |= e >= first_new;
    }
    if (any_new) magpie::red_or_rlx_dev(&rounds.totals[total::new_suspects], u64{1});
  }
};
MAGPIE_KERNEL(list_suspects)

/// A number for what two nodes have in common. Equal numbers by chance leave classes larger, no more.
MAGPIE_INLINE u32 mixed(u32 a, u32 b, u32 c) {
  u32 x = (a ^ b * 0x85ebca6bu) + c * 0xc2b2ae35u;
  x = (x ^ x >> 15) * 0x2c1b3c6du;
  return x ^ x >> 13;
}

/// Groups of nodes on common cycles, as the search finds them.
///
/// The members of a group are in a row of `members`, from `begin[p]` on, `sizes[p]` of them, where p is the node with their key;
/// `begin[p]` is `none` where there are fewer than two. An item is a piece of a row: its first member is at `item_at`, but the
/// first of the row, the *anchor*, is in all pieces. So pieces of a row share one node, and together connect all of them.
struct group_arrays {
  array<u32> class_of;  ///< for each root what it has in common with others
  array<u32> sizes;
  array<u32> begin;
  array<u32> place;  ///< for each member where in the row
  array<u32> members;
  array<u32> item_owner;
  array<u32> item_at;
  array<u32> roots;  ///< for each place of a row but the first, a word for the transaction whose piece has it
};

/// Begins the search within classes, at the first time with those that the keys over all edges make.
struct start_classes {
  u32 first_time;
  node_arrays nodes;
  key_arrays keys;
  key_numbers numbers;
  key_arrays within;
  group_arrays groups;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (self.rank() == 0) {
      magpie::st_plain(&totals[total::members], u64{0});
      magpie::st_plain(&totals[total::items], u64{0});
      magpie::st_plain(&totals[total::remaining], u64{0});
    }
    for (u32 v : self.items(nodes.variables)) {
      within.start(static_cast<u32>(v), numbers.key(static_cast<u32>(v)));
      magpie::st_plain(&groups.sizes[v], 0u);
      if (first_time != 0) {
        magpie::st_plain(&groups.class_of[v],
                         mixed(magpie::ld_plain(&keys.above[v]), magpie::ld_plain(&keys.below[v]), 0));
      }
    }
  }
};
MAGPIE_KERNEL(start_classes)

/// A suspect, if it is still one.
struct suspect_list {
  u32 count;
  array<u32> edges;  ///< `none` where one is none any more
  array<const u32> owner;
  array<const u32> end;

  MAGPIE_INLINE bool at(const node_arrays& nodes, u32 i, u32& from, u32& to) const {
    const u32 e = magpie::ld_own(&edges[i]);
    if (e == none) return false;
    from = find(nodes.rep, magpie::ld_plain(&owner[e]));
    to = find(nodes.rep, magpie::ld_plain(&end[e]));
    return true;
  }
};

/// One pass, `rounds.last`, over suspects. Shared state: keys, monotone.
struct spread_within {
  suspect_list suspects;
  node_arrays nodes;
  key_arrays within;
  passes rounds;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (!rounds.goes_on(rounds.last)) return;
    const bool any = rounds.sweep([&] {
      bool more = false;
      for (u32 i : self.items(suspects.count)) {
        u32 from, to;
        if (suspects.at(nodes, i, from, to)) more |= within.spread(from, to);
      }
      return more;
    });
    if (any) magpie::red_max_rlx_dev(&rounds.totals[total::raised], u64{rounds.last});
  }
};
MAGPIE_KERNEL(spread_within)

/// Counts the members of groups. Shared state: sizes, by additions.
struct count_members {
  node_arrays nodes;
  key_numbers numbers;
  key_arrays within;
  passes rounds;
  group_arrays groups;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (!rounds.ended()) return;
    for (u32 v : self.items(nodes.variables)) {
      u32 key;
      if (!nodes.is_root(v) || !within.on_cycle(v, key)) continue;
      magpie::st_plain(&groups.place[v], magpie::add_rlx_dev(&groups.sizes[numbers.owner(key)], 1u));
    }
  }
};
MAGPIE_KERNEL(count_members)

/// Gives each group a row, and cuts it into items of at most `merge_size` nodes.
struct cut_groups {
  u32 merge_size;  ///< at least 2
  node_arrays nodes;
  passes rounds;
  group_arrays groups;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (!rounds.ended()) return;
    for (u32 p : self.items(nodes.variables)) {
      const u32 size = magpie::ld_plain(&groups.sizes[p]);
      if (size < 2) {
        magpie::st_plain(&groups.begin[p], none);
        continue;
      }
      const u32 begin = static_cast<u32>(magpie::add_rlx_dev(&rounds.totals[total::members], u64{size}));
      magpie::st_plain(&groups.begin[p], begin);
      const u32 pieces = (size - 2) / (merge_size - 1) + 1;
      const u64 item = magpie::add_rlx_dev(&rounds.totals[total::items], u64{pieces});
      for (u32 i = 0; i < pieces; ++i) {
        magpie::st_plain(&groups.item_owner[item + i], static_cast<u32>(p));
        magpie::st_plain(&groups.item_at[item + i], begin + 1 + i * (merge_size - 1));
      }
    }
  }
};
MAGPIE_KERNEL(cut_groups)

/// Puts members into their rows, and gives nodes that are none the classes in which the search goes on.
struct place_members {
  node_arrays nodes;
  key_numbers numbers;
  key_arrays within;
  passes rounds;
  group_arrays groups;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (!rounds.ended()) return;
    for (u32 v : self.items(nodes.variables)) {
      if (!nodes.is_root(v)) continue;
      u32 key;
      if (!within.on_cycle(v, key)) {
        magpie::st_plain(&groups.class_of[v],
                         mixed(magpie::ld_own(&groups.class_of[v]), key, magpie::ld_plain(&within.below[v])));
        continue;
      }
      const u32 begin = magpie::ld_plain(&groups.begin[numbers.owner(key)]);
      if (begin != none)
        magpie::st_plain(&groups.members[begin + magpie::ld_plain(&groups.place[v])], static_cast<u32>(v));
    }
  }
};
MAGPIE_KERNEL(place_members)

/// Drops suspects at groups, which have all their nodes, and between classes. A thread takes a suspect.
struct drop_suspects {
  suspect_list suspects;
  node_arrays nodes;
  key_arrays within;
  passes rounds;
  group_arrays groups;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (!rounds.ended()) return;
    bool any = false;
    for (u32 i : self.items(suspects.count)) {
      u32 from, to, key;
      if (!suspects.at(nodes, i, from, to)) continue;
      if (!within.on_cycle(from, key) && !within.on_cycle(to, key) &&
          magpie::ld_plain(&groups.class_of[from]) == magpie::ld_plain(&groups.class_of[to])) {
        any = true;
      } else {
        magpie::st_plain(&suspects.edges[i], none);
      }
    }
    if (any) magpie::red_or_rlx_dev(&rounds.totals[total::remaining], u64{1});
  }
};
MAGPIE_KERNEL(drop_suspects)

}  // namespace pointsto
