/// @file
/// The region keeps its own free list, a stack of numbers, and takes one off by an atomic operation in the body.
// arguments: top=[6] stack=iota:6 held=fill:99:2
// items: 4
// expect: effect not undone at top
// recorded: not repeatable or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct free_list_popped_by_an_atomic {
  magpie::array<std::uint32_t> top;
  magpie::array<const std::uint32_t> stack;
  magpie::stm::guarded<std::uint32_t> held;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t left = magpie::add_rlx_dev(&top[0], ~0u);  // here
    if (left == 0 || left > 6) return outcome::cancel;
    MAGPIE_TRY(tx.set(held, item % 2, stack[left - 1]));
    return outcome::commit;
  }
};
MAGPIE_REGION(free_list_popped_by_an_atomic)
