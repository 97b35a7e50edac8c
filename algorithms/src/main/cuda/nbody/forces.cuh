/// @file
/// Gravity by a walk over the tree.
#pragma once

#include "nbody.cuh"

namespace nbody {

/// The acceleration of each body and its potential, with the constant of gravity 1: sums over bodies, and over cells that are
/// far away, of `mass * d / (d^2 + softening^2)^(3/2)` and of `-mass / (d^2 + softening^2)^(1/2)`.
///
/// Bodies that are neighbors in the tree's order walk together, as a group: a cell is opened if it is too near to their bounding
/// box, and so whenever it is too near to one of them. Forces are no less exact than by each body's own choice. Bodies at one
/// place, and without softening, do not attract each other: there is no direction.
///
/// A warp walks for a group. It takes cells off a stack that it has in common, and each lane looks at one octant; those that are far
/// away, and bodies, are sources and queue up, until there is one for each lane. Then each source acts on each body
/// of the group. A group of half a warp or less gets its sources in as many streams, each to a part of the lanes with a copy of
/// the group, whose sums are added up at the end: so few bodies keep more warps busy.
///
/// Participation: whole warps. Shared state: read only. Determinism: depends on the warp's width and the size of groups, not on the
/// grid. Cost: for each octant that a group looks at loads of 8 and of 16 bytes (float), or three of 16 (double), side by side for
/// those of a cell; for each source four shuffles of a Real when it is queued and four when it acts, and for each body then 14 to
/// 20 operations, as the compiler fuses them, of which one is a reciprocal root.
template <class Real>
struct sum_forces {
  static constexpr unsigned block_size = 128;

  u32 bodies;
  u32 together;  ///< bodies of a group: the warp's width, or a part of it that divides it
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
    u64 acted = 0;
    const u64 groups = (u64{bodies} + together - 1) / together;
    for (u64 base : self.warp_items(groups * self.width())) {
      u32 stack[stack_words];
      walker group{*this, self, stack, static_cast<u32>(base / self.width() * together)};
      group.walk();
      group.finish();
      acted += group.acted;
    }
    if (self.lane() == 0 && acted != 0) magpie::red_add_rlx_dev(&interactions[0], acted);
  }

 private:
  /// Entries that a warp takes off the stack at once, an octant for each lane.
  MAGPIE_INLINE static u32 entries_at_once(u32 width) { return width < 8 ? 1 : width / 8; }

  /// Words of the stack for each lane. Entries lie by depth, the deepest on top; 8 at most of each depth for each that is taken
  /// at once, as those of a depth are only put there when all that are deeper have been taken.
  static constexpr u32 stack_words = magpie::static_width<thread> == 32 ? key_depth : 8 * key_depth;

  /// The bit of that rank, from 0 for the lowest, among those that are set; any number below 32 if there are too few.
  MAGPIE_INLINE static u32 bit_of_rank(u32 mask, u32 rank) {
    u32 at = 0;
    MAGPIE_UNROLL
    for (u32 half = 16; half != 0; half /= 2) {
      const u32 below = magpie::popcount(mask & ((1u << half) - 1u));
      if (rank >= below) {
        rank -= below;
        mask >>= half;
        at += half;
      }
    }
    return at & 31u;
  }

  /// A group on its way.
  struct walker {
    const sum_forces& all;
    const thread& self;
    u32* const stack;  ///< apart, as all else is in registers
    const u32 first;   ///< place of its first body
    u32 mine;          ///< of this lane in its copy of the group
    u32 stream;        ///< the first lane of that copy
    u32 body = 0;
    u32 top = 0;     ///< entries on the stack
    u32 queued = 0;  ///< sources that wait, one for each of the first lanes
    Real softening2;
    quad<Real> own;
    quad<Real> source;  ///< the one that waits in this lane
    Real low[3];
    Real high[3];
    Real sum[3] = {};
    Real potential = 0;
    u64 acted = 0;

    MAGPIE_INLINE walker(const sum_forces& all, const thread& self, u32* stack, u32 first)
        : all(all), self(self), stack(stack), first(first) {
      softening2 = all.softening * all.softening;
      mine = self.lane() % all.together;
      stream = self.lane() - mine;
      // Lanes without a body follow the last one.
      const u32 last = all.bodies - 1 - first;
      const u32 place = first + (mine < last ? mine : last);
      body = magpie::ld_plain(&all.order[place]);
      own = load_quad(all.placed, place);
      source = own;
      for (u32 k = 0; k < 3; ++k) {
        low[k] = magpie::warp_reduce(self, own.v[k], magpie::minimum<Real>{});
        high[k] = magpie::warp_reduce(self, own.v[k], magpie::maximum<Real>{});
      }
    }

