/// @file
/// A hint says whether the maximum is likely to grow; what is done follows from what is read under the claim.
// arguments: cells=objects:1 most=zeros:1
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct hints_looked_at_again {
  magpie::stm::objects cells;
  magpie::array<std::uint64_t> most;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t mine = item + 1;
    const bool is_likely = tx.glance(&most[0]) < mine;
    const auto cell = tx.open(cells, 0);
    std::uint64_t now = 0;
    if (!tx.read(cell, &most[0], now)) return outcome::retry;
    if (is_likely != (now < mine)) return outcome::retry;
    if (!is_likely) return outcome::cancel;
    return tx.write(cell, &most[0], mine) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(hints_looked_at_again)
