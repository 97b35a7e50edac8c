/// @file
/// A sorted list is walked by hints; what was found is opened and looked at again before it is changed.
/// Item i inserts key 10 i + 5; item 3 removes key 20.
// arguments: nodes=objects:12 next=[1,2,3,0,0,0,0,0,0,0,0,0] keys=[0,10,20,1000,0,0,0,0,0,0,0,0] dead=zeros:12 slots=pool:12:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct lazy_list {
  magpie::stm::objects nodes;
  magpie::array<std::uint32_t> next;
  magpie::array<std::uint32_t> keys;
  magpie::array<std::uint32_t> dead;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 3, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle before, at, made;
    std::uint32_t previous, found, slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const std::uint32_t key = item == 3 ? 20 : 10 * item + 5;
    if (item != 3 && !tx.reserve(slots, 1)) return outcome::retry;
    s.previous = 0;
    s.found = tx.glance(&next[0]);
    while (tx.glance(&keys[s.found]) < key) {
      s.previous = s.found;
      s.found = tx.glance(&next[s.found]);
    }
    s.before = tx.open(nodes, s.previous);
    s.at = tx.open(nodes, s.found);
    std::uint32_t gone = 0, gone_too = 0, follows = 0, there = 0;
    if (!tx.read(s.before, &dead[s.previous], gone) || !tx.read(s.at, &dead[s.found], gone_too)) return outcome::retry;
    if (!tx.read(s.before, &next[s.previous], follows) || !tx.read(s.at, &keys[s.found], there)) return outcome::retry;
    if (gone != 0 || gone_too != 0 || follows != s.found) return outcome::retry;
    if ((item == 3) != (there == key)) return outcome::cancel;
    if (item != 3) {
      s.slot = tx.take(slots);
      s.made = tx.open(nodes, s.slot);
      if (!s.made) return outcome::retry;
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item == 3) {
      tx.store(s.before, &next[s.previous], tx.load(s.at, &next[s.found]));
      tx.store(s.at, &dead[s.found], 1);
      tx.free(slots, s.found);
    } else {
      tx.store(s.made, &keys[s.slot], 10 * item + 5);
      tx.store(s.made, &next[s.slot], s.found);
      tx.store(s.made, &dead[s.slot], 0);
      tx.store(s.before, &next[s.previous], s.slot);
    }
  }
};
MAGPIE_REGION(lazy_list)
