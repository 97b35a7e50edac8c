/// @file
/// Items take the second node out of a list, and the last one the first node; nobody looks after the head.
// arguments: head=[6] next=[9,9,9,9,5,9,4,9] slots=pool:8:7
// items: 3
// expect: dangling reference at head.data
// recorded: nothing (nobody follows what is left)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct forgets_the_head {
  magpie::stm::guarded<std::uint32_t> head;
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 3, max_writes = 1;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t none = 9;

  struct state {
    std::uint32_t first, second, third;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t, state& s) const {
    s.first = MAGPIE_TRY(tx.get(head, 0));
    s.second = MAGPIE_TRY(tx.get(next, s.first));
    s.third = none;
    if (s.second != none) s.third = MAGPIE_TRY(tx.get(next, s.second));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    if (s.second != none) tx.store(next, s.first, s.third);
    tx.free(slots, s.second != none ? s.second : s.first);  // here
  }
};
MAGPIE_REGION(forgets_the_head)
