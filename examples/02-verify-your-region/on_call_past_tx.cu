/// @file
/// As on_call.cu, but the colleague is read past the transaction.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Item i is doctor i, whose colleague is doctor i ^ 1.
struct leave {
  magpie::stm::objects doctors;
  magpie::array<std::uint32_t> on_call;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(doctors, item);
    if (magpie::ld_rlx_dev(&on_call[item ^ 1u]) == 0) return outcome::cancel;
    if (!tx.write(own, &on_call[item], 0)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(leave)
