/// @file
/// As on_call_fixed.cu, but with the wrong colleague: each transaction is right, and what they do together is not. What must
/// hold of the data is stated beside it.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Item i is doctor i, whose colleague is doctor i ^ 1, and who asks the next one.
struct leave {
  magpie::stm::objects doctors;
  magpie::array<std::uint32_t> on_call;

  static constexpr std::uint32_t max_objects = 2, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t colleague = static_cast<std::uint32_t>((item + 1u) % on_call.size());
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
