/// @file
/// The hook counts an item's failures in a row of its own; after the fourth the item cancels.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct gives_up_after_failures {
  magpie::stm::objects rooms;
  magpie::array<std::uint32_t> guests;
  magpie::array<std::uint32_t> failures;  // of each item

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (failures[item] > 4) return outcome::cancel;  // here
    const std::uint32_t from = item % 2, to = 1 - from;
    const auto left = tx.open(rooms, from), entered = tx.open(rooms, to);
    std::uint32_t here = 0, there = 0;
    if (!tx.read(left, &guests[from], here) || !tx.read(entered, &guests[to], there)) return outcome::retry;
    if (!tx.write(left, &guests[from], here - 1) || !tx.write(entered, &guests[to], there + 1)) return outcome::retry;
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx&, std::uint32_t item) const {
    ++failures[item];
  }
};
MAGPIE_REGION(gives_up_after_failures)
