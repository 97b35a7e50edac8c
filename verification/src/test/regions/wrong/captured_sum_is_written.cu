/// @file
/// What an inner transaction adds to a local of the outer one is counted again when it is tried again.
// arguments: boxes=objects:3 weights=[4,5,6] totals=zeros:3
// items: 3
// expect: not repeatable at totals
// recorded: not repeatable at totals
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct captured_sum_is_written {
  magpie::stm::objects boxes;
  magpie::array<std::uint32_t> weights;
  magpie::array<std::uint32_t> totals;

  static constexpr std::uint32_t max_objects = 4, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(boxes, item);
    std::uint32_t total = 0;
    const outcome inner = tx.inner(3, [&](auto& within) {
      for (std::uint32_t i = 0; i < 3; ++i) {
        std::uint32_t weight = 0;
        if (!within.read(within.open(boxes, i), &weights[i], weight)) return outcome::retry;
        total += weight;
      }
      return outcome::commit;
    });
    if (inner == outcome::retry) return inner;
    if (!tx.write(own, &totals[item], total)) return outcome::retry;  // here
    return outcome::commit;
  }
};
MAGPIE_REGION(captured_sum_is_written)
