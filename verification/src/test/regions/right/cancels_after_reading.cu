/// @file
/// Items look at what another one changes, and cancel by it: a cancel is a result like any other.
// arguments: gates=objects:2 open=[1,0] passed=zeros:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct cancels_after_reading {
  magpie::stm::objects gates;
  magpie::array<std::uint32_t> open;
  magpie::array<std::uint32_t> passed;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto gate = tx.open(gates, 0);
    const auto count = tx.open(gates, 1);
    std::uint32_t is_open = 0, through = 0;
    if (!tx.read(gate, &open[0], is_open) || !tx.read(count, &passed[0], through)) return outcome::retry;
    if (is_open == 0) return outcome::cancel;
    if (!tx.write(count, &passed[0], through + 1)) return outcome::retry;
    if (item == 2 && !tx.write(gate, &open[0], 0)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(cancels_after_reading)
