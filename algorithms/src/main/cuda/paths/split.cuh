/// @file
/// Splits vertices with many arcs into nodes with at most `bound` each, and chooses the bound; see nodes.cuh.
///
/// Everything here has one writer for each word, and no read-modify-writes: degrees, their histogram by pieces, which the host has
/// added up by segment, the number of children of each vertex, one scan of these, and the nodes. Determinism: schedule_independent.
#pragma once

#include "paths.cuh"

namespace paths {

/// Buckets of the histogram of degrees.
inline constexpr u32 bucket_count = 10;
MAGPIE_CONSTANT(bucket_count)

/// The number of arcs that leave each vertex. Shared state: `degree[v]` by one thread.
struct measure_degrees {
  u64 vertices;
  array<const u32> offsets;
  array<u32> degree;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 v : self.items(vertices)) {
      magpie::st_plain(&degree[v], magpie::ld_plain(&offsets[v + 1]) - magpie::ld_plain(&offsets[v]));
    }
  }
};
MAGPIE_KERNEL(measure_degrees)

/// The histogram of degrees in equal buckets from 0 to the largest, by pieces: how many vertices of the piece are in each bucket,
/// and the largest degree among them. Bucket k has degrees above k / 10 of the largest, up to (k + 1) / 10 of it; the first one
/// has those of 0, too.
///
/// Participation: whole warps, a piece each. Shared state: `counts` and `tops`, written at k * pieces + c by piece c's warp.
struct count_degrees {
  u64 vertices;
  u64 piece;   ///< vertices of a piece
  u64 pieces;  ///< ceil(vertices / piece)
  u64 most;    ///< the largest degree, 1 or more
  array<const u32> degree;
  array<u32> counts;
  array<u32> tops;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::for_each_piece(self, vertices, piece, [&](u64 c, u64 from, u64 to) {
      u32 count[bucket_count] = {};
      u32 top[bucket_count] = {};
      for (u64 v = from + self.lane(); v < to; v += self.width()) {
        const u32 d = magpie::ld_plain(&degree[v]);
        const u32 bucket = d == 0 ? 0 : static_cast<u32>((u64{bucket_count} * d - 1) / most);
        MAGPIE_UNROLL
        for (u32 k = 0; k < bucket_count; ++k) {
          if (k != bucket) continue;
          ++count[k];
          if (d > top[k]) top[k] = d;
        }
      }
      MAGPIE_UNROLL
      for (u32 k = 0; k < bucket_count; ++k) {
        const u32 all = magpie::warp_reduce(self, count[k], magpie::plus<u32>{});
        const u32 largest = magpie::warp_reduce(self, top[k], magpie::maximum<u32>{});
        if (self.lane() == 0) {
          magpie::st_plain(&counts[k * pieces + c], all);
          magpie::st_plain(&tops[k * pieces + c], largest);
        }
      }
    });
  }
};
MAGPIE_KERNEL(count_degrees)

/// The number of children that each vertex gets, in the place of its degree. Shared state: `degree[v]` by one thread.
struct count_children {
  u64 vertices;
  u32 bound;
  array<u32> degree;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 v : self.items(vertices)) {
      const u32 d = magpie::ld_own(&degree[v]);
      magpie::st_plain(&degree[v], d == 0 ? 0 : (d - 1) / bound);
    }
  }
};
MAGPIE_KERNEL(count_children)

/// Cuts the arcs of each vertex into shares that differ by one arc at most: the first is the vertex's, the others its children's.
/// Arcs stay where they are.
///
/// Participation: whole warps; nodes are cut into equal pieces, those of a hub included. Shared state: each word by one thread.
struct cut_vertices {
  u32 segments;  ///< vertices
  u32 pieces;
  array<const u32> children;
  array<const u32> offsets;
  array<u32> first;
  array<u32> last;
  array<u32> parent;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const magpie::csr_pieces csr{segments, pieces, children};
    for (u32 c = magpie::warp_rank(self); c < pieces; c += magpie::warp_count(self)) {
      csr.for_each_block(self, c, [&](const magpie::segment_block& b) {
        const u32 v = b.segment;
        u32 before = 0;
        u32 begin = 0;
        u32 degree = 0;
        u32 nodes = 1;
        if (b.present || b.first < b.last) {
          before = magpie::ld_plain(&children[v]);
          nodes = magpie::ld_plain(&children[v + 1]) - before + 1;
          begin = magpie::ld_plain(&offsets[v]);
          degree = magpie::ld_plain(&offsets[v + 1]) - begin;
        }
        if (b.present) cut(v, begin, degree, nodes, 0);
        magpie::for_each_element(self, b, [&](u32 child, u32 owner, bool here) {
          const u32 share = child - self.shuffle(before, owner) + 1;
          const u32 from = self.shuffle(begin, owner);
          const u32 arcs = self.shuffle(degree, owner);
          const u32 all = self.shuffle(nodes, owner);
          const u32 of = self.shuffle(v, owner);
          if (!here) return;
          cut(segments + child, from, arcs, all, share);
          magpie::st_plain(&parent[child], of);
        });
      });
    }
  }

 private:
  MAGPIE_INLINE void cut(u32 node, u32 begin, u32 degree, u32 nodes, u32 share) const {
    magpie::st_plain(&first[node], begin + static_cast<u32>(u64{degree} * share / nodes));
    magpie::st_plain(&last[node], begin + static_cast<u32>(u64{degree} * (share + 1) / nodes));
  }
};
MAGPIE_KERNEL(cut_vertices)

/// Gives every child the word of its parent: at the beginning, and after each launch of plain stores, which leaves them out.
///
/// Shared state: each child's word by one thread; those of parents are read only. A launch leaves a parent's word no higher than it
/// was, and both were the same before, so a child's does not rise either. Cost: all children, however few distances fell: 12 bytes
/// each, and a gathered word.
struct copy_distances {
  u64 children;
  u64 parents;
  array<const u32> parent;
  array<u64> word;

  MAGPIE_DEVICE void operator()(const thread& self) const {
#if defined(MAGPIE_PATHS_UNCOPIED_CHILDREN)  // a planted fault, which the verifier must notice
    const u64 copied = 0;
#else
    const u64 copied = children;
#endif
    for (u64 c : self.items(copied)) {
      magpie::st_plain(&word[parents + c], magpie::ld_plain(&word[magpie::ld_plain(&parent[c])]));
    }
  }
};
MAGPIE_KERNEL(copy_distances)

}  // namespace paths
