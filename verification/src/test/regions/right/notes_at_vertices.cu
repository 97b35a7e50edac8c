/// @file
/// Lists of vertices, no longer than the pool of their notes, so that vertices and notes have the same numbers: each item
/// hangs a note at its least neighbor, and drops that of its first neighbor with one.
// arguments: head=fill:-1:9 held=fill:-1:9 held.guards=head.guards next=fill:-1:9 owner=zeros:9 owner.guards=next.guards notes=pool:9 offsets=[0,2,5,7,10,14,17,19,22,24] neighbors=[1,3,0,2,4,1,5,0,4,6,1,3,5,7,2,4,8,3,7,4,6,8,5,7]
// items: 9
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct notes_at_vertices {
  magpie::stm::guarded<std::uint32_t> head;   // of each vertex: the first note of its list
  magpie::stm::guarded<std::uint32_t> held;   // of each vertex: its own note
  magpie::stm::guarded<std::uint32_t> next;   // of each note
  magpie::stm::guarded<std::uint32_t> owner;  // of each note
  magpie::stm::pool<0> notes;
  magpie::array<const std::uint32_t> offsets;
  magpie::array<const std::uint32_t> neighbors;

  static constexpr std::uint32_t max_objects = 24, max_writes = 8;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t nobody = ~0u;

  struct state {
    std::uint32_t made, at;
    std::uint32_t victim, from, before, drop, after;
  };

  MAGPIE_DEVICE std::uint32_t least(std::uint32_t v) const {
    std::uint32_t u = nobody;
    for (std::uint32_t a = offsets[v]; a < offsets[v + 1]; ++a) {
      if (neighbors[a] < u) u = neighbors[a];
    }
    return u;
  }

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t v, state& s) const {
    s.at = least(v);
    MAGPIE_TRY(tx.reserve(notes, 1));
    if (MAGPIE_TRY(tx.get(held, v)) != nobody) return outcome::cancel;
    s.drop = nobody;
    for (std::uint32_t a = offsets[v]; a < offsets[v + 1] && s.drop == nobody; ++a) {
      s.victim = neighbors[a];
      s.drop = MAGPIE_TRY(tx.get(held, s.victim));
    }
    if (s.drop != nobody) {
      s.from = least(s.victim);
      s.before = nobody;
      for (std::uint32_t n = MAGPIE_TRY(tx.get(head, s.from)); n != s.drop; n = MAGPIE_TRY(tx.get(next, n)))
        s.before = n;
      s.after = MAGPIE_TRY(tx.get(next, s.drop));
    }
    MAGPIE_TRY(tx.open(head, s.at));
    s.made = tx.take(notes);
    MAGPIE_TRY(tx.open(next, s.made));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t v, const state& s) const {
    if (s.drop != nobody) {
      if (s.before == nobody)
        tx.store(head, s.from, s.after);
      else
        tx.store(next, s.before, s.after);
      tx.store(next, s.drop, nobody);
      tx.store(held, s.victim, nobody);
      tx.free(notes, s.drop);
    }
    tx.store(owner, s.made, v);
    tx.store(next, s.made, tx.load(head, s.at));
    tx.store(head, s.at, s.made);
    tx.store(held, v, s.made);
  }
};
MAGPIE_REGION(notes_at_vertices)
