/// @file
/// A list is walked by hints; who inserts opens the two nodes in between and looks again, but who looks a key up does not.
// arguments: nodes=objects:10 next=[1,1,0,0,0,0,0,0,0,0] keys=[0,1000,0,0,0,0,0,0,0,0] found=zeros:4 slots=pool:10:2
// items: 4
// expect: unchecked hint at next
// recorded: unguarded access at found or wrong result at found
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct looks_up_by_hints {
  magpie::stm::objects nodes;
  magpie::array<std::uint32_t> next;
  magpie::array<std::uint32_t> keys;
  magpie::array<std::uint32_t> found;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle before, made;
    std::uint32_t previous, after, slot, there;
  };

  // Items 0 and 1 insert keys 10 and 20; items 2 and 3 look for 10, and note what they found under their own node.
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const std::uint32_t key = item == 1 ? 20 : 10;
    if (item < 2 && !tx.reserve(slots, 1)) return outcome::retry;
    s.previous = 0;
    s.after = tx.glance(&next[0]);  // here
    while (tx.glance(&keys[s.after]) < key) {
      s.previous = s.after;
      s.after = tx.glance(&next[s.after]);
    }
    if (item >= 2) {
      s.there = tx.glance(&keys[s.after]) == key ? 1 : 2;
      s.made = tx.open(nodes, 6 + item);
      return s.made ? outcome::commit : outcome::retry;
    }
    s.before = tx.open(nodes, s.previous);
    std::uint32_t now = 0;
    if (!tx.read(s.before, &next[s.previous], now)) return outcome::retry;
    if (now != s.after) return outcome::retry;
    s.slot = tx.take(slots);
    s.made = tx.open(nodes, s.slot);
    return s.made ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item >= 2) {
      tx.store(s.made, &found[item], s.there);
    } else {
      tx.store(s.made, &keys[s.slot], item == 1 ? 20 : 10);
      tx.store(s.made, &next[s.slot], s.after);
      tx.store(s.before, &next[s.previous], s.slot);
    }
  }
};
MAGPIE_REGION(looks_up_by_hints)
