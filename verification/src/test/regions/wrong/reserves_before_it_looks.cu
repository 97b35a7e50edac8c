/// @file
/// A ticket is marked as sold before the purse is looked at, and stays sold when that is empty.
// arguments: tickets=objects:2 purses=objects:4 sold=zeros:2 money=[1,0,1,0]
// items: 4
// expect: effect not undone at sold
// recorded: not repeatable or wrong result
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct reserves_before_it_looks {
  magpie::stm::objects tickets;
  magpie::stm::objects purses;
  magpie::array<std::uint32_t> sold;
  magpie::array<std::uint32_t> money;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto ticket = tx.open(tickets, item / 2);
    std::uint32_t buyer = 0, left = 0;
    if (!tx.read(ticket, &sold[item / 2], buyer)) return outcome::retry;
    if (buyer != 0) return outcome::cancel;
    sold[item / 2] = item + 1;  // here
    const auto purse = tx.open(purses, item);
    if (!tx.read(purse, &money[item], left)) return outcome::retry;
    if (left == 0) return outcome::cancel;
    if (!tx.write(purse, &money[item], left - 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(reserves_before_it_looks)
