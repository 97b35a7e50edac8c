/// @file
/// In round 1 a slot is freed, in round 2 taken for something else, and in round 3 used as what it was.
// arguments: shelves=objects:2 boxes=objects:2 mine=[0] yours=[9] load=[5,6] slots=pool:2:1
// items: 1
// expect: recycled number at slots
// recorded: nothing (run alone, an item does the same)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct remembers_a_recycled_number {
  magpie::stm::objects shelves;
  magpie::stm::objects boxes;
  magpie::array<std::uint32_t> mine;
  magpie::array<std::uint32_t> yours;
  magpie::array<std::uint32_t> load;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 2, max_writes = 0, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle shelf, box;
    std::uint32_t number;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (item == 1) {
      if (!tx.reserve(slots, 1)) return outcome::retry;
      s.number = tx.take(slots);
    }
    s.shelf = tx.open(shelves, item % 2);
    if (item % 2 == 0 && !tx.read(s.shelf, &mine[0], s.number)) return outcome::retry;
    s.box = tx.open(boxes, s.number);
    if (item < 2 && !tx.push(item + 1)) return outcome::retry;
    return s.box ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (item == 0) tx.free(slots, s.number);
    if (item == 1) tx.store(s.shelf, &yours[0], s.number);
    if (item > 0) tx.store(s.box, &load[s.number], 30 + item);  // here
  }
};
MAGPIE_REGION(remembers_a_recycled_number)