    MAGPIE_INLINE u32 group_size() const {
      return all.together < all.bodies - first ? all.together : all.bodies - first;
    }

    MAGPIE_INLINE void walk() {
      if constexpr (magpie::scalar_warps) {
        walk_alone();
        return;
      }
      act_on_each_other();
      push(self.lane() == 0, 0);
      while (top != 0) {
        const u32 width = self.width();
        const u32 most = entries_at_once(width);
        const u32 taken = top < most ? top : most;
        const u32 which = width < 8 ? 0 : self.lane() / 8;
        const u32 entry = pop(taken, which);
        for (u32 base = 0; base < 8; base += width) {
          const u32 octant = width < 8 ? base + self.lane() : self.lane() % 8;
          look_at(which < taken && octant < 8, entry, octant);
        }
      }
      act<false>(queued);
    }

    /// Writes the sums of all streams.
    MAGPIE_INLINE void finish() {
      for (u32 distance = self.width() / 2; distance >= all.together; distance /= 2) {
        for (u32 k = 0; k < 3; ++k) sum[k] += self.shuffle(sum[k], self.lane() + distance);
        potential += self.shuffle(potential, self.lane() + distance);
      }
      if (self.lane() >= group_size()) return;
      for (u32 k = 0; k < 3; ++k) magpie::st_plain(&all.acceleration[u64{3} * body + k], sum[k]);
      magpie::st_plain(&all.potential[body], potential);
    }

   private:
    /// The walk of a group of one body by a warp of one lane.
    MAGPIE_INLINE void walk_alone() {
      stack[top++] = 0;
      while (top != 0) {
        const u32 entry = stack[--top];
        if (entry >= places_bit) {
          const u32 place = entry & place_mask;
          const u32 end = place + (is_crowd(entry) ? magpie::ld_plain(&all.crowd[place]) : places_of(entry));
          for (u32 p = place; p < end; ++p) act_alone(p, load_quad(all.placed, p));
          continue;
        }
        for (u64 slot = u64{8} * entry; slot < u64{8} * entry + 8; ++slot) {
          const octant_entry<Real> known = load_octant<Real>(all.octant, slot);
          if (known.entry == none) continue;
          const quad<Real> found = load_quad(all.node, slot);
          if (distance2(found) > known.opens) {
            act_alone(known.entry >= places_bit ? known.entry & place_mask : none, found);
          } else {
            stack[top++] = known.entry;
          }
        }
      }
    }

    MAGPIE_INLINE void act_alone(u32 place, const quad<Real>& from) {
      if (place == first) return;
      add(from);
      ++acted;
    }

    /// The entry of that number among so many on top, the lowest of them first; takes them off.
    MAGPIE_INLINE u32 pop(u32 taken, u32 which) {
      const u32 width = self.width();
      const u32 mine = self.lane() < top ? stack[(top - 1 - self.lane()) / width] : 0;
      top -= taken;
      return self.shuffle(mine, (top + which) % width);
    }

    /// Puts the entries of some lanes onto the stack, in the order of lanes.
    MAGPIE_INLINE void push(bool has, u32 entry) {
      const u32 width = self.width();
      const u32 mask = self.ballot(has);
      const u32 count = magpie::popcount(mask);
      if (count == 0) return;
      const u32 rank = (self.lane() + width - top % width) % width;
      const u32 moved = self.shuffle(entry, bit_of_rank(mask, rank));
      if (rank < count) stack[(top + rank) / width] = moved;
      top += count;
    }

