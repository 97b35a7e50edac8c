/// @file
/// A box passes from one object to another, in a transaction that holds both.
// arguments: cells=objects:4 values=fill:0:4 box=zeros:1
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct handed_over {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> box;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    // values[0]: which object guards the box, itself guarded by object 0.
    const auto owner = tx.open(cells, 0);
    std::uint32_t which = 0, inside = 0;
    if (!tx.read(owner, &values[0], which)) return outcome::retry;
    const auto guard = tx.open(cells, 1 + which);
    if (!tx.read(guard, &box[0], inside)) return outcome::retry;
    if (!tx.write(guard, &box[0], inside + 1)) return outcome::retry;
    if (!tx.write(owner, &values[0], which ^ 1u)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(handed_over)
