/// @file
/// Item 1 waits, claim in hand, until item 0 has said so.
// arguments: cells=objects:4 values=fill:5:4 flag=zeros:1
// items: 2
// expect: wait at flag
// recorded: nothing (in the serial order of a run nobody waits)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct waits_for_another {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> flag;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    if (item == 1) {
      while (magpie::ld_acq_dev(&flag[0]) == 0) magpie::pause(1);  // here
    }
    if (!tx.write(own, &values[item], 1)) return outcome::retry;
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item) const {
    if (item == 0) magpie::or_rlx_dev(&flag[0], 1);
  }
};
MAGPIE_REGION(waits_for_another)
