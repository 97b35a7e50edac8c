/// @file
/// The state keeps a pointer to the greatest of three values, which apply changes; only the object of the one in the middle is
/// opened.
// arguments: cells=objects:4 values=[5,1,8,2]
// items: 4
// expect: unguarded access at values
// recorded: wrong result at values or unguarded access or nothing (whether two items meet)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct pointer_kept_in_the_state {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;

  struct state {
    std::uint32_t* greatest;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (!tx.open(cells, item)) return outcome::retry;
    s.greatest = &values[item];
    for (std::uint32_t other : {(item + 1) % 4, (item + 3) % 4}) {
      if (values[other] > *s.greatest) s.greatest = &values[other];  // here
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx&, std::uint32_t, const state& s) const {
    *s.greatest -= 1;
  }
};
MAGPIE_REGION(pointer_kept_in_the_state)
