/// @file
/// Items replace the note on a desk by one of their own, in a new slot, free that of the old one, and come back for two more
/// rounds.
// arguments: desks=objects:2 held=fill:99:2 notes=zeros:16 slots=pool:16
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct notes_replaced_each_round {
  magpie::stm::objects desks;
  magpie::array<std::uint32_t> held;  // of each desk: the slot of its note
  magpie::array<std::uint32_t> notes;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle desk;
    std::uint32_t before, slot, note;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (!tx.reserve(slots, 1)) return outcome::retry;
    s.desk = tx.open(desks, item % 2);
    if (!tx.read(s.desk, &held[item % 2], s.before)) return outcome::retry;
    s.note = 0;
    if (s.before != 99 && !tx.read(s.desk, &notes[s.before], s.note)) return outcome::retry;
    s.slot = tx.take(slots);
    return item >= 8 || tx.push(item + 4) ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.desk, &notes[s.slot], 2 * s.note + item);
    tx.store(s.desk, &held[item % 2], s.slot);
    if (s.before != 99) tx.free(slots, s.before);
  }
};
MAGPIE_REGION(notes_replaced_each_round)
