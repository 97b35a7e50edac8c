/// @file
/// Even items move the first node of one list to another one, odd ones free the first of the other; both were there before.
// arguments: head=[3,6] next=[9,0,1,2,9,4,5,9] keys=iota:8 slots=pool:8:7
// items: 6
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct moved_to_another_list {
  magpie::stm::guarded<std::uint32_t> head;
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::guarded<std::uint32_t> keys;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 4, max_writes = 3;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t none = 9;

  struct state {
    std::uint32_t first, second, key, top;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const bool frees = item % 2 == 1;
    s.first = MAGPIE_TRY(tx.get(head, frees ? 1 : 0));
    if (s.first == none) return outcome::cancel;
    s.second = MAGPIE_TRY(tx.get(next, s.first));
    s.key = MAGPIE_TRY(tx.get(keys, s.first));
    if (!frees) s.top = MAGPIE_TRY(tx.get(head, 1));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item % 2 == 1) {
      tx.store(head, 1, s.second);
      tx.free(slots, s.first);
    } else {
      tx.store(head, 0, s.second);
      tx.store(next, s.first, s.top);
      tx.store(keys, s.first, s.key + 10);
      tx.store(head, 1, s.first);
    }
  }
};
MAGPIE_REGION(moved_to_another_list)
