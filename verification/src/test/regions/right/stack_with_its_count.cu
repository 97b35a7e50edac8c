/// @file
/// A stack of slots with its count before it; each item pops one and frees it.
// arguments: stack=[4,0,1,2,3] sums=zeros:2 slots=pool:8:4
// items: 2
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct stack_with_its_count {
  magpie::stm::guarded<std::uint32_t> stack;
  magpie::stm::guarded<std::uint32_t> sums;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 4, max_writes = 2;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t left, slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.left = MAGPIE_TRY(tx.get(stack, 0)) - 1;
    s.slot = MAGPIE_TRY(tx.get(stack, 1 + s.left));
    MAGPIE_TRY(tx.open(sums, item));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(stack, 0, s.left);
    tx.store(sums, item, 7);
    tx.free(slots, s.slot);
  }
};
MAGPIE_REGION(stack_with_its_count)
