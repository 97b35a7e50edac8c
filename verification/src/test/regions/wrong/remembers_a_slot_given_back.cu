/// @file
/// Each item replaces the record. It remembers its new one for the next attempt, but the attempt that is undone gives it back.
// arguments: link=zeros:1 next=zeros:8 kept=fill:99:2 records=pool:8:1
// items: 2
// expect: not repeatable at kept
// recorded: not repeatable or fault at records
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct remembers_a_slot_given_back {
  magpie::stm::guarded<std::uint32_t> link;
  magpie::stm::guarded<std::uint32_t> next;  // of each record: the one before it
  magpie::array<std::uint32_t> kept;         // of each item
  magpie::stm::pool<0> records;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t none = 99;

  struct state {
    std::uint32_t old, record;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    MAGPIE_TRY(tx.reserve(records, 1));
    s.old = MAGPIE_TRY(tx.get(link, 0));
    s.record = kept[item];  // here
    if (s.record == none) s.record = tx.take(records);
    kept[item] = s.record;
    MAGPIE_TRY(tx.open(next, s.record));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    tx.store(next, s.record, s.old);
    tx.store(link, 0, s.record);
    tx.free(records, s.old);
  }
};
MAGPIE_REGION(remembers_a_slot_given_back)
