/// @file
/// Warp segmentation: a warp walks over the elements of consecutive segments of a CSR, shared evenly among its lanes,
/// whatever the segments' lengths, with a callback for each element and a reduction for each segment.
///
/// Layer: parallel, called from kernels. Words: segment s has the elements [offsets[s], offsets[s + 1]); in a graph
/// segments are vertices and elements arcs. Method (Khorasani, Gupta and Bhuyan, PACT 2015): each lane owns one of `width`
/// consecutive segments; their elements, which are consecutive too, are read in rows of the warp's width; each lane
/// finds the owner of its element by binary search over the lanes' offsets, and a segment's part of a row is reduced
/// by collectives. At width 1 a plain loop over one segment.
///
/// `csr_pieces` cuts the work itself into equal pieces, so that neither a long segment nor a run of empty ones makes one
/// warp's share longer than another's: piece c holds the positions [c * piece, (c + 1) * piece) of the sequence "segment 0,
/// its elements, segment 1, its elements, ...".
///
/// Participation: all lanes of the warp, converged, in every function here. Shared state: none; `offsets` is read-only. Preconditions: offsets ascend; segments < 2^32 - 1.
/// Cost: a row of w elements takes log w shuffles for its owners and 2 log w + 1 for a reduction; a piece takes two searches of
/// log(segments) / log(w + 1) loads. See: test_parallel_segments.cpp.
#pragma once

#include "magpie/parallel/warp.cuh"

MAGPIE_NAMESPACE_BEGIN

/// A warp's present group of consecutive segments, one for each lane.
struct segment_block {
  std::uint32_t segment;  ///< this lane's; lanes beyond the last segment have one without elements
  std::uint32_t first;    ///< its elements that are to be walked over: [first, last)
  std::uint32_t last;
  std::uint32_t begin;  ///< those of all lanes together: [begin, end)
  std::uint32_t end;
  bool present;  ///< the segment begins in this piece; false beyond the last segment
  bool open;     ///< it goes on in a later piece
};

/// The lane whose segment owns element `a`: the last one whose elements begin at or before it. Binary search over
/// the lanes' `first`, which ascend; begin <= a < end.
MAGPIE_INLINE std::uint32_t owner_of(const thread& self, std::uint32_t first, std::uint32_t a) {
  constexpr std::uint32_t known = static_width<thread>;
  constexpr bool power_of_two = known != 0 && (known & (known - 1)) == 0;
  const std::uint32_t width = self.width();
  std::uint32_t step = 1;
  while (step < width) step *= 2;
  std::uint32_t owner = 0;
  for (step /= 2; step > 0; step /= 2) {
    const std::uint32_t next = owner + step;
    const bool inside = power_of_two || next < width;
    const std::uint32_t probe = self.shuffle(first, inside ? next : owner);
    if (inside && probe <= a) owner = next;
  }
  return owner;
}

/// The block of the segments base, base + 1, .. with all their elements: for a warp that takes as many segments as it has
/// lanes. `base` is the same on every lane, and less than `segments`.
MAGPIE_INLINE segment_block block_at(const thread& self, const array<const std::uint32_t>& offsets,
                                     std::uint32_t segments, std::uint64_t base) {
  const std::uint64_t mine = base + self.lane();
  const bool present = mine < segments;
  const std::uint32_t last = ld_plain(&offsets[present ? mine + 1 : segments]);
  const std::uint32_t first = present ? ld_plain(&offsets[mine]) : last;
  return {static_cast<std::uint32_t>(mine),     first,   last, self.shuffle(first, 0),
          self.shuffle(last, self.width() - 1), present, false};
}

/// Calls body(a, owner, here) for rows of the block's elements, `owner` being the lane that has a's segment. All lanes make
/// the calls together, so that body may use collectives; those behind the last element have it for a, and `here` false.
template <class Body>
MAGPIE_INLINE void for_each_element(const thread& self, const segment_block& b, Body&& body) {
  if constexpr (scalar_warps) {
    for (std::uint32_t a = b.first; a < b.last; ++a) body(a, 0u, true);
  } else {
    MAGPIE_NO_UNROLL
    for (std::uint32_t row = b.begin; row < b.end; row += self.width()) {
      const bool here = row + self.lane() < b.end;
      const std::uint32_t a = here ? row + self.lane() : b.end - 1;
      body(a, owner_of(self, b.first, a), here);
    }
  }
}

