/// @file
/// Items report what they did in elements of their own; one of them has the number of a slot that was seen by a hint, and is
/// freed meanwhile.
// arguments: cells=objects:2 top=[2] next=[0,0,1] votes=zeros:1 done=zeros:3 nodes=pool:3:3
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Items 0 and 1 take the topmost node off a stack, at whose end is node 0; item 2 votes.
struct result_by_its_item {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> top;
  magpie::array<std::uint32_t> next;  // of each node
  magpie::array<std::uint32_t> votes;
  magpie::array<std::uint32_t> done;  // of each item
  magpie::stm::pool<0> nodes;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle cell;
    std::uint32_t node, after;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item == 2) {
      magpie::prefetch(&next[tx.glance(&top[0])]);
      s.cell = tx.open(cells, 1);
      return s.cell ? outcome::commit : outcome::retry;
    }
    s.cell = tx.open(cells, 0);
    if (!tx.read(s.cell, &top[0], s.node) || !tx.read(s.cell, &next[s.node], s.after)) return outcome::retry;
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item == 2) {
      tx.store(s.cell, &votes[0], tx.load(s.cell, &votes[0]) + 1);
    } else {
      tx.store(s.cell, &top[0], s.after);
      tx.free(nodes, s.node);
    }
    magpie::st_plain(&done[item], 1u);
  }
};
MAGPIE_REGION(result_by_its_item)
