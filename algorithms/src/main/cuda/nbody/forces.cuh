/// @file
/// Gravity by a walk over the tree.
#pragma once

#include "nbody.cuh"

namespace nbody {

/// The acceleration of each body and its potential, with the constant of gravity 1: sums over bodies, and over cells that are
/// far away, of `mass * d / (d^2 + softening^2)^(3/2)` and of `-mass / (d^2 + softening^2)^(1/2)`.
///
/// The bodies of a warp, neighbors in the tree's order, walk together and open a cell if any of them is too near to it, so that no
/// lane waits for others on a way of its own (Burtscher and Pingali, 2011). Forces are no less exact than by each lane's own
/// choice. In a warp of 8 lanes or more each lane looks at an octant of its own, and what acts is added up by all (Barnes, 1990;
/// Bedorf, Gaburov and Portegies Zwart, 2012); few octants are so close to the bound that all bodies must look at them. Bodies at one
/// place, and without softening, do not attract each other: there is no direction.
///
/// Participation: whole warps. Shared state: read only. Determinism: depends on the warp's width, not on the grid. Cost: for each warp
/// the cells that it opens, 8 octants of 8 and 16 bytes (float), or 16 and 32, and what acts, 16 or 32 bytes, loaded once for all lanes.
template <class Real>
struct sum_forces {
  u32 bodies;
  u32 room;
  Real softening;
  array<const u32> totals;
  array<const u32> order;
  array<const Real> placed;  ///< 4 for each place in the order: the body's position and mass
  array<const u32> crowd;
  array<const Real> node;
  array<const u32> octant;
  array<Real> acceleration;  ///< 3 for each body
  array<Real> potential;
  array<u64> interactions;  ///< [0]: bodies and cells that act on a body, added up

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (has_no_tree(totals, room)) return;
    const magpie::lane_group warp = magpie::whole_warp(self);
    u64 acted = 0;
    for (u64 base : self.warp_items(u64{bodies})) {
      const u64 place = base + self.lane();
      const bool here = place < bodies;
      // Lanes without a body follow the last one.
      pull on{static_cast<u32>(here ? place : bodies - 1), softening * softening};
      on.own = load_quad(placed, on.place);
      if (self.width() >= octants_of_cell) {
        walk_together(warp, on);
      } else {
        walk(warp, on);
      }
      if (!here) continue;
      const u32 body = magpie::ld_plain(&order[place]);
      for (u32 k = 0; k < 3; ++k) magpie::st_plain(&acceleration[u64{3} * body + k], on.sum[k]);
      magpie::st_plain(&potential[body], on.potential);
      acted += on.acted;
    }
    if (acted != 0) magpie::red_add_rlx_dev(&interactions[0], acted);
  }

 private:
  /// What acts on one body.
  struct pull {
    u32 place;
    Real softening2;
    quad<Real> own = {};
    Real sum[3] = {};
    Real potential = 0;
    u32 acted = 0;

    MAGPIE_INLINE Real distance2(const quad<Real>& to) const {
      const Real x = to.v[0] - own.v[0];
      const Real y = to.v[1] - own.v[1];
      const Real z = to.v[2] - own.v[2];
      return x * x + (y * y + z * z);
    }

    /// Adds one body or cell, which may be where this body is.
    MAGPIE_INLINE void add(const quad<Real>& from) {
      add<false>(from);
      ++acted;
    }

    /// The same of a cell that is elsewhere, without counting it.
    MAGPIE_INLINE void add_cell(const quad<Real>& from) { add<true>(from); }

   private:
    template <bool Elsewhere>
    MAGPIE_INLINE void add(const quad<Real>& from) {
      const Real x = from.v[0] - own.v[0];
      const Real y = from.v[1] - own.v[1];
      const Real z = from.v[2] - own.v[2];
      const Real r2 = x * x + (y * y + (z * z + softening2));
      const Real inverse = Elsewhere || r2 > 0 ? magpie::reciprocal_root(r2) : Real{0};
      const Real share = from.v[3] * inverse;
      const Real pulled = share * (inverse * inverse);
      potential -= share;
      sum[0] += pulled * x;
      sum[1] += pulled * y;
      sum[2] += pulled * z;
    }
  };

  static constexpr u32 octants_of_cell = 8;

  /// Where the bodies of a warp are.
  struct extent {
    Real least[3];
    Real most[3];
    Real some[3][3];  ///< the first body, one in the middle and the last

    MAGPIE_INLINE static extent of(const thread& self, const quad<Real>& own) {
      extent all;
      for (u32 k = 0; k < 3; ++k) {
        all.least[k] = magpie::warp_reduce(self, own.v[k], magpie::minimum<Real>{});
        all.most[k] = magpie::warp_reduce(self, own.v[k], magpie::maximum<Real>{});
        all.some[0][k] = magpie::warp_shuffle(self, own.v[k], 0);
        all.some[1][k] = magpie::warp_shuffle(self, own.v[k], self.width() / 2);
        all.some[2][k] = magpie::warp_shuffle(self, own.v[k], self.width() - 1);
      }
      return all;
    }

    /// Whether all bodies are farther away than that.
    MAGPIE_INLINE bool is_far(const quad<Real>& from, Real opens) const {
      Real d[3];
      for (u32 k = 0; k < 3; ++k) {
        const Real below = least[k] - from.v[k];
        const Real above = from.v[k] - most[k];
        const Real outside = below > above ? below : above;
        d[k] = outside > 0 ? outside : Real{0};
      }
      return d[0] * d[0] + (d[1] * d[1] + d[2] * d[2]) > opens;
    }

