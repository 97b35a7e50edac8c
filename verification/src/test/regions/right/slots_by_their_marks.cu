/// @file
/// Nothing refers to the slots: their own marks say which are in use, and a counter how many.
// arguments: sizes=objects:1 particles=objects:8 size=zeros:1 marks=zeros:8 places=zeros:8 slots=pool:8
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct slots_by_their_marks {
  magpie::stm::objects sizes;
  magpie::stm::objects particles;
  magpie::array<std::uint32_t> size;
  magpie::array<std::uint32_t> marks;
  magpie::array<std::uint32_t> places;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 3;
  static constexpr std::uint32_t max_slots[] = {2};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (!tx.reserve(slots, 1)) return outcome::retry;
    const std::uint32_t slot = tx.take(slots);
    const auto all = tx.open(sizes, 0);
    const auto particle = tx.open(particles, slot);
    std::uint32_t count = 0;
    if (!tx.read(all, &size[0], count) || !tx.write(all, &size[0], count + 1)) return outcome::retry;
    if (!tx.write(particle, &marks[slot], 1) || !tx.write(particle, &places[slot], 40 + item)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(slots_by_their_marks)
