/// @file
/// A journal is written by plain code in attempts that are irrevocable, of which there is one at a time: what they do beside the
/// transaction is done once.
// arguments: balance=fill:9:2 journal=zeros:8 length=zeros:1
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct irrevocable_journal {
  magpie::stm::guarded<std::int64_t> balance;
  magpie::array<std::uint32_t> journal;
  magpie::stm::guarded<std::uint32_t> length;

  static constexpr std::uint32_t max_objects = 3, max_writes = 3;
  static constexpr bool irrevocable = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t at = MAGPIE_TRY(tx.get(length, 0));
    const std::int64_t x = MAGPIE_TRY(tx.get(balance, item % 2));
    MAGPIE_TRY(tx.become_irrevocable(0, 3));
    journal[at] = item;
    MAGPIE_TRY(tx.set(length, 0, at + 1));
    MAGPIE_TRY(tx.set(balance, item % 2, x - 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(irrevocable_journal)
