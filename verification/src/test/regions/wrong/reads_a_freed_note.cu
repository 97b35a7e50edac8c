/// @file
/// Items know their notes by a number of their own; one is freed, and read by the others like those that are not. Many reads
/// of one kind are each told by their own lines.
// arguments: known=[4,3,2] mine=iota:3 mine.guards=objects:3 next=[0,0,0,1,3,0] owner=iota:6 owner.guards=next.guards left=zeros:3 left.guards=mine.guards notes=pool:6:5
// items: 3
// expect: use after free at owner.data
// recorded: nothing (run alone, an item does the same)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct reads_a_freed_note {
  magpie::array<const std::uint32_t> known;
  magpie::stm::guarded<std::uint32_t> mine, next, owner, left;
  magpie::stm::pool<0> notes;

  static constexpr std::uint32_t max_objects = 8, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t sum;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.sum = MAGPIE_TRY(tx.get(mine, item));
    s.sum += MAGPIE_TRY(tx.get(left, item));
    if (item == 0) {
      s.sum += MAGPIE_TRY(tx.get(next, 4));
      s.sum += MAGPIE_TRY(tx.get(owner, 4));
      return outcome::commit;
    }
    for (std::uint32_t note = known[item]; note != 0; note = MAGPIE_TRY(tx.get(next, note))) {
      s.sum += MAGPIE_TRY(tx.get(mine, note % 3));
    }
    if (MAGPIE_TRY(tx.get(owner, 4)) == item) return outcome::cancel;  // here
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item == 0) {
      tx.free(notes, 4);
    } else {
      tx.store(left, item, s.sum);
    }
  }
};
MAGPIE_REGION(reads_a_freed_note)
