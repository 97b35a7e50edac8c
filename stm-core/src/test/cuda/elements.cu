/// @file
/// A region over data of 1, 2 and 16 bytes, and in rows, for the facade's tests.
#include "magpie/stm.cuh"

namespace stm = magpie::stm;

struct alignas(16) vec4 {
  float x, y, z, w;
};

/// Adds what row `item % n` of `steps` says: to a mark, to a total, in a column of a table; and to a vector.
struct adds {
  stm::guarded<std::uint8_t> marks;
  stm::guarded<std::int16_t, stm::blocks_of<4>> totals;
  stm::guarded_matrix<std::int16_t, stm::blocks_of<2>> table;
  stm::guarded<vec4> vectors;
  magpie::matrix<const std::uint8_t> steps;
  const std::int8_t* sign;

  static constexpr std::uint32_t max_objects = 4, max_writes = 5;
  static constexpr bool narrow_writes = true;

  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t at = item % marks.size();
    const auto mark = static_cast<std::uint8_t>(MAGPIE_TRY(tx.get(marks, at)) + magpie::ld_plain(&steps(at, 0)));
    MAGPIE_TRY(tx.set(marks, at, mark));
    const int step = magpie::ld_plain(&steps(at, 1)) * magpie::ld_plain(sign);
    MAGPIE_TRY(tx.set(totals, at, static_cast<std::int16_t>(MAGPIE_TRY(tx.get(totals, at)) + step)));
    const auto row = table.row(at % table.rows());
    const std::uint8_t column = magpie::ld_plain(&steps(at, 2));
    MAGPIE_TRY(tx.set(row, column, static_cast<std::int16_t>(MAGPIE_TRY(tx.get(row, column)) - 1)));
    vec4 v = MAGPIE_TRY(tx.get(vectors, at));
    v = {v.x + 1, v.y + 2, v.z + 3, v.w + 4};
    MAGPIE_TRY(tx.set(vectors, at, v));
    return stm::outcome::commit;
  }
};
MAGPIE_REGION(adds)
