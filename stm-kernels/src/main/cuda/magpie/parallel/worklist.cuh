/// @file
/// A worklist for kernels: they take the items of one list, and push new ones to another, for the next launch.
///
/// Layer: parallel, called from kernels, outside of transactional regions; a region pushes by `tx.push`. A `worklist` is a
/// field of the kernel; on the facade it is a `KernelWorklist`, which has the memory, and exchanges two lists between launches
/// (the double-buffered worklists, or pipes, of data-driven programs: Nasre, Burtscher and Pingali, "Data-driven versus
/// topology-driven irregular computations on GPUs", IPDPS 2013; LonestarGPU). Operations, by the names that they have there:
///
/// - `push`, and `worklist_writer` for loops that push much: appended, in no order, by one addition for the lanes present.
/// - `count_marked` and `push_marked` (`push_1item`): each of n threads has pushed an item or has not, and has said so by a mark;
///   the items are appended in the order of the threads, by a scan over the marks. Three launches: the caller's, which marks;
///   `count_marked`, which may be left out with a single piece; `push_marked`.
/// - `item` (`pop_id`): the item at a position, for threads that stride over the list.
/// - `pop`: the next item, for threads that come for one when they are done with the last; `pop_warp`: a warp's worth. Items are
///   taken from the front, in the order of the list.
/// - `size`.
///
/// Participation: `push` and `pop` any lanes, no convergence needed; `pop_warp` and the two of the marks all lanes of the
/// warp, converged, and the marks' every thread of the grid. Shared state: the counters, relaxed additions; places given out are
/// disjoint. Preconditions: a list is read (`item`, `pop`, `size`) or pushed to in a launch, not both; between launches items are
/// seen. What is pushed beyond the capacity is counted and not written: the host sees how many places are needed. Limits: fewer than
/// 2^32 items; counters have 64 bits, so that no launch makes them wrap.
/// Cost: `push` and `pop` an addition for each group of lanes that are here together; a writer on processors one for
/// each 64 items; marks as in pack.cuh. Progress: no waits; an empty list gives nothing at once, also where items are being pushed
/// elsewhere. Determinism: not_guaranteed for the order of `push` and for who pops what; schedule_independent for marks.
/// See: test_parallel_worklist.cpp, algorithms/src/main/cuda/partition/matching.cuh.
#pragma once

#include "magpie/parallel/append.cuh"
#include "magpie/parallel/pack.cuh"

MAGPIE_NAMESPACE_BEGIN

/// Items behind a counter. 40 bytes.
struct worklist {
  array<std::uint32_t> items;  ///< as long as the list may become
  std::uint64_t* pushed;       ///< how many items: those that it has, and those that found no room
  std::uint64_t* popped;       ///< how many were asked for, so more than there are once the list was emptied
  std::uint64_t* before;       ///< `pushed` when marks were counted

  /// Items that it has. In a launch that does not push to it.
  MAGPIE_INLINE std::uint64_t size() const {
    const std::uint64_t n = ld_plain(pushed);
    return n < items.length ? n : items.length;
  }

  /// The item at position i; false if there is none. In a launch that does not push to it.
  MAGPIE_INLINE bool item(std::uint64_t i, std::uint32_t& out) const {
    if (i >= size()) return false;
    out = ld_plain(&items[i]);
    return true;
  }

  /// Takes the next item for each lane that calls; false if there is none left. A thread calls until it is told so, and may
  /// call again.
  MAGPIE_FORCE_INLINE bool pop(const thread& self, std::uint32_t& out) const { return item(append(self, popped), out); }

  /// Takes a warp's worth: the next items for lanes 0 to k - 1. Gives k, the same on all lanes; 0 if there is none left.
  MAGPIE_INLINE std::uint32_t pop_warp(const thread& self, std::uint32_t& out) const {
    std::uint64_t first = 0;
    if (self.lane() == 0) first = add_rlx_dev(popped, std::uint64_t{self.width()});
    first = self.shuffle(first, 0);
    const std::uint64_t n = size();
    if (first >= n) return 0;
    if (first + self.lane() < n) out = ld_plain(&items[first + self.lane()]);
    return n - first < self.width() ? static_cast<std::uint32_t>(n - first) : self.width();
  }

  /// Appends an item for each lane that calls.
  MAGPIE_FORCE_INLINE void push(const thread& self, std::uint32_t item) const {
    const std::uint64_t place = append(self, pushed);
    if (place < items.length) st_plain(&items[place], item);
  }
};

/// Pushes for a thread that pushes often: on processors 64 items at a time. One for each thread and launch; every thread calls
/// `flush` at its end.
///
/// The list is a `worklist`, or items behind a counter of the caller's, of 32 or 64 bits, which must not wrap.
template <class Counter = std::uint64_t>
class worklist_writer {
 public:
  MAGPIE_INLINE explicit worklist_writer(const worklist& to) : worklist_writer(to.pushed, to.items) {}
  MAGPIE_INLINE worklist_writer(Counter* counter, const array<std::uint32_t>& items)
      : counter_(counter), items_(items) {}

  /// Any lanes.
  MAGPIE_FORCE_INLINE void push(const thread& self, std::uint32_t item) {
    if constexpr (scalar_warps) {
      held_[count_++] = item;
      if (count_ == room) flush();
    } else {
      const Counter place = append(self, counter_);
      if (place < items_.length) st_plain(&items_[place], item);
    }
  }

  MAGPIE_INLINE void flush() {
    if constexpr (scalar_warps) {
      if (count_ == 0) return;
      const Counter base = add_rlx_dev(counter_, Counter{count_});
      for (std::uint32_t k = 0; k < count_ && base + k < items_.length; ++k) st_plain(&items_[base + k], held_[k]);
      count_ = 0;
    }
  }

 private:
  static constexpr std::uint32_t room = scalar_warps ? 64 : 1;

  Counter* counter_;
  array<std::uint32_t> items_;
  std::uint32_t held_[room];
  std::uint32_t count_ = 0;
};

// ---- In order, by marks. n, piece and sums as in scan.cuh.

/// Counts each piece's marks, and notes where those that are pushed begin.
template <class Mark>
MAGPIE_INLINE void count_marked(const thread& self, std::uint64_t n, std::uint64_t piece,
                                const array<std::uint32_t>& sums, Mark&& mark, const worklist& to) {
  count_flagged(self, n, piece, sums, mark);
  if (self.rank() == 0) st_plain(to.before, ld_plain(to.pushed));
}

/// Appends `item(i)` for each i of [0, n) where mark(i), in ascending order of i. `item` may be called for others, too.
template <class Mark, class Item>
MAGPIE_INLINE void push_marked(const thread& self, std::uint64_t n, std::uint64_t piece,
                               const array<std::uint32_t>& sums, Mark&& mark, Item&& item, const worklist& to) {
  std::uint64_t first = 0;
  if (n > piece) {
    first = ld_plain(to.before);
  } else if (warp_rank(self) == 0) {
    // With a single piece the first warp is alone. Its lane 0 stores the number below, so no other may read it.
    if (self.lane() == 0) first = ld_own(to.pushed);
    first = self.shuffle(first, 0);
  }
  const std::uint64_t taken = first < to.items.length ? first : to.items.length;
  pack_pieces_then(self, n, piece, sums, mark, item,
                   array<std::uint32_t>{to.items.data + taken, to.items.length - taken},
                   [&](std::uint64_t count) { st_plain(to.pushed, first + count); });
}

MAGPIE_NAMESPACE_END
