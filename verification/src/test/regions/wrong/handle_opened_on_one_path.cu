/// @file
/// A handle is opened only if there is something to move, and written through in any case.
// arguments: accounts=objects:2 balances=[3,0]
// items: 2
// expect: bad handle at balances
// recorded: unfinished (an item is left unfinished, and why is said)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct handle_opened_on_one_path {
  magpie::stm::objects accounts;
  magpie::array<std::int32_t> balances;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto from = tx.open(accounts, item);
    magpie::stm::handle to;
    std::int32_t have = 0, there = 0;
    if (!tx.read(from, &balances[item], have)) return outcome::retry;
    if (have > 0) {
      to = tx.open(accounts, item ^ 1u);
      if (!tx.read(to, &balances[item ^ 1u], there)) return outcome::retry;
    }
    if (!tx.write(from, &balances[item], 0)) return outcome::retry;
    if (!tx.write(to, &balances[item ^ 1u], there + have)) return outcome::retry;  // here
    return outcome::commit;
  }
};
MAGPIE_REGION(handle_opened_on_one_path)