/// op over load(a, owner) for the elements of this lane's segment in the block, in their order. `load` is called once for
/// each element, by the lane that has it; no collectives in it.
template <class T, class Op, class Load>
MAGPIE_INLINE T reduce_elements(const thread& self, const segment_block& b, Op op, Load&& load) {
  T sum = op.identity();
  if constexpr (scalar_warps) {
    for (std::uint32_t a = b.first; a < b.last; ++a) sum = op(sum, load(a, 0u));
  } else {
    const std::uint32_t width = self.width();
    for_each_element(self, b, [&](std::uint32_t a, std::uint32_t owner, bool here) {
      const std::uint32_t row = self.shuffle(a, 0);
      T v = here ? load(a, owner) : op.identity();
      if (!here) owner = width;
      for (std::uint32_t distance = 1; distance < width; distance *= 2) {
        const std::uint32_t their_owner = self.shuffle_down(owner, distance);
        const T theirs = warp_shuffle_down(self, v, distance);
        if (self.lane() + distance < width && their_owner == owner) v = op(v, theirs);
      }
      // The reduction of a segment's part of the row lies at the part's first lane.
      const bool in_row = b.first < b.last && b.first < row + width && b.last > row;
      const T part = warp_shuffle(self, v, in_row && b.first > row ? b.first - row : 0);
      if (in_row) sum = op(sum, part);
    });
  }
  return sum;
}

/// A CSR cut into at most `pieces` pieces of equal work.
struct csr_pieces {
  std::uint32_t segments;
  std::uint32_t pieces;
  const array<const std::uint32_t>& offsets;

  MAGPIE_INLINE std::uint32_t offset(std::uint32_t s) const { return ld_plain(&offsets[s]); }
  MAGPIE_INLINE std::uint64_t total() const { return std::uint64_t{segments} + offset(segments) - offset(0); }
  /// Positions in a piece.
  MAGPIE_INLINE std::uint64_t piece() const {
    const std::uint64_t positions = (total() + pieces - 1) / pieces;
    return positions == 0 ? 1 : positions;
  }
  /// The piece that holds element a of segment s.
  MAGPIE_INLINE std::uint32_t piece_of(std::uint32_t s, std::uint32_t a) const {
    return static_cast<std::uint32_t>((std::uint64_t{s} + 1 + a - offset(0)) / piece());
  }

  /// The last segment that begins at or before position `at`, which is less than total(). All lanes, converged, with the
  /// same position; each step asks as many segments as there are lanes.
  MAGPIE_INLINE std::uint32_t segment_at(const thread& self, std::uint64_t at) const {
    const std::uint32_t zero = offset(0);
    std::uint32_t low = 0;
    std::uint32_t high = segments;
    while (high - low > 1) {
      const std::uint32_t step = (high - low + self.width()) / (self.width() + 1);
      const std::uint64_t probe = low + (self.lane() + std::uint64_t{1}) * step;
      const bool before = probe < high && probe + offset(static_cast<std::uint32_t>(probe)) - zero <= at;
      low += popcount(self.ballot(before)) * step;
      if (high - low > step) high = low + step;
    }
    return low;
  }

