/// @file
/// A record is filled for each shelf, or given back where the shelf has one; either is pushed, to be used in the next round.
// arguments: shelves=[99,8] load=zeros:12 records=pool:12:1
// items: 1
// expect: use after free at records
// recorded: nothing (run alone, items do the same)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct pushes_a_slot_given_back {
  magpie::stm::guarded<std::uint32_t> shelves;
  magpie::stm::guarded<std::uint32_t> load;  // of each record
  magpie::stm::pool<0> records;

  static constexpr std::uint32_t max_objects = 5, max_writes = 5, max_pushes = 2;
  static constexpr std::uint32_t max_slots[] = {2};
  static constexpr std::uint32_t none = 99;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.set(load, item, 70 + item));  // here
    if (item > 0) return outcome::commit;       // pushed by the round before
    MAGPIE_TRY(tx.reserve(records, 2));
    std::uint32_t added[2];
    const auto add = [this, &added](std::uint32_t i) {
      return [this, &added, i](auto& within) -> outcome {
        added[i] = within.take(records);
        MAGPIE_TRY(within.set(load, added[i], 1));
        if (MAGPIE_TRY(within.get(shelves, i)) != none) return outcome::cancel;
        MAGPIE_TRY(within.set(shelves, i, added[i]));
        return outcome::commit;
      };
    };
    const auto nothing = [](auto&) { return outcome::commit; };
    for (std::uint32_t i = 0; i < 2; i++) {
      const outcome ended = tx.or_else(add(i), nothing);
      if (ended != outcome::commit) return ended;
      if (!tx.push(added[i])) return outcome::retry;
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(pushes_a_slot_given_back)
