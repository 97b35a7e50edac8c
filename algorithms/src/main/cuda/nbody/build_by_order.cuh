/// @file
/// The octree from sorted keys, with one writer for each word and no atomic operation.
///
/// The binary radix tree of the keys first (Karras, "Maximizing parallelism in the construction of BVHs, octrees, and k-d trees",
/// HPG 2012): its node i covers keys that include key i, in a piece of their order, whose first `prefix[i]` bits are the same.
/// Equal keys are told apart by their places, as if these were further bits. Then the octree's cells: on the way from a node to
/// its parent every third bit of the keys is the end of a digit, and each of these is a cell of the node; the root's are those up to
/// its own. Sums of their numbers number them, the root as cell 0.
///
/// The host waits for none of it: how many cells there are is in `totals`, and if there is too little room, nobody makes any.
#pragma once

#include "nbody.cuh"

namespace nbody {

/// The low and the high half of keys, in a given order, to be sorted by. Bytes: 16 for each body.
struct halve_keys {
  u64 bodies;
  u32 high;     ///< 1: the high half
  u32 ordered;  ///< 0: `order` is still to be made
  array<const u64> key;
  array<u32> order;
  array<u32> half;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(bodies)) {
      if (ordered == 0) magpie::st_plain(&order[i], static_cast<u32>(i));
      const u64 k = magpie::ld_plain(&key[ordered == 0 ? i : magpie::ld_own(&order[i])]);
      magpie::st_plain(&half[i], static_cast<u32>(high != 0 ? k >> 32 : k));
    }
  }
};
MAGPIE_KERNEL(halve_keys)

/// The keys in order, and links of bodies of equal ones. Bytes: 24 for each body.
struct list_keys {
  u64 bodies;
  array<const u64> key;
  array<const u32> order;
  array<u64> sorted;
  array<u32> next;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(bodies)) {
      const u32 mine = magpie::ld_plain(&order[i]);
      const u64 k = magpie::ld_plain(&key[mine]);
      magpie::st_plain(&sorted[i], k);
      const u32 after = i + 1 < bodies ? magpie::ld_plain(&order[i + 1]) : none;
      magpie::st_plain(&next[mine], after != none && magpie::ld_plain(&key[after]) == k ? after : none);
    }
  }
};
MAGPIE_KERNEL(list_keys)

/// The nodes of the binary tree, one fewer than bodies.
///
/// Shared state: `parent` and `leaf_parent` of a node's two children, which no other node has. Cost: two searches by halves of a
/// node's piece.
struct link_nodes {
  u32 keys;  ///< 2 at least
  array<const u64> sorted;
  array<u32> prefix;       ///< of each node: bits that its keys have in common, with those of places
  array<u32> parent;       ///< of each node; the root's is `none`
  array<u32> leaf_parent;  ///< of each key

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 n : self.items(u64{keys} - 1)) {
      const u32 i = static_cast<u32>(n);
      const int to = common(i, i64{i} + 1) > common(i, i64{i} - 1) ? 1 : -1;
      const int outside = common(i, i64{i} - to);
      i64 most = 2;
      while (common(i, i + most * to) > outside) most *= 2;
      i64 length = 0;
      for (i64 step = most / 2; step > 0; step /= 2) {
        if (common(i, i + (length + step) * to) > outside) length += step;
      }
      const i64 other = i + length * to;
      const int inside = common(i, other);
      i64 split = 0;
      for (i64 step = most / 2; step > 0; step /= 2) {
        if (split + step < length && common(i, i + (split + step) * to) > inside) split += step;
      }
      // The last key of the left child: the right one begins behind it.
      const i64 left = to > 0 ? i + split : i - split - 1;
      const i64 first = to > 0 ? i : other;
      const i64 last = to > 0 ? other : i;
      magpie::st_plain(&prefix[i], static_cast<u32>(inside));
      magpie::st_plain(first == left ? &leaf_parent[static_cast<u64>(left)] : &parent[static_cast<u64>(left)], i);
      magpie::st_plain(
          last == left + 1 ? &leaf_parent[static_cast<u64>(left) + 1] : &parent[static_cast<u64>(left) + 1], i);
      if (i == 0) magpie::st_plain(&parent[0], none);
    }
  }

 private:
  using i64 = std::int64_t;

  /// Bits that two keys have in common; -1 if the second is none.
  MAGPIE_INLINE int common(u32 i, i64 j) const {
    if (j < 0 || j >= i64{keys}) return -1;
    const u64 mine = magpie::ld_plain(&sorted[i]);
    const u64 other = magpie::ld_plain(&sorted[static_cast<u64>(j)]);
    return static_cast<int>(mine == other ? key_bits + leading_zeros(i ^ static_cast<u64>(j))
                                          : common_bits(mine, other));
  }
};
MAGPIE_KERNEL(link_nodes)

