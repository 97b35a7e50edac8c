/// @file
/// What is written depends on a peek at the neighbor, of which nobody looks whether it still holds.
// arguments: cells=objects:2 values=[1,2]
// items: 2
// expect: unchecked hint at values
// recorded: wrong result at values or unguarded access at values
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct peek_chooses_the_sum {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr auto reads = magpie::stm::reads::unvalidated;

  struct state {
    magpie::stm::handle own;
    std::uint32_t other;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.own = tx.open(cells, item);
    s.other = tx.glance(&values[item ^ 1u]);  // here
    return s.own ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.own, &values[item], tx.load(s.own, &values[item]) + s.other);
  }
};
MAGPIE_REGION(peek_chooses_the_sum)
