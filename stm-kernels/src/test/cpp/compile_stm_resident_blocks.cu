// flavors: nvcc
// ptx: resident_blocks.awk
// build: -DMAGPIE_ALL_POLICIES
// build: -DMAGPIE_POLICY=block_level
/// @file
/// A region says for how many blocks the registers of a multiprocessor suffice; a policy with blocks of its own ignores it.
#include "magpie/stm.cuh"

namespace {

namespace stm = magpie::stm;

template <unsigned Blocks>
struct counting {
  stm::guarded<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 16, max_writes = 1;
  static constexpr unsigned resident_blocks = Blocks;

  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t i = item % values.size();
    MAGPIE_TRY(tx.set(values, i, MAGPIE_TRY(tx.get(values, i)) + 1));
    return stm::outcome::commit;
  }
};
using leaves_it = counting<0>;
using asks_for_3 = counting<3>;

static_assert(magpie::can_be_resident(8, 256) && magpie::can_be_resident(0, 1024));
static_assert(!magpie::can_be_resident(9, 256) && !magpie::can_be_resident(1u << 24, 256));  // 0 threads in 32 bits

}  // namespace

MAGPIE_REGION(leaves_it)
MAGPIE_REGION(asks_for_3)
