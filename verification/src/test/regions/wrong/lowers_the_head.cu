/// @file
/// A stack whose nodes are in the order of their numbers: who pops one lowers the head by one, and forgets the node.
// arguments: lists=objects:1 head=[3] next=[99,0,1,2,0,0,0,0] slots=pool:8:4
// items: 4
// expect: leak at slots
// recorded: nothing (what is lost changes no result)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct lowers_the_head {
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
    std::uint32_t first = 0;
    if (!tx.read(list, &head[0], first)) return outcome::retry;
    if (item == 0) {
      const std::uint32_t slot = tx.take(slots);  // here
      if (!tx.write(list, &next[slot], first) || !tx.write(list, &head[0], slot)) return outcome::retry;
    } else {
      if (first < 4) return outcome::cancel;
      if (!tx.write(list, &head[0], first - 1)) return outcome::retry;
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(lowers_the_head)
