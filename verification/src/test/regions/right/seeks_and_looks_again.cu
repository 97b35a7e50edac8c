/// @file
/// The end of a path is sought past the transaction, and opened and looked at again in plan.
// arguments: cells=objects:4 next=[1,2,3,3] visits=zeros:4
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct seeks_and_looks_again {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> next;
  magpie::array<std::uint32_t> visits;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr auto reads = magpie::stm::reads::unvalidated;

  struct state {
    magpie::stm::handle end;
    std::uint32_t at;
  };

  MAGPIE_DEVICE void seek(const magpie::lane_group&, std::uint32_t, std::uint32_t item, state& s) const {
    s.at = item;
    for (std::uint32_t step = 0; step < 4; ++step) s.at = magpie::ld_rlx_dev(&next[s.at]);
  }
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t, state& s) const {
    s.end = tx.open(cells, s.at);
    std::uint32_t after = 0;
    if (!tx.read(s.end, &next[s.at], after)) return outcome::retry;
    return after == s.at ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, const magpie::lane_group&, std::uint32_t, const state& s) const {
    tx.store(s.end, &visits[s.at], tx.load(s.end, &visits[s.at]) + 1);
  }
};
MAGPIE_REGION(seeks_and_looks_again)
