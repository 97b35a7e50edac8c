/// @file
/// A key takes the first of two nests, and the key that was there goes to the other one: for ever if there are three. From the third
/// kick on, an attempt reads what it has written itself.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct kicks_for_ever {
  magpie::stm::guarded<std::uint32_t> nests;  // in each a key, or 0

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t key = item + 1;
    for (std::uint32_t nest = 0; key != 0; nest = 1 - nest) {
      const std::uint32_t kicked = MAGPIE_TRY(tx.get(nests, nest));
      MAGPIE_TRY(tx.set(nests, nest, key));  // here
      key = kicked;
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(kicks_for_ever)
