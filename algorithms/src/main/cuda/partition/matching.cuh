/// @file
/// Pairs of vertices that become one: rounds over the vertices that are still free, and pairs over a common neighbor
/// where those stall.
///
/// `match[v]` is v's partner, `none` while v is free, and in the end v itself for a vertex that stays alone.
///
/// A round: each free vertex chooses the best of its neighbors (`candidates`), and pairs are made in one of four ways:
/// - proposals: `propose`, then `settle`: two that chose each other are a pair. One writer for each word, no atomics,
///   and the pairs do not depend on how threads ran;
/// - `match_by_exchange`: both words by compare-exchange, the lower vertex first;
/// - `propose`, then the region `match_pair` (thesis, section 4.4.2);
/// - `match_by_stores`, then `correct`: both words by plain stores, and what is not mutual is free again (mt-metis,
///   thesis, section 4.2.1).
/// Each round lists the vertices for the next one: those still free, but not those that are known to have no candidate,
/// and will have none. counts[2 r] is the length of round r's list, counts[2 r + 1] how many vertices it matched. A
/// round whose forerunner matched fewer than `fewest` does nothing, so that the host can launch several without
/// looking.
#pragma once

#include "graph.cuh"
#include "magpie/parallel/worklist.cuh"
#include "magpie/stm.cuh"

namespace magpie::partition {

/// How an edge is rated.
enum rating : u32 { rating_random, rating_heavy_edge, rating_light_vertices };
MAGPIE_CONSTANT(rating_random)
MAGPIE_CONSTANT(rating_heavy_edge)
MAGPIE_CONSTANT(rating_light_vertices)

/// The bits of a float that is not negative: ordered as the floats are.
MAGPIE_INLINE u32 ordered_bits(float f) {
  u32 bits;
  std::memcpy(&bits, &f, sizeof bits);
  return bits;
}

/// A round's length, 0 if the rounds are over.
MAGPIE_INLINE u32 round_length(const array<u32>& counts, u32 round, u32 fewest) {
  const bool over = round > 0 && ld_plain(&counts[2 * round - 1]) < fewest;
  return over ? 0 : ld_plain(&counts[2 * round]);
}

/// Adds up what the threads matched. All lanes, converged.
MAGPIE_INLINE void count_matched(const thread& self, const array<u32>& counts, u32 round, u32 matched) {
  matched = self.reduce_add(matched);
  if (self.lane() == 0 && matched != 0) red_add_rlx_dev(&counts[2 * round + 1], matched);
}

/// Position i of a round's list; the first round has all vertices and no list.
MAGPIE_INLINE u32 listed(const u32* list, u64 i, u32 length) {
  return i >= length ? none : list == nullptr ? static_cast<u32>(i) : ld_plain(&list[i]);
}

/// Rates the arcs from a vertex to those that it may be matched with: by weight over the product of the vertex weights
/// (Holtgrewe, Sanders and Schulz, IPDPS 2010, have it among their ratings; weights of 0 count as 1), by weight, or
/// at random; ties by a hash of both ends and the round, which both ends see the same.
/// Where there are `parts`, only vertices of one part are matched; one of part `none` is with any.
/// `any` 1: also those that are matched already. Reads `match` by relaxed loads, so others may match meanwhile.
struct candidates {
  u32 rated_by;
  u32 any;
  u32 heaviest;
  u64 key;
  const array<const u32>& neighbors;
  const array<const u32>& weights;
  const array<const u32>& vertex_weights;
  const u32* parts;
  const u32* match;

  struct seen {
    u32 vertex;
    u32 weight;
    u32 part;
  };

  MAGPIE_INLINE seen nothing() const { return {none, 0, 0}; }
  MAGPIE_INLINE seen context(u32 v) const {
    return {v, ld_plain(&vertex_weights[v]), parts == nullptr ? 0 : ld_plain(&parts[v])};
  }
  MAGPIE_INLINE choice operator()(const seen& v, u32 a) const {
    const u32 u = ld_plain(&neighbors[a]);
    if (any == 0 && ld_rlx_dev(&match[u]) != none) return {};
    const u32 weight = ld_plain(&vertex_weights[u]);
    if (v.weight + weight > heaviest || u == v.vertex) return {};
    if (parts != nullptr && !alike(ld_plain(&parts[u]), v.part)) return {};
    const u32 tie = mixed(key, u64{least(u, v.vertex)} << 32 | most(u, v.vertex));
    return {u64{rated(ld_plain(&weights[a]), weight, v.weight)} << 32 | tie, u};
  }

