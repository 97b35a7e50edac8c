// Regions of the facade's own tests.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

// Item i moves `amount` from account from[i] to account to[i], if it is there.
struct transfer {
  magpie::stm::objects accounts;
  magpie::array<std::int32_t> balance;
  magpie::array<const std::uint32_t> from;
  magpie::array<const std::uint32_t> to;
  std::int32_t amount;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t f = magpie::ld_plain(&from[item]);
    const std::uint32_t t = magpie::ld_plain(&to[item]);
    if (f == t) return outcome::cancel;
    auto a = tx.open(accounts, f);
    if (!a) return outcome::retry;
    auto b = tx.open(accounts, t);
    if (!b) return outcome::retry;
    std::int32_t x, y;
    if (!tx.read(a, &balance[f], x) || !tx.read(b, &balance[t], y)) return outcome::retry;
    if (x < amount) return outcome::cancel;
    if (!tx.write(a, &balance[f], x - amount) || !tx.write(b, &balance[t], y + amount)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(transfer)

// Item i adds 1 to the `count(i)` objects from i on, around the end: count is 1 but for every `every`-th item, where
// it is `many`. Its log holds one object.
struct sweep {
  magpie::stm::objects cells;
  magpie::array<std::int32_t> value;
  std::uint32_t every;
  std::uint32_t many;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t n = cells.count;
    const std::uint32_t count = item % every == 0 ? many : 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t cell = (item + i) % n;
      auto c = tx.open(cells, cell);
      if (!c) return outcome::retry;
      std::int32_t x;
      if (!tx.read(c, &value[cell], x) || !tx.write(c, &value[cell], x + 1)) return outcome::retry;
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(sweep)

// Retries forever items that are `stubborn`.
struct refuse {
  std::uint32_t stubborn;
  magpie::array<std::int32_t> done;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item == stubborn) return outcome::retry;
    magpie::red_add_rlx_dev(&done[item], 1);
    return outcome::commit;
  }
};
MAGPIE_REGION(refuse)
