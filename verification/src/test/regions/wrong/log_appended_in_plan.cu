/// @file
/// An entry of a shared log is appended in plan, once for each attempt.
// arguments: cells=objects:2 values=zeros:2 log=zeros:64 length=zeros:1
// items: 4
// expect: effect not undone at length
// recorded: wrong result at log or not repeatable
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct log_appended_in_plan {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> log;
  std::uint32_t* length;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;

  struct state {
    magpie::stm::handle cell;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    log[magpie::add_rlx_dev(length, 1) % 64] = item;  // here
    s.cell = tx.open(cells, item % 2);
    return s.cell ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.cell, &values[item % 2], tx.load(s.cell, &values[item % 2]) + 1);
  }
};
MAGPIE_REGION(log_appended_in_plan)
