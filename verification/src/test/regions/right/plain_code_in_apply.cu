/// @file
/// In apply the data of locked objects are changed by plain code.
// arguments: cells=objects:4 values=fill:5:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct plain_code_in_apply {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;

  struct state {
    magpie::stm::handle cell;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.cell = tx.open(cells, item / 2);
    return s.cell ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.cell, &values[item / 2], tx.load(s.cell, &values[item / 2]) + 1);
    magpie::st_rlx_dev(&values[2 + item / 2], item);
  }
};
MAGPIE_REGION(plain_code_in_apply)
