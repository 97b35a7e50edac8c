/// @file
/// A list whose links have a stamp below the number: one item pushes a node, and others pop it and forget its slot.
// arguments: lists=objects:1 head=[3] next=[25345,1,257,513,0,0,0,0] slots=pool:8:4
// items: 4
// expect: leak at slots
// recorded: nothing (what is lost changes no result)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct pops_stamped_links {
  magpie::stm::objects lists;
  magpie::array<std::uint32_t> head;
  magpie::array<std::uint32_t> next;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 2;
  static constexpr std::uint32_t max_slots[] = {1};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item == 0 && !tx.reserve(slots, 1)) return outcome::retry;
    const auto list = tx.open(lists, 0);
    std::uint32_t first = 0, second = 0;
    if (!tx.read(list, &head[0], first)) return outcome::retry;
    if (item == 0) {
      const std::uint32_t slot = tx.take(slots);
      if (!tx.write(list, &next[slot], first << 8 | 1) || !tx.write(list, &head[0], slot)) return outcome::retry;
    } else {
      if (first < 4) return outcome::cancel;
      if (!tx.read(list, &next[first], second)) return outcome::retry;
      if (!tx.write(list, &head[0], second >> 8)) return outcome::retry;  // here
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(pops_stamped_links)
