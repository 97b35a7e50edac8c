/// @file
/// A record is handed to two items of the next round; either takes off one reader under the record's object, and who takes off the
/// last one frees it.
// arguments: readers=zeros:8 sums=zeros:16 slots=pool:8
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct two_readers_then_the_last_frees {
  magpie::stm::guarded<std::uint32_t> readers;
  magpie::stm::guarded<std::uint32_t> sums;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0, max_pushes = 2;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t slot, left;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item < 3) {
      MAGPIE_TRY(tx.reserve(slots, 1));
      s.slot = tx.take(slots);
      MAGPIE_TRY(tx.open(readers, s.slot));
      return tx.push(100 + s.slot) && tx.push(200 + s.slot) ? outcome::commit : outcome::retry;
    }
    s.slot = item % 100;
    s.left = MAGPIE_TRY(tx.get(readers, s.slot));
    MAGPIE_TRY(tx.open(sums, s.slot + (item < 200 ? 0 : 8)));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item < 3) {
      tx.store(readers, s.slot, 2);
      return;
    }
    tx.store(readers, s.slot, s.left - 1);
    tx.store(sums, s.slot + (item < 200 ? 0 : 8), 5);
    if (s.left == 1) tx.free(slots, s.slot);
  }
};
MAGPIE_REGION(two_readers_then_the_last_frees)
