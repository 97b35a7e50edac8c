/// @file
/// The benchmark `b-tree`: a set of keys in a B+ tree. Every node knows the range of keys that it is for, as in the B-link tree
/// (Lehman and Yao: Efficient locking for concurrent operations on B-trees, TODS 6(4), 1981), so that a transaction goes down by
/// hints and claims only the leaf; and, where that is full, the nodes that are split for it.
#define MAGPIE_ALL_POLICIES  // hand_off and priority_rule; others are compiled when they are asked for

#include "../benchmarks/requests.cuh"

using magpie::stm::outcome;

/// A node's words: a row of the matrix of nodes.
struct node {
  static constexpr std::uint32_t width = 14;  ///< most keys of a node

  static constexpr std::uint32_t level = 0;  ///< 0 of leaves
  static constexpr std::uint32_t count = 1;  ///< of its keys
  static constexpr std::uint32_t low = 2;    ///< the node is for keys from here
  static constexpr std::uint32_t high = 3;   ///< to below this; all ones: without an end
  static constexpr std::uint32_t keys = 4;
  static constexpr std::uint32_t children = keys + width;  ///< one more than keys; child i has those below key i
  static constexpr std::uint32_t words = children + width + 1;
};
MAGPIE_CONSTANT(node::width)
MAGPIE_CONSTANT(node::words)

/// Item i does requests[i]. Node 0 is the root; it stays it, and its keys go into two new nodes when it is split. Nodes are never
/// merged, and stay for their range or a part of it, so that none is freed.
struct set_operation {
  magpie::stm::guarded_matrix<std::uint32_t> nodes;
  magpie::stm::pool<0> fresh;
  magpie::array<const request> requests;
  magpie::array<std::uint32_t> found;  // of each item: whether its key was there

  static constexpr std::uint32_t max_objects = 4, max_writes = 1;
  static constexpr std::uint32_t most_made = 8;
  static constexpr std::uint32_t max_slots[] = {most_made};
  static constexpr std::uint32_t most_levels = 12;

  struct state {
    std::uint32_t path[most_levels];  // from the root to the leaf
    std::uint32_t leaf;               // its place in the path
    std::uint32_t full;               // how many are split: the leaf, and those right above it
    std::uint32_t made[most_made];
    std::uint32_t place;  // of the key in the leaf
    bool there;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const request wanted = requests[item];
    if (!goes_down(tx, wanted.key, s)) return outcome::retry;
    const auto leaf = nodes.row(s.path[s.leaf]);
    if (!MAGPIE_TRY(is_for(tx, leaf, 0, wanted.key))) return outcome::retry;
    const std::uint32_t count = MAGPIE_TRY(tx.get(leaf, node::count));
    s.there = false;
    for (s.place = 0; s.place < count; ++s.place) {
      const std::uint32_t key = MAGPIE_TRY(tx.get(leaf, node::keys + s.place));
      s.there = key == wanted.key;
      if (key >= wanted.key) break;
    }
    s.full = 0;
    if (wanted.what != action::insert || s.there || count < node::width) return outcome::commit;
    // The leaf is split, and every node above it that has no room for one more child.
    for (s.full = 1; s.full <= s.leaf; ++s.full) {
      const std::uint32_t below = s.path[s.leaf - s.full + 1];
      const auto above = nodes.row(s.path[s.leaf - s.full]);
      if (!MAGPIE_TRY(is_for(tx, above, s.full, wanted.key))) return outcome::retry;
      const std::uint32_t keys = MAGPIE_TRY(tx.get(above, node::count));
      std::uint32_t child = 0;
      while (child < keys && MAGPIE_TRY(tx.get(above, node::keys + child)) <= wanted.key) ++child;
      if (MAGPIE_TRY(tx.get(above, node::children + child)) != below) return outcome::retry;
      if (keys < node::width) break;
    }
    const std::uint32_t needed = s.full > s.leaf ? s.full + 1 : s.full;  // the root's keys go into two
    if (needed > most_made || s.leaf + 1 == most_levels) {
      magpie::st_plain(&found[item], no_room);
      return outcome::cancel;
    }
    MAGPIE_TRY(tx.reserve(fresh, needed));
    for (std::uint32_t i = 0; i < needed; ++i) {
      s.made[i] = tx.take(fresh);
      MAGPIE_TRY(tx.open(nodes.row(s.made[i]), 0));
    }
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    const request wanted = requests[item];
    const std::uint32_t leaf = s.path[s.leaf];
    if (wanted.what == action::remove && s.there) take_out(tx, leaf, s.place);
    if (wanted.what == action::insert && !s.there) {
      put_in(tx, s.full == 0 ? leaf : split(tx, wanted.key, s), wanted.key);
    }
    magpie::st_plain(&found[item], s.there ? 1u : 0u);
  }

 private:
  /// Follows the key from the root to a leaf, by hints: nothing is claimed on the way.
  template <class Tx>
  MAGPIE_INLINE bool goes_down(Tx& tx, std::uint32_t wanted, state& s) const {
    std::uint32_t n = 0;
    for (s.leaf = 0; s.leaf < most_levels; ++s.leaf) {
      s.path[s.leaf] = n;
      const auto row = nodes.row(n);
      if (tx.glance(row, node::level) == 0) return true;
      const std::uint32_t count = tx.glance(row, node::count);
      std::uint32_t child = 0;
      while (child < count && child < node::width && tx.glance(row, node::keys + child) <= wanted) ++child;
      n = tx.glance(row, node::children + child);
    }
    return false;
  }

