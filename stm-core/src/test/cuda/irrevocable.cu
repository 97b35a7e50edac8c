/// @file
/// Regions whose transactions become irrevocable, for tests of the facade.
#include "magpie/stm.cuh"

namespace {

using magpie::stm::outcome;

/// Moves 1 from one of a few accounts to the next, and counts the item outside of the transaction.
struct receipts {
  magpie::stm::objects accounts;
  magpie::array<std::uint32_t> balance;
  magpie::array<std::uint32_t> times;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr bool irrevocable = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t from = item % accounts.count, to = (item / 2 + 1) % accounts.count;
    const auto source = tx.open(accounts, from);
    std::uint32_t x, y;
    if (!tx.read(source, &balance[from], x) || !tx.write(source, &balance[from], x - 1)) return outcome::retry;
    if (!tx.become_irrevocable(1, 1)) return outcome::retry;  // it opens one object more, and writes one more datum
    magpie::red_add_rlx_dev(&times[item], 1u);                // is done once
    const auto target = tx.open(accounts, to);
    if (!tx.read(target, &balance[to], y) || !tx.write(target, &balance[to], y + 1)) return outcome::retry;
    return outcome::commit;
  }
};

/// Adds 1 to one of a few accounts. Its attempts do not become irrevocable.
struct deposits {
  magpie::stm::objects accounts;
  magpie::array<std::uint32_t> balance;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t at = item % accounts.count;
    const auto account = tx.open(accounts, at);
    std::uint32_t x;
    if (!tx.read(account, &balance[at], x) || !tx.write(account, &balance[at], x + 1)) return outcome::retry;
    return outcome::commit;
  }
};

/// Becomes irrevocable and thinks better of it.
struct breaks_its_word {
  magpie::stm::objects accounts;
  magpie::array<std::uint32_t> balance;
  magpie::array<std::uint32_t> times;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr bool irrevocable = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t at = item % accounts.count;
    if (!tx.write(tx.open(accounts, at), &balance[at], 0u) || !tx.become_irrevocable()) return outcome::retry;
    magpie::red_add_rlx_dev(&times[item], 1u);
    return outcome::retry;
  }
};

}  // namespace

MAGPIE_REGION(receipts)
MAGPIE_REGION(deposits)
MAGPIE_REGION(breaks_its_word)
