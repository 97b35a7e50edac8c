/// @file
/// What the kernels of the n-body simulation share: the octree's layout, and keys of bodies, by which every build decides
/// in which octant a body is.
///
/// Layer: algorithm. Words used throughout:
/// - key: of a body, 63 bits. The bounding cube is cut into 2^21 parts in each dimension, and the bits of the three numbers
///   of the part that a body is in are interleaved, x y z, the most significant ones first (Morton order). It is computed once a
///   step, in double precision, whatever the precision of positions. No build looks at a position, so all of them agree on
///   bodies at the border of two cells, however rounding went.
/// - digit d of a key: its three bits for depth d, from 0: in which octant of the cell of depth d the body is.
/// - cell: a cube that is split, number c. Cell 0 is the root, depth 0, and always there; any other is there if and only if two
///   bodies in it have different keys. So bodies determine the tree, but for the numbers of its cells; depths are 0 to 20.
/// - `child[8 c + o]`: what is in octant o of cell c: `none`, a cell as its number, or a body as its number with `body_bit`.
///   While the tree is built by locks, also `locked`.
/// - leaf: bodies of one key, which no depth would separate. A slot of `child` names the one of the least number, and
///   `next[b]` the one after body b, or `none`.
/// - place of a body: its number in the order of the tree, that of keys, and of numbers where these are equal.
/// - entry: what a walk finds of an octant, or has still to look at: `none`, a cell as its number, or the places of bodies in a
///   row, with `places_bit`. `node` has the center and the mass there, 4 numbers for each octant, and `octant` the square of
///   the distance below which it is opened, with the entry.
///
/// Limits: bodies <= 2^26, cells < 2^28.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#include "magpie/kernel.cuh"
#include "magpie/parallel/append.cuh"
#include "magpie/parallel/lane_group.cuh"
#include "magpie/parallel/warp.cuh"

