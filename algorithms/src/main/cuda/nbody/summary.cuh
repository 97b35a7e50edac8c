/// @file
/// What the octree's cells sum up: the mass in each, its center, and from where it may stand for its bodies; and the bodies in
/// the order of the tree.
///
/// Both go by depth, a launch for each: cells are sorted by it first, so that no cell waits for another one.
#pragma once

#include "nbody.cuh"

namespace nbody {

/// The numbers of cells, to be sorted by depth. Bytes: 12 for each.
struct list_cells {
  u64 cells;
  array<const u32> level;
  array<u32> key;
  array<u32> cell;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(cells)) {
      magpie::st_plain(&key[i], magpie::ld_plain(&level[i]));
      magpie::st_plain(&cell[i], static_cast<u32>(i));
    }
  }
};
MAGPIE_KERNEL(list_cells)

/// Where the cells of each depth begin among the sorted ones. Before the launch `start[d]` is their number, for every d; it
/// stays so for depths that are not there. Shared state: one writer for each word. Bytes: 8 for each.
struct find_levels {
  u64 cells;
  array<const u32> key;
  array<u32> start;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(cells)) {
      const u32 mine = magpie::ld_plain(&key[i]);
      if (i == 0 || magpie::ld_plain(&key[i - 1]) != mine) magpie::st_plain(&start[mine], static_cast<u32>(i));
    }
  }
};
MAGPIE_KERNEL(find_levels)

/// Sums up the cells of one depth, whose children have been.
///
/// Sums are in double precision and in the order of octants, and of numbers in a leaf: they depend on bodies alone, not on who has
/// built the tree. From the distance `size / theta` plus that from the center of the cube to the center of mass on, the
/// cell stands for its bodies (Barnes, "Error analysis of a tree code", 1994); with theta of 1 or less no body is that far from a
/// cell that it is in.
///
/// Participation: any threads. Shared state: the cells' own results, one writer for each; those of children, read only, from
/// launches before. Bytes: 32 for each cell, and 24 or 48 for each child.
template <class Real>
struct sum_level {
  u64 count;  ///< cells of this depth
  u32 depth;
  double theta;
  cube bounds;
  array<const u32> cells;  ///< their numbers
  array<const u64> key;
  array<const Real> mass;
  array<const Real> position;
  array<const u32> child;
  array<const u32> next;
  array<Real> center;  ///< 4 for each cell: the center of mass, and the mass
  array<Real> opens;   ///< of each: the square of the distance below which it is opened
  array<u32> below;    ///< of each: the bodies in it
  array<u32> sample;   ///< of each: a body in it, by whose key one knows where it is

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(count)) {
      const u32 cell = magpie::ld_plain(&cells[i]);
      sums all;
      for (u32 octant = 0; octant < 8; ++octant) {
        const u32 held = magpie::ld_plain(&child[u64{8} * cell + octant]);
        if (held == none) continue;
        if (is_cell(held)) {
          all.add(&center[u64{4} * held], magpie::ld_own(&center[u64{4} * held + 3]), magpie::ld_own(&below[held]),
                  magpie::ld_own(&sample[held]));
          continue;
        }
        for (u32 b = flip_body(held); b != none; b = magpie::ld_plain(&next[b])) {
          all.add(&position[u64{3} * b], magpie::ld_plain(&mass[b]), 1, b);
        }
      }
      put(cell, all);
    }
  }

 private:
  struct sums {
    double mass = 0;
    double moment[3] = {};
    double place[3] = {};  ///< sum of places, for cells without mass
    u32 bodies = 0;
    u32 sample = none;

    MAGPIE_INLINE void add(const Real* at, Real more, u32 count, u32 one) {
      for (u32 k = 0; k < 3; ++k) {
        const double x = static_cast<double>(magpie::ld_own(at + k));
        moment[k] += static_cast<double>(more) * x;
        place[k] += count * x;
      }
      mass += static_cast<double>(more);
      bodies += count;
      if (sample == none) sample = one;
    }
  };

  MAGPIE_INLINE void put(u32 cell, const sums& all) const {
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
      magpie::st_plain(&center[u64{4} * cell + k], stored);
    }
    magpie::st_plain(&center[u64{4} * cell + 3], static_cast<Real>(all.mass));
    const double distance = size / theta + std::sqrt(offset);
    magpie::st_plain(&opens[cell], theta > 0 ? static_cast<Real>(distance * distance) : static_cast<Real>(HUGE_VAL));
    magpie::st_plain(&below[cell], all.bodies);
    magpie::st_plain(&sample[cell], all.sample);
  }
};
using sum_level_float = sum_level<float>;
using sum_level_double = sum_level<double>;
MAGPIE_KERNEL(sum_level_float)
MAGPIE_KERNEL(sum_level_double)

/// Gives the bodies below the cells of one depth their places in the order of the tree: cells above have been. It is that of
/// keys, and of numbers where these are equal.
///
/// Participation: any threads. Shared state: `first` of inner cells, `order` of bodies: one writer for each word. Bytes: 32 for
/// each cell, 8 for each child.
struct place_level {
  u64 count;
  array<const u32> cells;
  array<const u32> child;
  array<const u32> next;
  array<const u32> below;
  array<u32> first;  ///< of each cell: the place of its first body; 0 of the root before the first launch
  array<u32> order;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(count)) {
      const u32 cell = magpie::ld_plain(&cells[i]);
      u32 place = magpie::ld_own(&first[cell]);
      for (u32 octant = 0; octant < 8; ++octant) {
        const u32 held = magpie::ld_plain(&child[u64{8} * cell + octant]);
        if (held == none) continue;
        if (is_cell(held)) {
          magpie::st_plain(&first[held], place);
          place += magpie::ld_plain(&below[held]);
          continue;
        }
        for (u32 b = flip_body(held); b != none; b = magpie::ld_plain(&next[b])) magpie::st_plain(&order[place++], b);
      }
    }
  }
};
MAGPIE_KERNEL(place_level)

}  // namespace nbody
