// Regions of which one reads past its transaction, and the others do not.
#define MAGPIE_ONLY_FIXED_LOGS
#include "magpie/stm.cuh"

/// Adds 1 to its own datum.
struct moves {
  magpie::stm::objects cells;
  magpie::array<std::int32_t> value;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    std::int32_t x;
    if (!tx.read(own, &value[item], x)) return magpie::stm::outcome::retry;
    return tx.write(own, &value[item], x + 1) ? magpie::stm::outcome::commit : magpie::stm::outcome::retry;
  }
};
MAGPIE_REGION(moves)

/// Doubles its own datum.
struct also_moves {
  magpie::stm::objects cells;
  magpie::array<std::int32_t> value;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    std::int32_t x;
    if (!tx.read(own, &value[item], x)) return magpie::stm::outcome::retry;
    return tx.write(own, &value[item], 2 * x) ? magpie::stm::outcome::commit : magpie::stm::outcome::retry;
  }
};
MAGPIE_REGION(also_moves)

/// Doubles its own datum as well, which it looks at past the transaction.
struct peeks {
  magpie::stm::objects cells;
  magpie::array<std::int32_t> value;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::int32_t x = tx.peek(cells, item, &value[item]);
    const auto own = tx.open(cells, item);
    return tx.write(own, &value[item], 2 * x) ? magpie::stm::outcome::commit : magpie::stm::outcome::retry;
  }
};
MAGPIE_REGION(peeks)
