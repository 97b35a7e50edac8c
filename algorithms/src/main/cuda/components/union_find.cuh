/// @file
/// What the kernels of connected components share: the forest of parents, walks in it, the walk over a graph's arcs.
///
/// Layer: algorithm. Words used throughout:
/// - `parent[v]`: a root points to itself. Unions, which are described where they are made, give the word of a root another
///   tree to point to; every other store replaces a parent by one of its ancestors.
///   - In sampled_form.cuh, and by `hook_selected`, only the word of what is still a root is given another tree: once at most.
///     A chain of relaxed loads ends at a vertex that was a root, whatever runs beside it.
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
/// Steps of one walk toward a root in a kernel that is repeated; each repetition at least halves what is left of the way.
inline constexpr u32 hops = 64;

MAGPIE_INLINE u32 high(u64 v) { return static_cast<u32>(v >> 32); }
MAGPIE_INLINE u32 low(u64 v) { return static_cast<u32>(v); }
MAGPIE_INLINE u64 pair_of(u32 first, u32 second) { return u64{first} << 32 | second; }
MAGPIE_INLINE u32 least(u32 a, u32 b) { return a < b ? a : b; }
MAGPIE_INLINE u32 most(u32 a, u32 b) { return a < b ? b : a; }

/// Points v to its root, or to an ancestor after `hops` steps. Idempotent: v's own thread alone stores, always an ancestor.
/// Out: whether the root was reached.
MAGPIE_INLINE bool shorten(const array<u32>& parent, u32 v) {
  const u32 first = magpie::ld_rlx_dev(&parent[v]);
  if (first == v) return true;
  u32 p = first;
  bool found = false;
  for (u32 step = 0; !found && step < hops; ++step) {
    const u32 g = magpie::ld_rlx_dev(&parent[p]);
    if (g == p) {
      found = true;
    } else {
      p = g;
      if (step >= 4) magpie::st_rlx_dev(&parent[v], p);  // a long way: let others profit
    }
  }
  if (p != first) magpie::st_rlx_dev(&parent[v], p);
  return found;
}

/// Shortens each vertex's way to its root.
///
/// Participation: any thread, one vertex each. Shared state: `parent[v]` is written by v's thread only; idempotent.
/// Out: `parent[v]` the root, or an ancestor and `deep` is 1 (each launch at least halves the way).
struct flatten {
  u32 vertices;
  array<u32> parent;
  array<u32> deep;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    bool all = true;
    for (u32 v : self.items(vertices)) all &= shorten(parent, v);
    if (!all) magpie::st_rlx_dev(&deep[0], 1);
  }
};
MAGPIE_KERNEL(flatten)

}  // namespace components
