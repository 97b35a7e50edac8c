/// @file
/// Records are guarded by the bucket of their key; who changes the key opens the bucket that it leaves and the one that it comes to.
// arguments: buckets=objects:2 keys=iota:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct key_moves_under_both_buckets {
  magpie::stm::objects buckets;
  magpie::array<std::uint32_t> keys;

  static constexpr std::uint32_t max_objects = 2, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t i = item / 2;
    const auto zero = tx.open(buckets, 0);
    const auto one = tx.open(buckets, 1);
    std::uint32_t key = 0;
    if (!tx.read(zero, &keys[i], key)) return outcome::retry;
    return tx.write(key % 2 == 0 ? one : zero, &keys[i], key + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(key_moves_under_both_buckets)
