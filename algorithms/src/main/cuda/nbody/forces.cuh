/// @file
/// Gravity by a walk over the tree.
#pragma once

#include "nbody.cuh"

namespace nbody {

/// The acceleration of each body and its potential, with the constant of gravity 1: sums over bodies, and over cells that are
/// far away, of `mass * d / (d^2 + softening^2)^(3/2)` and of `-mass / (d^2 + softening^2)^(1/2)`.
///
/// The bodies of a warp, neighbors in the tree's order, walk together and open a cell if any of them is too near to it, so that
/// no lane waits for others on a way of its own (Burtscher and Pingali, 2011). Forces are no less exact than by each lane's own
/// choice. Bodies at one place, and without softening, do not attract each other: there is no direction.
///
/// Participation: whole warps. Shared state: read only. Determinism: depends on the warp's width, not on the grid. Cost: for each warp
/// the cells that it visits, 36 bytes (Real 4) or 64 for each with its octants, mostly from caches.
template <class Real>
struct sum_forces {
  u32 bodies;
  Real softening;
  array<const u32> order;
  array<const u32> child;
  array<const u32> next;
  array<const Real> mass;
  array<const Real> position;
  array<const Real> center;
  array<const Real> opens;
  array<Real> acceleration;  ///< 3 for each body
  array<Real> potential;
  array<u64> interactions;  ///< [0]: bodies and cells that act on a body, added up

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const magpie::lane_group warp = magpie::whole_warp(self);
    u64 acted = 0;
    for (u64 base : self.warp_items(u64{bodies})) {
      const u64 place = base + self.lane();
      const bool here = place < bodies;
      pull on{here ? magpie::ld_plain(&order[place]) : none, softening * softening};
      if (here) {
        for (u32 k = 0; k < 3; ++k) on.at[k] = magpie::ld_plain(&position[u64{3} * on.body + k]);
      }
      walk(warp, here, on);
      if (!here) continue;
      for (u32 k = 0; k < 3; ++k) magpie::st_plain(&acceleration[u64{3} * on.body + k], on.sum[k]);
      magpie::st_plain(&potential[on.body], on.potential);
      acted += on.acted;
    }
    if (acted != 0) magpie::red_add_rlx_dev(&interactions[0], acted);
  }

 private:
  /// What acts on one body.
  struct pull {
    u32 body;
    Real softening2;
    Real at[3] = {};
    Real sum[3] = {};
    Real potential = 0;
    u32 acted = 0;

    MAGPIE_INLINE void add(const Real (&d)[3], Real d2, Real mass) {
      const Real r2 = d2 + softening2;
      if (!(r2 > 0)) return;
      const Real inverse = 1 / std::sqrt(r2);
      const Real share = mass * inverse;
      potential -= share;
      const Real pulled = share * inverse * inverse;
      for (u32 k = 0; k < 3; ++k) sum[k] += pulled * d[k];
      ++acted;
    }
  };

  /// From a body to a place; gives the square of the distance.
  MAGPIE_INLINE static Real way(const pull& on, const Real* to, Real (&d)[3]) {
    for (u32 k = 0; k < 3; ++k) d[k] = magpie::ld_plain(to + k) - on.at[k];
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  }

  /// All lanes walk the same way, each with a stack of its own: the cells from the root down, and their octants, 3 bits each.
  MAGPIE_INLINE void walk(const magpie::lane_group& warp, bool here, pull& on) const {
    u32 cells[key_depth];
    u64 octants = 0;
    u32 depth = 0;
    u32 octant = 0;
    cells[0] = 0;
    for (;;) {
      if (octant == 8) {
        if (depth == 0) return;
        --depth;
        octant = (static_cast<u32>(octants) & 7u) + 1;
        octants >>= 3;
        continue;
      }
      const u32 held = magpie::ld_plain(&child[u64{8} * cells[depth] + octant]);
      Real d[3];
      if (is_body(held)) {
        for (u32 b = flip_body(held); b != none; b = magpie::ld_plain(&next[b])) {
          const Real d2 = way(on, &position[u64{3} * b], d);
          if (here && b != on.body) on.add(d, d2, magpie::ld_plain(&mass[b]));
        }
      } else if (held != none) {
        const Real d2 = way(on, &center[u64{4} * held], d);
        if (warp.any(here && !(d2 > magpie::ld_plain(&opens[held])))) {
          octants = octants << 3 | octant;
          cells[++depth] = held;
          octant = 0;
          continue;
        }
        if (here) on.add(d, d2, magpie::ld_plain(&center[u64{4} * held + 3]));
      }
      ++octant;
    }
  }
};
using sum_forces_float = sum_forces<float>;
using sum_forces_double = sum_forces<double>;
MAGPIE_KERNEL(sum_forces_float)
MAGPIE_KERNEL(sum_forces_double)

}  // namespace nbody
