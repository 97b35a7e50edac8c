/// @file
/// Slots are known by their numbers with a generation above them; who replaces one frees it, in another order than they
/// were taken.
// arguments: desks=objects:2 held=fill:65535:2 notes=zeros:8 born=zeros:8 slots=pool:8
// items: 6
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct number_with_a_generation {
  magpie::stm::objects desks;
  magpie::array<std::uint32_t> held;
  magpie::array<std::uint32_t> notes;
  magpie::array<std::uint32_t> born;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle desk;
    std::uint32_t before, slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (!tx.reserve(slots, 1)) return outcome::retry;
    s.desk = tx.open(desks, item % 2);
    s.slot = tx.take(slots);
    return tx.read(s.desk, &held[item % 2], s.before) ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    const std::uint32_t generation = tx.load(s.desk, &born[s.slot]) + 3;
    tx.store(s.desk, &born[s.slot], generation);
    tx.store(s.desk, &notes[s.slot], 70 + item);
    tx.store(s.desk, &held[item % 2], generation << 16 | s.slot);
    if ((s.before & 0xffff) != 0xffff) tx.free(slots, s.before & 0xffff);
  }
};
MAGPIE_REGION(number_with_a_generation)
