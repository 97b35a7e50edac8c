/// @file
/// A node is filled by plain code before the commit that links it: until then nobody can know of it.
// arguments: heads=objects:1 head=fill:99:1 keys=zeros:8 next=fill:99:8 slots=pool:8
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct fresh_slot_filled_in_the_body {
  magpie::stm::objects heads;
  magpie::array<std::uint32_t> head;
  magpie::array<std::uint32_t> keys;
  magpie::array<std::uint32_t> next;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr std::uint32_t max_slots[] = {2};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (!tx.reserve(slots, 1)) return outcome::retry;
    const std::uint32_t slot = tx.take(slots);
    keys[slot] = item;
    const auto list = tx.open(heads, 0);
    std::uint32_t first = 0;
    if (!tx.read(list, &head[0], first)) return outcome::retry;
    magpie::st_rlx_dev(&next[slot], first);
    if (!tx.write(list, &head[0], slot)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(fresh_slot_filled_in_the_body)
