/// @file
/// What the octree's cells sum up: the mass in each, its center, and from where it may stand for its bodies; the bodies in
/// the order of the tree; and what the walk needs of each octant, side by side.
///
/// Four launches, whatever the depth: links to parents, one pass from the deepest cells to the root, in which the last of a
/// cell's children goes on with the cell, and places of bodies and of cells, each by a walk from the root.
#pragma once

#include "nbody.cuh"

namespace nbody {

/// For each cell the one that it is in, and how many cells it has to wait for; and how many cells there are.
///
/// Participation: whole warps. Shared state: `parent` of inner cells and `waits`: one writer for each word; `totals` by
/// additions and maxima, one for each warp. Bytes: 44 for each cell.
struct link_cells {
  u64 cells;
  u32 room;
  array<const u32> level;
  array<const u32> child;
  array<u32> parent;
  array<u32> waits;  ///< of each: cells in its octants; `no_wait` if there are none
  array<u32> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (has_no_tree(totals, room)) return;
    u32 count = 0;
    u32 depths = 0;
    for (u64 base : self.warp_items(cells)) {
      const u64 cell = base + self.lane();
      if (cell >= cells) continue;
      const u32 depth = magpie::ld_plain(&level[cell]);
      if (depth == no_level) continue;
      ++count;
      depths = depth + 1 > depths ? depth + 1 : depths;
      u32 inner = 0;
      for (u32 octant = 0; octant < 8; ++octant) {
        const u32 held = magpie::ld_plain(&child[8 * cell + octant]);
        if (!is_cell(held)) continue;
        magpie::st_plain(&parent[held], static_cast<u32>(cell));
        ++inner;
      }
      magpie::st_plain(&waits[cell], inner == 0 ? no_wait : inner);
      if (cell == 0) magpie::st_plain(&parent[0], none);
    }
    count = magpie::warp_reduce(self, count, magpie::plus<u32>{});
    depths = magpie::warp_reduce(self, depths, magpie::maximum<u32>{});
    if (self.lane() != 0 || count == 0) return;
    magpie::red_add_rlx_dev(&totals[there_total], count);
    magpie::red_max_rlx_dev(&totals[depth_total], depths);
  }
};
MAGPIE_KERNEL(link_cells)

