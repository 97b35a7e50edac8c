/// @file
/// Transactions of eight accesses by datum, to measure how fast they are checked.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Item i reads data `place[8 * i]` to `place[8 * i + 3]` and writes the next four, each under the datum's own object.
struct eight_accesses {
  magpie::stm::guarded<std::uint32_t> data;
  magpie::array<const std::uint32_t> place;  // eight of each item

  static constexpr std::uint32_t max_objects = 8, max_writes = 4;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t sum = item;
    for (std::uint32_t i = 0; i < 4; ++i) sum += MAGPIE_TRY(tx.get(data, place[8 * item + i]));
    for (std::uint32_t i = 4; i < 8; ++i) MAGPIE_TRY(tx.set(data, place[8 * item + i], sum + i));
    return outcome::commit;
  }
};
MAGPIE_REGION(eight_accesses)
