/// @file
/// The octree by locks: each body walks down from the root, and locks the octant whose body has to go deeper.
///
/// As Burtscher and Pingali build it ("An efficient CUDA implementation of the tree-based Barnes Hut n-body algorithm", GPU
/// Computing Gems, Emerald Edition, 2011), but that nobody waits: a body whose octant is locked is put off to the next pass, a
/// launch of its own. So a thread never waits for another one, of its own warp or of a block that is not resident.
#pragma once

#include "mutants.cuh"
#include "nbody.cuh"

namespace nbody {

/// One pass over bodies.
///
/// Participation: any threads. Shared state: `child`. An octant goes from `none` to a body by compare-exchange; from a body to
/// `locked` by compare-exchange, of which one thread wins, and from there to the cell that has this body and the winner's, or
/// back; a cell stays. What is in new cells, their octants and depths, is stored before the octant is released, and read behind an
/// acquire load of it. `totals` by additions, `shared_keys` by stores of the same. A body is deferred if its octant is locked, by a
/// thread that inserts, or if there are too few cells left, which the host adds; so passes end.
struct insert_by_locks {
  u32 cells;   ///< room for so many
  u64 count;   ///< bodies of this pass
  u32 listed;  ///< 0: all bodies
  array<const u32> list;
  array<const u64> key;
  array<u32> child;
  array<u32> level;  ///< the depth of each cell
  array<u32> deferred;
  array<u32> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(count)) {
      const u32 b = listed != 0 ? magpie::ld_plain(&list[i]) : static_cast<u32>(i);
      if (insert(b)) continue;
      magpie::st_plain(&deferred[magpie::append(self, &totals[deferred_total])], b);
    }
  }

 private:
  /// Whether the body, or another one of its key, is in the tree now.
  MAGPIE_INLINE bool insert(u32 b) const {
    const u64 mine = magpie::ld_plain(&key[b]);
    u32 cell = 0;
    // A turn of this loop goes a level down, or finds that another thread has changed the octant, which happens three times at
    // most: none, body, locked, cell.
    for (u32 depth = 0;;) {
      u32* const slot = &child[u64{8} * cell + digit(mine, depth)];
      u32 held = magpie::ld_acq_dev(slot);
      if (held == none) {
        if (breaks(mutant::child_without_lock)) {
          magpie::st_rlx_dev(slot, flip_body(b));
          return true;
        }
        held = magpie::cas_acq_dev(slot, none, flip_body(b));
        if (held == none) return true;
      }
      if (held == locked) return false;
      if (is_cell(held)) {
        cell = held;
        ++depth;
        continue;
      }
      const u64 theirs = magpie::ld_plain(&key[flip_body(held)]);
      if (theirs == mine) {
        magpie::st_rlx_dev(&totals[shared_keys], 1u);
        return true;
      }
      if (magpie::cas_acq_dev(slot, held, locked) != held) continue;
      const u32 chain = common_depth(mine, theirs) - depth;
      const u32 first = magpie::add_rlx_dev(&totals[cell_total], chain);
      if (first + chain > cells) {
        magpie::st_rel_dev(slot, held);
        return false;
      }
      for (u32 k = 0; k < chain; ++k) {
        const u64 octants = u64{8} * (first + k);
        magpie::st_plain(&level[first + k], depth + 1 + k);
        if (k + 1 < chain) {
          magpie::st_rlx_dev(&child[octants + digit(mine, depth + 1 + k)], first + k + 1);
        } else {
          magpie::st_rlx_dev(&child[octants + digit(mine, depth + 1 + k)], flip_body(b));
          magpie::st_rlx_dev(&child[octants + digit(theirs, depth + 1 + k)], held);
        }
      }
      magpie::st_rel_dev(slot, first);
      return true;
    }
  }
};
MAGPIE_KERNEL(insert_by_locks)

}  // namespace nbody
