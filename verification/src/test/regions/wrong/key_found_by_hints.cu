/// @file
/// A list that only grows is walked by hints. Who inserts looks again at the place; who finds the key already there does not.
/// Items 0 and 2 insert key 10, items 1 and 3 key 20; item i has node 3 + i.
// arguments: nodes=objects:7 next=[1,2,2,0,0,0,0] keys=[0,15,1000,0,0,0,0]
// items: 4
// expect: unchecked hint at next
// recorded: unguarded access or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct key_found_by_hints {
  magpie::stm::objects nodes;
  magpie::array<std::uint32_t> next;
  magpie::array<std::uint32_t> keys;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0;

  struct state {
    magpie::stm::handle before, own;
    std::uint32_t previous, after;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const std::uint32_t key = item % 2 == 0 ? 10 : 20;
    s.previous = 0;
    s.after = tx.glance(&next[0]);  // here
    while (tx.glance(&keys[s.after]) < key) {
      s.previous = s.after;
      s.after = tx.glance(&next[s.after]);
    }
    if (tx.glance(&keys[s.after]) == key) return outcome::cancel;
    s.before = tx.open(nodes, s.previous);
    s.own = tx.open(nodes, 3 + item);
    std::uint32_t now = 0;
    if (!tx.read(s.before, &next[s.previous], now)) return outcome::retry;
    return now == s.after ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.own, &keys[3 + item], item % 2 == 0 ? 10 : 20);
    tx.store(s.own, &next[3 + item], s.after);
    tx.store(s.before, &next[s.previous], 3 + item);
  }
};
MAGPIE_REGION(key_found_by_hints)
