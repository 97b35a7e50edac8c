/// @file
/// Two items take the same element out of service, and each frees its slot.
// arguments: nodes=objects:8 alive=fill:1:8 slots=pool:8:4
// items: 4
// expect: double free at slots
// recorded: fault at slots
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct frees_a_slot_twice {
  magpie::stm::objects nodes;
  magpie::array<std::uint32_t> alive;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle node;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.node = tx.open(nodes, item / 2);
    return s.node ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.node, &alive[item / 2], 0);
    tx.free(slots, item / 2);  // here
  }
};
MAGPIE_REGION(frees_a_slot_twice)
