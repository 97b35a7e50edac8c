/// @file
/// The numbers of two slots stand among other bits, side by side in one word; who replaces them frees both.
// arguments: desks=objects:2 held=fill:-1:2 first=fill:-1:2 notes=zeros:12 slots=pool:12
// items: 5
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct numbers_side_by_side {
  magpie::stm::objects desks;
  magpie::array<std::uint64_t> held;   // of each desk: two numbers, each times 4 plus its place
  magpie::array<std::uint32_t> first;  // of each desk: the first of them
  magpie::array<std::uint32_t> notes;  // of each slot
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {2};
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};

  struct state {
    magpie::stm::handle desk;
    std::uint64_t before;
    std::uint32_t one, other;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (!tx.reserve(slots, 2)) return outcome::retry;
    s.one = tx.take(slots);
    s.other = tx.take(slots);
    s.desk = tx.open(desks, item % 2);
    return tx.read(s.desk, &held[item % 2], s.before) ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.desk, &notes[s.one], 70 + item);
    tx.store(s.desk, &notes[s.other], 80 + item);
    tx.store(s.desk, &held[item % 2], std::uint64_t{4 * s.other + 1} << 32 | 4 * s.one);
    tx.store(s.desk, &first[item % 2], 4 * s.one);
    if (s.before == nothing) return;
    tx.free(slots, static_cast<std::uint32_t>(s.before) / 4);
    tx.free(slots, static_cast<std::uint32_t>(s.before >> 32) / 4);
  }
};
MAGPIE_REGION(numbers_side_by_side)
