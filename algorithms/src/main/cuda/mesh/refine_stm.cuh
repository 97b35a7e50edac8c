/// @file
/// Refinement by transactions: each item is one region, whose objects are the triangles of a cavity and those around it.
///
/// Layer: algorithm, the transactional phase. Objects: triangle slot t, with its record and its `edge_segment` entries; a
/// vertex's data are written once, by the transaction that inserts it, and belong to whatever triangles name it.
///
/// Optimistic in two ways. `seek` finds the cavity without any claim, among triangles that others may be changing; then
/// `plan` opens its triangles and those around, and looks at them again: what was seen must still be there. So claims are
/// held only for as long as a commit takes, and what was sought for nothing cost nobody anything. Reads are unvalidated:
/// what an attempt sees may be a mix of states until its claims stand, and `search` survives any (cavity.cuh).
///
/// Except where a fixed edge is in the way: the triangles that led to it are claimed and looked at again first, and the
/// cavity that splits it is sought under these claims. To split an edge because of triangles that never were side by side
/// would leave a valid mesh; but in a fan of segments one such split makes every other segment split just as near to where
/// they meet, one after another.
///
/// At fixed edges, an item whose cavity has a triangle that the same launch made is pushed again: what that insertion made needs
/// work that may be more urgent, such as an edge that it encroaches on, and is chosen only after the launch. Where triangles and
/// holes are congruent, whole lattices are equally urgent, and to go on at once splits their segments all over. Elsewhere an
/// insertion leaves nothing as urgent, and to wait would take a third more time. It commits, to be pushed, and is not
/// deferred, as who loses to others may be: deferred items come before pushed ones in the next launch's list, and these were seen
/// to split segments all over as well.
/// A vertex's number does not tell: a slot that an earlier launch returned is below some that it used. So each vertex has the
/// number of the launch that inserted it. That is looked at before the claims, so that such an item needs but one; and again
/// once they stand, as before them the number may not be seen yet.
///
/// What stands at commit: the records of the cavity, the corners seen beyond its rim, and by the mesh's invariant the
/// links and fixed edges between them. A vertex's position is published by the commit that first names the vertex, and
/// acquired with the claim on any triangle that does; before the claims it is seen whole, or not a number (cavity.cuh).
///
/// Slots. A fan has one or two triangles more than its cavity had: it takes over the cavity's slots, and one or two of
/// the pool's. Nothing is ever freed, so nothing stale can name a slot of the pool, and none is opened (stm/detail/pool.cuh).
#pragma once

#include "look.cuh"

namespace magpie::mesh {

/// What both regions have, and do for a cavity that they have room for; their last fields.
struct refinement {
  stm::objects claims;
  stm::pool<0> triangle_slots;
  stm::pool<1> vertex_slots;
  array<u32> tallies;
  u32 launch;              ///< its number, at least 1; 0: nothing is put off, and `inserted_in` has no elements
  array<u32> inserted_in;  ///< of each vertex the launch that inserted it; no launch's number if none did
  mesh_arguments mesh;

  template <class Cavity>
  MAGPIE_INLINE finding seek(const lane_group& lanes, u32 item, Cavity& c, u32& edge) const {
    return search(shared_access{mesh.arrays()}, lanes, true, item, mesh.asked, c, edge);
  }