 private:
  static MAGPIE_INLINE bool alike(u32 p, u32 q) { return p == q || p == none || q == none; }
  MAGPIE_INLINE u32 rated(u32 w, u32 one, u32 other) const {
    if (rated_by == rating_random) return 0;
    if (rated_by == rating_heavy_edge) return w;
    return ordered_bits(static_cast<float>(w) /
                        (static_cast<float>(most(one, 1)) * static_cast<float>(most(other, 1))));
  }
};

/// want[v] = the best candidate of each free vertex v, or `none`.
///
/// Participation: whole warps. Shared state: none; `want` has one writer for each word.
struct propose {
  u32 round;
  u32 fewest;
  u32 rated_by;
  u32 any;
  u32 heaviest;
  u64 key;
  array<u32> counts;
  const u32* list;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<const u32> vertex_weights;
  const u32* parts;
  const u32* match;
  array<u32> want;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u32 length = round_length(counts, round, fewest);
    const candidates rate{rated_by, any, heaviest, key, neighbors, weights, vertex_weights, parts, match};
    for (u64 base : self.warp_items(u64{length})) {
      const u32 v = listed(list, base + self.lane(), length);
      const choice best = best_arc(self, offsets, v, rate);
      if (v != none) st_plain(&want[v], best.vertex);
    }
  }
};
MAGPIE_KERNEL(propose)

/// Matches those that chose each other, and lists the others that chose someone. A candidate was free, so it has chosen
/// in this round too.
/// Shared state: `counts`, relaxed additions; `match[v]` by v's lane alone.
struct settle {
  u32 round;
  u32 fewest;
  array<u32> counts;
  const u32* list;
  array<const u32> want;
  array<u32> match;
  array<u32> next;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u32 length = round_length(counts, round, fewest);
    worklist_writer left(&counts[2 * round + 2], next);
    u32 matched = 0;
    for (u32 i : self.items(length)) {
      const u32 v = listed(list, i, length);
      const u32 u = ld_plain(&want[v]);
      if (u == none) continue;
      if (ld_plain(&want[u]) == v) {
        st_plain(&match[v], u);
        ++matched;
      } else {
        left.push(self, v);
      }
    }
    left.flush();
    count_matched(self, counts, round, matched);
  }
};
MAGPIE_KERNEL(settle)

/// Lists the vertices that are still free; where `want` is not null, those that had a candidate.
/// Shared state: `counts`, relaxed additions.
struct list_free {
  u32 round;
  u32 fewest;
  array<u32> counts;
  const u32* list;
  const u32* want;
  array<const u32> match;
  array<u32> next;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u32 length = round_length(counts, round, fewest);
    worklist_writer left(&counts[2 * round + 2], next);
    u32 matched = 0;
    for (u32 i : self.items(length)) {
      const u32 v = listed(list, i, length);
      if (ld_plain(&match[v]) != none) {
        ++matched;
      } else if (want == nullptr || ld_plain(&want[v]) != none) {
        left.push(self, v);
      }
    }
    left.flush();
    count_matched(self, counts, round, matched);
  }
};
MAGPIE_KERNEL(list_free)

/// Each free vertex takes the best candidate that it sees free, by compare-exchange on both words, the lower vertex's
/// first; where the second fails, the first is given back, and the vertex waits for the next round.
///
/// Participation: whole warps. Shared state: `match`, relaxed: a pair depends on its two words only. Who sees a word
/// that is about to be given back passes a candidate by, no more.
struct match_by_exchange {
  u32 round;
  u32 fewest;
  u32 rated_by;
  u32 any;
  u32 heaviest;
  u64 key;
  array<u32> counts;
  const u32* list;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<const u32> vertex_weights;
  const u32* parts;
  array<u32> match;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u32 length = round_length(counts, round, fewest);
    const candidates rate{rated_by, any, heaviest, key, neighbors, weights, vertex_weights, parts, match.data};
    for (u64 base : self.warp_items(u64{length})) {
      u32 v = listed(list, base + self.lane(), length);
      if (v != none && ld_rlx_dev(&match[v]) != none) v = none;
      const u32 u = best_arc(self, offsets, v, rate).vertex;
      if (u == none) continue;
      const u32 low = least(u, v);
      const u32 high = most(u, v);
      if (cas_rlx_dev(&match[low], none, high) != none) continue;
      if (cas_rlx_dev(&match[high], none, low) != none) st_rlx_dev(&match[low], none);
    }
  }
};
MAGPIE_KERNEL(match_by_exchange)

