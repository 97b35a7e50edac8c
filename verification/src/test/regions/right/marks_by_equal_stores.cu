/// @file
/// Who commits marks its cell and the next one, in the hook: all store the same, and nobody reads it before the launch has
/// ended.
// arguments: cells=objects:4 values=fill:5:4 marked=zeros:5
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct marks_by_equal_stores {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> marked;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, item / 2);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[item / 2], value)) return outcome::retry;
    if (!tx.write(cell, &values[item / 2], value + 1)) return outcome::retry;
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item) const {
    magpie::st_rlx_dev(&marked[item], 1u);
    magpie::st_rlx_dev(&marked[item + 1], 1u);
  }
};
MAGPIE_REGION(marks_by_equal_stores)
