/// @file
/// The threads of a launch on processors, given out one by one to the host threads that take part in it, in one pass or several
/// (passes.cuh).
///
/// Layer: platform, used by cpu.cuh. Plain host C++. One host thread leads: it takes threads as all do, waits for those that others have
/// taken, and begins the next pass. The others help: they come and go, and nobody waits for one that has taken nothing. Between passes
/// a helper waits for `patience_nanos`; so it is there if passes follow each other closely, as those of a search on a road network
/// do, and stands in nobody's way otherwise. A pass of one thread, but for the first, is the leader's. The leader ends the launch before
/// a pass for which fewer than half of the useful helpers are there: with the next launch its host wakes them.
///
/// Shared state: `magpie_shared_grid`, zero before the launch but for the numbers of threads and helpers. `taken`, by
/// compare-exchange, gives (pass, rank) to one host thread each. The leader alone changes the pass, between two passes, in this
/// order: it closes `taken`, sets `threads`, opens `taken`. `threads` is stored with release and loaded with acquire: who reads the
/// next pass's number finds `taken` closed or changed, and its exchange fails.
///
/// Memory orders: a thread's writes come before the addition to `ended` (release), which the leader reads (acquire) before it opens
/// the next pass (release), from which threads are taken (acquire).
///
/// Progress: the leader waits for threads that run, and polls with pauses in which those can get a processor. A fault ends all.
#pragma once

#include <sched.h>
#include <time.h>

#include <atomic>
#include <cstdint>

MAGPIE_NAMESPACE_BEGIN

class shared_grid {
 public:
  /// A functor's `next_pass`; null: it has one pass.
  using pass_function = std::uint32_t (*)(void* functor);

  /// For how long a helper waits for the next pass: about as long as waking it would take.
  static constexpr std::uint64_t patience_nanos = 20'000;

  shared_grid(magpie_shared_grid& grid, bool leads, pass_function next, void* functor)
      : grid_(grid), leads_(leads), next_(next), functor_(functor) {
    if (!leads_ && next_ != nullptr) of(grid_.helpers).fetch_add(1, std::memory_order_relaxed);
  }
  shared_grid(const shared_grid&) = delete;
  shared_grid& operator=(const shared_grid&) = delete;
  ~shared_grid() {
    if (next_ == nullptr) return;
    if (leads_) {
      end();
    } else {
      of(grid_.helpers).fetch_sub(1, std::memory_order_relaxed);
    }
  }

  /// Takes a thread, and from the second call on has run the one before. Gives whether there is one, of whatever pass.
  bool take(std::uint32_t& rank, std::uint32_t& size) {
    do {
      if (!alone_ && takes_one(rank, size)) return true;
      if (next_ == nullptr) return false;
      settle();
      if (leads_) return begins_another(rank, size);
    } while (awaits_another());
    return false;
  }

  /// No thread is taken any more: one that runs has failed. From any host thread that has taken one which has not ended, so not while
  /// the leader changes the pass; or from one that was interrupted, wherever it was: what it stores may then be lost, but the leader is
  /// interrupted as well.
  void end() { of(grid_.taken).store(over, std::memory_order_release); }

 private:
  static constexpr std::uint64_t over = ~std::uint64_t{0};
  static constexpr std::uint32_t closed = ~std::uint32_t{0};
  /// Polls between two looks at the clock; then others get the processor if they want it.
  static constexpr std::uint32_t polls_per_look = 64;

  static std::atomic_ref<std::uint64_t> of(std::uint64_t& word) { return std::atomic_ref<std::uint64_t>(word); }
  static std::uint32_t rank_of(std::uint64_t taken) { return static_cast<std::uint32_t>(taken); }

  bool takes_one(std::uint32_t& rank, std::uint32_t& size) {
    std::uint64_t seen = of(grid_.taken).load(std::memory_order_acquire);
    while (true) {
      const std::uint64_t threads = of(grid_.threads).load(std::memory_order_acquire);
      if (rank_of(seen) >= threads) return false;
      if (of(grid_.taken).compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) {
        rank = rank_of(seen);
        size = static_cast<std::uint32_t>(threads);
        ++own_;
        return true;
      }
    }
  }

  /// The threads that it has run have ended.
  void settle() {
    if (own_ != 0) of(grid_.ended).fetch_add(own_, std::memory_order_release);
    own_ = 0;
  }

  /// The leader has the first thread of the next pass, and of a pass of one thread nobody else hears.
  bool begins_another(std::uint32_t& rank, std::uint32_t& size) {
    if (!alone_ && !all_have_ended()) return false;
    const std::uint32_t next = next_(functor_);
    if (next == 0) return false;
    const std::uint64_t useful = grid_.most_helpers < next - 1 ? grid_.most_helpers : next - 1;
    if (2 * of(grid_.helpers).load(std::memory_order_relaxed) < useful) return false;
    rank = 0;
    size = next;
    alone_ = next == 1;
    if (!alone_) open(next);
    return true;
  }

  bool all_have_ended() const {
    const std::uint64_t threads = of(grid_.threads).load(std::memory_order_relaxed);
    for (std::uint32_t poll = 0; of(grid_.ended).load(std::memory_order_acquire) != threads; ++poll) {
      if (of(grid_.taken).load(std::memory_order_relaxed) == over) return false;
      pause_while_polling(poll);
    }
    return true;
  }

  /// Opens the next pass, but for its first thread.
  void open(std::uint32_t threads) {
    const std::uint64_t pass = (of(grid_.taken).load(std::memory_order_relaxed) >> 32) + 1;
    of(grid_.taken).store(pass << 32 | closed, std::memory_order_relaxed);
    of(grid_.threads).store(threads, std::memory_order_release);
    of(grid_.ended).store(0, std::memory_order_relaxed);
    own_ = 1;
    of(grid_.taken).store(pass << 32 | 1, std::memory_order_release);
  }

  bool awaits_another() const {
    std::uint64_t begin = 0;
    for (std::uint32_t poll = 1;; ++poll) {
      const std::uint64_t seen = of(grid_.taken).load(std::memory_order_acquire);
      if (seen == over) return false;
      if (rank_of(seen) < of(grid_.threads).load(std::memory_order_acquire)) return true;
      if (poll % polls_per_look != 0) {
        pause(0);
        continue;
      }
      const std::uint64_t now = timestamp();
      if (begin == 0) begin = now;
      if (now - begin >= patience_nanos) return false;
      sched_yield();
    }
  }

  magpie_shared_grid& grid_;
  const bool leads_;
  const pass_function next_;
  void* const functor_;
  std::uint64_t own_ = 0;  ///< threads of the present pass that it has taken
  bool alone_ = false;     ///< the leader runs a pass of one thread
};

MAGPIE_NAMESPACE_END