/// Each free vertex writes itself and the best candidate that it sees free into both words, by plain stores.
///
/// Participation: whole warps. Shared state: `match`, relaxed stores that race: the last one stands, `correct` frees
/// those whose partner has another. Vertices matched in earlier rounds are never written to.
struct match_by_stores {
  u32 round;
  u32 fewest;
  u32 rated_by;
  u32 any;
  u32 heaviest;
  u64 key;
  array<u32> counts;
  const u32* list;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<const u32> vertex_weights;
  const u32* parts;
  array<u32> match;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u32 length = round_length(counts, round, fewest);
    const candidates rate{rated_by, any, heaviest, key, neighbors, weights, vertex_weights, parts, match.data};
    for (u64 base : self.warp_items(u64{length})) {
      u32 v = listed(list, base + self.lane(), length);
      if (v != none && ld_rlx_dev(&match[v]) != none) v = none;
      const u32 u = best_arc(self, offsets, v, rate).vertex;
      if (u == none || ld_rlx_dev(&match[u]) != none) continue;
      st_rlx_dev(&match[v], u);
      st_rlx_dev(&match[u], v);
    }
  }
};
MAGPIE_KERNEL(match_by_stores)

/// Frees each vertex of the round whose partner is matched with another one, and lists the free.
/// Shared state: `match[v]` is written by v's lane alone. The partner's word may be freed meanwhile: it did not name v
/// before and does not afterward, so both readings say the same. `counts`, relaxed additions.
struct correct {
  u32 round;
  u32 fewest;
  array<u32> counts;
  const u32* list;
  array<u32> match;
  array<u32> next;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u32 length = round_length(counts, round, fewest);
    worklist_writer left(&counts[2 * round + 2], next);
    u32 matched = 0;
    for (u32 i : self.items(length)) {
      const u32 v = listed(list, i, length);
      const u32 u = ld_rlx_dev(&match[v]);
      if (u != none && ld_rlx_dev(&match[u]) == v) {
        ++matched;
        continue;
      }
      if (u != none) st_rlx_dev(&match[v], none);
      left.push(self, v);
    }
    left.flush();
    count_matched(self, counts, round, matched);
  }
};
MAGPIE_KERNEL(correct)

/// Matches a vertex with its candidate if both are free (thesis, section 4.4.2). Items and objects: vertices; a vertex
/// stands for its `match`. A match is never undone, so what is seen taken without a claim is taken.
struct match_pair {
  stm::objects objects;
  array<const u32> want;
  array<u32> match;

  static constexpr u32 max_objects = 2;
  static constexpr u32 max_writes = 2;
  static constexpr bool order_dependent = true;  // whom a hint sees matched is no partner

  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, u32 v) const {
    using stm::outcome;
    const u32 u = ld_plain(&want[v]);
    // Who is matched stays so in this launch. Which pairs there are depends on the order, and all are right.
    if (u == none || tx.glance(&match[v]) != none || tx.glance(&match[u]) != none) return outcome::cancel;
    // In the same order by whichever of the two it is.
    const u32 low = least(u, v);
    const u32 high = most(u, v);
    const auto first = tx.open(objects, low);
    const auto second = tx.open(objects, high);
    u32 of_low = 0;
    u32 of_high = 0;
    if (!tx.read(first, &match[low], of_low) || !tx.read(second, &match[high], of_high)) return outcome::retry;
    if (of_low != none || of_high != none) return outcome::cancel;
    if (!tx.write(first, &match[low], high) || !tx.write(second, &match[high], low)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(match_pair)

// ---- Pairs over a common neighbor, among the vertices that the rounds left free: each has a key, vertices of equal
// keys stand side by side after sorting, and every other one is matched with the next. The list is in ascending order
// before a stable sort, so the pairs do not depend on how threads ran.

/// flags[v] = whether v is free.
struct mark_free {
  u32 vertices;
  array<const u32> match;
  array<u32> flags;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) st_plain(&flags[v], ld_plain(&match[v]) == none ? 1 : 0);
  }
};
MAGPIE_KERNEL(mark_free)

/// Vertices of larger degree are no twins; so that comparing two costs at most the square.
inline constexpr u32 twin_degree = 64;
/// A common neighbor of such a degree makes relatives only where nothing else helps: it says little.
inline constexpr u32 relative_degree = 1000;

/// keys[i] = the only neighbor of a vertex that has one; `vertices` for one that has none, so that these pair up too;
/// above that where it has several.
struct key_leaves {
  u32 count;
  u32 vertices;
  array<const u32> list;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<u32> keys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      const u32 v = ld_plain(&list[i]);
      const u32 first = ld_plain(&offsets[v]);
      const u32 degree = ld_plain(&offsets[v + 1]) - first;
      u32 key = vertices + 1;
      if (degree == 0) key = vertices;
      if (degree == 1) key = ld_plain(&neighbors[first]);
      st_plain(&keys[i], key);
    }
  }
};
MAGPIE_KERNEL(key_leaves)

