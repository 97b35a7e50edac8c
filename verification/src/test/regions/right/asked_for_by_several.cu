/// @file
/// Four callers ask for the same delivery, which is an item of the next round four times: the first to come delivers, and the
/// others cancel.
// arguments: doors=objects:1 calls=zeros:1 delivered=zeros:1
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct asked_for_by_several {
  magpie::stm::objects doors;
  magpie::array<std::uint32_t> calls;
  magpie::array<std::uint32_t> delivered;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;
  static constexpr std::uint32_t delivery = 9;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto door = tx.open(doors, 0);
    std::uint32_t count = 0;
    if (item != delivery) {
      if (!tx.read(door, &calls[0], count) || !tx.push(delivery)) return outcome::retry;
      return tx.write(door, &calls[0], count + 1) ? outcome::commit : outcome::retry;
    }
    if (!tx.read(door, &delivered[0], count)) return outcome::retry;
    if (count > 0) return outcome::cancel;
    return tx.write(door, &delivered[0], 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(asked_for_by_several)
