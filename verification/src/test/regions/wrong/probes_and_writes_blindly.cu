/// @file
/// A hash table with open addressing: the free cell is found by hints, claimed, and written without another look.
// arguments: keys=zeros:4
// items: 3
// expect: unchecked hint at keys.data
// recorded: wrong result at keys.data or nothing (the order decides where keys go)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct probes_and_writes_blindly {
  magpie::stm::guarded<std::uint64_t> keys;  // 0: free

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr bool order_dependent = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t key = (1ull << 40) + item;
    std::uint32_t at = static_cast<std::uint32_t>(key % 4);
    if (item == 2) at = 0;
    for (std::uint32_t probes = 0; probes < 4; ++probes) {
      if (tx.glance(keys, at) == 0) {  // here
        MAGPIE_TRY(tx.set(keys, at, key));
        return outcome::commit;
      }
      at = (at + 1) % 4;
    }
    return outcome::cancel;
  }
};
MAGPIE_REGION(probes_and_writes_blindly)
