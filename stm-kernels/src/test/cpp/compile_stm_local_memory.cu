// flavors: nvcc
// ptx: local_memory.awk
// build: -DMAGPIE_ALL_POLICIES
// full build: -DMAGPIE_POLICY=pessimistic
// full build: -DMAGPIE_POLICY=hierarchical
// build: -DMAGPIE_POLICY=pr_stm
// build: -DMAGPIE_POLICY=optimistic_hand_off
// full build: -DMAGPIE_POLICY=obstruction_free
/// @file
/// Of a region with many objects a transaction lies in local memory, and what is there is aligned.
#include "magpie/stm.cuh"

namespace {

namespace stm = magpie::stm;

/// Moves 1 around a ring of as many objects as it has.
struct turns {
  stm::guarded<std::uint32_t> values;
  magpie::array<const std::uint32_t> starts;

  static constexpr std::uint32_t max_objects = 16, max_writes = 32;

  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t first = starts[item];
    for (std::uint32_t i = 0; i < max_objects; ++i) {
      const std::uint32_t from = (first + i) % values.size(), to = (first + i + 1) % values.size();
      MAGPIE_TRY(tx.set(values, from, MAGPIE_TRY(tx.get(values, from)) - 1));
      MAGPIE_TRY(tx.set(values, to, MAGPIE_TRY(tx.get(values, to)) + 1));
    }
    return stm::outcome::commit;
  }
};

}  // namespace

MAGPIE_REGION(turns)
