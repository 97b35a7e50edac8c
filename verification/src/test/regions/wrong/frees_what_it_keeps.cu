/// @file
/// What lies on the first desk goes to the second one; then the wrong one of the two is freed.
// arguments: held=[5,2] notes=zeros:8 slots=pool:8:6
// items: 2
// expect: dangling reference at held.data
// recorded: nothing (nobody follows what is left)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct frees_what_it_keeps {
  magpie::stm::guarded<std::uint32_t> held;  // of each desk: the slot there, or none
  magpie::stm::guarded<std::uint32_t> notes;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 4, max_writes = 3;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t none = ~0u;

  struct state {
    std::uint32_t first, second, sum;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t, state& s) const {
    s.first = MAGPIE_TRY(tx.get(held, 0));
    if (s.first == none) return outcome::cancel;
    s.sum = MAGPIE_TRY(tx.get(notes, s.first));
    s.second = MAGPIE_TRY(tx.get(held, 1));
    s.sum += MAGPIE_TRY(tx.get(notes, s.second));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    tx.store(held, 0, none);
    tx.store(held, 1, s.first);
    tx.store(notes, s.first, s.sum + 1);
    tx.free(slots, s.first);  // here
  }
};
MAGPIE_REGION(frees_what_it_keeps)
