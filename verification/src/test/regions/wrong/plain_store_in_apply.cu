/// @file
/// In apply a shared count is changed by plain code, under no object of all.
// arguments: cells=objects:4 values=fill:5:4 count=zeros:1
// items: 4
// expect: unguarded access at count
// recorded: wrong result at count or unguarded access at count
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct plain_store_in_apply {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> count;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;

  struct state {
    magpie::stm::handle own;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.own = tx.open(cells, item);
    return s.own ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.own, &values[item], item);
    magpie::st_rlx_dev(&count[0], magpie::ld_rlx_dev(&count[0]) + 1);  // here
  }
};
MAGPIE_REGION(plain_store_in_apply)
