/// @file
/// A list with a count of its nodes, which is the number of each slot that is taken: one item notes the first node, another one
/// removes and frees it, and those that come after follow the note.
// arguments: head=[3] size=[4] next=[99,0,1,2,0,0,0,0,0] noted=[99] sums=zeros:8 slots=pool:8:4
// items: 6
// expect: use after free at next.data
// recorded: nothing (run alone, an item does the same)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct follows_a_note {
  magpie::stm::guarded<std::uint32_t, magpie::stm::one_object> head;
  magpie::stm::guarded<std::uint32_t, magpie::stm::one_object> size, next, noted;
  magpie::stm::guarded<std::uint32_t> sums;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 8, max_writes = 8;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t gone;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.gone = 99;
    if (item < 4) {
      const std::uint32_t first = MAGPIE_TRY(tx.get(head, 0));
      const std::uint32_t n = MAGPIE_TRY(tx.get(size, 0));
      if (item < 2) {
        if (n > 5) return outcome::cancel;
        MAGPIE_TRY(tx.reserve(slots, 1));
        const std::uint32_t slot = tx.take(slots);
        MAGPIE_TRY(tx.set(next, slot, first));
        MAGPIE_TRY(tx.set(head, 0, slot));
        MAGPIE_TRY(tx.set(size, 0, n + 1));
      } else if (item == 2) {
        MAGPIE_TRY(tx.set(noted, 0, first));
      } else {
        if (n < 6) return outcome::cancel;
        MAGPIE_TRY(tx.set(head, 0, MAGPIE_TRY(tx.get(next, first))));
        MAGPIE_TRY(tx.set(size, 0, n - 1));
        s.gone = first;
      }
      return outcome::commit;
    }
    const std::uint32_t of = MAGPIE_TRY(tx.get(noted, 0));
    if (of == 99) return outcome::cancel;
    const std::uint32_t second = MAGPIE_TRY(tx.get(next, of));  // here
    MAGPIE_TRY(tx.set(sums, item, second + 7));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    if (s.gone != 99) tx.free(slots, s.gone);
  }
};
MAGPIE_REGION(follows_a_note)
