/// @file
/// As on_call.cu, but the colleague is read past the transaction.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Item i is doctor i, whose colleague is doctor i ^ 1.
struct leave {
  magpie::stm::guarded<std::uint32_t> on_call;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (magpie::ld_rlx_dev(&on_call.unguarded(item ^ 1u)) == 0) return outcome::cancel;
    MAGPIE_TRY(tx.set(on_call, item, 0));
    return outcome::commit;
  }
};
MAGPIE_REGION(leave)
