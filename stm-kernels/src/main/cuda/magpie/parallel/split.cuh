/// @file
/// Split-and-segment: each segment's elements whose flag is not set move before those whose flag is, in their order,
/// and the two parts become segments of their own. With a pivot from each segment's head this is a pass of the
/// segmented quicksort (section 4.3.2 of the thesis, after Sengupta, Harris, Zhang and Owens, 2007).
///
/// Layer: parallel, called from kernels. Where an element goes takes one segmented sum and one copy from the segments'
/// tails. With h the position of i's segment's head, let the sum be that of `split_term`:
///
///     P(i) = h + the segment's elements up to i, i included, whose flag is not set
///
/// and Q the value of P at the segment's last element, which is where its second part begins. An element whose flag is not
/// set goes to P(i) - 1, another one to i - P(i) + Q: the thesis's F and T = ID - F + NF, counted from position 0 instead of
/// the segment's head, so that the heads' positions need no scan of their own.
/// Determinism: schedule_independent. See: test_parallel_split.cpp.
#pragma once

#include "magpie/platform/platform.cuh"

MAGPIE_NAMESPACE_BEGIN

/// What position i adds to its segment's sum.
MAGPIE_INLINE std::uint32_t split_term(std::uint32_t i, bool head, bool flag) {
  return (head ? i : 0u) + (flag ? 0u : 1u);
}

/// Where the element at i goes; p and q are P(i) and Q.
MAGPIE_INLINE std::uint32_t split_place(std::uint32_t i, bool flag, std::uint32_t p, std::uint32_t q) {
  return flag ? i - p + q : p - 1;
}

/// Whether a segment begins where an element goes: where one began before, and where the second part does.
MAGPIE_INLINE bool split_head(std::uint32_t place, bool head_at_place, bool flag, std::uint32_t q) {
  return head_at_place || (flag && place == q);
}

MAGPIE_NAMESPACE_END
