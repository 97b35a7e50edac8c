/// @file
/// Doctors who are on call in pairs and want to leave: one of each pair must stay.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Item i is doctor i, whose colleague is doctor i ^ 1.
struct leave {
  magpie::stm::objects doctors;          // one object for each doctor
  magpie::array<std::uint32_t> on_call;  // 1 while she is

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t colleague = item ^ 1u;
    const auto own = tx.open(doctors, item);
    // The colleague is only looked at, not changed: so she need not be opened, and nobody has to wait.
    if (tx.peek(doctors, colleague, &on_call[colleague]) == 0) return outcome::cancel;
    if (!tx.write(own, &on_call[item], 0)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(leave)