namespace nbody {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using magpie::array;
using magpie::thread;

inline constexpr u32 none = 0xffffffffu;
inline constexpr u32 locked = 0xfffffffeu;
inline constexpr u32 body_bit = 1u << 30;

/// What an octant has.
MAGPIE_INLINE bool is_cell(u32 held) { return held < body_bit; }
/// The body that a word stands for, and the other way round.
MAGPIE_INLINE u32 flip_body(u32 held) { return held ^ body_bit; }

/// Parts of the bounding cube in each dimension, as a power of two; also the most depths that cells have.
inline constexpr u32 key_depth = 21;
/// Bits of a key.
inline constexpr u32 key_bits = 3 * key_depth;
/// The depth of a number that is no cell's.
inline constexpr u32 no_level = 31;
/// In place of the number of cells that a cell waits for, if there are none.
inline constexpr u32 no_wait = 0xffffffffu;
MAGPIE_CONSTANT(no_level)
MAGPIE_CONSTANT(body_bit)

/// Places in `totals`, which the host reads between launches.
enum total : u32 {
  cell_total,      ///< cells given out, or wanted; perhaps more than there is room for
  shared_keys,     ///< 1 if two bodies have the same key
  deferred_total,  ///< bodies put off to the next pass
  there_total,     ///< cells that there are
  depth_total,     ///< depths that have cells
  without_bounds,  ///< 1 if a bound of positions is not finite
  total_count
};
MAGPIE_CONSTANT(cell_total)
MAGPIE_CONSTANT(shared_keys)
MAGPIE_CONSTANT(deferred_total)
MAGPIE_CONSTANT(there_total)
MAGPIE_CONSTANT(depth_total)
MAGPIE_CONSTANT(without_bounds)
MAGPIE_CONSTANT(total_count)

/// Whether there is no tree to go on with: the build found too little room, or there are no bounds, so that all bodies may share a
/// leaf. The host sees to it after the step; until then what needs the tree does nothing.
template <class Word>
MAGPIE_INLINE bool has_no_tree(const array<Word>& totals, u32 room) {
  return magpie::ld_plain(&totals[cell_total]) > room || magpie::ld_plain(&totals[without_bounds]) != 0;
}

/// Entries that stand for places: 26 bits for the first one, 3 for how many follow, or `crowd_bit`.
inline constexpr u32 places_bit = 1u << 31;
inline constexpr u32 crowd_bit = 1u << 29;
inline constexpr u32 place_bits = 26;
inline constexpr u32 place_mask = (1u << place_bits) - 1;
/// The most places that an entry tells itself; the number of those of a crowd is in memory.
inline constexpr u32 most_places = 8;

MAGPIE_INLINE u32 entry_of(u32 place, u32 count) {
  return places_bit | place | (count > most_places ? crowd_bit : (count - 1) << place_bits);
}
MAGPIE_INLINE bool is_crowd(u32 entry) { return (entry & crowd_bit) != 0; }
MAGPIE_INLINE u32 places_of(u32 entry) { return (entry >> place_bits & 7u) + 1; }

/// Four numbers: a place and a mass.
template <class Real>
struct quad {
  Real v[4];
};

/// What is loaded at once, of numbers or of words.
template <class T>
struct alignas(16) sixteen_bytes {
  T v[16 / sizeof(T)];
};
struct alignas(8) eight_bytes {
  u32 v[2];
};

/// The quad of that number, in one load (float) or two.
template <class Real>
MAGPIE_INLINE quad<Real> load_quad(const array<const Real>& from, u64 number) {
  using part = sixteen_bytes<Real>;
  constexpr u32 each = sizeof(part) / sizeof(Real);
  const part* const at = reinterpret_cast<const part*>(&from[4 * number]);
  quad<Real> q;
  for (u32 p = 0; p < 4 / each; ++p) {
    const part loaded = magpie::ld_plain(at + p);
    for (u32 k = 0; k < each; ++k) q.v[each * p + k] = loaded.v[k];
  }
  return q;
}
template <class Real>
MAGPIE_INLINE void store_quad(const array<Real>& to, u64 number, const quad<Real>& q) {
  for (u32 k = 0; k < 4; ++k) magpie::st_plain(&to[4 * number + k], q.v[k]);
}

/// In place of the square of the distance below which an octant is opened, if there is one body in it. Below 0, as no square
/// is: so to `walk` such an octant is far from every body, and its center acts, which is where the body is. `walk_together`
/// treats it as near without loading the center: it is opened, and the body acts as those of opened octants do.
template <class Real>
inline constexpr Real opens_body_alone = Real{-1};

/// From how far an octant acts as one, and its entry.
template <class Real>
struct alignas(2 * sizeof(Real)) octant_entry {
  Real opens;  ///< the square of that distance; infinity if it is always opened; or `opens_body_alone`
  u32 entry;
};

/// Words of an octant's entry in memory: 2 or 4.
template <class Real>
inline constexpr u32 octant_words = sizeof(octant_entry<Real>) / sizeof(u32);
inline constexpr u32 octant_words_float = octant_words<float>;
inline constexpr u32 octant_words_double = octant_words<double>;
MAGPIE_CONSTANT(octant_words_float)
MAGPIE_CONSTANT(octant_words_double)

template <class Real>
MAGPIE_INLINE octant_entry<Real> load_octant(const array<const u32>& from, u64 slot) {
  using whole = std::conditional_t<sizeof(Real) == 4, eight_bytes, sixteen_bytes<u32>>;
  return __builtin_bit_cast(octant_entry<Real>,
                            magpie::ld_plain(reinterpret_cast<const whole*>(&from[octant_words<Real> * slot])));
}
template <class Real>
MAGPIE_INLINE void store_octant(const array<u32>& to, u64 slot, const octant_entry<Real>& known) {
  u32 words[sizeof(Real) / sizeof(u32) + 1];
  std::memcpy(words, &known.opens, sizeof(Real));
  words[sizeof(Real) / sizeof(u32)] = known.entry;
  for (u32 k = 0; k <= sizeof(Real) / sizeof(u32); ++k) magpie::st_plain(&to[octant_words<Real> * slot + k], words[k]);
}

/// In which octant of a cell of that depth a body is. Precondition: depth < key_depth.
MAGPIE_INLINE u32 digit(u64 key, u32 depth) { return static_cast<u32>(key >> (3 * (key_depth - 1 - depth))) & 7u; }

/// Leading zeros of a number that is not 0.
MAGPIE_INLINE u32 leading_zeros(u64 v) {
  const u32 high = static_cast<u32>(v >> 32);
  return high != 0 ? magpie::countl_zero(high) : 32 + magpie::countl_zero(static_cast<u32>(v));
}

/// How many leading bits of their 63 two different keys have in common.
MAGPIE_INLINE u32 common_bits(u64 a, u64 b) { return leading_zeros(a ^ b) - 1; }

/// The least depth at which two different keys have different digits: that of the deepest cell that both are in.
MAGPIE_INLINE u32 common_depth(u64 a, u64 b) { return common_bits(a, b) / 3; }

/// The bits of a number of 21 bits, two places apart from each other.
MAGPIE_INLINE u64 spread(u64 v) {
  v = (v | v << 32) & 0x001f00000000ffffu;
  v = (v | v << 16) & 0x001f0000ff0000ffu;
  v = (v | v << 8) & 0x100f00f00f00f00fu;
  v = (v | v << 4) & 0x10c30c30c30c30c3u;
  return (v | v << 2) & 0x1249249249249249u;
}

/// The inverse of `spread`, which looks at no other bits.
MAGPIE_INLINE u32 gather(u64 v) {
  v &= 0x1249249249249249u;
  v = (v | v >> 2) & 0x10c30c30c30c30c3u;
  v = (v | v >> 4) & 0x100f00f00f00f00fu;
  v = (v | v >> 8) & 0x001f0000ff0000ffu;
  v = (v | v >> 16) & 0x001f00000000ffffu;
  return static_cast<u32>(v | v >> 32) & 0x1fffffu;
}

/// The bits of a double as a number that has the same order; those of NaN are beyond those of infinities.
MAGPIE_INLINE u64 ordered_bits(double v) {
  const u64 bits = __builtin_bit_cast(u64, v);
  return (bits >> 63) != 0 ? ~bits : bits | u64{1} << 63;
}

/// The inverse of `ordered_bits`.
MAGPIE_INLINE double of_ordered_bits(u64 bits) {
  return __builtin_bit_cast(double, (bits >> 63) != 0 ? bits & ~(u64{1} << 63) : ~bits);
}

/// The bounding cube.
struct cube {
  double x;  ///< the least corner
  double y;
  double z;
  double side;
  double scale;  ///< parts a unit of length; 0 if all is one part
  bool finite;

