/// @file
/// Barriers for all blocks of a grid inside one kernel, kernels that pass them, and a check of what they order. For the benchmark
/// `barriers.cu` and its tests. That of one counter is the library's (platform/grid_barrier.cuh).
///
/// Participation: every thread of the grid, as often as every other. All blocks must be resident at the same time, which only a
/// cooperative launch guarantees: a block that waits keeps its place, and one that has none would never arrive.
/// A block is the machine's: a block on `cuda`, a warp on `sim`, a thread on `cpu`.
///
/// Shared state: words of the barrier, 0 at first, of which nobody else knows. They only grow, so that no round has to reset what
/// another one uses. Rounds count from 1, and wrap around.
///
/// Memory orders: what any thread did before a barrier happens before what any thread does after it. Within a block that is
/// the block's own barrier (`team::sync`), between blocks a release by one thread of each and an acquire by one of each;
/// both are cumulative, so they cover what the block's other threads did. `orders` leaves one out.
///
/// Progress: waits are bounded. A thread that has polled `patience` times in one wait does not wait again, and says so; nothing
/// is promised of what follows.
///
/// See: test_bench_barriers.cpp; S. Xiao, W. Feng, Inter-Block GPU Communication via Fast Barrier Synchronization, IPDPS 2010;
/// R. Nasre, M. Burtscher, K. Pingali, Morph Algorithms on GPUs, PPoPP 2013, section 7.3.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "magpie/host.hpp"

#if defined(__CUDACC__)
#include <cooperative_groups.h>
#endif

namespace barriers {

using namespace magpie;
using word = std::uint32_t;

/// The threads of a block.
class team {
 public:
  MAGPIE_INLINE explicit team(const thread& self) : self_(self) {}

#if defined(__CUDACC__)
  MAGPIE_INLINE std::uint32_t block() const { return blockIdx.x; }
  MAGPIE_INLINE std::uint32_t blocks() const { return gridDim.x; }
  MAGPIE_INLINE std::uint32_t rank() const { return threadIdx.x; }
  MAGPIE_INLINE std::uint32_t size() const { return blockDim.x; }
  MAGPIE_INLINE void sync() const { __syncthreads(); }
#else
  MAGPIE_INLINE std::uint32_t block() const { return self_.rank() / self_.width(); }
  MAGPIE_INLINE std::uint32_t blocks() const { return self_.size() / self_.width(); }
  MAGPIE_INLINE std::uint32_t rank() const { return self_.lane(); }
  MAGPIE_INLINE std::uint32_t size() const { return self_.width(); }
  MAGPIE_INLINE void sync() const { self_.sync_warp(); }
#endif
  MAGPIE_INLINE const thread& self() const { return self_; }

 private:
  thread self_;
};

/// What a barrier has of its orders between blocks: all, all but one, or none. The relay is the order between what a thread waited for
/// on behalf of other blocks and what it tells others then.
enum class orders : std::uint32_t { all, no_release, no_acquire, no_relay, none };
MAGPIE_HOST_DEVICE constexpr bool releases(orders which) {
  return which != orders::no_release && which != orders::none;
}
MAGPIE_HOST_DEVICE constexpr bool acquires(orders which) {
  return which != orders::no_acquire && which != orders::none;
}
MAGPIE_HOST_DEVICE constexpr bool relays(orders which) { return which != orders::no_relay && which != orders::none; }

/// Waits of one thread.
class waiter {
 public:
  MAGPIE_INLINE explicit waiter(std::uint64_t patience) : patience_(patience) {}

  /// Polls until the word is `least` or later.
  template <orders Orders>
  MAGPIE_INLINE void until(const word* p, word least) {
    for (std::uint64_t poll = 0; poll < patience_; ++poll) {
      const word seen = acquires(Orders) ? ld_acq_dev(p) : ld_rlx_dev(p);
      if (static_cast<std::int32_t>(seen - least) >= 0) return;
#if !defined(__CUDACC__)
      pause_while_polling(static_cast<std::uint32_t>(poll));  // there may be more threads than cores
#endif
    }
    patience_ = 0;
  }
  MAGPIE_INLINE bool gave_up() const { return patience_ == 0; }
  MAGPIE_INLINE void give_up() { patience_ = 0; }
  MAGPIE_INLINE std::uint64_t patience() const { return patience_; }