    /// Whether one of the three is not.
    MAGPIE_INLINE bool is_near(const quad<Real>& from, Real opens) const {
      bool near = false;
      for (u32 b = 0; b < 3; ++b) {
        const Real x = from.v[0] - some[b][0];
        const Real y = from.v[1] - some[b][1];
        const Real z = from.v[2] - some[b][2];
        near |= !(x * x + (y * y + z * z) > opens);
      }
      return near;
    }
  };

  /// Lane 8 g + o looks at octant o of the g-th of the cells that are looked at together, which are all of one depth. A frame of the
  /// stack is the octants of such cells, an entry with each lane, of which those in the mask `open` have still to be opened.
  MAGPIE_INLINE void walk_together(const magpie::lane_group& warp, pull& on) const {
    const thread& self = warp.self;
    const u32 groups = self.width() / octants_of_cell;
    const u32 group = self.lane() / octants_of_cell;
    const extent bodies_here = extent::of(self, on.own);
    u32 entries[key_depth];
    u32 open[key_depth];
    u32 frames = 0;
    u32 cell = group == 0 ? 0 : none;
    for (;;) {
      const u32 slot = octants_of_cell * cell + self.lane() % octants_of_cell;
      octant_entry<Real> known{Real{0}, none};
      if (cell != none) known = load_octant<Real>(octant, slot);
      bool far = false;
      bool near = false;
      if (known.entry != none) {
        if (known.opens < 0) {
          near = true;  // `opens_body_alone`: it acts by its place, by which a lane knows its own
        } else {
          const quad<Real> found = load_quad(node, slot);
          far = bodies_here.is_far(found, known.opens);
          near = !far && bodies_here.is_near(found, known.opens);
        }
      }
      u32 acting = self.ballot(far);
      u32 opened = self.ballot(near);
      for (u32 unsure = self.ballot(known.entry != none) & ~(acting | opened); unsure != 0; unsure &= unsure - 1) {
        const u32 lane = magpie::lowest_bit(unsure);
        const Real opens = self.shuffle(known.opens, lane);
        const bool is_open = warp.any(!(on.distance2(load_quad(node, self.shuffle(slot, lane))) > opens));
        (is_open ? opened : acting) |= 1u << lane;
      }
      on.acted += magpie::popcount(acting);
      for (; acting != 0; acting &= acting - 1) {
        on.add_cell(load_quad(node, self.shuffle(slot, magpie::lowest_bit(acting))));
      }
      const u32 places = opened & self.ballot(known.entry >= places_bit);
      for (u32 rest = places; rest != 0; rest &= rest - 1) {
        act_each(self.shuffle(known.entry, magpie::lowest_bit(rest)), on);
      }
      if (opened != places) {
        entries[frames] = known.entry;
        open[frames++] = opened & ~places;
      }
      if (frames == 0) return;
      // As many cells as there are groups, from the last frame.
      u32 rest = open[frames - 1];
      u32 from = self.width();
      for (u32 g = 0; g < groups && rest != 0; ++g, rest &= rest - 1) {
        if (g == group) from = magpie::lowest_bit(rest);
      }
      const u32 next = self.shuffle(entries[frames - 1], from < self.width() ? from : 0);
      cell = from < self.width() ? next : none;
      open[frames - 1] = rest;
      if (rest == 0) --frames;
    }
  }

  /// All lanes walk the same way, each with a stack of its own: the cells from the root down, and their octants, 3 bits each.
  MAGPIE_INLINE void walk(const magpie::lane_group& warp, pull& on) const {
    u32 cells[key_depth];
    u64 octants = 0;
    u32 depth = 0;
    u32 number = 0;
    cells[0] = 0;
    for (;;) {
      if (number == 8) {
        if (depth == 0) return;
        --depth;
        number = (static_cast<u32>(octants) & 7u) + 1;
        octants >>= 3;
        continue;
      }
      const u64 slot = u64{8} * cells[depth] + number;
      const octant_entry<Real> known = load_octant<Real>(octant, slot);
      if (known.entry != none) {
        const quad<Real> found = load_quad(node, slot);
        if (!warp.any(!(on.distance2(found) > known.opens))) {
          if (known.entry != entry_of(on.place, 1)) on.add(found);
        } else if (known.entry < places_bit) {
          octants = octants << 3 | number;
          cells[++depth] = known.entry;
          number = 0;
          continue;
        } else {
          act_each(known.entry, on);
        }
      }
      ++number;
    }
  }

  /// Bodies of a leaf or of a small cell, one by one.
  MAGPIE_INLINE void act_each(u32 entry, pull& on) const {
    const u32 first = entry & place_mask;
    const u32 end = first + (is_crowd(entry) ? magpie::ld_plain(&crowd[first]) : places_of(entry));
    for (u32 place = first; place < end; ++place) {
      const quad<Real> from = load_quad(placed, place);
      if (place != on.place) on.add(from);
    }
  }
};
using sum_forces_float = sum_forces<float>;
using sum_forces_double = sum_forces<double>;
MAGPIE_KERNEL(sum_forces_float)
MAGPIE_KERNEL(sum_forces_double)

}  // namespace nbody
