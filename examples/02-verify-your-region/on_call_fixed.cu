/// @file
/// As on_call.cu, without its bug.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Item i is doctor i, whose colleague is doctor i ^ 1.
struct leave {
  magpie::stm::guarded<std::uint32_t> on_call;

  static constexpr std::uint32_t max_objects = 2, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (MAGPIE_TRY(tx.get(on_call, item ^ 1u)) == 0) return outcome::cancel;
    MAGPIE_TRY(tx.set(on_call, item, 0));
    return outcome::commit;
  }
};
MAGPIE_REGION(leave)
