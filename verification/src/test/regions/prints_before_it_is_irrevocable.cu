/// @file
/// A line goes to the page that the tank's level says, by a plain store, before the attempt is irrevocable: one that loses leaves it there.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct prints_before_it_is_irrevocable {
  magpie::stm::guarded<std::uint32_t> tank, done;
  magpie::array<std::uint32_t> page;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr bool irrevocable = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t left = MAGPIE_TRY(tx.get(tank, 0));
    page[left % 16] = item + 1;  // here
    MAGPIE_TRY(tx.become_irrevocable(1, 2));
    MAGPIE_TRY(tx.set(done, item, 1));
    MAGPIE_TRY(tx.set(tank, 0, left - 1));
    return outcome::commit;
  }
};
MAGPIE_REGION(prints_before_it_is_irrevocable)
