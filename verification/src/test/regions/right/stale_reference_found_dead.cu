/// @file
/// Every item knows the element by a number of its own, and looks whether it is still there; one takes it away.
// arguments: nodes=objects:4 known=[2,2,2] alive=fill:1:4 uses=zeros:4 slots=pool:4:3
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct stale_reference_found_dead {
  magpie::stm::objects nodes;
  magpie::array<const std::uint32_t> known;
  magpie::array<std::uint32_t> alive;
  magpie::array<std::uint32_t> uses;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle node;
    std::uint32_t count;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.node = tx.open(nodes, known[item]);
    std::uint32_t lives = 0;
    if (!tx.read(s.node, &uses[known[item]], s.count)) return outcome::retry;
    if (!tx.read(s.node, &alive[known[item]], lives)) return outcome::retry;
    return lives != 0 ? outcome::commit : outcome::cancel;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item == 1) {
      tx.store(s.node, &alive[known[item]], 0);
      tx.free(slots, known[item]);
    } else {
      tx.store(s.node, &uses[known[item]], s.count + 1);
    }
  }
};
MAGPIE_REGION(stale_reference_found_dead)
