/// @file
/// As on_call_fixed.cu, but with the wrong colleague: each transaction is right, and what they do together is not. What must
/// hold of the data is stated beside it.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Item i is doctor i, whose colleague is doctor i ^ 1, and who asks the next one.
struct leave {
  magpie::stm::guarded<std::uint32_t> on_call;

  static constexpr std::uint32_t max_objects = 2, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (MAGPIE_TRY(tx.get(on_call, (item + 1u) % on_call.size())) == 0) return outcome::cancel;
    MAGPIE_TRY(tx.set(on_call, item, 0));
    return outcome::commit;
  }
};
MAGPIE_REGION(leave)

/// One doctor of each pair stays. Whole pairs only.
struct one_stays {
  magpie::array<const std::uint32_t> on_call;
  magpie::array<std::uint32_t> violations;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (std::uint32_t pair : self.items(on_call.size() / 2)) {
      if (on_call[2 * pair] == 0 && on_call[2 * pair + 1] == 0) magpie::violated(violations, pair);
    }
  }
};
MAGPIE_KERNEL(one_stays)