  /// Whether a node is on this level, for a range that has the key.
  template <class Tx, class Row>
  MAGPIE_INLINE magpie::stm::result<bool> is_for(Tx& tx, const Row& row, std::uint32_t level,
                                                 std::uint32_t wanted) const {
    return MAGPIE_TRY(tx.get(row, node::level)) == level && MAGPIE_TRY(tx.get(row, node::low)) <= wanted &&
           wanted < MAGPIE_TRY(tx.get(row, node::high));
  }

  template <class Tx>
  MAGPIE_INLINE std::uint32_t load(Tx& tx, std::uint32_t n, std::uint32_t word) const {
    return tx.load(nodes.row(n), word);
  }
  template <class Tx>
  MAGPIE_INLINE void store(Tx& tx, std::uint32_t n, std::uint32_t word, std::uint32_t value) const {
    tx.store(nodes.row(n), word, value);
  }

  template <class Tx>
  MAGPIE_INLINE void put_in(Tx& tx, std::uint32_t leaf, std::uint32_t key) const {
    const std::uint32_t count = load(tx, leaf, node::count);
    std::uint32_t at = node::keys + count;
    for (; at > node::keys; --at) {
      const std::uint32_t before = load(tx, leaf, at - 1);
      if (before < key) break;
      store(tx, leaf, at, before);
    }
    store(tx, leaf, at, key);
    store(tx, leaf, node::count, count + 1);
  }

  template <class Tx>
  MAGPIE_INLINE void take_out(Tx& tx, std::uint32_t leaf, std::uint32_t place) const {
    const std::uint32_t count = load(tx, leaf, node::count);
    for (std::uint32_t i = place + 1; i < count; ++i) {
      store(tx, leaf, node::keys + i - 1, load(tx, leaf, node::keys + i));
    }
    store(tx, leaf, node::count, count - 1);
  }

  /// Splits what is full, from above; gives the leaf that the key then belongs to.
  template <class Tx>
  MAGPIE_INLINE std::uint32_t split(Tx& tx, std::uint32_t key, const state& s) const {
    std::uint32_t used = 0;
    std::uint32_t p = s.leaf + 1 - s.full;  // the first of the path that is full
    std::uint32_t above = p == 0 ? 0 : s.path[p - 1];
    if (p == 0) {
      const std::uint32_t left = s.made[used++];
      const std::uint32_t right = s.made[used++];
      for (std::uint32_t word = 0; word < node::words; ++word) store(tx, left, word, load(tx, 0, word));
      const std::uint32_t between = move_half(tx, left, right);
      store(tx, 0, node::level, load(tx, 0, node::level) + 1);
      store(tx, 0, node::count, 1);
      store(tx, 0, node::keys, between);
      store(tx, 0, node::children, left);
      store(tx, 0, node::children + 1, right);
      above = key < between ? left : right;
      p = 1;
    }
    for (; p <= s.leaf; ++p) {
      const std::uint32_t left = s.path[p];
      const std::uint32_t right = s.made[used++];
      const std::uint32_t between = move_half(tx, left, right);
      add_child(tx, above, between, right);
      above = key < between ? left : right;
    }
    return above;
  }

  /// Moves the upper half of a full node to a new one; gives the key between them.
  template <class Tx>
  MAGPIE_INLINE std::uint32_t move_half(Tx& tx, std::uint32_t left, std::uint32_t right) const {
    constexpr std::uint32_t half = node::width / 2;
    const std::uint32_t level = load(tx, left, node::level);
    const std::uint32_t between = load(tx, left, node::keys + half);
    const std::uint32_t first = level == 0 ? half : half + 1;  // leaves keep the key between them
    for (std::uint32_t i = first; i < node::width; ++i) {
      store(tx, right, node::keys + i - first, load(tx, left, node::keys + i));
    }
    if (level != 0) {
      for (std::uint32_t i = first; i <= node::width; ++i) {
        store(tx, right, node::children + i - first, load(tx, left, node::children + i));
      }
    }
    store(tx, right, node::level, level);
    store(tx, right, node::count, node::width - first);
    store(tx, right, node::low, between);
    store(tx, right, node::high, load(tx, left, node::high));
    store(tx, left, node::count, half);
    store(tx, left, node::high, between);
    return between;
  }

  /// Gives a node that is not full one more child, for keys from `low`.
  template <class Tx>
  MAGPIE_INLINE void add_child(Tx& tx, std::uint32_t above, std::uint32_t low, std::uint32_t child) const {
    const std::uint32_t count = load(tx, above, node::count);
    std::uint32_t i = count;
    for (; i > 0; --i) {
      const std::uint32_t before = load(tx, above, node::keys + i - 1);
      if (before < low) break;
      store(tx, above, node::keys + i, before);
      store(tx, above, node::children + i + 1, load(tx, above, node::children + i));
    }
    store(tx, above, node::keys + i, low);
    store(tx, above, node::children + i + 1, child);
    store(tx, above, node::count, count + 1);
  }
};
MAGPIE_REGION(set_operation)
