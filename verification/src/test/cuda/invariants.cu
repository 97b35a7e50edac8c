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
