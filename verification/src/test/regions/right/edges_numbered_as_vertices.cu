/// @file
/// Who removes an edge by one of its halves computes the number of the other one; vertices have the same numbers.
// arguments: first=[1,3] head=[0,1,2,3,0,1,2,3,99,99,99,99,99,99,99,99] moves=fill:50:1 edges=pool:16:10 vertices=pool:16:4
// items: 2
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct edges_numbered_as_vertices {
  magpie::stm::guarded<std::uint32_t> first;
  magpie::stm::guarded<std::uint32_t> head;
  magpie::stm::guarded<std::uint32_t> moves;
  magpie::stm::pool<0> edges;
  magpie::stm::pool<1> vertices;

  static constexpr std::uint32_t max_objects = 5, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {2, 1};

  struct state {
    std::uint32_t half, vertex, moves;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    MAGPIE_TRY(tx.reserve(vertices, 1));
    s.half = MAGPIE_TRY(tx.get(first, item));
    (void)MAGPIE_TRY(tx.get(head, s.half));
    (void)MAGPIE_TRY(tx.get(head, s.half ^ 1));
    s.moves = MAGPIE_TRY(tx.get(moves, 0));
    s.vertex = tx.take(vertices);
    MAGPIE_TRY(tx.open(head, 8 + item));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(head, 8 + item, s.vertex);
    tx.store(head, s.half, 99);
    tx.store(head, s.half ^ 1, 99);
    tx.store(first, item, 99);
    tx.store(moves, 0, s.moves + 1);
    tx.free(edges, s.half);
    tx.free(edges, s.half ^ 1);
  }
};
MAGPIE_REGION(edges_numbered_as_vertices)
