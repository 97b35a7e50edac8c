/// @file
/// A queue with an object for each end: who takes peeks at the tail to see whether there is anything.
// arguments: head=zeros:1 tail=[1] ring=fill:7:8 got=zeros:4
// items: 4
// expect: unchecked hint at tail.data
// recorded: wrong result or unguarded access or nothing (some run has to show it)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct tail_only_peeked_at {
  magpie::stm::guarded<std::uint32_t> head;
  magpie::stm::guarded<std::uint32_t> tail;
  magpie::stm::guarded<std::uint32_t> ring;
  magpie::array<std::uint32_t> got;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item % 2 == 0) {
      const std::uint32_t at = MAGPIE_TRY(tx.get(tail, 0));
      MAGPIE_TRY(tx.set(ring, at % 8, 50 + item));
      MAGPIE_TRY(tx.set(tail, 0, at + 1));
    } else {
      const std::uint32_t at = MAGPIE_TRY(tx.get(head, 0));
      if (at == tx.peek(tail, 0)) return outcome::cancel;  // here
      got[item] = MAGPIE_TRY(tx.get(ring, at % 8));
      MAGPIE_TRY(tx.set(head, 0, at + 1));
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(tail_only_peeked_at)
