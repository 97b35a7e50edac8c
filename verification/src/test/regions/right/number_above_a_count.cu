/// @file
/// A word of 8 bytes has a slot's number in its upper half and a count of changes in its lower one.
// arguments: tops=[-1,-1] next=zeros:8 slots=pool:8
// items: 6
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct number_above_a_count {
  magpie::stm::guarded<std::uint64_t> tops;
  magpie::stm::guarded<std::uint32_t> next;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint64_t before;
    std::uint32_t slot, after;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    MAGPIE_TRY(tx.reserve(slots, 1));
    s.before = MAGPIE_TRY(tx.get(tops, item % 2));
    const auto first = static_cast<std::uint32_t>(s.before >> 32);
    s.slot = 99;
    s.after = ~0u;
    if (item < 4) {
      s.slot = tx.take(slots);
      MAGPIE_TRY(tx.open(next, s.slot));
    } else {
      if (first == ~0u) return outcome::cancel;
      s.after = MAGPIE_TRY(tx.get(next, first));
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    const std::uint64_t count = (s.before + 1) & 0xffffffffu;
    const auto first = static_cast<std::uint32_t>(s.before >> 32);
    if (s.slot != 99) {
      tx.store(next, s.slot, first);
      tx.store(tops, item % 2, static_cast<std::uint64_t>(s.slot) << 32 | count);
    } else {
      tx.store(tops, item % 2, static_cast<std::uint64_t>(s.after) << 32 | count);
      tx.free(slots, first);
    }
  }
};
MAGPIE_REGION(number_above_a_count)
