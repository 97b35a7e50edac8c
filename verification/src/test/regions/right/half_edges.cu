/// @file
/// Triangles with three half-edges each, known by three times the triangle's number plus the corner's; an edge's other half is in twin.
/// Items replace a triangle by a new one in its place.
// arguments: start=[0,3] twin=[3,99,99,0,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99,99] twin.guards=objects:8 weight=[1,2,0,0,0,0,0,0] weight.guards=twin.guards triangles=pool:8:2
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct half_edges {
  magpie::stm::guarded<std::uint32_t> start;  // of each place: a half-edge of the triangle there
  magpie::stm::guarded<std::uint32_t, magpie::stm::blocks_of<3>> twin;
  magpie::stm::guarded<std::uint32_t> weight;  // of each triangle
  magpie::stm::pool<0> triangles;

  static constexpr std::uint32_t max_objects = 6, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t half, other, weight, made;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    MAGPIE_TRY(tx.reserve(triangles, 1));
    s.half = MAGPIE_TRY(tx.get(start, item % 2));
    s.weight = MAGPIE_TRY(tx.get(weight, s.half / 3));
    s.other = MAGPIE_TRY(tx.get(twin, s.half));
    MAGPIE_TRY(tx.open(twin, s.other));
    s.made = tx.take(triangles);
    MAGPIE_TRY(tx.open(weight, s.made));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    const std::uint32_t half = 3 * s.made + (s.half + 1) % 3;
    tx.store(weight, s.made, s.weight + 10);
    tx.store(twin, half, s.other);
    tx.store(twin, s.other, half);
    tx.store(start, item % 2, half);
    tx.free(triangles, s.half / 3);
  }
};
MAGPIE_REGION(half_edges)
