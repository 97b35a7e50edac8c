/// @file
/// In apply a neighbor that was not opened is stored to.
// arguments: cells=objects:4 values=fill:5:4
// items: 4
// expect: guard mismatch at values
// recorded: guard mismatch at values
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct store_under_another_object {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;

  struct state {
    magpie::stm::handle own;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.own = tx.open(cells, item);
    return s.own ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.own, &values[item], item);
    tx.store(s.own, &values[(item + 1) % 4], item);  // here
  }
};
MAGPIE_REGION(store_under_another_object)
