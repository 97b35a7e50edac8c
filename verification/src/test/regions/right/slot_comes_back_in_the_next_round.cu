/// @file
/// What a round frees the next one takes again, for something else, and everybody knows.
// arguments: shelves=objects:1 boxes=objects:2 held=fill:99:1 load=zeros:2 slots=pool:2
// items: 1
// expect: nothing
// left open: no two items met
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct slot_comes_back_in_the_next_round {
  magpie::stm::objects shelves;
  magpie::stm::objects boxes;
  magpie::array<std::uint32_t> held;
  magpie::array<std::uint32_t> load;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 3, max_writes = 0, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    magpie::stm::handle shelf, old_box, new_box;
    std::uint32_t old_slot, new_slot;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.shelf = tx.open(shelves, 0);
    if (!tx.read(s.shelf, &held[0], s.old_slot)) return outcome::retry;
    s.new_slot = 99;
    if (s.old_slot == 99) {
      if (!tx.reserve(slots, 1)) return outcome::retry;
      s.new_slot = tx.take(slots);
      s.new_box = tx.open(boxes, s.new_slot);
      if (!s.new_box) return outcome::retry;
    } else {
      s.old_box = tx.open(boxes, s.old_slot);
      if (!s.old_box) return outcome::retry;
    }
    if (item < 6 && !tx.push(item + 1)) return outcome::retry;
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (s.new_slot != 99) {
      tx.store(s.new_box, &load[s.new_slot], item + 20);
    } else {
      tx.store(s.old_box, &load[s.old_slot], 0);
      tx.free(slots, s.old_slot);
    }
    tx.store(s.shelf, &held[0], s.new_slot);
  }
};
MAGPIE_REGION(slot_comes_back_in_the_next_round)