/// How many cells each node has. Bytes: 16 for each node.
struct count_cells {
  u64 nodes;
  array<const u32> prefix;
  array<const u32> parent;
  array<u32> count;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(nodes)) {
      const u32 above = magpie::ld_plain(&parent[i]);
      const u32 bits = magpie::ld_plain(&prefix[i]);
      const bool splits = bits < key_bits;
      magpie::st_plain(&count[i], above == none ? (splits ? bits / 3 + 1 : 1)
                                  : splits      ? bits / 3 - magpie::ld_plain(&prefix[above]) / 3
                                                : 0);
    }
  }
};
MAGPIE_KERNEL(count_cells)

/// What nodes know of their cells.
struct cells_of_nodes {
  array<const u32> prefix;
  array<const u32> parent;
  array<const u32> first;  ///< number of the cells of all nodes before; one more than nodes
  u32 nodes;
  u32 room;

  MAGPIE_INLINE u32 total() const { return nodes == 0 ? 1 : magpie::ld_plain(&first[nodes]); }
  MAGPIE_INLINE u32 count(u32 node) const {
    return magpie::ld_plain(&first[node + 1]) - magpie::ld_plain(&first[node]);
  }
  /// The deepest cell of the nearest node, from this one up, that has any. The root has.
  MAGPIE_INLINE u32 deepest(u32 node) const {
    while (count(node) == 0) node = magpie::ld_plain(&parent[node]);
    return magpie::ld_plain(&first[node + 1]) - 1;
  }
};

/// Makes the cells of each node.
///
/// Shared state: `child` of the octants that get these cells, and `level` of them: one writer for each word. Cost: at most two
/// steps up from a node, as the node itself or one of two above it ends a digit.
struct make_cells {
  cells_of_nodes cells;
  array<const u64> sorted;
  array<u32> child;
  array<u32> level;
  array<u32> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u32 total = cells.total();
    if (self.rank() == 0) magpie::st_plain(&totals[cell_total], total);
    if (total > cells.room) return;
    for (u64 n : self.items(u64{cells.nodes})) {
      const u32 i = static_cast<u32>(n);
      const u32 count = cells.count(i);
      if (count == 0) continue;
      const u64 key = magpie::ld_plain(&sorted[i]);
      const u32 first = magpie::ld_plain(&cells.first[i]);
      const u32 above = magpie::ld_plain(&cells.parent[i]);
      u32 depth = above == none ? 0 : magpie::ld_plain(&cells.prefix[i]) / 3 + 1 - count;
      if (above != none) magpie::st_plain(&child[u64{8} * cells.deepest(above) + digit(key, depth - 1)], first);
      for (u32 c = first; c < first + count; ++c, ++depth) {
        magpie::st_plain(&level[c], depth);
        if (c + 1 < first + count) magpie::st_plain(&child[u64{8} * c + digit(key, depth)], c + 1);
      }
    }
  }
};
MAGPIE_KERNEL(make_cells)

/// Puts the first body of each key into its octant. Shared state: `child` of that octant, one writer for each. Cost: at most two
/// steps up, or 26 more from a body of those that share a key.
struct make_leaves {
  u64 bodies;
  cells_of_nodes cells;
  array<const u64> sorted;
  array<const u32> leaf_parent;  ///< not read if there is only one body
  array<const u32> order;
  array<const u32> level;
  array<u32> child;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (cells.total() > cells.room) return;
    for (u64 i : self.items(bodies)) {
      const u64 key = magpie::ld_plain(&sorted[i]);
      if (i != 0 && magpie::ld_plain(&sorted[i - 1]) == key) continue;
      const u32 cell = bodies < 2 ? 0 : cells.deepest(magpie::ld_plain(&leaf_parent[i]));
      const u32 octant = digit(key, magpie::ld_plain(&level[cell]));
      magpie::st_plain(&child[u64{8} * cell + octant], flip_body(magpie::ld_plain(&order[i])));
    }
  }
};
MAGPIE_KERNEL(make_leaves)

}  // namespace nbody
