/// @file
/// Items take the first node out of a list; the head is moved only if there is another node behind it.
// arguments: head=[6] next=[9,9,9,9,9,9,4,9] slots=pool:8:7
// items: 2
// expect: dangling reference at head.data
// recorded: nothing (nobody follows what is left)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct leaves_the_last_one {
  magpie::stm::guarded<std::uint32_t> head;
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 1;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t none = 9;

  struct state {
    std::uint32_t first, second;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t, state& s) const {
    s.first = MAGPIE_TRY(tx.get(head, 0));
    s.second = MAGPIE_TRY(tx.get(next, s.first));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    if (s.second != none) tx.store(head, 0, s.second);
    tx.free(slots, s.first);  // here
  }
};
MAGPIE_REGION(leaves_the_last_one)
