/// @file
/// The numbers of records lie in one block, sorted by the records' keys: who inserts one moves those behind it, and who takes the
/// first moves all.
// arguments: count=[2] order=[0,1,0,0,0,0] key=[20,40,0,0,0,0,0,0] records=pool:8:2
// items: 5
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct sorted_numbers_of_slots {
  magpie::stm::guarded<std::uint32_t> count;
  magpie::stm::guarded<std::uint32_t, magpie::stm::one_object> order;
  magpie::stm::guarded<std::uint32_t> key;
  magpie::stm::pool<0> records;

  static constexpr std::uint32_t max_objects = 10, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t count, at, slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item < 3) MAGPIE_TRY(tx.reserve(records, 1));
    s.count = MAGPIE_TRY(tx.get(count, 0));
    s.at = 0;
    if (item >= 3) {
      s.slot = MAGPIE_TRY(tx.get(order, 0));
      MAGPIE_TRY(tx.open(key, s.slot));
      return s.count == 0 ? outcome::cancel : outcome::commit;
    }
    while (s.at < s.count && MAGPIE_TRY(tx.get(key, MAGPIE_TRY(tx.get(order, s.at)))) < 20 * item + 10) ++s.at;
    MAGPIE_TRY(tx.open(order, 0));
    s.slot = tx.take(records);
    MAGPIE_TRY(tx.open(key, s.slot));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item >= 3) {
      for (std::uint32_t i = 1; i < s.count; ++i) tx.store(order, i - 1, tx.load(order, i));
      tx.store(count, 0, s.count - 1);
      tx.free(records, s.slot);
    } else {
      for (std::uint32_t i = s.count; i > s.at; --i) tx.store(order, i, tx.load(order, i - 1));
      tx.store(order, s.at, s.slot);
      tx.store(key, s.slot, 20 * item + 10);
      tx.store(count, 0, s.count + 1);
    }
  }
};
MAGPIE_REGION(sorted_numbers_of_slots)
