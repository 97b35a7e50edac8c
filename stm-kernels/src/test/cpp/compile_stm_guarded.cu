/// @file
/// Guarded data of every size compile for the GPU, CUDA's own vectors among them.
#include "magpie/stm.cuh"

namespace {

namespace stm = magpie::stm;

struct every_size {
  stm::guarded<float4> vectors;
  stm::guarded<short2, stm::blocks_of<4>> pairs;
  stm::guarded<std::uint8_t> marks;
  stm::guarded<const std::int16_t> fixed;

  static constexpr std::uint32_t max_objects = 4, max_writes = 5;
  static constexpr bool narrow_writes = true;

  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    float4 v = MAGPIE_TRY(tx.get(vectors, item));
    v.w += MAGPIE_TRY(tx.get(pairs, item, &short2::y));
    v.x += MAGPIE_TRY(tx.get(fixed, item));
    MAGPIE_TRY(tx.set(vectors, item, v));
    MAGPIE_TRY(tx.set(pairs, item, &short2::x, 3));
    const std::uint8_t mark = MAGPIE_TRY(tx.get(marks, item));
    MAGPIE_TRY(tx.set(marks, item, static_cast<std::uint8_t>(mark + 1)));
    return stm::outcome::commit;
  }
};
MAGPIE_REGION(every_size)

}  // namespace
