/// @file
/// Priority bins: items that wait, sorted roughly by urgency, of which a host has the most urgent ones delivered.
///
/// Layer: parallel, called from kernels; the facade's `PriorityBins` is the host's part. An item is a 32-bit id, and its
/// urgency a *class*, which the caller's `class_of(item)` gives: the lower, the more urgent. Classes are below the number of
/// words in `class_counting::counts`. `no_class` = the item needs nothing any more, and is dropped wherever it is met. Class 0 comes
/// before all others.
///
/// This is delta-stepping (Meyer and Sanders, "Delta-stepping: a parallelizable shortest path algorithm", 2003) for any
/// priority; its buckets are classes. What waits lies in bins, one for each class of a range, so that an item is counted
/// once, and sorted twice at most: into its bin, and into what is due. Two piles, near and far, as is usual on GPUs (Davidson,
/// Baxter, Garland and Owens, "Work-efficient parallel GPU methods for single-source shortest paths", 2014), would mean to
/// look at all that waits with each step of the threshold. As in Julienne (Dhulipala, Blelloch and Shun, 2017) nothing is taken
/// out of a bin when its class changes: it is pushed once more, and found to be in the wrong bin later.
///
/// A step is two launches. In the first, `class_counting` counts new items by class. With that and the bins' sizes the host
/// chooses the threshold, and makes room in the bins. In the second, `bin_sorting` appends new items and those of the bins up to
/// the threshold to `due`, and new items of later bins to these.
///
/// Contract. Between steps classes may change, but within a step's launches `class_of` says the same of an item. An item that
/// waits, and whose class has changed, is pushed anew or lost, unless both classes share a bin. Then each item that has a class is
/// delivered at least once, and what is delivered is of no later bin than what waits. An item that never changed is delivered as
/// often as it was pushed; one that did, up to once for each of its entries, as an entry that a former class has left is dropped
/// only where its bin tells, which it does not if the item is back in its former class, both classes share the bin, or the bin was
/// made new again. A caller that may do something once only stamps items. Limits: fewer than 2^31 items in a list; a class that is
/// neither `no_class` nor below the number of classes is counted outside of the array, which MAGPIE_CHECKED tells.
/// Participation: every thread of the grid, warps whole. `class_of` calls no collectives.
/// Shared state: `counts` and the ends of lists in `plan`, relaxed additions; places given out are disjoint, and read after the
/// launch. Cost: counting, an item's id and class once, and an addition for each class that follows another in a lane; sorting, an
/// id and a class once, an id stored, an addition for each list that lanes of a warp name together.
/// Determinism: not_guaranteed for the order within `due` and within a bin; which items they hold is schedule_independent.
/// See: test_parallel_priority_bins.cpp, algorithms/src/main/cuda/mesh/schedule.cuh, algorithms/src/main/cuda/paths/order.cuh.
#pragma once

#include "magpie/parallel/append.cuh"

MAGPIE_NAMESPACE_BEGIN

/// The class of what needs nothing any more.
inline constexpr std::uint32_t no_class = 0xffffffffu;

/// What host and kernels know of bins.
struct priority_bins {
  static constexpr std::uint32_t count = 64;
  /// Words from one list's end to the next one's, in `bin_sorting::plan`: lines of memory of their own, as all threads add to
  /// them.
  static constexpr std::uint32_t end_words = 32;
  static constexpr std::uint32_t source_words = 5;

  /// The bin of a class. Class 0 has the first one, and the second one is for all others up to `base`; then each class has one of
  /// its own; the last one has all that are beyond, until the host sorts them by a higher `base`.
  static MAGPIE_INLINE std::uint32_t of(std::uint32_t of_class, std::uint32_t base) {
    if (of_class == 0) return 0;
    if (of_class <= base) return 1;
    const std::uint32_t bin = of_class - base + 1;
    return bin < count ? bin : count - 1;
  }
};

/// Exports to the host what it knows of bins: once in a module that has kernels with the two types below.
#define MAGPIE_PRIORITY_BINS                                                         \
  MAGPIE_CONSTANT_AS("priority_bins::count", ::magpie::priority_bins::count)         \
  MAGPIE_CONSTANT_AS("priority_bins::end_words", ::magpie::priority_bins::end_words) \
  MAGPIE_CONSTANT_AS("priority_bins::source_words", ::magpie::priority_bins::source_words)

