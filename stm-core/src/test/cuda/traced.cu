/// @file
/// Accesses of all kinds, for tests of what a trace has.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct pair_of_words {
  std::uint32_t first, second;
};

/// Item i is at cell i and writes cell i + 1.
struct touch {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint64_t> sums;
  const std::uint32_t* extra;
  std::uint32_t* pairs;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, item);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[item], value)) return outcome::retry;
    value += values[item + 4];
    value += *(extra + item);
    sums[item] = value;
    const pair_of_words two{value, item};
    reinterpret_cast<pair_of_words*>(pairs)[item] = two;
    value += tx.glance(&values[0]);
    tx.tally(&sums[7], 1);
    magpie::add_rlx_dev(&values[9], 1);
    if (!tx.write(cell, &values[item], value)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(touch)
