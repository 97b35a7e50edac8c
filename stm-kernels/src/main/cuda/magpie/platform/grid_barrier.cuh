/// @file
/// A barrier of all threads of a grid, between the phases of a kernel.
///
/// Layer: platform; included by platform.cuh. Participation: all threads of the grid, the lanes of a warp together. What a thread
/// wrote before it, by whatever accessor, every thread reads after it, by `ld_own` too.
///
/// Precondition: all threads of the grid run at the same time. A kernel that has such a barrier says so:
///
///     static constexpr bool meets_grid = true;
///
/// Then hosts launch it so that they do: on `cuda` by a cooperative launch, of no more blocks than the GPU has room for; on
/// `sim` all always do; on `cpu` the Java library runs it on one thread, the C++ library on a host thread for each.
///
/// Shared state: one word, 0 before the launch. Each block (elsewhere each warp) adds 2 to it and then polls it. Its lowest bit
/// is set when the launch is to end: by whoever sees that before all have arrived, by a compare-exchange, so that no barrier
/// is passed by some and not by others. Whoever sets it has arrived, or arrives in the same step. So a word with the bit that is
/// beyond what a barrier waits for tells that this one was passed: somebody is at the next.
///
/// Memory orders: fence, relaxed addition, relaxed poll, fence (docs/memory-model.md). Between the threads of a block that is
/// the block's own barrier; both are cumulative.
///
/// Progress: ends when all have arrived, or soon after `stop` is true.
#pragma once

MAGPIE_NAMESPACE_BEGIN

/// Whether all threads of a kernel's grid meet at barriers.
template <class Functor>
inline constexpr bool meets_grid_of = false;
template <class Functor>
  requires requires { Functor::meets_grid; }
inline constexpr bool meets_grid_of<Functor> = Functor::meets_grid;

/// With all its fences; tests leave them out one by one.
template <bool Releases = true, bool Acquires = true>
class grid_barrier_with {
 public:
  /// Waits for all. `due`: the caller's own count, 0 before its first barrier of the launch.
  MAGPIE_INLINE static void wait(const thread& self, std::uint32_t* arrived, std::uint32_t& due) {
    static_cast<void>(wait(self, arrived, due, [] { return false; }));
  }

  /// Waits for all, or until somebody finds that `stop()` is true. Gives whether all have arrived, the same to all threads; if not,
  /// no thread may come to another barrier of the launch. `stop` is asked by one thread of a block, before the first one
  /// arrives and then every `polls_per_look` polls.
  template <class Stop>
  MAGPIE_INLINE static bool wait(const thread& self, std::uint32_t* arrived, std::uint32_t& due, const Stop& stop) {
    bool passed = true;
#if defined(__CUDACC__)
    __syncthreads();
    due += 2 * gridDim.x;
    if (threadIdx.x == 0) passed = meet(arrived, due, blockIdx.x == 0, stop);
    return __syncthreads_and(passed) != 0;
#else
    self.sync_warp();
    due += 2 * (self.size() / self.width());
    if (self.lane() == 0) passed = meet(arrived, due, self.rank() == 0, stop);
    self.sync_warp();
    return self.all(passed);
#endif
  }

  static constexpr std::uint32_t polls_per_look = 16;

 private:
  static constexpr std::uint32_t stopped_bit = 1;

  /// Whether all have arrived. A word without the bit says so from `due` on; one with it if somebody is at the next barrier.
  MAGPIE_INLINE static bool is_passed(std::uint32_t word, std::uint32_t due) {
    const std::uint32_t beyond = (word & ~stopped_bit) - due;
    return static_cast<std::int32_t>(beyond) >= ((word & stopped_bit) != 0 ? 2 : 0);
  }

  template <class Stop>
  MAGPIE_INLINE static bool meet(std::uint32_t* arrived, std::uint32_t due, bool first, const Stop& stop) {
    const bool ends = first && stop();
    if constexpr (Releases) fence_acqrel_dev();
    std::uint32_t word = ends ? arrive_and_end(arrived) : add_rlx_dev(arrived, 2u) + 2;
    if (word == due) begin_phase();
    for (std::uint32_t poll = 0; !is_passed(word, due) && (word & stopped_bit) == 0; ++poll) {
      if (poll % polls_per_look == polls_per_look - 1 && stop()) end(arrived, due);
      pause_while_polling(poll);
      word = ld_rlx_dev(arrived);
    }
    if constexpr (Acquires) fence_acqrel_dev();
    return is_passed(word, due);
  }

  /// Sets the bit in the same step: set before, it would seem to others to be of the barrier that they have yet to leave.
  MAGPIE_INLINE static std::uint32_t arrive_and_end(std::uint32_t* arrived) {
    for (std::uint32_t word = ld_rlx_dev(arrived);;) {
      const std::uint32_t next = (word + 2) | stopped_bit;
      const std::uint32_t found = cas_rlx_dev(arrived, word, next);
      if (found == word) return next;
      word = found;
    }
  }

  /// Sets the bit, unless all have arrived.
  MAGPIE_INLINE static void end(std::uint32_t* arrived, std::uint32_t due) {
    for (std::uint32_t word = ld_rlx_dev(arrived); (word & stopped_bit) == 0 && !is_passed(word, due);) {
      const std::uint32_t found = cas_rlx_dev(arrived, word, word | stopped_bit);
      if (found == word) return;
      word = found;
    }
  }
};

using grid_barrier = grid_barrier_with<>;

MAGPIE_NAMESPACE_END