 private:
  std::uint64_t patience_;
};

template <orders Orders>
MAGPIE_INLINE void release_before() {
  if constexpr (releases(Orders)) fence_acqrel_dev();
}
template <orders Orders>
MAGPIE_INLINE void store(word* p, word value) {
  if constexpr (releases(Orders)) {
    st_rel_dev(p, value);
  } else {
    st_rlx_dev(p, value);
  }
}

/// Words apart by this much are in different lines.
constexpr std::uint32_t line = 32;

/// Every block adds to one counter, and polls it. Its patience is that of all blocks: when one gives up, all do.
template <orders Orders = orders::all>
struct one_counter {
  array<word> words;

  static constexpr const char* name = "one counter";
  static std::size_t words_for(std::uint32_t) { return 1; }

  MAGPIE_DEVICE void operator()(const team& self, waiter& wait, word round) const {
    using barrier = grid_barrier_with<releases(Orders), acquires(Orders)>;
    word due = 2 * (round - 1) * self.blocks();
    std::uint64_t looks = 0;
    const auto give_up = [&] { return wait.gave_up() || looks++ > wait.patience() / barrier::polls_per_look; };
    if (!wait.gave_up() && !barrier::wait(self.self(), &words[0], due, give_up)) wait.give_up();
  }
};

/// Blocks in about as many groups as each has members. The last block to arrive in its group arrives for it at the root, waits
/// there for the other groups, and lets its group go on.
template <orders Orders = orders::all>
struct hierarchical {
  array<word> words;  ///< the root; then for each group the number of arrivals, and the round that may go on

  static constexpr const char* name = "hierarchical";
  MAGPIE_HOST_DEVICE static std::uint32_t members_for(std::uint32_t blocks) {
    std::uint32_t members = 1;
    while (members * members < blocks) ++members;
    return members;
  }
  static std::size_t words_for(std::uint32_t blocks) {
    const std::uint32_t members = members_for(blocks);
    return std::size_t{line} * (1 + 2 * ((blocks + members - 1) / members));
  }

  MAGPIE_DEVICE void operator()(const team& self, waiter& wait, word round) const {
    self.sync();
    if (self.rank() == 0) {
      const std::uint32_t most = members_for(self.blocks());
      const std::uint32_t groups = (self.blocks() + most - 1) / most;
      const std::uint32_t group = self.block() / most;
      const std::uint32_t left = self.blocks() - group * most;
      word* const root = &words[0];
      word* const arrivals = &words[line * (1 + 2 * group)];
      word* const go = &words[line * (2 + 2 * group)];
      release_before<Orders>();
      if (add_rlx_dev(arrivals, 1u) + 1 == round * (left < most ? left : most)) {
        if constexpr (relays(Orders)) fence_acqrel_dev();  // acquires the group's arrivals, and releases them
        red_add_rlx_dev(root, 1u);
        wait.until<Orders>(root, round * groups);
        store<Orders>(go, round);
      } else {
        wait.until<Orders>(go, round);
      }
    }
    self.sync();
  }
};

/// The lock-free barrier of Xiao and Feng, which needs no read-modify-write: every block has a word to arrive in and one to
/// go on by. The threads of block 0 each wait for some blocks, meet, and let these go on. As published it has no orders (`none`).
template <orders Orders = orders::all>
struct atomic_free {
  array<word> words;  ///< of arrivals by block; then of those that may go on

  static constexpr const char* name = "atomic-free";
  static std::size_t words_for(std::uint32_t blocks) { return std::size_t{2} * blocks; }

