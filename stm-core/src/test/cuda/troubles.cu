// Regions that go wrong, or that tell what runs beside them.
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
