/// @file
/// Each item takes a slot for a note, and frees that of its neighbor, by a number that it only glances at.
// arguments: desks=objects:3 notes=zeros:12 held=fill:99:3 slots=pool:12
// items: 3
// expect: foreign free at slots
// recorded: unguarded access or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct frees_the_neighbors_slot {
  magpie::stm::objects desks;
  magpie::array<std::uint32_t> notes;
  magpie::array<std::uint32_t> held;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle desk;
    std::uint32_t slot, other;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (!tx.reserve(slots, 1)) return outcome::retry;
    s.desk = tx.open(desks, item);
    s.other = tx.glance(&held[(item + 2) % 3]);
    s.slot = tx.take(slots);
    return s.desk ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.desk, &notes[s.slot], item + 100);
    tx.store(s.desk, &held[item], s.slot);
    if (s.other < 12) tx.free(slots, s.other);  // here
  }
};
MAGPIE_REGION(frees_the_neighbors_slot)
