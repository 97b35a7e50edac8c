/// @file
/// Regions over guarded arrays, for the facade's tests.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct alignas(8) point {
  float x, y, z;
  std::int32_t visits;
};

/// Moves a point and what it weighs; points are guarded one by one, weights in blocks of four.
struct visit {
  magpie::stm::guarded<point> points;
  magpie::stm::guarded<std::int64_t, magpie::stm::blocks_of<4>> weights;

  static constexpr std::uint32_t max_objects = 2, max_writes = 3;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto at = static_cast<std::uint32_t>(item % points.size());
    point p = MAGPIE_TRY(tx.get(points, at));
    p.x += 1;
    ++p.visits;
    MAGPIE_TRY(tx.set(points, at, p));
    const std::uint32_t other = at / 2;
    MAGPIE_TRY(
        tx.set(weights, other, MAGPIE_TRY(tx.get(weights, other)) + MAGPIE_TRY(tx.get(points, at, &point::visits))));
    return outcome::commit;
  }
};
MAGPIE_REGION(visit)