  /// A transaction that would need more than `most_objects` to split what is in its way is left to another region.
  template <class Tx, class Cavity>
  MAGPIE_INLINE stm::outcome plan(Tx& tx, Cavity& c, u32 edge, finding& found, u32 most_objects) const {
    const shared_access shared{mesh.arrays()};
    for (;;) {
      const bool obstructed = found == finding::obstructed;
      if (found == finding::torn) return stm::outcome::retry;
      if (found == finding::too_large) return stm::outcome::cancel;  // of what was seen, so `rolled_back` leaves it
      const bool waits = obstructed || (found == finding::insert && (edge != none || c.meets_fixed()));
      if (waits && was_changed(c, [&](const u32* p) { return tx.glance(p); })) {
        found = finding::later;
        return tx.open(claims, c.ids[0]) ? stm::outcome::commit : stm::outcome::retry;
      }
      if (found == finding::insert && !reserve(tx)) return stm::outcome::retry;
      const u32 rim = obstructed || breaks(mutant::rim_not_opened) ? 0 : c.rim;
      if (!obstructed || !breaks(mutant::obstacle_unconfirmed)) {
        if (!tx.open_each(claims, c.triangles + rim, [&](u32 i) { return involved(c, i); })) return stm::outcome::retry;
        if (!still_inside(shared.m, c)) return stm::outcome::retry;
        if (waits && was_changed(c, [](const u32* p) { return ld_rlx_dev(p); })) {
          found = finding::later;
          return stm::outcome::commit;
        }
      }
      if (!obstructed) break;
      const u32 led = c.triangles;
      found = look_at_obstacle(hinted(tx, shared), edge, c);
      if (found == finding::too_large || led + c.triangles + c.rim > most_objects) {
        found = finding::left;  // by `apply`, once it is sure that the claims stood
        return stm::outcome::commit;
      }
    }
    if (!still_around(shared.m, c)) return stm::outcome::retry;
    c.read_segments(shared);
    return found == finding::nothing ? stm::outcome::cancel : stm::outcome::commit;
  }

  /// The same where nobody else changes the mesh, and nothing is torn.
  template <class Tx, class Cavity>
  MAGPIE_INLINE stm::outcome plan_alone(Tx& tx, u32 item, Cavity& c, finding found) const {
    if (found == finding::too_large) return stm::outcome::cancel;
    if (found == finding::insert && !reserve(tx)) return stm::outcome::retry;
    if (!tx.open(claims, triangle_of(item))) return stm::outcome::retry;
    if (found == finding::nothing) return stm::outcome::cancel;
    c.read_segments(shared_access{mesh.arrays()});
    return stm::outcome::commit;
  }

  /// Called by all of `lanes`, also for what is not to be filled. What is left goes to `list`.
  template <class Tx, class Cavity>
  MAGPIE_INLINE void apply(Tx& tx, const lane_group& lanes, u32 item, const Cavity& c, u32 edge, finding found,
                           const array<u32>& list) const {
    const view m = mesh.arrays();
    u32 first = 0, second = 0, vertex = 0;
    u32 segment = none;
    if (found == finding::stuck || found == finding::kept) {
      add_rlx_dev(&tallies[tally::stuck], 1u);
      if (found == finding::kept) add_rlx_dev(&tallies[tally::kept], 1u);
      if (edge_of(item) == whole) {
        const u32 flags = ld_rlx_dev(m.flags(triangle_of(item)));
        tx.store({}, m.flags(triangle_of(item)), flags & ~bad);
      }
    } else if (found == finding::insert) {
      first = tx.take(triangle_slots);
      second = c.rim - c.triangles > 1 ? tx.take(triangle_slots) : first;
      vertex = tx.take(vertex_slots);
      if (launch != 0) st_rlx_dev(&inserted_in[vertex], launch);
      if (edge != none) segment = ld_rlx_dev(m.segment(edge));
    } else if (found == finding::left) {
      leave(item, list);
    } else if (found == finding::later) {
      add_rlx_dev(&tallies[tally::lost], 1u);
      tx.push(item);
    }
    // What recordings know of it: all that is open was looked at, and is written.
    if constexpr (stm::recording) tx.store({}, m.flags(c.ids[0]), tx.load({}, m.flags(c.ids[0])));
    const auto id = [&](u32 i) {
      if (i < c.triangles) return c.ids[i];
      return i == c.triangles ? first : second;
    };
    const auto push = [&](u32 work) { tx.push(work); };
    fill(m, lanes, found == finding::insert, c, segment, vertex, mesh.asked, id, push);
    // A split edge was only in the way: the triangle is still to be mended, if it still is.
    if (found == finding::insert && edge != none && edge_of(item) == whole) tx.push(item);
  }

  /// Lists an item whose cavity was too large for another region that has more room, and looks again.
  MAGPIE_INLINE void leave(u32 item, const array<u32>& list) const {
    st_rlx_dev(&list[add_rlx_dev(&tallies[tally::large], 1u)], item);
  }

