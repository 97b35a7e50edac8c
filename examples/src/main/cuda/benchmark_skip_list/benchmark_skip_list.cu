/// @file
/// The benchmark `skip-list`: a set of keys in a skip list (Pugh: Skip lists, CACM 33(6), 1990) whose nodes are slots of a pool.
/// A transaction claims the nodes before its key, one for each level of the key's node, and that node.
#define MAGPIE_ALL_POLICIES  // hand_off and priority_rule; others are compiled when they are asked for

#include "../benchmarks/requests.cuh"

using magpie::stm::outcome;

/// Item i does requests[i]. Node 0 is the head, and the end. How high a key's node is follows from the key.
struct set_operation {
  magpie::stm::guarded_matrix<std::uint32_t> next;  // of each node, by level; `gone` once the node is removed
  magpie::array<std::uint32_t> key;                 // of each node; stays as it is while the node is in the list
  magpie::stm::pool<0> nodes;
  magpie::array<const request> requests;
  magpie::array<std::uint32_t> found;  // of each item: whether its key was there

  static constexpr std::uint32_t most_levels = 16;
  static constexpr std::uint32_t max_objects = 8, max_writes = 1;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t gone = ~0u;

  struct state {
    std::uint32_t before[most_levels], after[most_levels];
    std::uint32_t at;
    std::uint32_t made;  // the node of a key that is inserted
    bool there;
  };

  /// A half of the keys have one level, a quarter two, and so on.
  MAGPIE_INLINE std::uint32_t levels_of(std::uint32_t wanted) const {
    return magpie::lowest_bit(scattered(wanted) | 1u << (next.columns - 1)) + 1;
  }

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const request wanted = requests[item];
    if (wanted.what == action::insert) MAGPIE_TRY(tx.reserve(nodes, 1));
    look(tx, wanted.key, s);
    s.at = MAGPIE_TRY(tx.get(next.row(s.before[0]), 0));
    if (!is_between(tx, s.before[0], s.at, wanted.key)) return outcome::retry;
    s.there = s.at != 0 && tx.glance(&key[s.at]) == wanted.key;
    s.made = 0;
    const std::uint32_t levels = levels_of(wanted.key);
    if (wanted.what == action::insert && !s.there) {
      s.after[0] = s.at;
      for (std::uint32_t level = 1; level < levels; ++level) {
        s.after[level] = MAGPIE_TRY(tx.get(next.row(s.before[level]), level));
        if (!is_between(tx, s.before[level], s.after[level], wanted.key)) return outcome::retry;
      }
      s.made = tx.take(nodes);
      MAGPIE_TRY(tx.open(next.row(s.made), 0));
    }
    if (wanted.what == action::remove && s.there) {
      for (std::uint32_t level = 0; level < levels; ++level) {
        if (MAGPIE_TRY(tx.get(next.row(s.before[level]), level)) != s.at) return outcome::retry;
        s.after[level] = MAGPIE_TRY(tx.get(next.row(s.at), level));
      }
    }
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    const request wanted = requests[item];
    const std::uint32_t levels = levels_of(wanted.key);
    if (s.made != 0) {
      magpie::st_rlx_dev(&key[s.made], wanted.key);
      for (std::uint32_t level = 0; level < levels; ++level) {
        tx.store(next.row(s.made), level, s.after[level]);
        tx.store(next.row(s.before[level]), level, s.made);
      }
    }
    if (wanted.what == action::remove && s.there) {
      for (std::uint32_t level = 0; level < levels; ++level) {
        tx.store(next.row(s.before[level]), level, s.after[level]);
        tx.store(next.row(s.at), level, gone);
      }
      tx.free(nodes, s.at);
    }
    magpie::st_plain(&found[item], s.there ? 1u : 0u);
  }

 private:
  /// Finds the last node before the key on each level, by hints: nothing is claimed on the way.
  template <class Tx>
  MAGPIE_INLINE void look(Tx& tx, std::uint32_t wanted, state& s) const {
    std::uint32_t n = 0;
    for (std::uint32_t level = next.columns; level-- > 0;) {
      for (std::uint32_t m = tx.glance(next.row(n), level); m != 0 && m != gone; m = tx.glance(next.row(n), level)) {
        if (tx.glance(&key[m]) >= wanted) break;
        n = m;
      }
      s.before[level] = n;
    }
  }

  /// Whether a key belongs between two nodes, of which the second is the first's successor under a claim. Both keys are looked at
  /// again: a hint may have led to a new node before the key there could be seen.
  template <class Tx>
  MAGPIE_INLINE bool is_between(Tx& tx, std::uint32_t before, std::uint32_t after, std::uint32_t wanted) const {
    return after != gone && (before == 0 || tx.glance(&key[before]) < wanted) &&
           (after == 0 || tx.glance(&key[after]) >= wanted);
  }
};
MAGPIE_REGION(set_operation)
