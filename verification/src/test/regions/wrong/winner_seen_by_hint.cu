/// @file
/// The first to come wins. Who sees by a hint that there is a winner cancels without looking again: a winner stays, and no
/// schedule shows a difference.
// arguments: seats=objects:1 winner=zeros:1
// items: 3
// expect: unchecked hint at winner
// recorded: unguarded access or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct winner_seen_by_hint {
  magpie::stm::objects seats;
  magpie::array<std::uint32_t> winner;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (tx.glance(&winner[0]) != 0) return outcome::cancel;  // here
    const auto seat = tx.open(seats, 0);
    std::uint32_t now = 0;
    if (!tx.read(seat, &winner[0], now)) return outcome::retry;
    if (now != 0) return outcome::cancel;
    return tx.write(seat, &winner[0], item + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(winner_seen_by_hint)