 private:
  /// Reads past the claims, declared as hints where somebody looks; elsewhere the call that makes them need not have `tx`.
  template <class Tx>
  MAGPIE_INLINE static auto hinted([[maybe_unused]] Tx& tx, const shared_access& shared) {
    if constexpr (stm::recording) {
      return hinted_access<Tx>{tx, shared.m};
    } else {
      return shared;
    }
  }

  template <class Tx>
  MAGPIE_INLINE bool reserve(Tx& tx) const {
    return tx.reserve(triangle_slots, 2) && tx.reserve(vertex_slots, 1);
  }

  /// The cavity, and what lies around it; where nothing does, a triangle that is open already.
  template <class Cavity>
  MAGPIE_INLINE static u32 involved(const Cavity& c, u32 i) {
    if (i < c.triangles) return c.ids[i];
    const u32 outer = c.outer[i - c.triangles];
    return outer == none ? c.ids[0] : triangle_of(outer);
  }

  /// Whether this launch made a triangle of the cavity; each has the vertex that was inserted first.
  template <class Cavity, class Load>
  MAGPIE_INLINE bool was_changed(const Cavity& c, Load&& load) const {
    // Where nothing is put off, as where cavities are large, what is not confirmed may be others' by the commit.
    if (launch == 0 || breaks(mutant::segments_read_early) || breaks(mutant::obstacle_unconfirmed)) return false;
    bool changed = false;
    for (u32 i = 0; i < c.triangles; ++i) changed |= load(&inserted_in[c.seen[i].corner[0]]) == launch;
    return changed;
  }

  /// Whether the triangles of the cavity still are what was seen, now that they are claimed.
  template <class Cavity>
  MAGPIE_INLINE static bool still_inside(const view& m, const Cavity& c) {
    constexpr u32 together = scalar_warps ? 1 : 3;  // loads under way at once
    u32 differences = 0;
    for (u32 first = 0; first < c.triangles; first += together) {
      record now[together];
      MAGPIE_UNROLL
      for (u32 k = 0; k < together; ++k) now[k] = m.load(c.ids[first + k < c.triangles ? first + k : first]);
      MAGPIE_UNROLL
      for (u32 k = 0; k < together; ++k) {
        const record& then = c.seen[first + k < c.triangles ? first + k : first];
        differences |= (now[k].corner[0] ^ then.corner[0]) | (now[k].corner[1] ^ then.corner[1]) |
                       (now[k].corner[2] ^ then.corner[2]) | (now[k].flags ^ then.flags) |
                       (now[k].link[0] ^ then.link[0]) | (now[k].link[1] ^ then.link[1]) |
                       (now[k].link[2] ^ then.link[2]);
      }
    }
    return breaks(mutant::still_there_skipped) || differences == 0;
  }

  /// Whether what lies around them still is, too.
  template <class Cavity>
  MAGPIE_INLINE static bool still_around(const view& m, const Cavity& c) {
    constexpr u32 together = scalar_warps ? 1 : 6;
    u32 differences = 0;
    for (u32 first = 0; first < c.rim; first += together) {
      u32 now[together];
      MAGPIE_UNROLL
      for (u32 k = 0; k < together; ++k) {
        const u32 i = first + k;
        now[k] = i < c.rim ? c.is_fixed(i) ? c.beyond[i] : ld_rlx_dev(m.corner(c.outer[i])) : 0;
      }
      MAGPIE_UNROLL
      for (u32 k = 0; k < together; ++k) {
        if (first + k < c.rim) differences |= now[k] ^ c.beyond[first + k];
      }
    }
    return breaks(mutant::still_there_skipped) || differences == 0;
  }
};

/// Mends the mesh at one item. A cavity that is too large is left to `refine_large`: listed, and the item ends.
struct refine {
  static constexpr u32 max_objects = 2 * usual + 2;
  static constexpr u32 max_writes = 0;
  static constexpr bool order_dependent = true;  // cavities are found by hints: another order is another mesh
  static constexpr u32 max_pushes = most_pushes<usual>;
  static constexpr u32 max_slots[] = {4, 2};
  static constexpr stm::reads reads = stm::reads::unvalidated;
  /// Chosen for GPUs such as the H200, with 132 multiprocessors: from 128 on, two blocks of 256 on each are all of the 65,536
  /// transactions that TransactionalInsertions has in flight at most. With fewer multiprocessors it was not measured.
  static constexpr unsigned resident_blocks = 2;

