/// @file
/// Moves money between accounts: each item is one transfer, and runs atomically.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct transfer {
  // The arguments of a launch, given by name.
  magpie::stm::guarded<std::int32_t> balance;  // shared and mutable: reached through the transaction only
  magpie::array<const std::uint32_t> from;     // input of each item
  magpie::array<const std::uint32_t> to;
  std::int32_t amount;

  // The log's size; a transaction that needs more is run again with a larger one.
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    // If the attempt loses a claim, MAGPIE_TRY returns, and the attempt is repeated.
    const std::int32_t x = MAGPIE_TRY(tx.get(balance, from[item]));
    if (x < amount) return outcome::cancel;  // the region's own decision: nothing happens, and it is not repeated
    MAGPIE_TRY(tx.set(balance, from[item], x - amount));
    // Read after the write, so that a transfer to oneself sees its own withdrawal.
    MAGPIE_TRY(tx.set(balance, to[item], MAGPIE_TRY(tx.get(balance, to[item])) + amount));
    return outcome::commit;
  }
};
MAGPIE_REGION(transfer)
