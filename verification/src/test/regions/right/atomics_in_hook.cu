/// @file
/// Commits are counted in the hook, by an atomic operation.
// arguments: cells=objects:4 values=fill:5:4 count=zeros:1
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct atomics_in_hook {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> count;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, item / 2);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[item / 2], value)) return outcome::retry;
    if (!tx.write(cell, &values[item / 2], value + 1)) return outcome::retry;
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t) const {
    magpie::add_rlx_dev(&count[0], 1);
  }
};
MAGPIE_REGION(atomics_in_hook)
