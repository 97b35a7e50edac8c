/// @file
/// Commits are counted before they are commits.
// arguments: cells=objects:4 values=fill:5:4 hits=zeros:1
// items: 3
// expect: effect not undone at hits
// recorded: not repeatable at hits or wrong result at hits
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct counts_in_body {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> hits;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, 0);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[0], value)) return outcome::retry;
    magpie::add_rlx_dev(&hits[0], 1);  // here
    if (!tx.write(cell, &values[0], value + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(counts_in_body)
