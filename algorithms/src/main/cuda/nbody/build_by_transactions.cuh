/// @file
/// The octree by transactions: one for each body, which puts it into an empty octant, or makes the cells that separate it from
/// the body that is there.
#pragma once

#include "magpie/stm.cuh"
#include "nbody.cuh"

namespace nbody {

/// Bodies in an order whose every beginning is spread evenly over theirs, which may be one of neighbors: steps of about the golden
/// section of all, none of which comes back before all are there.
///
/// Participation: any threads. Shared state: `spread`, one writer for each word. Cost: a division and 4 bytes for each body.
struct spread_bodies {
  u32 bodies;  ///< 1 at least
  u32 step;    ///< has no divisor in common with `bodies`
  array<u32> spread;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(u64{bodies})) magpie::st_plain(&spread[i], static_cast<u32>(i * step % bodies));
  }
};
MAGPIE_KERNEL(spread_bodies)

/// Inserts a body, unless another one of its key is in the tree. Items: bodies. Objects: cells, each of which stands for its
/// octants and its depth; new ones come from a pool.
///
/// The way down is by hints: an octant that has a cell keeps it. Where it has none, the cell is opened and looked at again, and
/// new cells are opened before they are filled, so that whoever has found one by a hint waits for the commit that fills it.
///
/// Where more than `most_cells` cells are needed, the other body alone goes down by so many, and this one is marked to be tried
/// `again`, in a run of its own: few bodies are that close to each other.
struct insert_body {
  magpie::stm::guarded<u32, magpie::stm::blocks_of<8>> child;
  magpie::stm::guarded<u32> level;  ///< the depth of each cell
  magpie::stm::pool<0> cells;
  array<const u64> key;
  array<u32> again;  ///< of each body: 1 if it is not in the tree yet
  array<u32> totals;

  static constexpr u32 most_cells = 4;
  /// Cells on the way whose hints were old: those that hold a cell by the time that they are opened.
  static constexpr u32 most_old_hints = 3;
  static constexpr u32 max_objects = 1 + most_old_hints + most_cells, max_writes = 2 + 2 * most_cells;
  static constexpr u32 max_slots[] = {most_cells};
  /// Which cell gets which number.
  static constexpr bool order_dependent = true;

  MAGPIE_DEVICE void soon(u32 item) const { magpie::prefetch(&key[item]); }

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, u32 item) const {
    const u64 mine = magpie::ld_plain(&key[item]);
    u32 depth = 0;
    u64 slot = digit(mine, 0);
    u32 held = none;
    for (;;) {
      held = tx.glance(child, slot);
      if (!is_cell(held)) held = MAGPIE_TRY(tx.get(child, slot));
      if (!is_cell(held)) break;
      slot = u64{8} * held + digit(mine, ++depth);
    }
    magpie::st_plain(&again[item], 0u);
    if (held == none) {
      MAGPIE_TRY(tx.set(child, slot, flip_body(item)));
      return magpie::stm::outcome::commit;
    }
    const u64 theirs = magpie::ld_plain(&key[flip_body(held)]);
    if (theirs == mine) {
      magpie::st_rlx_dev(&totals[shared_keys], 1u);
      return magpie::stm::outcome::cancel;
    }
    const u32 chain = common_depth(mine, theirs) - depth;
    const bool whole = chain <= most_cells;
    const u32 wanted = whole ? chain : most_cells;
    MAGPIE_TRY(tx.reserve(cells, wanted));
    for (u32 k = 0; k < wanted; ++k) {
      const u32 made = tx.take(cells);
      MAGPIE_TRY(tx.set(child, slot, made));
      MAGPIE_TRY(tx.set(level, made, ++depth));
      slot = u64{8} * made + digit(theirs, depth);
    }
    MAGPIE_TRY(tx.set(child, slot, held));
    if (whole) {
      MAGPIE_TRY(tx.set(child, (slot & ~u64{7}) + digit(mine, depth), flip_body(item)));
    } else {
      magpie::st_plain(&again[item], 1u);
      magpie::st_rlx_dev(&totals[deferred_total], 1u);
    }
    return magpie::stm::outcome::commit;
  }
};
MAGPIE_REGION(insert_body)

}  // namespace nbody
