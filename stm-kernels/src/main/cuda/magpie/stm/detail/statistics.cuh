/// @file
/// Counters of a region's run: per thread while it runs, summed over the warp and added to global memory at its end.
///
/// Layer: stm, used by transaction and region. Participation: `flush` is a collective of the warp; everything else is
/// per thread. Shared state: `control::statistics`, relaxed additions. Cost of `counted`: about 20 registers;
/// `uncounted` compiles to nothing.
#pragma once

#include "magpie/stm/detail/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

struct uncounted {
  MAGPIE_INLINE explicit uncounted(std::uint64_t*) {}
  template <std::uint32_t Counter>
  MAGPIE_INLINE void add(std::uint32_t = 1) {}
  MAGPIE_INLINE void abort(cause) {}
  MAGPIE_INLINE void item_done(std::uint32_t) {}
  MAGPIE_INLINE void objects_at_commit(std::uint32_t) {}
  MAGPIE_INLINE void flush(const thread&) const {}
};

class counted {
 public:
  /// `statistics`: the launch's `counter::total` words.
  MAGPIE_INLINE explicit counted(std::uint64_t* statistics) : statistics_(statistics) {}

  template <std::uint32_t Counter>
  MAGPIE_INLINE void add(std::uint32_t n = 1) {
    static_assert(Counter < counter::max_attempts);
    counts_[Counter] += n;
  }
  /// An attempt ended without commit.
  MAGPIE_INLINE void abort(cause why) {
    if (why == cause::outranked) add<counter::aborts_outranked>();
    if (why == cause::stolen) add<counter::aborts_stolen>();
    if (why == cause::wait_expired) add<counter::aborts_wait_expired>();
    if (why == cause::locked) add<counter::aborts_locked>();
    if (why == cause::requested || why == cause::deferred) add<counter::aborts_requested>();
  }
  /// An item ended after `retries` failed attempts.
  MAGPIE_INLINE void item_done(std::uint32_t retries) {
    if (retries >= most_attempts_) most_attempts_ = retries + 1;
    retries_.add(bucket_of(retries), statistics_ + counter::retries_histogram);
  }
  MAGPIE_INLINE void objects_at_commit(std::uint32_t n) {
    objects_.add(bucket_of(n), statistics_ + counter::objects_histogram);
  }

  MAGPIE_INLINE void flush(const thread& self) const {
    MAGPIE_UNROLL
    for (std::uint32_t i = 0; i < counter::max_attempts; ++i) add_warp(self, statistics_ + i, counts_[i]);
    MAGPIE_UNROLL
    for (std::uint32_t i = 0; i < counter::buckets; ++i) {
      add_warp(self, statistics_ + counter::retries_histogram + i, retries_.kept(i));
      add_warp(self, statistics_ + counter::objects_histogram + i, objects_.kept(i));
    }
    std::uint32_t most = most_attempts_;
    for (std::uint32_t distance = 1; distance < self.width(); distance *= 2) {
      const std::uint32_t other = self.shuffle_down(most, distance);
      most = other > most ? other : most;
    }
    if (self.lane() == 0 && most != 0) {
      red_max_rlx_dev(statistics_ + counter::max_attempts, static_cast<std::uint64_t>(most));
    }
  }

 private:
  MAGPIE_INLINE static void add_warp(const thread& self, std::uint64_t* total, std::uint32_t count) {
    const std::uint64_t sum = self.reduce_add(static_cast<std::uint64_t>(count));
    if (self.lane() == 0 && sum != 0) red_add_rlx_dev(total, sum);
  }

  /// A histogram that keeps its first buckets in registers, and of the others only the present run of equal ones: a change
  /// of bucket adds the run to memory. An array would live in local memory and cost a third of the throughput of short
  /// transactions. Runs alone would go to memory whenever an item is retried, those of all threads to the same two words.
  template <std::uint32_t First>
  struct histogram {
    std::uint32_t first[First > 0 ? First : 1] = {};
    std::uint32_t bucket = First;
    std::uint32_t count = 0;

    MAGPIE_INLINE void add(std::uint32_t to, std::uint64_t* totals) {
      if constexpr (First > 0) {
        MAGPIE_UNROLL
        for (std::uint32_t i = 0; i < First; ++i) first[i] += to == i ? 1u : 0u;
        if (to < First) return;
      }
      if (to != bucket) {
        if (count != 0) red_add_rlx_dev(totals + bucket, static_cast<std::uint64_t>(count));
        bucket = to;
        count = 0;
      }
      ++count;
    }
    /// What was not added to memory of a bucket.
    MAGPIE_INLINE std::uint32_t kept(std::uint32_t of) const {
      std::uint32_t n = of == bucket ? count : 0;
      if constexpr (First > 0) {
        MAGPIE_UNROLL
        for (std::uint32_t i = 0; i < First; ++i) n += of == i ? first[i] : 0;
      }
      return n;
    }
  };

  std::uint64_t* statistics_;
  std::uint32_t counts_[counter::max_attempts] = {};
  std::uint32_t most_attempts_ = 0;
  histogram<3> retries_;  // nearly all items have none or few
  histogram<0> objects_;  // mostly as many as in the item before
};

}  // namespace stm

MAGPIE_NAMESPACE_END
