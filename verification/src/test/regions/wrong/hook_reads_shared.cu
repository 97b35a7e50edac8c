/// @file
/// The hook reads what other transactions write.
// arguments: cells=objects:4 values=fill:5:4 seen=zeros:4
// items: 4
// expect: shared hook at values
// recorded: wrong result at seen
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct hook_reads_shared {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> seen;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, 0);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[0], value)) return outcome::retry;
    if (!tx.write(cell, &values[0], value + 1)) return outcome::retry;
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item) const {
    seen[item] = values[0];  // here
  }
};
MAGPIE_REGION(hook_reads_shared)
