// Regions that go wrong, or that tell what runs at the same time.
#define MAGPIE_ALL_POLICIES
#include "magpie/stm.cuh"

using magpie::stm::outcome;

// Item i adds 1 under object 0, which all of them claim; item `culprit` writes outside the array instead.
struct stumble {
  magpie::stm::objects cells;
  magpie::array<std::int32_t> value;
  std::uint32_t culprit;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  using state = std::uint32_t;
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& at) const {
    auto c = tx.open(cells, 0);
    std::int32_t x;
    if (!c || !tx.read(c, &value[0], x)) return outcome::retry;
    at = item == culprit ? 1u << 20 : 0;
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& at) const {
    tx.store({}, &value[at], tx.load({}, &value[0]) + 1);
  }
};
MAGPIE_REGION(stumble)

// Counts the transactions that are inside at the same time: value[0] now, value[1] the most ever.
struct crowd {
  magpie::array<std::int32_t> value;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx&, std::uint32_t) const {
    const std::int32_t inside = magpie::add_rlx_dev(&value[0], 1) + 1;
    magpie::red_max_rlx_dev(&value[1], inside);
    magpie::red_add_rlx_dev(&value[0], -1);
    return outcome::commit;
  }
};
MAGPIE_REGION(crowd)

// Refuses every `every`-th item.
struct refuse_each {
  std::uint32_t every;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx&, std::uint32_t item) const {
    return item % every == 0 ? outcome::retry : outcome::commit;
  }
};
MAGPIE_REGION(refuse_each)

// Reads, or with `writes` writes, through a handle that was never opened.
struct loose_handle {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> value;
  std::uint32_t writes;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t) const {
    magpie::stm::handle h;
    std::uint32_t x;
    const bool done = writes != 0 ? tx.write(h, &value[0], 1u) : tx.read(h, &value[0], x);
    return done ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(loose_handle)

// Puts every other item off, which means nothing outside of rounds.
struct put_off_alone {
  std::uint32_t reserved;
  static constexpr std::uint32_t max_objects = 0, max_writes = 0;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx&, std::uint32_t item) const {
    return item % 2 == 0 ? outcome::defer : outcome::commit;
  }
};
MAGPIE_REGION(put_off_alone)

// Reads its object's datum until it changes, which nobody does.
struct wait_for_change {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> value;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto c = tx.open(cells, item);
    std::uint32_t x = 0;
    while (x == 0) {
      if (!tx.read(c, &value[item], x)) return outcome::retry;
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(wait_for_change)
