/// @file
/// Failed attempts are counted in rolled_back by a plain increment of a shared word.
// arguments: cells=objects:1 values=zeros:1 failures=zeros:1
// items: 3
// expect: shared hook at failures
// recorded: nothing (what rolled_back writes is not compared)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct hook_counts_failures {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> failures;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t) const {
    const auto cell = tx.open(cells, 0);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[0], value)) return outcome::retry;
    if (!tx.write(cell, &values[0], value + 1)) return outcome::retry;
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx&, std::uint32_t) const {
    ++failures[0];  // here
  }
};
MAGPIE_REGION(hook_counts_failures)
