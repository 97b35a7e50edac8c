/// @file
/// Of its state, an attempt sets the step only where the value is small; another member has an initializer.
// arguments: values=fill:5:2
// items: 4
// expect: not repeatable at values.data
// recorded: not repeatable at values.data or wrong result at values.data or nothing (a register may hold the same again)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct state_is_set_in_part {
  magpie::stm::guarded<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  struct state {
    std::uint32_t value = 0;
    std::uint32_t step;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.value = MAGPIE_TRY(tx.get(values, item % 2));
    if (s.value < 6) s.step = 1;
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(values, item % 2, s.value + s.step);  // here
  }
};
MAGPIE_REGION(state_is_set_in_part)