  /// Calls body(const segment_block&) for the blocks of the warp's piece c in their order, each clipped to the piece. All
  /// lanes make the same calls; body may use collectives. The first block's lane 0 has the segment that the piece begins in.
  template <class Body>
  MAGPIE_INLINE void for_each_block(const thread& self, std::uint32_t c, Body&& body) const {
    const std::uint64_t all = total();
    const std::uint64_t from = c * piece();
    if (from >= all) return;
    const std::uint64_t to = all - from < piece() ? all : from + piece();
    const std::uint32_t zero = offset(0);
    const std::uint32_t s_from = segment_at(self, from);
    const std::uint32_t s_last = segment_at(self, to - 1);
    const std::uint32_t a_from = first_element(s_from, from - zero_position(s_from, zero));
    const std::uint32_t a_to = first_element(s_last, to - zero_position(s_last, zero));
    const std::uint32_t width = self.width();
    for (std::uint64_t base = s_from; base <= s_last; base += width) {
      const std::uint64_t mine = base + self.lane();
      segment_block b{static_cast<std::uint32_t>(mine), a_to, a_to, a_to, a_to, false, false};
      if (mine <= s_last) {
        const std::uint32_t first = offset(static_cast<std::uint32_t>(mine));
        const std::uint32_t last = offset(static_cast<std::uint32_t>(mine + 1));
        b.first = first < a_from ? a_from : first;
        b.last = last < a_to ? last : a_to;
        b.present = mine + first - zero >= from;
        b.open = last > a_to;
      }
      b.begin = self.shuffle(b.first, 0);
      b.end = self.shuffle(b.last, width - 1);
      body(b);
    }
  }

 private:
  MAGPIE_INLINE std::uint64_t zero_position(std::uint32_t s, std::uint32_t zero) const {
    return std::uint64_t{s} + offset(s) - zero;
  }
  /// The first element of segment s at or after the distance-th position from its beginning.
  MAGPIE_INLINE std::uint32_t first_element(std::uint32_t s, std::uint64_t distance) const {
    return distance == 0 ? offset(s) : static_cast<std::uint32_t>(offset(s) + (distance - 1));
  }
};

/// Marks a piece in which no segment begins that goes on in a later one.
inline constexpr std::uint32_t no_segment = 0xffffffffu;

/// Reduction by segment in two launches, the second of which is not needed with a single piece. Here: a segment that lies
/// in one piece goes to store(s, value); of one cut by pieces the part where it begins to `tails[c]` with its number in
/// `open[c]`, and the part that a piece begins with to `leads[c]`.
/// Shared state: `leads`, `tails`, `open`, written at c by piece c's warp. Each has room for `pieces` values.
template <class T, class Op, class Load, class Store>
MAGPIE_INLINE void reduce_segments(const thread& self, const csr_pieces& csr, const array<T>& leads,
                                   const array<T>& tails, const array<std::uint32_t>& open, Op op, Load&& load,
                                   Store&& store) {
  for (std::uint32_t c = warp_rank(self); c < csr.pieces; c += warp_count(self)) {
    T lead = op.identity();
    bool goes_on = false;
    bool first_block = true;
    csr.for_each_block(self, c, [&](const segment_block& b) {
      const T sum = reduce_elements<T>(self, b, op, [&](std::uint32_t a, std::uint32_t) { return load(a); });
      if (first_block && !b.present) lead = sum;  // lane 0 alone is asked for it
      first_block = false;
      if (b.present && !b.open) store(b.segment, sum);
      if (b.present && b.open) {
        st_plain(&tails[c], sum);
        st_plain(&open[c], b.segment);
      }
      goes_on = self.any(b.present && b.open) || goes_on;
    });
    if (self.lane() == 0) {
      st_plain(&leads[c], lead);
      if (!goes_on) st_plain(&open[c], no_segment);
    }
  }
}

/// Second launch: puts together the segments that pieces cut.
template <class T, class Op, class Store>
MAGPIE_INLINE void join_segments(const thread& self, const csr_pieces& csr, const array<T>& leads,
                                 const array<T>& tails, const array<std::uint32_t>& open, Op op, Store&& store) {
  for (std::uint32_t c = warp_rank(self); c < csr.pieces; c += warp_count(self)) {
    const std::uint32_t s = ld_plain(&open[c]);
    if (s == no_segment) continue;
    const std::uint32_t end = csr.piece_of(s, csr.offset(s + 1) - 1);
    const T rest = warp_reduce_range<T>(self, c + 1, end + 1, op, [&](std::uint64_t i) { return ld_plain(&leads[i]); });
    if (self.lane() == 0) store(s, op(ld_plain(&tails[c]), rest));
  }
}

MAGPIE_NAMESPACE_END
