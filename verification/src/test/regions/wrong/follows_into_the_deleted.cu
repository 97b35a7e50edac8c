/// @file
/// An element is deleted by its own item, and the one before it, which still refers to it, adds up what it had.
// arguments: nodes=objects:4 next=[1,2,3,0] weights=[5,6,7,8] sums=zeros:4 slots=pool:4:4
// items: 4
// expect: use after free at slots
// recorded: nothing (run alone, an item does the same)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct follows_into_the_deleted {
  magpie::stm::objects nodes;
  magpie::array<std::uint32_t> next;
  magpie::array<std::uint32_t> weights;
  magpie::array<std::uint32_t> sums;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle node;
    std::uint32_t weight;
  };

  // Odd items delete their element, even ones add the weight of the next.
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.node = tx.open(nodes, item);
    std::uint32_t after = 0;
    if (!tx.read(s.node, &next[item], after)) return outcome::retry;
    if (item % 2 != 0) return outcome::commit;
    const auto other = tx.open(nodes, after);
    return tx.read(other, &weights[after], s.weight) ? outcome::commit : outcome::retry;  // here
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item % 2 != 0) {
      tx.free(slots, item);
    } else {
      tx.store(s.node, &sums[item], s.weight);
    }
  }
};
MAGPIE_REGION(follows_into_the_deleted)
