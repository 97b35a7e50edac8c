/// @file
/// Lists of arcs: each item adds its arc to its vertex, or drops it. Beside each list is its length, which may be equal to a slot.
// arguments: head=fill:-1:3 next=fill:-1:16 target=zeros:16 degree=zeros:3 arcs=pool:16 from=[0,0,1,0,0,1,0] to=[1,2,2,1,2,2,0]
// items: 7
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct counts_equal_to_slots {
  magpie::stm::guarded<std::uint32_t> head;  // of each vertex: first arc, or none
  magpie::stm::guarded<std::uint32_t> next;  // of each arc
  magpie::stm::guarded<std::uint32_t> target;
  magpie::stm::guarded<std::uint32_t> degree;  // of each vertex
  magpie::stm::pool<0> arcs;
  magpie::array<const std::uint32_t> from;
  magpie::array<const std::uint32_t> to;

  static constexpr std::uint32_t max_objects = 24, max_writes = 6;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t none = ~0u;

  struct state {
    std::uint32_t before, at, after, first, count;
    bool adds;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    MAGPIE_TRY(tx.reserve(arcs, 1));
    s.first = MAGPIE_TRY(tx.get(head, from[item]));
    s.count = MAGPIE_TRY(tx.get(degree, from[item]));
    s.before = none;
    for (s.at = s.first; s.at != none;) {
      if (MAGPIE_TRY(tx.get(target, s.at)) == to[item]) break;
      s.before = s.at;
      s.at = MAGPIE_TRY(tx.get(next, s.at));
    }
    s.adds = s.at == none;
    if (s.adds) {
      s.at = tx.take(arcs);
      MAGPIE_TRY(tx.open(next, s.at));
      MAGPIE_TRY(tx.open(target, s.at));
    } else {
      s.after = MAGPIE_TRY(tx.get(next, s.at));
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(degree, from[item], s.adds ? s.count + 1 : s.count - 1);
    if (s.adds) {
      tx.store(target, s.at, to[item]);
      tx.store(next, s.at, s.first);
      tx.store(head, from[item], s.at);
    } else {
      if (s.before == none) {
        tx.store(head, from[item], s.after);
      } else {
        tx.store(next, s.before, s.after);
      }
      tx.free(arcs, s.at);
    }
  }
};
MAGPIE_REGION(counts_equal_to_slots)
