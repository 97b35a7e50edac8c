/// @file
/// Records are made in one round; later ones look at each place by its number, and free the record there if it is dead.
// arguments: tickets=zeros:4 dead=zeros:16 slots=pool:16:8
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct sweep_by_number {
  magpie::stm::guarded<std::uint32_t> tickets;
  magpie::array<std::uint32_t> dead;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0, max_pushes = 8;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t slot, there;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item == 3) {
      MAGPIE_TRY(tx.open(tickets, 3));
      return tx.push(50) ? outcome::commit : outcome::retry;
    }
    if (item < 3) {
      MAGPIE_TRY(tx.reserve(slots, 1));
      s.there = MAGPIE_TRY(tx.get(tickets, 0));
      s.slot = tx.take(slots);
      return outcome::commit;
    }
    if (item == 50) {
      MAGPIE_TRY(tx.open(tickets, 1));
      for (std::uint32_t i = 8; i < 16; ++i) {
        if (!tx.push(i)) return outcome::retry;
      }
      return outcome::commit;
    }
    MAGPIE_TRY(tx.open(tickets, 2));
    s.there = dead[item];
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item < 3) {
      dead[s.slot] = 1 + item % 2;
      tx.store(tickets, 0, s.there + 1);
    } else if (item >= 8 && item < 16 && s.there == 2) {
      dead[item] = 0;
      tx.free(slots, item);
    }
  }
};
MAGPIE_REGION(sweep_by_number)
