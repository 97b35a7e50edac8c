// Regions whose transactions meet at known objects.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

// Item i adds 1 to room `hot_room`, or if `every` divides it to desk `hot_desk`, and then to the desk `first_own + i`. With
// `every` of 1 and `hot_desk` of ~0 it has its own desk alone.
struct crowd {
  magpie::stm::objects room;
  magpie::stm::objects desk;
  magpie::array<std::int32_t> in_room;
  magpie::array<std::int32_t> at_desk;
  std::uint32_t hot_room;
  std::uint32_t hot_desk;
  std::uint32_t every;
  std::uint32_t first_own;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const bool at_hot_desk = item % every == 0;
    if (!at_hot_desk || hot_desk != ~0u) {
      const auto hot = at_hot_desk ? tx.open(desk, hot_desk) : tx.open(room, hot_room);
      magpie::pause(2000);
      std::int32_t* const first = at_hot_desk ? &at_desk[hot_desk] : &in_room[hot_room];
      std::int32_t x;
      if (!tx.read(hot, first, x) || !tx.write(hot, first, x + 1)) return outcome::retry;
    }
    const auto mine = tx.open(desk, first_own + item);
    std::int32_t y;
    if (!tx.read(mine, &at_desk[first_own + item], y)) return outcome::retry;
    if (!tx.write(mine, &at_desk[first_own + item], y + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(crowd)

// Item i adds 1 to seat 30, whose guard is that of four, and to two of its own: more than its first log holds. It pushes the item
// `items` beyond, while that is below `last`.
struct party {
  magpie::stm::guarded<std::int32_t, magpie::stm::blocks_of<4>> seats;
  magpie::stm::guarded<std::int32_t> own;
  std::uint32_t items;
  std::uint32_t last;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.set(seats, 30, MAGPIE_TRY(tx.get(seats, 30)) + 1));
    magpie::pause(2000);
    for (std::uint32_t k = 0; k < 2; ++k) {
      MAGPIE_TRY(tx.set(own, 2 * item + k, MAGPIE_TRY(tx.get(own, 2 * item + k)) + 1));
    }
    if (item + items < last) tx.push(item + items);
    return outcome::commit;
  }
};
MAGPIE_REGION(party)
