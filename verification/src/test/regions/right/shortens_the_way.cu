/// @file
/// The root above a cell is found by hints, and the way to it shortened by hints that are left for others; then it is opened
/// and looked at again.
// arguments: cells=objects:6 parent=[0,0,1,2,3,4] visits=zeros:6
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct shortens_the_way {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> parent;
  magpie::array<std::uint32_t> visits;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t at = 5 - item;
    for (std::uint32_t step = 0; step < 6; ++step) {
      const std::uint32_t above = tx.glance(&parent[at]);
      const std::uint32_t next = tx.glance(&parent[above]);
      if (next == above) {
        at = above;
        break;
      }
      tx.leave_hint(&parent[at], next);  // it leads to the same root, and sooner
      at = next;
    }
    const auto root = tx.open(cells, at);
    std::uint32_t still = 0, count = 0;
    if (!tx.read(root, &parent[at], still) || !tx.read(root, &visits[at], count)) return outcome::retry;
    if (still != at || !tx.write(root, &visits[at], count + 1)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(shortens_the_way)
