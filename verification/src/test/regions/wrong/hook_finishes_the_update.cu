/// @file
/// The second half of an update is made in committed, when the object is free again.
// arguments: pairs=objects:2 left=zeros:2 right=zeros:2
// items: 4
// expect: shared hook at right
// recorded: wrong result at right
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct hook_finishes_the_update {
  magpie::stm::objects pairs;
  magpie::array<std::uint32_t> left;
  magpie::array<std::uint32_t> right;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;

  struct state {
    magpie::stm::handle pair;
    std::uint32_t next;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.pair = tx.open(pairs, item / 2);
    std::uint32_t there = 0;
    if (!tx.read(s.pair, &left[item / 2], s.next)) return outcome::retry;
    if (!tx.read(s.pair, &right[item / 2], there)) return outcome::retry;
    ++s.next;
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.pair, &left[item / 2], s.next);
  }
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item, const state& s) const {
    magpie::st_rlx_dev(&right[item / 2], s.next);  // here
  }
};
MAGPIE_REGION(hook_finishes_the_update)
