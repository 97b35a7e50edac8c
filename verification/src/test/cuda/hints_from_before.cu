/// @file
/// Item 1 looks by a hint at what item 0 changes before item 1 commits: so it is in the first launch.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// By `peeks`, what the two of the first launch wait for: 1 item 1 has looked, 2 item 0 has committed.
MAGPIE_MODULE_VARIABLE std::uint32_t stages[2] = {0, 0};

struct hints_from_before {
  magpie::stm::guarded<std::uint32_t> flag;
  magpie::stm::guarded<std::uint32_t> seen;
  std::uint32_t peeks;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr bool order_dependent = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item == 0) {
      await(1);
      MAGPIE_TRY(tx.set(flag, 0, 1));
      return outcome::commit;
    }
    const std::uint32_t was = peeks != 0 ? tx.peek(flag, 0) : tx.glance(flag, 0);
    if (magpie::ld_acq_dev(stage()) == 0) magpie::st_rel_dev(stage(), 1);
    await(2);
    MAGPIE_TRY(tx.set(seen, 0, was + 1));
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item) const {
    if (item == 0) magpie::st_rel_dev(stage(), 2);
  }

  MAGPIE_DEVICE std::uint32_t* stage() const { return &stages[peeks]; }

  MAGPIE_DEVICE void await(std::uint32_t wanted) const {
    for (std::uint32_t i = 0; i < 1u << 20 && magpie::ld_acq_dev(stage()) < wanted; ++i) magpie::pause(1000);
  }
};
MAGPIE_REGION(hints_from_before)
