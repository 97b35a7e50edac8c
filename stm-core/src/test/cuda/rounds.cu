/// @file
/// Regions that run in rounds, for tests of the facade.
#include "magpie/stm.cuh"

namespace {

using magpie::stm::outcome;

/// Grows a tree of `nodes` nodes, node n's children being 3 n + 1 to 3 n + 3. Each adds 1 to one of a few sums, counts
/// its run, and takes a slot where it writes its number; every fourth gives the slot up at once.
struct grow_tree {
  magpie::stm::objects things;
  magpie::array<std::uint32_t> sums;
  magpie::array<std::uint32_t> runs;
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> owner;
  magpie::stm::pool<0> slots;
  std::uint32_t nodes;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0;
  static constexpr std::uint32_t max_pushes = 3;
  static constexpr std::uint32_t max_slots[] = {2};

  struct state {
    std::uint32_t at, sum, slot;
  };
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t node, state& s) const {
    if (!tx.reserve(slots, 1)) return outcome::retry;
    s.slot = tx.take(slots);
    s.at = node % things.count;
    const auto cell = tx.open(cells, s.slot);
    const auto thing = tx.open(things, s.at);
    if (!cell || !tx.read(thing, &sums[s.at], s.sum)) return outcome::retry;
    for (std::uint32_t child = 3 * node + 1; child <= 3 * node + 3; ++child) {
      if (child < nodes) tx.push(child);
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t node, const state& s) const {
    tx.store({}, &sums[s.at], s.sum + 1);
    tx.store({}, &runs[node], tx.load({}, &runs[node]) + 1);
    if (node % 4 == 3) {
      tx.free(slots, s.slot);
    } else {
      tx.store({}, &owner[s.slot], node + 1);
    }
  }
};

/// Opens `objects` objects, more than its log holds at first, and pushes item + 100 once.
struct outgrow {
  magpie::stm::objects things;
  magpie::array<std::uint32_t> sums;
  std::uint32_t objects;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t i = 0; i < objects; ++i) {
      const std::uint32_t at = (item + i) % things.count;
      const auto thing = tx.open(things, at);
      std::uint32_t sum;
      if (!tx.read(thing, &sums[at], sum) || !tx.write(thing, &sums[at], sum + 1)) return outcome::retry;
    }
    if (item < 100) tx.push(item + 100);
    return outcome::commit;
  }
};

/// Is deferred until item's `times` is used up.
struct put_off {
  magpie::array<std::uint32_t> times;
  magpie::array<std::uint32_t> ranks;

  static constexpr std::uint32_t max_objects = 0, max_writes = 0, max_pushes = 0;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    ranks[item] = tx.rank();
    if (times[item] == 0) return outcome::commit;
    --times[item];
    return outcome::defer;
  }
};

/// Takes as many slots as it is told; has no part in rounds.
struct take_slots {
  magpie::stm::pool<0> slots;
  std::uint32_t wanted;

  static constexpr std::uint32_t max_objects = 0, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {3};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t) const {
    if (!tx.reserve(slots, wanted)) return outcome::retry;
    for (std::uint32_t i = 0; i < wanted; ++i) tx.take(slots);
    return outcome::commit;
  }
};

/// Never ends.
struct for_ever {
  std::uint32_t reserved;

  static constexpr std::uint32_t max_objects = 0, max_writes = 0, max_pushes = 0;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx&, std::uint32_t) const {
    return outcome::retry;
  }
};

/// Pushes `pushes` items.
struct push_many {
  std::uint32_t pushes;

  static constexpr std::uint32_t max_objects = 0, max_writes = 0, max_pushes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t k = 0; k < pushes && item < 100; ++k) {
      if (!tx.push(100 * (k + 1) + item)) return outcome::retry;
    }
    return outcome::commit;
  }
};

/// Frees slot `first` + item `times` times: at its commit, or with `early` in the body, whose first two attempts
/// fail.
struct free_slots {
  magpie::stm::pool<0> slots;
  magpie::array<std::uint32_t> attempts;
  std::uint32_t first;
  std::uint32_t times;
  std::uint32_t early;

  static constexpr std::uint32_t max_objects = 0, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};
  using state = std::uint32_t;

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state&) const {
    if (early == 0) return outcome::commit;
    free(tx, item);
    return ++attempts[item] < 3 ? outcome::retry : outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state&) const {
    if (early == 0) free(tx, item);
  }
  template <class Tx>
  MAGPIE_DEVICE void free(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t k = 0; k < times; ++k) tx.free(slots, first + item);
  }
};

}  // namespace

MAGPIE_REGION(grow_tree)
MAGPIE_REGION(push_many)
MAGPIE_REGION(free_slots)
MAGPIE_REGION(outgrow)
MAGPIE_REGION(put_off)
MAGPIE_REGION(take_slots)
MAGPIE_REGION(for_ever)
