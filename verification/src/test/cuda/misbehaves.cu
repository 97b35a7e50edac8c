/// @file
/// A region that does what it is told, most of it wrong; one with a pool; one that pushes items; and one that seeks.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// `what` says what each item does; see the cases.
struct misbehaves {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  std::uint32_t what;

  static constexpr std::uint32_t max_objects = 2, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    switch (what) {
      case 0:  // adds one to the first value
        return add(tx);
      case 1:  // has an index out of bounds
        return add(tx, 9 + cells.count);
      case 2:  // cancels
        return outcome::cancel;
      case 3:  // commits without an access
        return outcome::commit;
      case 4:  // reads for ever
        while (true) static_cast<void>(tx.peek(cells, 0, &values[0]));
      case 5:  // has an index out of bounds if item 1 comes before item 0
        return add(tx, item == 1 && tx.peek(cells, 0, &values[0]) == 0 ? 9 + cells.count : 0);
      case 6:  // looks at everything, eight times
        for (std::uint32_t i = 0; i < 8 * cells.count; ++i) {
          static_cast<void>(tx.peek(cells, i % cells.count, &values[i % cells.count]));
        }
        return add(tx);
      case 7:  // walks for ever if item 1 comes before item 0
        if (item == 1 && tx.peek(cells, 0, &values[0]) == 0) {
          for (std::uint32_t i = 0;; i = (i + 1) % cells.count) static_cast<void>(tx.peek(cells, i, &values[i]));
        }
        return add(tx);
      case 9:  // retries for ever if item 1 comes before item 0; each has a cell of its own
        if (item == 1 && tx.glance(&values[0]) == 0) return outcome::retry;
        return add(tx, item, item);
      case 10:  // takes the first cell that a hint finds free, and looks again
        return take(tx, item);
      case 11:  // has an index out of bounds if a hint shows item 1 before item 0; each has a cell of its own
        return add(tx, item == 1 && tx.glance(&values[0]) == 0 ? 9 + cells.count : item, item);
      case 12:  // waits for ever if a hint shows item 1 before item 0; each has a cell of its own
        while (item == 1 && tx.glance(&values[0]) == 0) {
        }
        return add(tx, item, item);
      case 13:  // adds one to a value of its own, past its transaction
        values[item] += 1;
        return outcome::commit;
      case 14:  // loads its own cell as fixed if a hint shows item 1 before item 0
        if (item == 1 && tx.glance(&values[0]) == 0) static_cast<void>(magpie::ld_plain(&values[1]));
        return add(tx, item, item);
      case 15:  // loads as fixed what it wrote, after more accesses than are traced
        magpie::st_rlx_dev(&values[item], 1u);
        for (std::uint32_t i = 0; i < 1u << 18; ++i) static_cast<void>(magpie::ld_own(&values[9]));
        static_cast<void>(magpie::ld_plain(&values[item]));
        return outcome::commit;
      case 16:  // loads as fixed what it wrote, and makes more accesses than are traced
        magpie::st_rlx_dev(&values[item], 1u);
        static_cast<void>(magpie::ld_plain(&values[item]));
        for (std::uint32_t i = 0; i < 1u << 18; ++i) static_cast<void>(magpie::ld_own(&values[9]));
        return outcome::commit;
      case 17:  // loads as fixed what it writes after more accesses than are traced
        static_cast<void>(magpie::ld_plain(&values[item]));
        for (std::uint32_t i = 0; i < 1u << 18; ++i) static_cast<void>(magpie::ld_own(&values[9]));
        values[item] = 1u;
        return outcome::commit;
      case 18:  // loads as fixed what nobody writes, and makes more accesses than are traced
        static_cast<void>(magpie::ld_plain(&values[item]));
        for (std::uint32_t i = 0; i < 1u << 18; ++i) static_cast<void>(magpie::ld_own(&values[9]));
        values[item + 10] = 1u;
        return outcome::commit;
      case 19:  // asks for one more attempt, always
        static_cast<void>(tx.open(cells, 0));
        return outcome::retry;
      case 20:  // as item 0 adds up as many data past its transaction as the first one says, which item 1 raises
        return item == 1 ? raise(tx) : add_up(tx);
      default:  // waits for ever if item 1 comes before item 0
        while (item == 1 && tx.peek(cells, 0, &values[0]) == 0) {
        }
        return add(tx);
    }
  }

  template <class Tx>
  MAGPIE_DEVICE outcome add(Tx& tx, std::uint32_t at = 0, std::uint32_t under = 0) const {
    const auto cell = tx.open(cells, under);
    std::uint32_t x = 0;
    if (!tx.read(cell, &values[at], x)) return outcome::retry;
    return tx.write(cell, &values[at], x + 1) ? outcome::commit : outcome::retry;
  }

  template <class Tx>
  MAGPIE_DEVICE outcome raise(Tx& tx) const {
    return tx.write(tx.open(cells, 0), &values[0], 300'000u) ? outcome::commit : outcome::retry;
  }

  template <class Tx>
  MAGPIE_DEVICE outcome add_up(Tx& tx) const {
    const auto cell = tx.open(cells, 0);
    std::uint32_t n = 0, sum = 0;
    if (!tx.read(cell, &values[0], n)) return outcome::retry;
    for (std::uint32_t i = 0; i < n; ++i) sum += values[2 + i % 8];
    return tx.write(cell, &values[1], sum) ? outcome::commit : outcome::retry;
  }

  template <class Tx>
  MAGPIE_DEVICE outcome take(Tx& tx, std::uint32_t item) const {
    std::uint32_t at = 0;
    while (at < cells.count && tx.glance(&values[at]) != 0) ++at;
    const auto cell = tx.open(cells, at);
    std::uint32_t x = 0;
    if (!tx.read(cell, &values[at], x) || x != 0) return outcome::retry;
    return tx.write(cell, &values[at], item + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(misbehaves)

/// Takes a slot and writes there who took it.
struct takes {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> owner;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (!tx.reserve(slots, 1)) return outcome::retry;
    const std::uint32_t slot = tx.take(slots);
    const auto cell = tx.open(cells, slot);
    return tx.write(cell, &owner[slot], item + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(takes)

/// Pushes the items below its own, and adds one to a value; where that has all bits, reads it for ever.
struct pushes {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, 0);
    std::uint32_t x = 0;
    if (!tx.read(cell, &values[0], x)) return outcome::retry;
    while (x == 0xffffffffu) {
      static_cast<void>(tx.peek(cells, 0, &values[0]));
      if (!tx.read(cell, &values[0], x)) return outcome::retry;
    }
    if (!tx.write(cell, &values[0], x + 1)) return outcome::retry;
    if (item > 0) tx.push(item - 1);
    return outcome::commit;
  }
};
MAGPIE_REGION(pushes)

/// Counts failed attempts by plain increments. The lanes of a warp meet after `seek`, so that none is done before the others begin.
struct counts_failures {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> failures;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;

  struct state {
    magpie::stm::handle cell;
    std::uint32_t seen;
  };

  MAGPIE_DEVICE void seek(const magpie::lane_group&, std::uint32_t, std::uint32_t item, state& s) const {
    s.seen = magpie::ld_rlx_dev(&values[item]);
  }
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.cell = tx.open(cells, item);
    std::uint32_t value = 0;
    if (!tx.read(s.cell, &values[item], value)) return outcome::retry;
    return value == s.seen ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, const magpie::lane_group&, std::uint32_t item, const state& s) const {
    tx.store(s.cell, &values[item], s.seen + 1);
  }
  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx&, std::uint32_t, state&) const {
    ++failures[0];
  }
};
MAGPIE_REGION(counts_failures)
