/// @file
/// Items leave arguments at their own numbers, and make nodes that name them; others remove nodes and read the arguments of who made them.
// arguments: head=[99] next=fill:99:4 owner=fill:99:4 args=zeros:4 sums=zeros:6 slots=pool:4:0
// items: 6
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct arguments_of_owners {
  magpie::stm::guarded<std::uint32_t, magpie::stm::one_object> head, next, owner, args, sums;
  magpie::stm::pool<0> slots;
  static constexpr std::uint32_t max_objects = 8, max_writes = 8;
  static constexpr std::uint32_t max_slots[] = {1};
  struct state {
    std::uint32_t gone;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.gone = 99;
    const std::uint32_t first = MAGPIE_TRY(tx.get(head, 0));
    if (item < 2) {
      MAGPIE_TRY(tx.reserve(slots, 1));
      const std::uint32_t slot = tx.take(slots);
      MAGPIE_TRY(tx.set(owner, slot, item));
      MAGPIE_TRY(tx.set(args, item, item + 60));
      MAGPIE_TRY(tx.set(next, slot, first));
      MAGPIE_TRY(tx.set(head, 0, slot));
    } else if (item < 4) {
      if (first == 99) return outcome::cancel;
      const std::uint32_t of = MAGPIE_TRY(tx.get(owner, first));
      MAGPIE_TRY(tx.set(sums, item, MAGPIE_TRY(tx.get(args, of))));
      MAGPIE_TRY(tx.set(head, 0, MAGPIE_TRY(tx.get(next, first))));
      s.gone = first;
    } else {
      MAGPIE_TRY(tx.set(sums, item, MAGPIE_TRY(tx.get(args, item - 4))));
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    if (s.gone != 99) tx.free(slots, s.gone);
  }
};
MAGPIE_REGION(arguments_of_owners)
