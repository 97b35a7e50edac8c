/// @file
/// A stack of slots that are taken in the order of their numbers, and a log, whose length happens to be each number that is taken.
// arguments: head=[99] next=fill:99:8 total=zeros:1 log=zeros:8 sums=zeros:8 slots=pool:8:0
// items: 6
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct log_by_count {
  magpie::stm::guarded<std::uint32_t, magpie::stm::one_object> head, next, total, log, sums;
  magpie::stm::pool<0> slots;
  static constexpr std::uint32_t max_objects = 8, max_writes = 8;
  static constexpr std::uint32_t max_slots[] = {1};
  struct state {
    std::uint32_t gone;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.gone = 99;
    if (item == 2 || item == 3) {
      MAGPIE_TRY(tx.reserve(slots, 1));
      const std::uint32_t slot = tx.take(slots);
      MAGPIE_TRY(tx.set(next, slot, MAGPIE_TRY(tx.get(head, 0))));
      MAGPIE_TRY(tx.set(head, 0, slot));
      const std::uint32_t n = MAGPIE_TRY(tx.get(total, 0));
      MAGPIE_TRY(tx.set(log, n, item + 60));
      MAGPIE_TRY(tx.set(total, 0, n + 1));
    } else if (item == 4) {
      const std::uint32_t first = MAGPIE_TRY(tx.get(head, 0));
      if (first == 99) return outcome::cancel;
      MAGPIE_TRY(tx.set(head, 0, MAGPIE_TRY(tx.get(next, first))));
      s.gone = first;
    } else {
      const std::uint32_t n = MAGPIE_TRY(tx.get(total, 0));
      if (n == 0) return outcome::cancel;
      MAGPIE_TRY(tx.set(sums, item, MAGPIE_TRY(tx.get(log, n - 1))));
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    if (s.gone != 99) tx.free(slots, s.gone);
  }
};
MAGPIE_REGION(log_by_count)