    /// What an octant of a cell has, or one of the bodies of a leaf or of a small cell.
    MAGPIE_INLINE void look_at(bool here, u32 entry, u32 number) {
      bool is_source = false;
      bool opens = false;
      quad<Real> found = own;
      u32 inner = 0;
      u32 place = 0;
      u32 end = 0;
      if (here && entry < places_bit) {
        const u64 slot = u64{8} * entry + number;
        const octant_entry<Real> known = load_octant<Real>(all.octant, slot);
        inner = known.entry;
        if (inner != none) {
          found = load_quad(all.node, slot);
          opens = !(distance2(found) > known.opens);
          is_source = !opens && !(inner >= places_bit && is_own(inner & place_mask));
        }
      } else if (here) {
        place = entry & place_mask;
        end = place + (is_crowd(entry) ? magpie::ld_plain(&all.crowd[place]) : places_of(entry));
        place += number;
        is_source = place < end && !is_own(place);
        if (is_source) found = load_quad(all.placed, place);
      }
      push(opens, inner);
      for (;;) {
        take(is_source, found);
        if (!self.any(place + 8 < end)) break;
        // A leaf of more than 8 bodies.
        place += 8;
        is_source = place < end && !is_own(place);
        if (is_source) found = load_quad(all.placed, place);
      }
    }

    MAGPIE_INLINE bool is_own(u32 place) const { return place - first < all.together; }

    /// From the bounding box, squared.
    MAGPIE_INLINE Real distance2(const quad<Real>& to) const {
      Real d[3];
      for (u32 k = 0; k < 3; ++k) {
        const Real under = low[k] - to.v[k];
        const Real over = to.v[k] - high[k];
        const Real out = under > over ? under : over;
        d[k] = out > 0 ? out : 0;
      }
      return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    }

    MAGPIE_INLINE quad<Real> shuffled(const quad<Real>& q, u32 from) const {
      quad<Real> moved;
      MAGPIE_UNROLL
      for (u32 k = 0; k < 4; ++k) moved.v[k] = self.shuffle(q.v[k], from);
      return moved;
    }

    /// Queues the sources of some lanes in the order of lanes; if there is one for each lane then, they act.
    MAGPIE_INLINE void take(bool has, const quad<Real>& found) {
      const u32 width = self.width();
      const u32 mask = self.ballot(has);
      const u32 count = magpie::popcount(mask);
      if (count == 0) return;
      acted += u64{count} * group_size();
      const u32 rank = (self.lane() + width - queued) % width;
      const quad<Real> moved = shuffled(found, bit_of_rank(mask, rank));
      const bool comes = rank < count;
      const bool is_next = self.lane() < queued;  // of the sources after those that act now
      if (comes && !is_next) source = moved;
      queued += count;
      if (queued < width) return;
      act<true>(width);
      if (comes && is_next) source = moved;
      queued -= width;
    }

    /// The sources that wait act on the bodies of the group, those of each stream on its copies.
    template <bool Full>
    MAGPIE_INLINE void act(u32 count) {
      u32 i = 0;
      if constexpr (Full) {
        constexpr u32 side_by_side = 4;
        for (; i + side_by_side <= all.together; i += side_by_side) {
          MAGPIE_UNROLL
          for (u32 k = 0; k < side_by_side; ++k) add(shuffled(source, stream + i + k));
        }
      }
      MAGPIE_NO_UNROLL
      for (; i < all.together; ++i) {
        const quad<Real> from = shuffled(source, stream + i);
        if (Full || stream + i < count) add(from);
      }
    }

    /// The bodies of the group, each stream a part of them.
    MAGPIE_INLINE void act_on_each_other() {
      const u32 streams = self.width() / all.together;
      const u32 count = group_size();
      for (u32 base = 0; base < count; base += streams) {
        const u32 other = base + self.lane() / all.together;
        const quad<Real> from = shuffled(own, other);
        if (other < count && other != mine) add(from);
      }
      acted += u64{count} * (count - 1);
    }

    MAGPIE_INLINE void add(const quad<Real>& from) {
      const Real x = from.v[0] - own.v[0];
      const Real y = from.v[1] - own.v[1];
      const Real z = from.v[2] - own.v[2];
      const Real r2 = x * x + (y * y + (z * z + softening2));
      const Real inverse = r2 > 0 ? magpie::reciprocal_root(r2) : Real{0};
      const Real share = from.v[3] * inverse;
      const Real pulled = share * (inverse * inverse);
      potential -= share;
      sum[0] += pulled * x;
      sum[1] += pulled * y;
      sum[2] += pulled * z;
    }
  };
};
using sum_forces_float = sum_forces<float>;
using sum_forces_double = sum_forces<double>;
MAGPIE_KERNEL(sum_forces_float)
MAGPIE_KERNEL(sum_forces_double)

}  // namespace nbody
