/// @file
/// A seat is taken if the sum of all seats, read past the transaction in plan, is below a limit.
// arguments: seats=objects:4 taken=zeros:4 limit=1
// items: 3
// expect: unguarded access at taken
// recorded: wrong result or unguarded access
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct seats_counted_past_tx {
  magpie::stm::objects seats;
  magpie::array<std::uint32_t> taken;
  std::uint32_t limit;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;

  struct state {
    magpie::stm::handle seat;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.seat = tx.open(seats, item);
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < taken.length; ++i) sum += taken[i];  // here
    if (sum >= limit) return outcome::cancel;
    return s.seat ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.seat, &taken[item], 1);
  }
};
MAGPIE_REGION(seats_counted_past_tx)
