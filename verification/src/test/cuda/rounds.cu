/// @file
/// Regions that push items, and invariants that hold between commits or do not, for the tests of workloads.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Items 0 and 1 push 2 and 3, each of which looks at the other's value past its claims.
struct skews_later {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    std::uint32_t x = 0;
    if (!tx.read(own, &values[item], x)) return outcome::retry;
    if (item < 2) {
      if (!tx.write(own, &values[item], x + 1)) return outcome::retry;
      tx.push(item + 2);
      return outcome::commit;
    }
    const std::uint32_t other = item ^ 1u;
    const std::uint32_t y = tx.peek(cells, other, &values[other]);
    return tx.write(own, &values[item], y + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(skews_later)

/// Items 0 and 1 push 2 and 3. Which of these is looked at is read past the transaction, and so a push can be of either.
struct pushes_by_hint {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item >= 2) return outcome::commit;
    const auto own = tx.open(cells, item);
    const std::uint32_t other = tx.glance(&values[item ^ 1u]);
    if (!tx.write(own, &values[item], 1)) return outcome::retry;
    tx.push(2 + other);
    return outcome::commit;
  }
};
MAGPIE_REGION(pushes_by_hint)

/// Moves 1 on to the next of four; item 2 loses one more, which item 3 makes good.
struct moves_on {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t next = (item + 1) % 4;
    const auto from = tx.open(cells, item);
    const auto to = tx.open(cells, next);
    std::uint32_t x = 0, y = 0;
    if (!tx.read(from, &values[item], x) || !tx.read(to, &values[next], y)) return outcome::retry;
    const std::uint32_t lost = item == 2 ? 1 : 0, found = item == 3 ? 1 : 0;
    if (!tx.write(from, &values[item], x - 1 - lost)) return outcome::retry;
    return tx.write(to, &values[next], y + 1 + found) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(moves_on)

/// The sum is 40.
struct sum_is_kept {
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> violations;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (std::uint32_t once : self.items(1)) {
      std::uint32_t sum = once;
      for (std::uint32_t i = 0; i < 4; ++i) sum += magpie::ld_plain(&values[i]);
      if (sum != 40) magpie::violated(violations, sum);
    }
  }
};
MAGPIE_KERNEL(sum_is_kept)
