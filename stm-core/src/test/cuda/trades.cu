/// @file
/// A region that takes, frees and pushes wherever it may, for tests of what is recorded of that.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Item i takes a slot of either pool, writes the first one's number, pushes i + 100, and frees slot i of both pools. Before, it
/// takes a slot and pushes in an alternative that cancels, and in an inner transaction that fails the first time.
struct trade {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::stm::pool<0> slots;
  magpie::stm::pool<1> others;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 4;
  static constexpr std::uint32_t max_slots[] = {3, 2};

  struct state {
    magpie::stm::handle cell;
    std::uint32_t slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item >= 100) return outcome::cancel;
    if (!tx.reserve(slots, 3) || !tx.reserve(others, 1)) return outcome::retry;
    s.cell = tx.open(cells, item);
    if (!s.cell) return outcome::retry;
    const outcome either = tx.or_else(
        [&](Tx& first) {
          first.take(slots);
          first.take(slots);
          first.push(77);
          return outcome::cancel;
        },
        [&](Tx& second) {
          s.slot = second.take(slots);
          second.push(item + 100);
          return outcome::commit;
        });
    if (either != outcome::commit) return either;
    bool again = false;
    return tx.inner(2, [&](Tx& inner) {
      inner.take(others);
      if (again) return outcome::commit;
      again = true;
      inner.push(55);
      return outcome::retry;
    });
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.cell, &values[item], s.slot);
    tx.free(slots, item);
  }
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx& tx, std::uint32_t item, const state&) const {
    tx.free(others, item);
  }
};
MAGPIE_REGION(trade)