/// Sums up all cells, from the deepest ones to the root.
///
/// Sums are in double precision and in the order of octants, and of numbers in a leaf: they depend on bodies alone, not on who has
/// built the tree. From the distance `size / theta` plus that from the center of the cube to the center of mass on, the
/// cell stands for its bodies (Barnes, "Error analysis of a tree code", 1994); with theta of 1 or less no body is that far from a
/// cell that it is in.
///
/// Participation: any threads. A thread begins with a cell that has no cell inside, and goes up as long as it is the last to come to
/// the parent (as Karras, HPG 2012, fits boxes); none waits. Shared state: `waits`, subtracted from by a thread that has stored a
/// child's sums, between an acquire-release fence before and one after it; results of cells, one writer for each word, read behind
/// that. Bytes (float or double): 112 or 132 for each cell, 24 or 40 for each that is in another one, 20 or 36 for each body.
template <class Real>
struct sum_cells {
  u64 cells;
  u32 room;
  double theta;
  array<const u64> box;
  array<const u32> totals;
  array<const u32> level;
  array<const u64> key;
  array<const Real> mass;
  array<const Real> position;
  array<const u32> child;
  array<const u32> next;
  array<const u32> parent;
  array<u32> waits;
  array<Real> center;  ///< 4 for each cell: the center of mass, and the mass
  array<Real> opens;   ///< of each: the square of the distance below which it is opened
  array<u32> below;    ///< of each: the bodies in it
  array<u32> sample;   ///< of each: a body in it, by whose key one knows where it is
  array<u32> before;   ///< of each octant: the bodies in those before it

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (has_no_tree(totals, room)) return;
    const cube bounds = cube::of(box);
    for (u64 i : self.items(cells)) {
      if (magpie::ld_plain(&level[i]) == no_level || magpie::ld_rlx_dev(&waits[i]) != no_wait) continue;
      u32 cell = static_cast<u32>(i);
      for (;;) {
        sum(bounds, cell);
        cell = magpie::ld_plain(&parent[cell]);
        if (cell == none) break;
        magpie::fence_acqrel_dev();
        if (magpie::add_rlx_dev(&waits[cell], ~u32{0}) != 1) break;
        magpie::fence_acqrel_dev();
      }
    }
  }

 private:
  struct sums {
    double mass = 0;
    double moment[3] = {};
    double place[3] = {};  ///< sum of places, for cells without mass
    u32 bodies = 0;
    u32 sample = none;

    MAGPIE_INLINE void add(const Real (&at)[3], Real more, u32 count, u32 one) {
      for (u32 k = 0; k < 3; ++k) {
        const double x = static_cast<double>(at[k]);
        moment[k] += static_cast<double>(more) * x;
        place[k] += count * x;
      }
      mass += static_cast<double>(more);
      bodies += count;
      if (sample == none) sample = one;
    }
  };

  MAGPIE_INLINE void sum(const cube& bounds, u32 cell) const {
    sums all;
    for (u32 octant = 0; octant < 8; ++octant) {
      const u64 slot = u64{8} * cell + octant;
      const u32 held = magpie::ld_plain(&child[slot]);
      magpie::st_plain(&before[slot], all.bodies);
      if (held == none) continue;
      Real at[3];
      if (is_cell(held)) {
        for (u32 k = 0; k < 3; ++k) at[k] = magpie::ld_rlx_dev(&center[u64{4} * held + k]);
        all.add(at, magpie::ld_rlx_dev(&center[u64{4} * held + 3]), magpie::ld_rlx_dev(&below[held]),
                magpie::ld_rlx_dev(&sample[held]));
        continue;
      }
      for (u32 b = flip_body(held); b != none; b = magpie::ld_plain(&next[b])) {
        for (u32 k = 0; k < 3; ++k) at[k] = magpie::ld_plain(&position[u64{3} * b + k]);
        all.add(at, magpie::ld_plain(&mass[b]), 1, b);
      }
    }
    put(bounds, cell, all);
  }

  MAGPIE_INLINE void put(const cube& bounds, u32 cell, const sums& all) const {
    const u32 depth = magpie::ld_plain(&level[cell]);
    const double size = bounds.side / static_cast<double>(1u << depth);
    const double origin[3] = {bounds.x, bounds.y, bounds.z};
    const u64 inside = all.sample == none ? 0 : magpie::ld_plain(&key[all.sample]);
    double offset = 0;
    for (u32 k = 0; k < 3; ++k) {
      const double at = all.mass > 0     ? all.moment[k] / all.mass
                        : all.bodies > 0 ? all.place[k] / all.bodies
                                         : origin[k];
      const Real stored = static_cast<Real>(at);
      const double middle = origin[k] + ((gather(inside >> (2 - k)) >> (key_depth - depth)) + 0.5) * size;
      offset += (static_cast<double>(stored) - middle) * (static_cast<double>(stored) - middle);
      magpie::st_rlx_dev(&center[u64{4} * cell + k], stored);
    }
    magpie::st_rlx_dev(&center[u64{4} * cell + 3], static_cast<Real>(all.mass));
    const double distance = size / theta + std::sqrt(offset);
    magpie::st_plain(&opens[cell], theta > 0 ? static_cast<Real>(distance * distance) : static_cast<Real>(HUGE_VAL));
    magpie::st_rlx_dev(&below[cell], all.bodies);
    magpie::st_rlx_dev(&sample[cell], all.sample);
  }
};
using sum_cells_float = sum_cells<float>;
using sum_cells_double = sum_cells<double>;
MAGPIE_KERNEL(sum_cells_float)
MAGPIE_KERNEL(sum_cells_double)