  /// That around bounds as `find_box` leaves them.
  MAGPIE_INLINE static cube of(const array<const u64>& box) {
    double least[3];
    double side = 0;
    bool finite = true;
    for (u32 k = 0; k < 3; ++k) {
      least[k] = of_ordered_bits(magpie::ld_plain(&box[k]));
      const double length = of_ordered_bits(magpie::ld_plain(&box[3 + k])) - least[k];
      side = length > side ? length : side;
      finite = finite && length < HUGE_VAL;
    }
    const double scale = static_cast<double>(1u << key_depth) / side;
    return {least[0], least[1], least[2], side, scale < HUGE_VAL ? scale : 0, finite};
  }
};

/// Sets all that a step begins with: the bounds of nothing, no totals.
struct begin_step {
  array<u64> box;
  array<u32> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(u64{6})) magpie::st_plain(&box[i], i < 3 ? ~u64{0} : u64{0});
    for (u64 i : self.items(u64{total_count})) magpie::st_plain(&totals[i], 0u);
  }
};
MAGPIE_KERNEL(begin_step)

/// A root without bodies, and no other cell. Bytes: 36 for each that there is room for.
struct clear_cells {
  u64 cells;
  array<u32> child;
  array<u32> level;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(8 * cells)) {
      magpie::st_plain(&child[i], none);
      if (i < cells) magpie::st_plain(&level[i], i == 0 ? 0u : no_level);
    }
  }
};
MAGPIE_KERNEL(clear_cells)

