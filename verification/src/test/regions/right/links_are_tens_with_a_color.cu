/// @file
/// A stack whose links are ten times a slot's number and a color, a form that no run shows at once; some items push, others pop.
// arguments: top=fill:999999:1 below=zeros:12 keys=zeros:12 slots=pool:12
// items: 6
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct links_are_tens_with_a_color {
  magpie::stm::guarded<std::uint32_t> top;
  magpie::stm::guarded<std::uint32_t> below;
  magpie::stm::guarded<std::uint32_t> keys;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 3, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t none = 999999;

  MAGPIE_DEVICE static std::uint32_t link(std::uint32_t slot, std::uint32_t color) { return 10 * slot + color % 10; }
  MAGPIE_DEVICE static std::uint32_t slot_of(std::uint32_t word) { return word / 10; }
  struct state {
    std::uint32_t slot, top, pops;
  };
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    MAGPIE_TRY(tx.reserve(slots, 1));
    const std::uint32_t word = MAGPIE_TRY(tx.get(top, 0));
    s.pops = item % 3 == 2 ? 1 : 0;
    if (s.pops) {
      if (word == none) return outcome::cancel;
      s.slot = slot_of(word);
      s.top = MAGPIE_TRY(tx.get(below, s.slot));
      return outcome::commit;
    }
    s.slot = tx.take(slots);
    s.top = word;
    MAGPIE_TRY(tx.open(keys, s.slot));
    MAGPIE_TRY(tx.open(below, s.slot));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (s.pops) {
      tx.store(top, 0, s.top);
      tx.free(slots, s.slot);
    } else {
      tx.store(keys, s.slot, 50 + item * 3);
      tx.store(below, s.slot, s.top);
      tx.store(top, 0, link(s.slot, item));
    }
  }
};
MAGPIE_REGION(links_are_tens_with_a_color)
