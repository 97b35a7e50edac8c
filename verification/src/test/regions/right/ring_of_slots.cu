/// @file
/// A ring of slot numbers between two counters. What is taken out is not erased: its number stays behind the head until the
/// tail comes round.
// arguments: head=zeros:1 tail=[2] ring=[0,1,0,0] notes=[7,8,0,0,0,0,0,0] got=zeros:6 slots=pool:8:2
// items: 6
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct ring_of_slots {
  magpie::stm::guarded<std::uint32_t> head;
  magpie::stm::guarded<std::uint32_t> tail;
  magpie::stm::guarded<std::uint32_t> ring;
  magpie::stm::guarded<std::uint32_t> notes;
  magpie::stm::guarded<std::uint32_t> got;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 6, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t first, last, slot, note;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item % 2 == 0) MAGPIE_TRY(tx.reserve(slots, 1));
    s.first = MAGPIE_TRY(tx.get(head, 0));
    s.last = MAGPIE_TRY(tx.get(tail, 0));
    if (item % 2 == 0) {
      if (s.last - s.first == 4) return outcome::cancel;
      s.slot = tx.take(slots);
      MAGPIE_TRY(tx.open(notes, s.slot));
      MAGPIE_TRY(tx.open(ring, s.last % 4));
    } else {
      if (s.last == s.first) return outcome::cancel;
      s.slot = MAGPIE_TRY(tx.get(ring, s.first % 4));
      s.note = MAGPIE_TRY(tx.get(notes, s.slot));
      MAGPIE_TRY(tx.open(got, item));
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item % 2 == 0) {
      tx.store(notes, s.slot, 50 + item);
      tx.store(ring, s.last % 4, s.slot);
      tx.store(tail, 0, s.last + 1);
    } else {
      tx.store(got, item, s.note);
      tx.store(head, 0, s.first + 1);
      tx.free(slots, s.slot);
    }
  }
};
MAGPIE_REGION(ring_of_slots)
