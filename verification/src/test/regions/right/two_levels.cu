/// @file
/// A skip list of two levels over one pool: a key on the upper level is on the lower one, too. Items insert keys and delete them.
// arguments: below=[1,2,3,0,0,0,0,0,0,0] above=[2,0,3,0,0,0,0,0,0,0] above.guards=below.guards key=[0,10,20,1000,0,0,0,0,0,0] key.guards=below.guards slots=pool:10:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Items 0 and 1 insert keys 15 and 25, the first of them on both levels; items 2 and 3 delete 20 and 10.
struct two_levels {
  magpie::stm::guarded<std::uint32_t> below;
  magpie::stm::guarded<std::uint32_t> above;
  magpie::stm::guarded<std::uint32_t> key;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 10, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t left_above, left_below, at_above, at_below, key, slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item < 2) MAGPIE_TRY(tx.reserve(slots, 1));
    s.key = item == 0 ? 15 : item == 1 ? 25 : item == 2 ? 20 : 10;
    s.left_above = 0;
    s.at_above = MAGPIE_TRY(tx.get(above, 0));
    while (MAGPIE_TRY(tx.get(key, s.at_above)) < s.key) {
      s.left_above = s.at_above;
      s.at_above = MAGPIE_TRY(tx.get(above, s.at_above));
    }
    s.left_below = s.left_above;
    s.at_below = MAGPIE_TRY(tx.get(below, s.left_below));
    while (MAGPIE_TRY(tx.get(key, s.at_below)) < s.key) {
      s.left_below = s.at_below;
      s.at_below = MAGPIE_TRY(tx.get(below, s.at_below));
    }
    const bool is_there = MAGPIE_TRY(tx.get(key, s.at_below)) == s.key;
    if (is_there != (item >= 2)) return outcome::cancel;
    if (item < 2) {
      s.slot = tx.take(slots);
      MAGPIE_TRY(tx.open(key, s.slot));
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item < 2) {
      tx.store(key, s.slot, s.key);
      tx.store(below, s.slot, s.at_below);
      tx.store(below, s.left_below, s.slot);
      if (item == 0) {
        tx.store(above, s.slot, s.at_above);
        tx.store(above, s.left_above, s.slot);
      }
    } else {
      tx.store(below, s.left_below, tx.load(below, s.at_below));
      if (s.at_above == s.at_below) tx.store(above, s.left_above, tx.load(above, s.at_above));
      tx.free(slots, s.at_below);
    }
  }
};
MAGPIE_REGION(two_levels)
