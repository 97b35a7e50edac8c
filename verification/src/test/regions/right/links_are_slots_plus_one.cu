/// @file
/// A list whose links are slot numbers plus one, with 0 for none: items push, pop, and look at what is first.
// arguments: head=[3,2] next=[0,0,1,0,0,0,0,0] value=[1,2,3,0,0,0,0,0] value.guards=next.guards records=pool:8:3
// items: 5
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct links_are_slots_plus_one {
  magpie::stm::guarded<std::uint32_t> head;   // of two lists
  magpie::stm::guarded<std::uint32_t> next;   // of each record
  magpie::stm::guarded<std::uint32_t> value;  // of each record
  magpie::stm::pool<0> records;

  static constexpr std::uint32_t max_objects = 3, max_writes = 4;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t first, after, slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.first = MAGPIE_TRY(tx.get(head, item % 2));
    if (item < 2) {
      if (s.first == 0) return outcome::cancel;
      s.after = MAGPIE_TRY(tx.get(next, s.first - 1));
      return outcome::commit;
    }
    MAGPIE_TRY(tx.reserve(records, 1));
    s.slot = tx.take(records);
    MAGPIE_TRY(tx.open(next, s.slot));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item < 2) {
      tx.store(head, item % 2, s.after);
      tx.free(records, s.first - 1);
    } else {
      tx.store(value, s.slot, 10 * item);
      tx.store(next, s.slot, s.first);
      tx.store(head, item % 2, s.slot + 1);
    }
  }
};
MAGPIE_REGION(links_are_slots_plus_one)