/// The bounds of all positions: `box[k]` the least ordered bits in dimension k, and `box[3 + k]` the most.
///
/// Participation: whole warps. Shared state: `box`, six minima and maxima for each warp; before the launch all ones and zeros.
/// Determinism: schedule_independent. Bytes: a position for each body.
template <class Real>
struct find_box {
  u64 bodies;
  array<const Real> position;  ///< 3 for each body
  array<u64> box;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u64 least[3] = {~u64{0}, ~u64{0}, ~u64{0}};
    u64 most[3] = {};
    for (u64 base : self.warp_items(bodies)) {
      const u64 i = base + self.lane();
      if (i >= bodies) continue;
      for (u32 k = 0; k < 3; ++k) {
        const u64 bits = ordered_bits(static_cast<double>(magpie::ld_plain(&position[3 * i + k])));
        least[k] = bits < least[k] ? bits : least[k];
        most[k] = bits > most[k] ? bits : most[k];
      }
    }
    for (u32 k = 0; k < 3; ++k) {
      const u64 low = magpie::warp_reduce(self, least[k], magpie::minimum<u64>{});
      const u64 high = magpie::warp_reduce(self, most[k], magpie::maximum<u64>{});
      if (self.lane() != 0) continue;
      magpie::red_min_rlx_dev(&box[k], low);
      magpie::red_max_rlx_dev(&box[3 + k], high);
    }
  }
};
using find_box_float = find_box<float>;
using find_box_double = find_box<double>;
MAGPIE_KERNEL(find_box_float)
MAGPIE_KERNEL(find_box_double)

/// The part of the cube in one dimension. A difference and a product, which the compiler cannot fuse: the same on all machines.
MAGPIE_INLINE u64 part_of(double position, double origin, double scale) {
  const double part = (position - origin) * scale;
  constexpr double last = (1u << key_depth) - 1;
  return static_cast<u64>(part < last ? part : last);
}

/// The key of each body; if bounds are not finite, of no use. Bytes: a position and 8 for each.
template <class Real>
struct find_keys {
  u64 bodies;
  array<const u64> box;
  array<const Real> position;
  array<u64> key;
  array<u32> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const cube bounds = cube::of(box);
    if (self.rank() == 0 && !bounds.finite) magpie::st_plain(&totals[without_bounds], 1u);
    for (u64 i : self.items(bodies)) {
      const u64 x = part_of(static_cast<double>(magpie::ld_plain(&position[3 * i])), bounds.x, bounds.scale);
      const u64 y = part_of(static_cast<double>(magpie::ld_plain(&position[3 * i + 1])), bounds.y, bounds.scale);
      const u64 z = part_of(static_cast<double>(magpie::ld_plain(&position[3 * i + 2])), bounds.z, bounds.scale);
      magpie::st_plain(&key[i], spread(x) << 2 | spread(y) << 1 | spread(z));
    }
  }
};
using find_keys_float = find_keys<float>;
using find_keys_double = find_keys<double>;
MAGPIE_KERNEL(find_keys_float)
MAGPIE_KERNEL(find_keys_double)

/// Where each body's leaf is: its place in `child`. For trees whose bodies of equal keys are not linked yet.
///
/// Shared state: read only. Cost: a walk from the root for each body.
struct find_leaves {
  u32 bodies;
  array<const u64> key;
  array<const u32> child;
  array<u32> slot;
  array<u32> body;  ///< its number, to be sorted by slots

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(u64{bodies})) {
      const u64 mine = magpie::ld_plain(&key[i]);
      u64 at = digit(mine, 0);
      for (u32 depth = 1; depth < key_depth; ++depth) {
        const u32 held = magpie::ld_plain(&child[at]);
        if (!is_cell(held)) break;
        at = u64{8} * held + digit(mine, depth);
      }
      magpie::st_plain(&slot[i], static_cast<u32>(at));
      magpie::st_plain(&body[i], static_cast<u32>(i));
    }
  }
};
MAGPIE_KERNEL(find_leaves)

/// Links the bodies of each leaf, which are sorted by the places of leaves, and those of a leaf by their numbers.
///
/// Shared state: `next` of the body, `child` of the leaf's first one: one writer for each word.
struct link_leaves {
  u64 bodies;
  array<const u32> slot;
  array<const u32> body;
  array<u32> child;
  array<u32> next;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(bodies)) {
      const u32 at = magpie::ld_plain(&slot[i]);
      const u32 mine = magpie::ld_plain(&body[i]);
      if (i == 0 || magpie::ld_plain(&slot[i - 1]) != at) magpie::st_plain(&child[at], flip_body(mine));
      const bool more = i + 1 < bodies && magpie::ld_plain(&slot[i + 1]) == at;
      magpie::st_plain(&next[mine], more ? magpie::ld_plain(&body[i + 1]) : none);
    }
  }
};
MAGPIE_KERNEL(link_leaves)

}  // namespace nbody
