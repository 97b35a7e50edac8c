/// @file
/// A reader adds up two accounts in seek, and again under claims; if the sums differ it tries again.
// arguments: accounts=fill:5:2 sums=zeros:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct reader_seeks_and_plans_again {
  magpie::stm::guarded<std::uint32_t> accounts;
  magpie::stm::guarded<std::uint32_t> sums;

  static constexpr std::uint32_t max_objects = 3, max_writes = 0;
  static constexpr auto reads = magpie::stm::reads::unvalidated;

  struct state {
    std::uint32_t left, right, seen;
  };

  MAGPIE_DEVICE void seek(const magpie::lane_group&, std::uint32_t, std::uint32_t, state& s) const {
    s.seen = magpie::ld_rlx_dev(&accounts.unguarded(0)) + magpie::ld_rlx_dev(&accounts.unguarded(1));
  }
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.left = MAGPIE_TRY(tx.get(accounts, 0));
    s.right = MAGPIE_TRY(tx.get(accounts, 1));
    if (item >= 2) {
      if (s.seen != s.left + s.right) return outcome::retry;
      MAGPIE_TRY(tx.open(sums, item));
    }
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, const magpie::lane_group&, std::uint32_t item, const state& s) const {
    if (item < 2) {
      tx.store(accounts, 0, s.left - 1);
      tx.store(accounts, 1, s.right + 1);
    } else {
      tx.store(sums, item, s.seen);
    }
  }
};
MAGPIE_REGION(reader_seeks_and_plans_again)