/// Counts items by class, but for those that need nothing any more. To be the field `bins` of a kernel, which calls `run`.
///
/// Few classes have nearly all items, and additions to one line of memory come one after the other. So the warp holds back
/// what it counted: class c in lane c modulo its width, until another class comes to that lane.
struct class_counting {
  std::uint32_t count;
  array<std::uint32_t> items;
  array<std::uint32_t> counts;  ///< of each class

  template <class ClassOf>
  MAGPIE_INLINE void run(const thread& self, ClassOf&& class_of) const {
    std::uint32_t mine = no_class;
    std::uint32_t counted = 0;
    for (std::uint32_t first : self.warp_items(count)) {
      const std::uint32_t i = first + self.lane();
      const std::uint32_t own = i < count ? class_of(ld_plain(&items[i])) : no_class;
      for (std::uint32_t left = self.ballot(own != no_class); left != 0;) {
        const std::uint32_t next = self.shuffle(own, lowest_bit(left));
        const std::uint32_t equal = self.ballot(own == next);
        if (next % self.width() == self.lane()) {
          if (next != mine) add(mine, counted);
          counted = popcount(equal) + (next == mine ? counted : 0);
          mine = next;
        }
        left &= ~equal;
      }
    }
    add(mine, counted);
  }

 private:
  MAGPIE_INLINE void add(std::uint32_t of_class, std::uint32_t counted) const {
    if (counted != 0) red_add_rlx_dev(&counts[of_class], counted);
  }
};

/// Sorts new items, and those of bins up to `threshold`, into `due` and later bins. Left out are those that need nothing any
/// more, and of items that waited in a bin those that belong to another one by now: they were pushed anew. To be the field `bins`
/// of a kernel, which calls `run`.
struct bin_sorting {
  /// A list that items are taken from, in turns: turn i of `turns` takes the i * `stride`-th, modulo `turns`, if there is one. So
  /// neighbors in the list are spread. All sources together may have more than 2^32 turns.
  struct source {
    std::uint32_t turns;   ///< a power of two, at least `count`; its turns follow those of the source before
    std::uint32_t stride;  ///< odd
    std::uint32_t count;   ///< items
    std::uint32_t bin;     ///< what waits there; all ones = the new items
    std::uint32_t first;   ///< of a bin: its first place in `waiting`
  };
  static_assert(sizeof(source) == priority_bins::source_words * sizeof(std::uint32_t),
                "the host writes a source word by word");
  static constexpr std::uint32_t no_bin = 0xffffffffu;

  std::uint64_t turns;    ///< of all sources
  std::uint32_t sources;  ///< at least 1
  std::uint32_t base;     ///< see `priority_bins::of`
  std::uint32_t threshold;
  array<std::uint32_t> fresh;
  array<std::uint32_t> due;
  array<std::uint32_t> waiting;
  /// Where the next item goes in `due`, and in each bin of `waiting`, `end_words` each; the sources.
  array<std::uint32_t> plan;

  template <class ClassOf>
  MAGPIE_INLINE void run(const thread& self, ClassOf&& class_of) const {
    for (const std::uint64_t turn : self.items(turns)) {
      source from = load(0);
      std::uint64_t first = 0;  // turn of this source
      for (std::uint32_t s = 1; s < sources && turn - first >= from.turns; ++s) {
        first += from.turns;
        from = load(s);
      }
      const std::uint32_t i = static_cast<std::uint32_t>(turn - first) * from.stride & (from.turns - 1);
      if (i >= from.count) continue;
      const std::uint32_t item = ld_plain(from.bin == no_bin ? &fresh[i] : &waiting[from.first + i]);
      const std::uint32_t of_class = class_of(item);
      if (of_class == no_class) continue;
      const std::uint32_t bin = priority_bins::of(of_class, base);
      if (from.bin != no_bin && from.bin != bin) continue;
      const bool now = bin <= threshold;
      const std::uint32_t place = append_to(self, plan.data, now ? 0 : priority_bins::end_words * (1 + bin));
      st_plain(now ? &due[place] : &waiting[place], item);
    }
  }

 private:
  MAGPIE_INLINE source load(std::uint32_t s) const {
    const std::uint32_t at = priority_bins::end_words * (1 + priority_bins::count) + priority_bins::source_words * s;
    const auto word = [&](std::uint32_t k) { return ld_plain(&plan[at + k]); };
    return {word(0), word(1), word(2), word(3), word(4)};
  }
};

MAGPIE_NAMESPACE_END
