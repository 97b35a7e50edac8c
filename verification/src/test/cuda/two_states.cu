/// @file
/// Two data of one object that are always equal: the second is read past the transaction, so an attempt that has lost the
/// object meanwhile goes on with two different ones.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct two_states {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> places;
  magpie::array<const std::uint32_t> unused;

  static constexpr std::uint32_t max_objects = 1, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, 0);
    std::uint32_t first = 0;
    if (!tx.read(own, &values[0], first)) return outcome::retry;
    if (item % 2 == 0) {  // adds 1 to both
      if (!tx.write(own, &values[0], first + 1)) return outcome::retry;
      if (!tx.write(own, &values[1], first + 1)) return outcome::retry;
      return outcome::commit;
    }
    std::uint32_t nothing = 0;  // takes a while, in which others get in between
    for (std::uint32_t i = 0; i < unused.size(); ++i) nothing += magpie::ld_rlx_dev(&unused[i]);
    const std::uint32_t second = values[1];
    if (!tx.write(own, &places[second == first ? nothing : 1], first)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(two_states)
