/// @file
/// Counters that the lanes of a warp add to all the time, and that the host reads after the kernel.
///
/// Layer: platform; included by platform.cuh. On `cuda` a warp's counters lie in shared memory: a thread needs no registers
/// for them, of which a full grid of transactions has none to spare, and nothing goes to global memory before the end. Elsewhere each
/// thread has its own.
///
/// Range: 32 bits for a warp.
#pragma once

MAGPIE_NAMESPACE_BEGIN

#if defined(__CUDACC__)

/// N counters of the caller's warp, 0 at first. A kernel has at most one set, and blocks of at most `most_warps` warps.
/// Participation: construction and `each_total` are collectives of the warp.
template <std::uint32_t N>
class warp_counters {
 public:
  static constexpr std::uint32_t most_warps = 8;

  MAGPIE_INLINE explicit warp_counters(const thread& self) {
    for (std::uint32_t i = self.lane(); i < N; i += self.width()) mine()[i] = 0;
    self.sync_warp();
  }
  MAGPIE_INLINE void add(std::uint32_t which, std::uint32_t n) { atomicAdd(mine() + which, n); }
  /// Makes it at least `v`.
  MAGPIE_INLINE void raise(std::uint32_t which, std::uint32_t v) { atomicMax(mine() + which, v); }

  /// Calls `visit(which, total)`, on one lane, for each counter that is not 0.
  template <class Visit>
  MAGPIE_INLINE void each_total(const thread& self, Visit&& visit) const {
    self.sync_warp();
    MAGPIE_NO_UNROLL
    for (std::uint32_t i = self.lane(); i < N; i += self.width()) {
      const std::uint32_t total = mine()[i];
      if (total != 0) visit(i, std::uint64_t{total});
    }
  }

 private:
  MAGPIE_INLINE static std::uint32_t* mine() {
    __shared__ std::uint32_t counts[most_warps][N];
    return counts[threadIdx.x / warp_size];
  }
};

#else

/// As on `cuda`, but no collective: each thread tells its own.
template <std::uint32_t N>
class warp_counters {
 public:
  static constexpr std::uint32_t most_warps = 8;

  MAGPIE_INLINE explicit warp_counters(const thread&) {}
  MAGPIE_INLINE void add(std::uint32_t which, std::uint32_t n) { counts_[which] += n; }
  MAGPIE_INLINE void raise(std::uint32_t which, std::uint32_t v) {
    if (counts_[which] < v) counts_[which] = v;
  }

  template <class Visit>
  MAGPIE_INLINE void each_total(const thread&, Visit&& visit) const {
    for (std::uint32_t i = 0; i < N; ++i) {
      if (counts_[i] != 0) visit(i, std::uint64_t{counts_[i]});
    }
  }

 private:
  std::uint32_t counts_[N] = {};
};

#endif

MAGPIE_NAMESPACE_END
