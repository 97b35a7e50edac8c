/// @file
/// Union-find: the larger of two roots is hooked below the smaller one. Only the larger one is claimed and must still be a root;
/// below which member of the other tree it comes does not matter. That two are joined already is seen by hints: it stays so.
// arguments: parent=iota:6 from=[0,2,1,0] to=[1,3,3,1]
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct hooks_the_larger_root {
  magpie::stm::guarded<std::uint32_t> parent;  // never greater than the vertex
  magpie::array<const std::uint32_t> from;
  magpie::array<const std::uint32_t> to;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr bool order_dependent = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t a = from[item], b = to[item];
    while (a != b) {
      if (a < b) {
        const std::uint32_t swapped = a;
        a = b;
        b = swapped;
      }
      const std::uint32_t above = tx.glance(parent, a);
      if (above == a) break;
      a = above;
    }
    if (a == b) return outcome::cancel;  // joined already, and that never ends
    if (MAGPIE_TRY(tx.get(parent, a)) != a) return outcome::retry;
    MAGPIE_TRY(tx.set(parent, a, b));
    return outcome::commit;
  }
};
MAGPIE_REGION(hooks_the_larger_root)