/// keys[i] = a hash of the set of a vertex's neighbors, whatever their order, `none` for more than `twin_degree` of
/// them.
struct key_twins {
  u32 count;
  u64 key;
  array<const u32> list;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<u32> keys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      const u32 v = ld_plain(&list[i]);
      const u32 first = ld_plain(&offsets[v]);
      const u32 last = ld_plain(&offsets[v + 1]);
      u32 hash = none;
      if (last - first <= twin_degree) {
        hash = last - first;
        for (u32 a = first; a < last; ++a) hash += mixed(key, ld_plain(&neighbors[a]));
        if (hash == none) hash = 0;
      }
      st_plain(&keys[i], hash);
    }
  }
};
MAGPIE_KERNEL(key_twins)

/// keys[i] = the neighbor over which a vertex looks for a relative; `vertices` if there is none. With `hubs` 0 it has a
/// degree below `relative_degree`, and is that of the heaviest edge; with 1 it is the one of least degree, whatever
/// that is. Of several it is the one of the greatest hash, so that vertices with much in common tend to choose the
/// same.
struct key_relatives {
  u32 count;
  u32 vertices;
  u32 hubs;
  u64 key;
  array<const u32> list;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> weights;
  array<u32> keys;

  struct seen {
    u32 vertex;
  };
  MAGPIE_INLINE seen nothing() const { return {none}; }
  MAGPIE_INLINE seen context(u32 v) const { return {v}; }
  MAGPIE_INLINE choice operator()(const seen&, u32 a) const {
    const u32 u = ld_plain(&neighbors[a]);
    const u32 degree = ld_plain(&offsets[u + 1]) - ld_plain(&offsets[u]);
    if (hubs == 0 && degree >= relative_degree) return {};
    return {u64{hubs != 0 ? ~degree : ld_plain(&weights[a])} << 32 | mixed(key, u), u};
  }

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 base : self.warp_items(u64{count})) {
      const u64 i = base + self.lane();
      const u32 v = listed(list.data, i, count);
      const choice best = best_arc(self, offsets, v, *this);
      if (v != none) st_plain(&keys[i], best.vertex == none ? vertices : best.vertex);
    }
  }
};
MAGPIE_KERNEL(key_relatives)

/// Matches the vertices of a list, sorted by key and then by part, in pairs of equal keys below `limit` and equal
/// parts, if they are not too heavy together. `exact` 1: only if their neighbors are the same, not just the hash.
/// Shared state: `pairs` counts them, by relaxed additions; a vertex is in one pair at most.
struct match_equal_keys {
  u32 count;
  u32 limit;
  u32 exact;
  u32 heaviest;
  array<const u32> keys;
  array<const u32> list;
  array<const u32> offsets;
  array<const u32> neighbors;
  array<const u32> vertex_weights;
  const u32* parts;
  array<u32> match;
  array<u32> pairs;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u32 found = 0;
    for (u32 i : self.items(count)) {
      const u32 key = ld_plain(&keys[i]);
      if (key >= limit || i + 1 >= count || ld_plain(&keys[i + 1]) != key) continue;
      const u32 part = part_at(i);
      if (part_at(i + 1) != part || ((i - first_of(key, part, i)) & 1u) != 0) continue;
      const u32 u = ld_plain(&list[i]);
      const u32 v = ld_plain(&list[i + 1]);
      if (ld_plain(&vertex_weights[u]) + ld_plain(&vertex_weights[v]) > heaviest) continue;
      if (exact != 0 && !(contains(u, v) && contains(v, u))) continue;
      st_plain(&match[u], v);
      st_plain(&match[v], u);
      ++found;
    }
    found = self.reduce_add(found);
    if (self.lane() == 0 && found != 0) red_add_rlx_dev(&pairs[0], found);
  }

 private:
  /// The part of the vertex at a position; 0 where there are none.
  MAGPIE_INLINE u32 part_at(u32 i) const { return parts == nullptr ? 0 : ld_plain(&parts[ld_plain(&list[i])]); }

  /// The first position of a key and part that are known to stand at `i`.
  MAGPIE_INLINE u32 first_of(u32 key, u32 part, u32 i) const {
    u32 low = 0;
    u32 high = i;
    while (low < high) {
      const u32 middle = low + (high - low) / 2;
      const u32 there = ld_plain(&keys[middle]);
      if (there < key || (there == key && part_at(middle) < part)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Whether every neighbor of v is one of u.
  MAGPIE_INLINE bool contains(u32 u, u32 v) const {
    const u32 first = ld_plain(&offsets[u]);
    const u32 last = ld_plain(&offsets[u + 1]);
    for (u32 a = ld_plain(&offsets[v]), end = ld_plain(&offsets[v + 1]); a < end; ++a) {
      const u32 wanted = ld_plain(&neighbors[a]);
      u32 b = first;
      while (b < last && ld_plain(&neighbors[b]) != wanted) ++b;
      if (b == last) return false;
    }
    return true;
  }
};
MAGPIE_KERNEL(match_equal_keys)

}  // namespace magpie::partition
