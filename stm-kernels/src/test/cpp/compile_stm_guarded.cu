/// @file
/// Guarded data of every size, and in rows, compile for the GPU; so do CUDA's own vectors.
#include "magpie/stm.cuh"

namespace {

namespace stm = magpie::stm;

struct every_size {
  stm::guarded<float4> vectors;
  stm::guarded<short2, stm::blocks_of<4>> pairs;
  stm::guarded<std::uint8_t> marks;
  stm::guarded_matrix<std::int16_t, stm::blocks_of<2>> table;
  magpie::matrix<const std::uint8_t> fixed;

  static constexpr std::uint32_t max_objects = 4, max_writes = 5;
  static constexpr bool narrow_writes = true;

  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    float4 v = MAGPIE_TRY(tx.get(vectors, item));
    v.w += MAGPIE_TRY(tx.get(pairs, item, &short2::y));
    MAGPIE_TRY(tx.set(vectors, item, v));
    MAGPIE_TRY(tx.set(pairs, item, &short2::x, 3));
    MAGPIE_TRY(tx.set(marks, item, magpie::ld_plain(&fixed(item, 1))));
    const auto row = table.row(item);
    const std::int16_t x = MAGPIE_TRY(tx.get(row, 0));
    MAGPIE_TRY(tx.set(row, 0, static_cast<std::int16_t>(x + 1)));
    return stm::outcome::commit;
  }
};
MAGPIE_REGION(every_size)

}  // namespace