  MAGPIE_DEVICE void operator()(const team& self, waiter& wait, word round) const {
    const std::uint32_t blocks = self.blocks();
    self.sync();
    if (self.rank() == 0) store<Orders>(&words[self.block()], round);
    if (self.block() == 0) {
      for (std::uint32_t i = self.rank(); i < blocks; i += self.size()) wait.until<Orders>(&words[i], round);
      self.sync();
      for (std::uint32_t i = self.rank(); i < blocks; i += self.size()) store<Orders>(&words[blocks + i], round);
    }
    if (self.rank() == 0) wait.until<Orders>(&words[blocks + self.block()], round);
    self.sync();
  }
};

#if defined(__CUDACC__)
/// That of CUDA, which waits without a bound.
struct cooperative_groups_sync {
  array<word> words;

  static constexpr const char* name = "cooperative groups";
  static std::size_t words_for(std::uint32_t) { return 1; }

  MAGPIE_DEVICE void operator()(const team&, waiter&, word) const { ::cooperative_groups::this_grid().sync(); }
};
#endif

/// Passes the barrier `rounds` times.
template <class Barrier>
struct pass {
  Barrier barrier;
  word rounds;
  std::uint64_t patience;
  array<word> gave_up;  ///< 1 if a wait was given up

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const team mine(self);
    waiter wait(patience);
    for (word round = 1; round <= rounds; ++round) barrier(mine, wait, round);
    if (wait.gave_up()) st_rlx_dev(&gave_up[0], 1u);
  }
};

/// What thread `rank` writes in `round`.
MAGPIE_INLINE word stamp(word round, std::uint32_t rank) { return round * 0x9e3779b1u + rank; }

/// Two arrays that rounds use by turns: a barrier between writing and reading is then enough, as who writes the next round
/// but one has passed another barrier, after everybody's reads.
struct stamps {
  array<word> words;  ///< two for each thread
  bool weak;          ///< whether accesses are ordinary ones; else relaxed

  MAGPIE_INLINE word* at(word round, std::uint32_t rank, std::uint32_t threads) const {
    return &words[(round & 1u) * threads + rank];
  }
  MAGPIE_INLINE void write(const thread& self, word round) const {
    word* const p = at(round, self.rank(), self.size());
    if (weak) {
      *p = stamp(round, self.rank());
    } else {
      st_rlx_dev(p, stamp(round, self.rank()));
    }
  }
  /// Whether this thread misses what a thread of another block wrote (of its own where there is no other). The block is the same in
  /// four rounds running, so that lines are read again that a cache may still have.
  MAGPIE_INLINE bool misses(const thread& self, const team& mine, word round) const {
    const std::uint32_t others = mine.blocks() - 1;
    const std::uint32_t distance = others == 0 ? 0 : 1 + round / 4 % others;
    const std::uint32_t block = (mine.block() + distance) % mine.blocks();
    const std::uint32_t rank = block * mine.size() + (mine.size() - 1 - mine.rank());
    const word* const p = at(round, rank, self.size());
    return (weak ? *p : ld_rlx_dev(p)) != stamp(round, rank);
  }
};

/// The same, and every thread checks in each round that it sees what another block's thread wrote before the barrier.
template <class Barrier>
struct checked_pass {
  Barrier barrier;
  word rounds;
  std::uint64_t patience;
  array<word> gave_up;
  stamps data;
  array<word> missed;  ///< how often a thread did not see it

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const team mine(self);
    waiter wait(patience);
    word misses = 0;
    for (word round = 1; round <= rounds; ++round) {
      data.write(self, round);
      barrier(mine, wait, round);
      misses += data.misses(self, mine, round) ? 1 : 0;
    }
    if (misses != 0) red_add_rlx_dev(&missed[0], misses);
    if (wait.gave_up()) st_rlx_dev(&gave_up[0], 1u);
  }
};

/// For kernels that end where a barrier would be: checks what the launch before wrote, and writes.
struct checked_launch {
  word round;  ///< from 1; that of the first launch checks nothing
  stamps data;
  array<word> missed;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const team mine(self);
    if (round > 1 && data.misses(self, mine, round - 1)) red_add_rlx_dev(&missed[0], 1u);
    data.write(self, round);
  }
};
struct empty_launch {
  MAGPIE_DEVICE void operator()(const thread&) const {}
};

}  // namespace barriers
