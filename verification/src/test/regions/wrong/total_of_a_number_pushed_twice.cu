/// @file
/// Each task has a total of its own, which its item changes past the transaction; but two items of a round push the same task.
// arguments: totals=zeros:4 boxes=zeros:8 slots=pool:8
// items: 2
// expect: unguarded access at totals
// recorded: unguarded access at totals or wrong result or nothing (whether two items meet)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct total_of_a_number_pushed_twice {
  magpie::array<std::uint32_t> totals;  // of each task
  magpie::stm::guarded<std::uint32_t> boxes;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item < 2) {
      MAGPIE_TRY(tx.open(boxes, item));
      return tx.push(2) ? outcome::commit : outcome::retry;
    }
    MAGPIE_TRY(tx.reserve(slots, 1));
    s.slot = tx.take(slots);
    MAGPIE_TRY(tx.open(boxes, s.slot));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item < 2) return;
    tx.store(boxes, s.slot, item + 7);
    totals[item] = totals[item] + 1;  // here
  }
};
MAGPIE_REGION(total_of_a_number_pushed_twice)
