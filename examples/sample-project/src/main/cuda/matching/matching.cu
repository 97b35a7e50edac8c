/// @file
/// Chooses edges of a graph of which no two meet: each item is an edge, and is taken if both of its ends are still free.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct match {
  magpie::stm::objects vertices;           // one object for each vertex
  magpie::array<std::int32_t> partner;     // of each vertex, or -1
  magpie::array<const std::int32_t> from;  // the two ends of each edge
  magpie::array<const std::int32_t> to;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t edge) const {
    const auto u = static_cast<std::uint32_t>(magpie::ld_plain(&from[edge]));
    const auto v = static_cast<std::uint32_t>(magpie::ld_plain(&to[edge]));
    if (u == v) return outcome::cancel;
    const auto first = tx.open(vertices, u);
    const auto second = tx.open(vertices, v);
    std::int32_t of_u = 0, of_v = 0;
    if (!tx.read(first, &partner[u], of_u) || !tx.read(second, &partner[v], of_v)) return outcome::retry;
    if (of_u >= 0 || of_v >= 0) return outcome::cancel;
    if (!tx.write(first, &partner[u], static_cast<std::int32_t>(v))) return outcome::retry;
    if (!tx.write(second, &partner[v], static_cast<std::int32_t>(u))) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(match)