  array<u32> large;  ///< at least one place for each item of a launch
  refinement work;

  struct state {
    cavity<usual, plain_search, true> c;
    u32 edge;
    finding found;
  };

  MAGPIE_DEVICE void seek(const lane_group& lanes, u32, u32 item, state& s) const {
    s.found = work.seek(lanes, item, s.c, s.edge);
  }
  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx& tx, u32, state& s) const {
    return work.plan(tx, s.c, s.edge, s.found, max_objects);
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, const lane_group& lanes, u32 item, const state& s) const {
    work.apply(tx, lanes, item, s.c, s.edge, s.found, large);
  }
  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx&, u32 item, state& s) const {
    if (s.found == finding::too_large) work.leave(item, large);
  }
};
MAGPIE_MESH_REGION(refine)

/// Mends the mesh at an item whose cavity was too large for `refine`. Cavities lie in `rooms` of `capacity` triangles each,
/// one for each rank of a launch, in turn: a launch has no more items than there are rooms.
///
/// An item that is `alone` in its launch claims but its own triangle: nobody else changes the mesh, and a cavity may have
/// all of it, each of whose triangles would have to be looked for among those that are open.
struct refine_large {
  static constexpr u32 max_objects = 256;
  static constexpr u32 max_writes = 0;
  static constexpr bool order_dependent = true;  // as for `refine`
  static constexpr u32 max_slots[] = {2, 1};
  static constexpr stm::reads reads = stm::reads::unvalidated;

  array<u32> pushed;  ///< behind tally::pushed; at least 2 * capacity + 9 places for each item, as `most_pushes`
  array<u32> larger;  ///< behind tally::large: items whose cavity seemed larger than a room; a place for each
  u32 alone;          ///< 1: the launch has one item, so that nothing it sees is torn, unless the mesh is broken
  u32 capacity;
  array<u32> rooms;
  refinement work;

  struct state {
    cavity<lent_memory, plain_search, true> c;
    u32 edge;
    finding found;
  };

  MAGPIE_DEVICE void seek(const lane_group& lanes, u32 rank, u32 item, state& s) const {
    s.c.lend(rooms.data + lent_words(capacity) * (rank % (rooms.size() / lent_words(capacity))), capacity);
    s.found = work.seek(lanes, item, s.c, s.edge);
  }
  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx& tx, u32 item, state& s) const {
    if (alone == 0) return work.plan(tx, s.c, s.edge, s.found, ~0u);  // a larger one gets a larger log
    if (s.found == finding::obstructed) {
      s.found = look_at_obstacle(shared_access{work.mesh.arrays()}, s.edge, s.c);
    }
    // Contradictory, and seen so by itself: given up, like what is too small.
    if (s.found == finding::torn || (s.found == finding::too_large && capacity >= work.claims.count)) {
      add_rlx_dev(&work.tallies[tally::torn], 1u);
      s.found = finding::stuck;
    }
    return work.plan_alone(tx, item, s.c, s.found);
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, const lane_group& lanes, u32 item, const state& s) const {
    struct pusher {
      Tx& tx;
      const refine_large& region;
      MAGPIE_INLINE u32 take(const stm::pool<0>& from) { return tx.take(from); }
      MAGPIE_INLINE u32 take(const stm::pool<1>& from) { return tx.take(from); }
      MAGPIE_INLINE void store(stm::handle object, u32* p, u32 value) { tx.store(object, p, value); }
      MAGPIE_INLINE u32 load(stm::handle object, const u32* p) { return tx.load(object, p); }
      MAGPIE_INLINE void push(u32 made) {
        st_rlx_dev(&region.pushed[add_rlx_dev(&region.work.tallies[tally::pushed], 1u)], made);
      }
    };
    pusher around{tx, *this};
    work.apply(around, lanes, item, s.c, s.edge, s.found, larger);
  }
  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx&, u32 item, state& s) const {
    if (s.found == finding::too_large) work.leave(item, larger);
  }
};
MAGPIE_MESH_REGION(refine_large)

}  // namespace magpie::mesh
