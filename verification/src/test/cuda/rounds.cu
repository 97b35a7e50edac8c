/// @file
/// Regions that push items, for the tests of workloads.
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

/// Item 0 opens more than its log holds; item 1 pushes 2, and both append their digits.
struct outgrows_its_log {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> digits;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, 0);
    if (item == 0 && !tx.open(cells, 1)) return outcome::retry;
    std::uint32_t before = 0;
    if (!tx.read(own, &digits[0], before)) return outcome::retry;
    if (!tx.write(own, &digits[0], 10 * before + item)) return outcome::retry;
    return item != 1 || tx.push(2) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(outgrows_its_log)

struct sum_is_not_three {
  magpie::array<const std::uint32_t> values;
  magpie::array<std::uint32_t> violations;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (std::uint32_t once : self.items(1)) {
      std::uint32_t sum = once;
      for (std::uint32_t i = 0; i < 4; ++i) sum += values[i];
      if (sum == 3) magpie::violated(violations, sum);
    }
  }
};
MAGPIE_KERNEL(sum_is_not_three)
