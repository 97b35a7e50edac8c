// Regions whose histories and schedules the facade's tests look at.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

// Item i moves 1 from cell i % n to the next cell, around the end: two cells are opened in opposite orders.
struct shift {
  magpie::stm::objects cells;
  magpie::array<std::int32_t> value;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t from = item % cells.count;
    const std::uint32_t to = (from + 1) % cells.count;
    auto a = tx.open(cells, from);
    auto b = tx.open(cells, to);
    std::int32_t x, y;
    if (!tx.read(a, &value[from], x) || !tx.read(b, &value[to], y)) return outcome::retry;
    if (!tx.write(a, &value[from], x - 1) || !tx.write(b, &value[to], y + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(shift)

// Item i adds the values of object i of `a` and `b` to those of `c` and `d`; odd items are canceled after their reads.
struct quartet {
  magpie::stm::objects a, b, c, d;
  magpie::array<std::int32_t> value;  // of a, then b, c and d
  static constexpr std::uint32_t max_objects = 4, max_writes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t n = a.count;
    auto in_a = tx.open(a, item);
    auto in_b = tx.open(b, item);
    auto in_c = tx.open(c, item);
    auto in_d = tx.open(d, item);
    std::int32_t w, x, y, z;
    if (!tx.read(in_a, &value[item], w) || !tx.read(in_b, &value[n + item], x)) return outcome::retry;
    if (item % 2 == 1) return outcome::cancel;
    if (!tx.read(in_c, &value[2 * n + item], y) || !tx.read(in_d, &value[3 * n + item], z)) return outcome::retry;
    if (!tx.write(in_c, &value[2 * n + item], y + w) || !tx.write(in_d, &value[3 * n + item], z + x)) {
      return outcome::retry;
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(quartet)

// Peeks at its object so many times.
struct stare {
  magpie::stm::objects cells;
  magpie::array<std::int32_t> value;
  std::uint32_t times;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::int32_t seen = 0;
    for (std::uint32_t i = 0; i < times; ++i) seen |= tx.peek(cells, item, &value[item]);
    return seen == 0 ? outcome::commit : outcome::cancel;
  }
};
MAGPIE_REGION(stare)

// Has more arrays of objects than a history can tell apart.
struct seventeen {
  magpie::stm::objects a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    return tx.open(q, item) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(seventeen)
