/// @file
/// Each item keeps what it computed of its input in its own cell, and computes it only if it is not there.
// arguments: sum=[0] inputs=iota:4 memo=zeros:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct keeps_a_memo {
  magpie::stm::guarded<std::uint32_t> sum;
  magpie::array<const std::uint32_t> inputs;
  magpie::array<std::uint32_t> memo;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t value = memo[item];
    if (value == 0) {
      value = 1 + inputs[item] * inputs[item];
      memo[item] = value;
    }
    MAGPIE_TRY(tx.set(sum, 0, value + MAGPIE_TRY(tx.get(sum, 0))));
    return outcome::commit;
  }
};
MAGPIE_REGION(keeps_a_memo)
