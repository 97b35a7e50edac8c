/// @file
/// A line is added to a journal just before the attempt becomes irrevocable, and once more by each attempt that loses before that.
// arguments: balance=fill:9:2 journal=zeros:32 length=zeros:1
// items: 3
// expect: effect not undone at length
// recorded: not repeatable or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct logs_before_it_is_irrevocable {
  magpie::stm::guarded<std::int64_t> balance;
  magpie::array<std::uint32_t> journal;
  magpie::array<std::uint32_t> length;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr bool irrevocable = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::int64_t x = MAGPIE_TRY(tx.get(balance, 0));
    magpie::st_rlx_dev(&journal[magpie::add_rlx_dev(&length[0], 1) % 32], item);  // here
    MAGPIE_TRY(tx.become_irrevocable(1, 2));
    MAGPIE_TRY(tx.set(balance, 0, x - 1));
    MAGPIE_TRY(tx.set(balance, 1, MAGPIE_TRY(tx.get(balance, 1)) + 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(logs_before_it_is_irrevocable)
