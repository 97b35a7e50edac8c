/// @file
/// What the kernels of connected components share: the forest of parents, and small numbers in pairs.
///
/// Layer: algorithm. Words used throughout:
/// - `parent[v]`: a root points to itself. Unions, which are described where they are made, give the word of a root another
///   tree to point to; every other store replaces a parent by one of its ancestors.
///   - In sampled_form.cuh, and by `hook_selected`, only the word of what is still a root is given another tree: once at most.
///     A chain of relaxed loads ends at a vertex that was a root, whatever runs alongside it.
///   - In `hook` and `hook_slots` rivals may overwrite the word of a vertex that is a root no more, with other roots of the
///     round. Between two jumps the words of the round's roots take only roots of that round, all of them less or all of them
///     greater than the vertex, so there is no cycle whichever stays; and no way is shortened meanwhile.
/// - `edge_of[v]`: the edge over which the former root v was hooked, `none` for a root. Where a forest is asked for, each
///   vertex is hooked once at most, so this array *is* the spanning forest and needs no counter. Written only there.
///
/// Limits: vertices <= 2^31 - 2, arcs < 2^31.
#pragma once

#include "magpie/parallel/warp_segmentation.cuh"
#include "magpie/stm.cuh"

namespace components {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using magpie::array;
using magpie::thread;

inline constexpr u32 none = 0xffffffffu;

MAGPIE_INLINE u32 high(u64 v) { return static_cast<u32>(v >> 32); }
MAGPIE_INLINE u32 low(u64 v) { return static_cast<u32>(v); }
MAGPIE_INLINE u64 pair_of(u32 first, u32 second) { return u64{first} << 32 | second; }
MAGPIE_INLINE u32 least(u32 a, u32 b) { return a < b ? a : b; }
MAGPIE_INLINE u32 most(u32 a, u32 b) { return a < b ? b : a; }

}  // namespace components
