/// @file
/// The least key so far is kept by an atomic operation in apply: any order gives the same.
// arguments: cells=objects:4 keys=[5,3,4,9] least=fill:99:1
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct least_by_an_atomic {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> keys;
  magpie::array<std::uint32_t> least;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;

  struct state {
    magpie::stm::handle cell;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.cell = tx.open(cells, item);
    return s.cell ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    magpie::min_rlx_dev(&least[0], tx.load(s.cell, &keys[item]));
  }
};
MAGPIE_REGION(least_by_an_atomic)
