/// @file
/// A slot is taken before it is known whether the key is there already, and then forgotten.
// arguments: buckets=objects:2 keys=fill:0:8 chain=fill:77:2 slots=pool:8
// items: 4
// expect: leak at slots
// recorded: nothing (what is lost changes no result)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct forgets_a_slot {
  magpie::stm::objects buckets;
  magpie::array<std::uint32_t> keys;
  magpie::array<std::uint32_t> chain;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 2;
  static constexpr std::uint32_t max_slots[] = {2};

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (!tx.reserve(slots, 1)) return outcome::retry;
    const auto bucket = tx.open(buckets, item / 2);
    const std::uint32_t slot = tx.take(slots);  // here
    std::uint32_t first = 0;
    if (!tx.read(bucket, &chain[item / 2], first)) return outcome::retry;
    if (first != 77) return outcome::commit;  // somebody was here
    if (!tx.write(bucket, &keys[slot], 50 + item)) return outcome::retry;
    if (!tx.write(bucket, &chain[item / 2], slot)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(forgets_a_slot)
