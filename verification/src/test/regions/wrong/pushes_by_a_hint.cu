/// @file
/// The first two visitors of a hall send for another one; how many came before them they only glance at.
// arguments: halls=objects:1 visits=zeros:1
// items: 3
// expect: unchecked hint at visits
// recorded: wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct pushes_by_a_hint {
  magpie::stm::objects halls;
  magpie::array<std::uint32_t> visits;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t before = tx.glance(&visits[0]);  // here
    if (before < 2 && !tx.push(item + 10)) return outcome::retry;
    const auto hall = tx.open(halls, 0);
    std::uint32_t count = 0;
    if (!tx.read(hall, &visits[0], count)) return outcome::retry;
    return tx.write(hall, &visits[0], count + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(pushes_by_a_hint)
