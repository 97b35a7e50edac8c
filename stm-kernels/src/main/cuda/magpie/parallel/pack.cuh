/// @file
/// Packing: the elements whose flag is set, one after another, in their order.
///
/// Layer: parallel, called from kernels. Two launches: `count_flagged` counts each piece's flags, `pack_pieces` scans and
/// moves; with a single piece the first can be left out. Contracts, shared state and cost are those of scan.cuh: flags are
/// read twice, or once with a single piece, elements at most once. `flag(i)` and `value(i)` call no collectives; `value`
/// may be called for an element whose flag is not set. Limits: n < 2^32.
/// See: test_parallel_pack.cpp.
#pragma once

#include "magpie/parallel/scan.cuh"

MAGPIE_NAMESPACE_BEGIN

template <class Flag>
MAGPIE_INLINE void count_flagged(const thread& self, std::uint64_t n, std::uint64_t piece,
                                 const array<std::uint32_t>& sums, Flag&& flag) {
  reduce_pieces(self, n, piece, sums, plus<std::uint32_t>{}, [&](std::uint64_t i) { return flag(i) ? 1u : 0u; });
}

/// Writes to `out` as many elements as it has room for, and to `count`, if that is not null, how many flags are set
/// (nothing if n is 0).
template <class T, class Flag, class Value>
MAGPIE_INLINE void pack_pieces(const thread& self, std::uint64_t n, std::uint64_t piece,
                               const array<std::uint32_t>& sums, Flag&& flag, Value&& value, const array<T>& out,
                               std::uint32_t* count) {
  const auto set = [&](std::uint64_t i) { return flag(i) ? 1u : 0u; };
  if constexpr (scalar_warps) {
    // By way of a buffer that takes every element and keeps those whose flag is set: no branch to be guessed.
    constexpr std::uint32_t room = 128;
    for_each_piece(self, n, piece, [&](std::uint64_t c, std::uint64_t from, std::uint64_t to) {
      std::uint64_t place = warp_reduce_range<std::uint32_t>(
          self, 0, c, plus<std::uint32_t>{}, [&](std::uint64_t i) { return ld_plain(&sums[i]); });
      T buffer[room];
      for (std::uint64_t base = from; base < to; base += room) {
        const std::uint64_t end = to - base < room ? to : base + room;
        std::uint32_t kept = 0;
        for (std::uint64_t i = base; i < end; ++i) {
          buffer[kept] = value(i);
          kept += set(i);
        }
        for (std::uint32_t k = 0; k < kept && place + k < out.length; ++k) st_plain(&out[place + k], buffer[k]);
        place += kept;
      }
      if (count != nullptr && to == n) st_plain(count, static_cast<std::uint32_t>(place));
    });
  } else {
    scan_pieces(
        self, n, piece, sums, plus<std::uint32_t>{}, set,
        [&](std::uint64_t i, std::uint32_t before, std::uint32_t own) {
          if (own != 0 && before < out.length) st_plain(&out[before], value(i));
        },
        count);
  }
}

MAGPIE_NAMESPACE_END