/// Gives bodies their places in the order of the tree: that of keys, and of numbers where these are equal. Puts what the walk needs of
/// them at these places, and at octants that have a body.
///
/// Participation: any threads. Shared state: `order`, `placed`, `crowd`, `node` and `octant`: one writer for each word. Cost: a walk
/// from the root for each body.
template <class Real>
struct place_bodies {
  u32 bodies;
  u32 room;
  array<const u32> totals;
  array<const u64> key;
  array<const u32> child;
  array<const u32> next;
  array<const u32> before;
  array<const Real> mass;
  array<const Real> position;
  array<u32> order;
  array<Real> placed;  ///< 4 for each place: position and mass
  array<u32> crowd;    ///< of the first place of a leaf of more than 8 bodies: how many
  array<Real> node;
  array<u32> octant;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (has_no_tree(totals, room)) return;
    for (u64 i : self.items(u64{bodies})) {
      const u64 mine = magpie::ld_plain(&key[i]);
      u64 slot = digit(mine, 0);
      u32 place = magpie::ld_plain(&before[slot]);
      u32 held = magpie::ld_plain(&child[slot]);
      for (u32 depth = 1; is_cell(held); ++depth) {
        slot = u64{8} * held + digit(mine, depth);
        place += magpie::ld_plain(&before[slot]);
        held = magpie::ld_plain(&child[slot]);
      }
      // The leaf's first body sees to the others.
      if (flip_body(held) == i) put(slot, place, static_cast<u32>(i));
    }
  }

 private:
  MAGPIE_INLINE void put(u64 slot, u32 place, u32 body) const {
    u32 count = 0;
    quad<Real> last{};
    for (u32 b = body; b != none; b = magpie::ld_plain(&next[b]), ++count) {
      for (u32 k = 0; k < 3; ++k) last.v[k] = magpie::ld_plain(&position[u64{3} * b + k]);
      last.v[3] = magpie::ld_plain(&mass[b]);
      store_quad(placed, u64{place} + count, last);
      magpie::st_plain(&order[u64{place} + count], b);
    }
    if (count > most_places) magpie::st_plain(&crowd[place], count);
    store_quad(node, slot, last);
    // One body acts from any distance, several one by one.
    store_octant<Real>(octant, slot,
                       {count == 1 ? opens_body_alone<Real> : static_cast<Real>(HUGE_VAL), entry_of(place, count)});
  }
};
using place_bodies_float = place_bodies<float>;
using place_bodies_double = place_bodies<double>;
MAGPIE_KERNEL(place_bodies_float)
MAGPIE_KERNEL(place_bodies_double)

/// Puts what the walk needs of cells at their octants, and marks those that are empty. A cell of 8 bodies or fewer is known
/// by their places, so that a walk that opens it need not look at the cells inside.
///
/// Participation: any threads. Shared state: `node` and `octant`: one writer for each word. Cost: for small cells a walk from the root.
template <class Real>
struct place_cells {
  u64 cells;
  u32 room;
  array<const u32> totals;
  array<const u32> level;
  array<const u64> key;
  array<const u32> child;
  array<const u32> before;
  array<const u32> parent;
  array<const Real> center;
  array<const Real> opens;
  array<const u32> below;
  array<const u32> sample;
  array<Real> node;
  array<u32> octant;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (has_no_tree(totals, room)) return;
    for (u64 i : self.items(cells)) {
      const u32 depth = magpie::ld_plain(&level[i]);
      if (depth == no_level) continue;
      for (u32 o = 0; o < 8; ++o) {
        if (magpie::ld_plain(&child[8 * i + o]) == none) store_octant<Real>(octant, 8 * i + o, {Real{0}, none});
      }
      if (depth == 0) continue;
      const u64 inside = magpie::ld_plain(&key[magpie::ld_plain(&sample[i])]);
      const u64 slot = u64{8} * magpie::ld_plain(&parent[i]) + digit(inside, depth - 1);
      const u32 count = magpie::ld_plain(&below[i]);
      store_quad(node, slot, load_quad(center, i));
      store_octant<Real>(octant, slot,
                         {magpie::ld_plain(&opens[i]),
                          count <= most_places ? entry_of(place_of(inside, depth), count) : static_cast<u32>(i)});
    }
  }

 private:
  /// That of the first body of the cell of that depth.
  MAGPIE_INLINE u32 place_of(u64 inside, u32 depth) const {
    u64 slot = digit(inside, 0);
    u32 place = magpie::ld_plain(&before[slot]);
    for (u32 d = 1; d < depth; ++d) {
      slot = u64{8} * magpie::ld_plain(&child[slot]) + digit(inside, d);
      place += magpie::ld_plain(&before[slot]);
    }
    return place;
  }
};
using place_cells_float = place_cells<float>;
using place_cells_double = place_cells<double>;
MAGPIE_KERNEL(place_cells_float)
MAGPIE_KERNEL(place_cells_double)

}  // namespace nbody
