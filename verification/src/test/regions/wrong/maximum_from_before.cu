/// @file
/// The maximum is compared before the object is opened, and written if it was smaller then.
// arguments: tops=objects:1 top=zeros:1 keys=[3,7,5]
// items: 3
// expect: unguarded access at top
// recorded: unguarded access or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct maximum_from_before {
  magpie::stm::objects tops;
  std::uint32_t* top;
  magpie::array<const std::uint32_t> keys;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (*top >= keys[item]) return outcome::cancel;  // here
    const auto all = tx.open(tops, 0);
    if (!tx.write(all, top, keys[item])) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(maximum_from_before)
