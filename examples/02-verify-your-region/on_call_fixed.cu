/// @file
/// As on_call.cu, without its bug.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Item i is doctor i, whose colleague is doctor i ^ 1.
struct leave {
  magpie::stm::objects doctors;
  magpie::array<std::uint32_t> on_call;

  static constexpr std::uint32_t max_objects = 2, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t colleague = item ^ 1u;
    const auto own = tx.open(doctors, item);
    const auto other = tx.open(doctors, colleague);
    std::uint32_t stays = 0;
    if (!tx.read(other, &on_call[colleague], stays)) return outcome::retry;
    if (stays == 0) return outcome::cancel;
    if (!tx.write(own, &on_call[item], 0)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(leave)
