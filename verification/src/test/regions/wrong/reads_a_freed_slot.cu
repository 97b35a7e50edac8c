/// @file
/// The head of a list is freed and stays the head: the next item adds up what was freed.
// arguments: lists=objects:1 nodes=objects:6 head=[2] next=[0,0,1,0,0,0] keys=iota:6 sums=zeros:3 slots=pool:6:3
// items: 2
// expect: use after free at keys
// recorded: nothing (run alone, an item does the same)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct reads_a_freed_slot {
  magpie::stm::objects lists;
  magpie::stm::objects nodes;
  magpie::array<std::uint32_t> head;
  magpie::array<std::uint32_t> next;
  magpie::array<std::uint32_t> keys;
  magpie::array<std::uint32_t> sums;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle list, node;
    std::uint32_t first, key;
  };

  // Item 0 drops the first element, item 1 notes its key.
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.list = tx.open(lists, 0);
    if (!tx.read(s.list, &head[0], s.first)) return outcome::retry;
    s.node = tx.open(nodes, s.first);
    if (item == 1 && !tx.read(s.node, &keys[s.first], s.key)) return outcome::retry;  // here
    return s.node ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item == 1) {
      tx.store(s.list, &sums[0], s.key);
    } else {
      tx.free(slots, s.first);
    }
  }
};
MAGPIE_REGION(reads_a_freed_slot)
