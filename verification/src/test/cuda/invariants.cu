/// @file
/// A region with kernels that state invariants of its data, some of which do not fit it.
#include "magpie/stm.cuh"

/// Item i adds `step` to value i modulo their number.
struct increment {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  std::uint32_t step;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t i = item % values.size();
    const auto cell = tx.open(cells, i);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[i], value)) return magpie::stm::outcome::retry;
    if (!tx.write(cell, &values[i], value + step)) return magpie::stm::outcome::retry;
    return magpie::stm::outcome::commit;
  }
};
MAGPIE_REGION(increment)

struct none_above_three {
  magpie::array<const std::uint32_t> values;
  magpie::array<std::uint32_t> violations;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (std::uint32_t i : self.items(values.size())) {
      if (values[i] > 3) magpie::violated(violations, i);
    }
  }
};
MAGPIE_KERNEL(none_above_three)

struct last_is_small {
  std::uint32_t step;
  magpie::array<std::uint32_t> violations;
  magpie::array<const std::uint32_t> values;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    const std::uint32_t last = static_cast<std::uint32_t>(values.size()) - 1;
    for (std::uint32_t i : self.items(1)) {
      if (values[last - i] >= step) magpie::violated(violations, last);
    }
  }
};
MAGPIE_KERNEL(last_is_small)

struct says_nothing {
  magpie::array<const std::uint32_t> values;
  MAGPIE_DEVICE void operator()(const magpie::thread&) const {}
};
MAGPIE_KERNEL(says_nothing)

struct says_floats {
  magpie::array<float> violations;
  MAGPIE_DEVICE void operator()(const magpie::thread&) const {}
};
MAGPIE_KERNEL(says_floats)

struct knows_more {
  magpie::array<std::uint32_t> violations;
  std::uint32_t unknown;
  MAGPIE_DEVICE void operator()(const magpie::thread&) const {}
};
MAGPIE_KERNEL(knows_more)

struct reads_floats {
  magpie::array<std::uint32_t> violations;
  magpie::array<const float> values;
  MAGPIE_DEVICE void operator()(const magpie::thread&) const {}
};
MAGPIE_KERNEL(reads_floats)

/// Moves 1 on to the next of four; item 2 loses one more, which item 3 makes good.
struct moves_on {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t next = (item + 1) % 4;
    const auto from = tx.open(cells, item);
    const auto to = tx.open(cells, next);
    std::uint32_t x = 0, y = 0;
    if (!tx.read(from, &values[item], x) || !tx.read(to, &values[next], y)) return magpie::stm::outcome::retry;
    const std::uint32_t lost = item == 2 ? 1 : 0, found = item == 3 ? 1 : 0;
    if (!tx.write(from, &values[item], x - 1 - lost)) return magpie::stm::outcome::retry;
    return tx.write(to, &values[next], y + 1 + found) ? magpie::stm::outcome::commit : magpie::stm::outcome::retry;
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
