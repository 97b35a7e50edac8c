/// @file
/// The numbers of slots lie side by side, as many as a count says; one that is taken out changes places with the last, and stays behind the count.
// arguments: count=[4] dense=[1,5,0,2,0,0] notes=[3,1,2,5,0,4,0,0] sums=zeros:4 slots=pool:8:6
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct dense_list_by_exchange {
  magpie::stm::guarded<std::uint32_t> count;
  magpie::stm::guarded<std::uint32_t> dense;
  magpie::stm::guarded<std::uint32_t> notes;
  magpie::stm::guarded<std::uint32_t> sums;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 5, max_writes = 3;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t left, at, slot, note, last;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.left = MAGPIE_TRY(tx.get(count, 0)) - 1;
    s.at = item < s.left ? item : s.left;
    s.slot = MAGPIE_TRY(tx.get(dense, s.at));
    s.note = MAGPIE_TRY(tx.get(notes, s.slot));
    s.last = MAGPIE_TRY(tx.get(dense, s.left));
    MAGPIE_TRY(tx.open(sums, item));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(dense, s.at, s.last);
    tx.store(dense, s.left, s.slot);
    tx.store(count, 0, s.left);
    tx.store(sums, item, s.note);
    tx.free(slots, s.slot);
  }
};
MAGPIE_REGION(dense_list_by_exchange)
