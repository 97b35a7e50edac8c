/// @file
/// The numbers of events lie in a binary heap, ordered by the times at which they are due: who adds one lets it rise, and who takes
/// the first fills its place with the last, which sinks. The heap is as long as the pool, but its places are not those of slots.
// arguments: n=[3] heap=[2,0,1,9,9,9] heap.guards=n.guards due=[20,30,10,0,0,0] ran=zeros:6 events=pool:6:3
// items: 6
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct heap_of_slots {
  magpie::stm::guarded<std::uint32_t, magpie::stm::one_object> n, heap;
  magpie::stm::guarded<std::uint32_t> due, ran;
  magpie::stm::pool<0> events;
  static constexpr std::uint32_t max_objects = 8, max_writes = 8;
  static constexpr std::uint32_t max_slots[] = {1};
  struct state {
    std::uint32_t gone;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.gone = 99;
    std::uint32_t count = MAGPIE_TRY(tx.get(n, 0));
    if (item % 2 == 0) {
      if (count == 0) return outcome::cancel;
      const std::uint32_t first = MAGPIE_TRY(tx.get(heap, 0)), last = MAGPIE_TRY(tx.get(heap, count - 1));
      const std::uint32_t time = MAGPIE_TRY(tx.get(due, last));
      MAGPIE_TRY(tx.set(ran, item, MAGPIE_TRY(tx.get(due, first))));
      MAGPIE_TRY(tx.set(n, 0, --count));
      std::uint32_t at = 0;
      for (std::uint32_t kid = 1; kid < count; kid = 2 * at + 1) {
        std::uint32_t k = MAGPIE_TRY(tx.get(heap, kid));
        if (kid + 1 < count) {
          const std::uint32_t other = MAGPIE_TRY(tx.get(heap, kid + 1));
          if (MAGPIE_TRY(tx.get(due, other)) < MAGPIE_TRY(tx.get(due, k))) k = other, ++kid;
        }
        if (MAGPIE_TRY(tx.get(due, k)) >= time) break;
        MAGPIE_TRY(tx.set(heap, at, k));
        at = kid;
      }
      MAGPIE_TRY(tx.set(heap, at, last));
      s.gone = first;
      return outcome::commit;
    }
    if (count == 6) return outcome::cancel;
    MAGPIE_TRY(tx.reserve(events, 1));
    const std::uint32_t made = tx.take(events);
    MAGPIE_TRY(tx.set(due, made, 40 - item));
    std::uint32_t at = count;
    for (; at != 0; at = (at - 1) / 2) {
      const std::uint32_t up = MAGPIE_TRY(tx.get(heap, (at - 1) / 2));
      if (MAGPIE_TRY(tx.get(due, up)) <= 40 - item) break;
      MAGPIE_TRY(tx.set(heap, at, up));
    }
    MAGPIE_TRY(tx.set(heap, at, made));
    MAGPIE_TRY(tx.set(n, 0, count + 1));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    if (s.gone != 99) tx.free(events, s.gone);
  }
};
MAGPIE_REGION(heap_of_slots)
