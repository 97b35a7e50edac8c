/// @file
/// Counters of a region's run: per warp while it runs, added to global memory at its end.
///
/// Layer: stm, used by transaction and region. Participation: construction and `flush` are collectives of the warp;
/// everything else is per thread. Shared state: `control::statistics`, relaxed additions, and the warp's own counters
/// (platform/warp_counters.cuh), of 32 bits: polls of one warp wrap after minutes without an end. Cost: three additions to a
/// warp's own memory for a commit, one for an abort.
#pragma once

#include "magpie/stm/detail/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

class run_statistics {
 public:
  /// `statistics`: the launch's `counter::total` words.
  MAGPIE_INLINE run_statistics(const thread& self, std::uint64_t* statistics)
      : statistics_(statistics), counts_(self) {}

  template <std::uint32_t Counter>
  MAGPIE_INLINE void add(std::uint32_t n = 1) {
    static_assert(
        Counter < counter::max_attempts,
        "a warp counts what stands before counter::max_attempts in objects.cuh: put the new counter there, or "
        "add to the launch's statistics at once, as `pushed` does");
    counts_.add(Counter, n);
  }
  /// An attempt ended without commit.
  MAGPIE_INLINE void abort(cause why) {
    std::uint32_t which = words;
    if (why == cause::outranked) which = counter::aborts_outranked;
    if (why == cause::stolen) which = counter::aborts_stolen;
    if (why == cause::wait_expired) which = counter::aborts_wait_expired;
    if (why == cause::locked) which = counter::aborts_locked;
    if (why == cause::requested || why == cause::deferred) which = counter::aborts_requested;
    if (which != words) counts_.add(which, 1);
  }
  /// An item ended after `retries` failed attempts.
  MAGPIE_INLINE void item_done(std::uint32_t retries) {
    if (retries >= most_attempts_) most_attempts_ = retries + 1;
    counts_.add(counter::retries_histogram + bucket_of(retries), 1);
  }
  MAGPIE_INLINE void objects_at_commit(std::uint32_t n) { counts_.add(counter::objects_histogram + bucket_of(n), 1); }

  /// Adds all to `statistics`, for the host.
  MAGPIE_INLINE void flush(const thread& self) {
    counts_.raise(counter::max_attempts, most_attempts_);
    counts_.each_total(self, [&](std::uint32_t which, std::uint64_t n) {
      if (which == counter::max_attempts) {
        raise_for_host(statistics_ + which, n);
      } else {
        add_for_host(statistics_ + which, n);
      }
    });
  }

 private:
  static constexpr std::uint32_t words = counter::pushed;
  static_assert(words * warp_counters<words>::most_warps <= 1024,
                "the counters of a block's warps lie in shared memory: more than 4 KB would cost blocks in flight");

  std::uint64_t* statistics_;
  warp_counters<words> counts_;
  std::uint32_t most_attempts_ = 0;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
