/// @file
/// Moves money between accounts: each item is one transfer, and runs atomically.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct transfer {
  // The arguments of a launch, given by name.
  magpie::stm::objects accounts;           // what a transaction claims: one object for each account
  magpie::array<std::int32_t> balance;     // shared and mutable: read and written through the transaction only
  magpie::array<const std::int32_t> from;  // input of each item
  magpie::array<const std::int32_t> to;
  std::int32_t amount;

  // The log's size; a transaction that needs more is run again with a larger one.
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto f = static_cast<std::uint32_t>(magpie::ld_plain(&from[item]));
    const auto t = static_cast<std::uint32_t>(magpie::ld_plain(&to[item]));
    const auto payer = tx.open(accounts, f);
    const auto payee = tx.open(accounts, t);
    std::int32_t x = 0, y = 0;
    // A read or write that fails means that the attempt has lost a claim: go back, and it is repeated.
    if (!tx.read(payer, &balance[f], x)) return outcome::retry;
    if (x < amount) return outcome::cancel;  // the region's own decision: nothing happens, and it is not repeated
    if (!tx.write(payer, &balance[f], x - amount)) return outcome::retry;
    // Read after the write, so that a transfer to oneself sees its own withdrawal.
    if (!tx.read(payee, &balance[t], y) || !tx.write(payee, &balance[t], y + amount)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(transfer)
