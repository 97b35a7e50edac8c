/// @file
/// Leaves of a tree have four sorted keys each. In a full one the place of a key is sought one key too far, which is the next
/// leaf's.
// arguments: leaves=objects:2 counts=[4,2] keys=[10,20,30,40,50,70,0,0]
// items: 4
// expect: guard mismatch at keys
// recorded: guard mismatch at keys
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct keys_of_a_full_leaf {
  magpie::stm::objects leaves;
  magpie::array<std::uint32_t> counts;
  magpie::array<std::uint32_t> keys;

  static constexpr std::uint32_t max_objects = 1, max_writes = 6;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t key = 44 + item, at = item % 2;
    const auto leaf = tx.open(leaves, at);
    std::uint32_t count = 0, place = 0, there = 0;
    if (!tx.read(leaf, &counts[at], count)) return outcome::retry;
    for (; place <= count; ++place) {
      if (!tx.read(leaf, &keys[4 * at + place], there)) return outcome::retry;  // here
      if (there >= key) break;
    }
    if (count == 4) return outcome::cancel;
    for (std::uint32_t i = count; i > place; --i) {
      if (!tx.read(leaf, &keys[4 * at + i - 1], there)) return outcome::retry;
      if (!tx.write(leaf, &keys[4 * at + i], there)) return outcome::retry;
    }
    if (!tx.write(leaf, &keys[4 * at + place], key)) return outcome::retry;
    return tx.write(leaf, &counts[at], count + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(keys_of_a_full_leaf)
