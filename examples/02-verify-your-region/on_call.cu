/// @file
/// Doctors who are on call in pairs and want to leave: one of each pair must stay.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Item i is doctor i, whose colleague is doctor i ^ 1.
struct leave {
  magpie::stm::guarded<std::uint32_t> on_call;  // of each doctor: 1 while she is

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    // The colleague is only looked at, not changed: so she need not be opened, and nobody has to wait.
    if (tx.peek(on_call, item ^ 1u) == 0) return outcome::cancel;
    MAGPIE_TRY(tx.set(on_call, item, 0));
    return outcome::commit;
  }
};
MAGPIE_REGION(leave)
