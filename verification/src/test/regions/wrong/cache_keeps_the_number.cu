/// @file
/// In round 1 an entry goes, in round 2 its slot is taken for another key, in round 3 the cache of the first key still has it.
// arguments: table=[0,9] cache=[0] value=[5,6,7] entries=pool:3:1
// items: 1
// expect: recycled number at entries
// recorded: nothing (run alone, an item does the same)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct cache_keeps_the_number {
  magpie::stm::guarded<std::uint32_t> table;  // of each key: its entry
  magpie::array<const std::uint32_t> cache;   // of key 0: the same
  magpie::stm::guarded<std::uint32_t> value;
  magpie::stm::pool<0> entries;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t entry;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item == 0) s.entry = MAGPIE_TRY(tx.get(table, 0));
    if (item == 1) {
      MAGPIE_TRY(tx.reserve(entries, 1));
      s.entry = tx.take(entries);
      MAGPIE_TRY(tx.open(table, 1));
    }
    if (item == 2) s.entry = cache[0];
    MAGPIE_TRY(tx.open(value, s.entry));
    if (item < 2 && !tx.push(item + 1)) return outcome::retry;
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item == 0) {
      tx.store(table, 0, 9);
      tx.free(entries, s.entry);
      return;
    }
    if (item == 1) tx.store(table, 1, s.entry);
    tx.store(value, s.entry, 10 + item);  // here
  }
};
MAGPIE_REGION(cache_keeps_the_number)
