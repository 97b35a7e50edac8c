/// @file
/// Records are guarded by the bucket of their key; who changes the key opens only the bucket that it leaves.
// arguments: buckets=objects:2 keys=iota:4
// items: 4
// expect: guard mismatch at keys
// recorded: guard mismatch at keys
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct moves_to_a_bucket_not_opened {
  magpie::stm::objects buckets;
  magpie::array<std::uint32_t> keys;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t i = item / 2;
    const std::uint32_t bucket = (item % 2 + i) % 2;
    const auto own = tx.open(buckets, bucket);
    std::uint32_t key = 0;
    if (!tx.read(own, &keys[i], key)) return outcome::retry;  // here
    if (key % 2 != bucket) return outcome::cancel;
    return tx.write(own, &keys[i], key + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(moves_to_a_bucket_not_opened)
