/// @file
/// Runs a transactional region from plain C++: ranks, logs that grow, pools, rounds, the watchdog, and the report.
///
/// Layer: host, above runtime.hpp. The passes are those of the Java facade: all items with the region's own logs; then
/// the items that overflowed, with the logs of larger_logs.hpp. Items that did not finish are in the report, never dropped.
///
/// A launch that throws leaves claims that are nobody's, pools whose slots are unknown, and half a round. Object arrays,
/// pools and worklists remember that and are refused from then on, by an exception that says so: make new ones.
///
/// Rounds: `run_rounds` launches a region over a `worklist` until that is empty. Everything is double buffered: the
/// list of a launch is read-only while the next one is written.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "magpie/host/hot_objects.hpp"
#include "magpie/host/larger_logs.hpp"
#include "magpie/host/runtime.hpp"
#include "magpie/host/threads_in_flight.hpp"
#include "magpie/detail/field_table.hpp"
#include "magpie/stm/region.cuh"

namespace magpie::host {

/// Copies `n` elements within device memory; the two ranges are disjoint.
template <class T>
void copy_within_device(T* to, const T* from, std::size_t n) {
  if (n == 0) return;
#if defined(__CUDACC__)
  check(cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyDeviceToDevice), "copying within the device");
#else
  std::memcpy(to, from, n * sizeof(T));
#endif
}

/// Writes `value` to n words of device memory that lie `stride` bytes apart, and to nothing between them.
inline void fill_in_device(std::uint32_t* to, std::size_t n, std::uint32_t value, std::size_t stride) {
#if defined(__CUDACC__)
  const std::vector<std::uint32_t> words(n, value);
  check(cudaMemcpy2D(to, stride, words.data(), sizeof value, sizeof value, n, cudaMemcpyHostToDevice),
        "copying to the device");
#else
  for (std::size_t i = 0; i < n; ++i) to[i * (stride / sizeof value)] = value;
#endif
}

/// What a policy's words say.
struct word_meaning {
  std::uint32_t tag;
  std::uint32_t unclaimed;
  std::uint32_t claim_bits;
  std::uint32_t lock_bit;
  bool versions_apart;
  bool has_records;

  template <stm::policy Policy>
  static constexpr word_meaning of() {
    return {Policy::tag,      Policy::unclaimed,      Policy::claim_bits,
            Policy::lock_bit, Policy::versions_apart, Policy::has_descriptors};
  }
  /// Whether words of this policy and another have the same behind them.
  bool has_same_behind(const word_meaning& other) const {
    return versions_apart == other.versions_apart && has_records == other.has_records;
  }
  bool is_claimed(std::uint32_t word) const { return ((word ^ unclaimed) & claim_bits) != 0; }

  /// How many KB behind its word an object of n has what the policy has there.
  static std::uint32_t kilobytes(std::uint32_t n) {
    const std::uint64_t needed = (std::uint64_t{n} + 255) / 256;
    if (needed >= 1u << 24) {
      throw std::runtime_error(std::to_string(n) +
                               " objects are too many for a policy with versions behind their words");
    }
    return static_cast<std::uint32_t>(needed);
  }
  /// Words of n objects that lie `stride` bytes apart, and what is behind them.
  std::size_t size(std::uint32_t n, std::size_t stride) const {
    const std::size_t behind = has_records ? 2 : versions_apart ? 1 : 0;
    return behind != 0 ? std::size_t{256} * kilobytes(n) + behind * n : n * (stride / sizeof(std::uint32_t));
  }

  /// Of n objects, whose words are these, `stride` bytes apart: how many are claimed, and which are locked.
  std::size_t claimed(const std::vector<std::uint32_t>& words, std::uint32_t n, std::size_t stride) const {
    std::size_t found = 0;
    for (std::uint32_t i = 0; i < n; ++i) found += is_claimed(words[place_of(i, n, stride)]);
    return found;
  }
  std::vector<std::uint32_t> locked(const std::vector<std::uint32_t>& words, std::uint32_t n,
                                    std::size_t stride) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < n; ++i) {
      if ((words[place_of(i, n, stride)] & lock_bit) != 0) found.push_back(i);
    }
    return found;
  }

 private:
  /// Where object i of n has what says whether it is claimed: its word, or the lower half of its record.
  std::size_t place_of(std::uint32_t i, std::uint32_t n, std::size_t stride) const {
    return has_records ? std::size_t{256} * kilobytes(n) + std::size_t{2} * i : i * (stride / sizeof(std::uint32_t));
  }
};

/// The words of an object array; which of them had a launch that threw. Thread-safe.
class tracking_words : public buffer<std::uint32_t> {
 public:
  using buffer::buffer;
  ~tracking_words() { suspects().erase(data(), data() + size()); }

  /// A launch on the words that begin at `words` threw.
  static void suspect(const std::uint32_t* words) { suspects().insert(words); }

  /// Throws if such a launch left claims among these words, which would hold up every other launch.
  static void require_unclaimed(const std::uint32_t* words, std::uint32_t n, std::size_t stride,
                                const word_meaning& meaning) {
    if (!suspects().has(words)) return;
    std::vector<std::uint32_t> now(meaning.size(n, stride));
    copy_out(now.data(), words, now.size() * sizeof(std::uint32_t));
    const std::size_t claimed = meaning.claimed(now, n, stride);
    if (claimed > 0) {
      throw std::runtime_error("a launch that failed left " + std::to_string(claimed) + " of " + std::to_string(n) +
                               " objects claimed: make a new array of objects, and new data of those that are locked");
    }
    suspects().erase(words);
  }

 private:
  class addresses {
   public:
    void insert(const std::uint32_t* words) {
      const std::lock_guard hold(guard_);
      all_.insert(words);
    }
    void erase(const std::uint32_t* words) {
      const std::lock_guard hold(guard_);
      all_.erase(words);
    }
    void erase(const std::uint32_t* first, const std::uint32_t* last) {
      const std::lock_guard hold(guard_);
      all_.erase(all_.lower_bound(first), all_.lower_bound(last));
    }
    bool has(const std::uint32_t* words) {
      const std::lock_guard hold(guard_);
      return all_.contains(words);
    }

   private:
    std::mutex guard_;
    std::set<const std::uint32_t*> all_;
  };
  static addresses& suspects() {
    static addresses all;
    return all;
  }
};

/// An owned array of transactional objects, with the allocator of their ranks. Not thread-safe: one launch at a time.
class object_array {
 public:
  explicit object_array(std::uint32_t n) : count_(n), words_(std::make_unique<tracking_words>(n, 0)) {}

  std::uint32_t count() const { return count_; }

  /// Makes it an array of n objects, at least as many as it has; the new ones are unclaimed. Not during a launch.
  void grow(std::uint32_t n) {
    require_unclaimed();
    auto larger = make(n);
    copy_within_device(larger->data(), words_->data(), count_);
    words_ = std::move(larger);
    count_ = n;
  }

  /// The argument for a region under `Policy`: fills the words again if the last launch was under another policy.
  template <class Policy>
  stm::objects view() {
    require_unclaimed();
    if (meaning_.tag != Policy::tag) {
      const bool same_size = meaning_.has_same_behind(word_meaning::of<Policy>());
      meaning_ = word_meaning::of<Policy>();
      if (same_size) {
        words_->fill(Policy::unclaimed);
      } else {
        words_ = make(count_);
      }
    }
    const std::uint32_t distance =
        Policy::versions_apart || Policy::has_descriptors ? word_meaning::kilobytes(count_) : 0;
    return {words_->data(), count_, Policy::tag + distance * stm::objects::most_policies};
  }

  /// Words, or records, that are not unclaimed: 0 after every launch, unless the protocol is broken.
  std::size_t claimed() const { return meaning_.claimed(words_->get(), count_, sizeof(std::uint32_t)); }

  /// The objects that are locked. After a launch that ended by a fault, those whose data are suspect.
  std::vector<std::uint32_t> locked() const { return meaning_.locked(words_->get(), count_, sizeof(std::uint32_t)); }

 private:
  void require_unclaimed() const {
    tracking_words::require_unclaimed(words_->data(), count_, sizeof(std::uint32_t), meaning_);
  }
  /// Words of n objects, unclaimed, and behind them their versions or records, where the policy has these apart.
  std::unique_ptr<tracking_words> make(std::uint32_t n) const {
    return std::make_unique<tracking_words>(meaning_.size(n, sizeof(std::uint32_t)), meaning_.unclaimed);
  }

  std::uint32_t count_;
  std::unique_ptr<tracking_words> words_;
  word_meaning meaning_ = word_meaning::of<stm::hand_off>();
};

/// Owned cells: n objects with a datum each next to their words, for a region's `stm::guarded_cells<T>`, or, with
/// `Layout` stm::fused, its `stm::fused_cells<T>`. Not thread-safe: one launch at a time.
template <class T, class Layout = stm::beside>
class cell_array {
  using cell = stm::cell<T, Layout>;

 public:
  explicit cell_array(const std::vector<T>& data)
      : count_(count_of(data)), words_(data.size() * step + skipped, meaning_.unclaimed) {
    set(data);
  }
  cell_array(std::uint32_t n, const T& value) : cell_array(std::vector<T>(n, value)) {}

  std::uint32_t count() const { return count_; }

  /// The argument for a region under `Policy`: fills the words again if the last launch was under another policy.
  template <class Policy>
  stm::guarded<T, stm::same_index, Layout> view() {
    static_assert(!Policy::versions_apart && !Policy::has_descriptors,
                  "cells have no room for the versions of this policy: use guarded<T>");
    std::uint32_t* const words = words_.data() + skipped;
    tracking_words::require_unclaimed(words, count_, cell::bytes, meaning_);
    if (meaning_.tag != Policy::tag) {
      meaning_ = word_meaning::of<Policy>();
      fill_in_device(words, count_, Policy::unclaimed, cell::bytes);
    }
    auto* const first = reinterpret_cast<std::byte*>(words_.data()) + cell::offset;
    return {{reinterpret_cast<T*>(first), count_}, {words, count_, Policy::tag}};
  }

  /// The data; `set` takes as many. Not during a launch.
  std::vector<T> get() const {
    const std::vector<std::uint32_t> all = words_.get();
    std::vector<T> data(count_);
    for (std::uint32_t i = 0; i < count_; ++i) std::memcpy(&data[i], bytes_of(all, i), sizeof(T));
    return data;
  }
  void set(const std::vector<T>& data) {
    if (data.size() != count_) {
      throw std::runtime_error(std::to_string(data.size()) + " data for " + std::to_string(count_) + " cells");
    }
    std::vector<std::uint32_t> all = words_.get();
    for (std::uint32_t i = 0; i < count_; ++i) std::memcpy(bytes_of(all, i), &data[i], sizeof(T));
    words_.set(all);
  }

  /// As of an `object_array`.
  std::size_t claimed() const { return meaning_.claimed(words(), count_, cell::bytes); }
  std::vector<std::uint32_t> locked() const { return meaning_.locked(words(), count_, cell::bytes); }

 private:
  static constexpr std::size_t step = cell::bytes / sizeof(std::uint32_t);
  static constexpr std::size_t skipped = cell::word_offset / sizeof(std::uint32_t);  ///< before the first tracking word

  /// From the first tracking word on.
  std::vector<std::uint32_t> words() const {
    const std::vector<std::uint32_t> all = words_.get();
    return {all.begin() + skipped, all.end()};
  }

  static std::uint32_t count_of(const std::vector<T>& data) {
    if (data.size() > 0xfffffffeu) {
      throw std::runtime_error("there are at most 2^32 - 2 cells, got " + std::to_string(data.size()));
    }
    return static_cast<std::uint32_t>(data.size());
  }

  /// Where datum i is in a copy of all.
  template <class Words>
  static auto* bytes_of(Words& all, std::uint32_t i) {
    using byte = std::conditional_t<std::is_const_v<Words>, const std::byte, std::byte>;
    return reinterpret_cast<byte*>(all.data() + i * step) + cell::offset;
  }

  std::uint32_t count_;
  word_meaning meaning_ = word_meaning::of<stm::hand_off>();
  tracking_words words_;
};

/// An owned pool of slots: those in [0, first_fresh) are live from the beginning, the others free. Not thread-safe, and
/// one launch at a time. After a launch that threw, or that `settle` refuses, it is not known which slots are free: the
/// pool refuses everything but its size.
class slot_pool {
 public:
  slot_pool(std::uint32_t capacity, std::uint32_t first_fresh) : capacity_(capacity), first_fresh_(first_fresh) {
    if (capacity >= 0x80000000u || first_fresh > capacity) {
      throw std::runtime_error("a pool of " + std::to_string(capacity) + " slots cannot have " +
                               std::to_string(first_fresh) + " live ones: at most all of fewer than 2^31");
    }
    slots_ = std::make_unique<buffer<std::uint32_t>>(std::size_t{2} * capacity);
  }

  std::uint32_t capacity() const { return capacity_; }
  /// Slots that can be taken: between launches exactly capacity - live.
  std::uint32_t free() const { return recycled_ + capacity_ - first_fresh_; }
  std::uint32_t live() const { return capacity_ - free(); }
  /// The free slots that were live or at hand before; those from `first_fresh` on are free too.
  std::vector<std::uint32_t> recycled() const {
    require_usable();
    auto all = slots_->get();
    all.resize(recycled_);
    return all;
  }
  std::uint32_t first_fresh() const { return first_fresh_; }

  /// The argument for a region whose pool number `Index` this is, in the next launch.
  template <std::uint32_t Index>
  stm::pool<Index> view() const {
    require_usable();
    return {slots_->data(), recycled_, first_fresh_, capacity_, 0};
  }
  /// For `control::returned`.
  std::uint32_t* returned() const { return slots_->data() + recycled_; }

  /// Throws if it cannot be used any more.
  void require_usable() const {
    if (spoiled_) {
      throw std::runtime_error(
          "the pool of " + std::to_string(capacity_) +
          " slots was in use when a launch failed: which slots are free is unknown; make a new one");
    }
  }
  /// A launch with it threw.
  void spoil() { spoiled_ = true; }

  /// After a launch: what it took and returned, by its counters. Throws if that cannot be: some slot was freed twice, or
  /// was not live. Checked builds look at the slots themselves, others at their number.
  void settle(std::uint64_t handed_out, std::uint64_t returned) {
    const auto supplied = static_cast<std::uint32_t>(std::min<std::uint64_t>(handed_out, free()));
    if (returned > std::uint64_t{live()} + supplied) {
      refuse(std::to_string(returned) + " slots came back of " + std::to_string(live()) + " live and " +
             std::to_string(supplied) + " handed out: some were freed more than once, or were not live");
    }
    const auto back = static_cast<std::uint32_t>(returned);
    const std::uint32_t gap = std::min(supplied, recycled_);
    const std::uint32_t moved = std::min(gap, back);
    // The returned slots begin where the recycled ones ended; the last of them fill the gap.
    copy_within_device(slots_->data() + recycled_ - gap, slots_->data() + recycled_ + back - moved, moved);
    first_fresh_ += supplied - gap;
    recycled_ = recycled_ - gap + back;
#if MAGPIE_CHECKS_BOUNDS
    std::vector<bool> is_free(first_fresh_, false);
    for (const std::uint32_t slot : recycled()) {
      if (slot >= first_fresh_) refuse("slot " + std::to_string(slot) + " came back, which was never taken");
      if (is_free[slot]) refuse("slot " + std::to_string(slot) + " was freed more than once, or was not live");
      is_free[slot] = true;
    }
#endif
  }

  /// Makes it a pool of `capacity` slots, at least as many as it has; the new ones are free. Not during a launch.
  void grow(std::uint32_t capacity) {
    require_usable();
    slot_pool larger(capacity, std::min(first_fresh_, capacity));
    copy_within_device(larger.slots_->data(), slots_->data(), recycled_);
    larger.recycled_ = recycled_;
    *this = std::move(larger);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) {
    spoil();
    throw std::runtime_error("the pool of " + std::to_string(capacity_) + " slots is spoiled: " + why);
  }

  std::unique_ptr<buffer<std::uint32_t>> slots_;
  std::uint32_t capacity_;
  std::uint32_t first_fresh_;
  std::uint32_t recycled_ = 0;
  bool spoiled_ = false;
};

struct region_options {
  /// Transactions in flight; 0 = a full grid, or fewer where the region declares `scattered_accesses`, see threads_in_flight.hpp.
  std::uint32_t threads = 0;
  std::uint32_t polls = 64;        ///< bound of polls in one attempt (not on `cpu`)
  std::uint32_t max_attempts = 0;  ///< of one item; 0 = no bound
  /// Longest pause between attempts in ns, 0 = none; default: the policy's, which may have shorter ones from one eager attempt to
  /// the next.
  std::optional<std::uint32_t> back_off;
  bool linear_back_off = false;  ///< pauses grow by 32 ns from attempt to attempt, else they double
  bool give_way = true;          ///< on a higher claim: roll back at once instead of waiting in place (not on `cpu`)
  std::uint32_t lanes = 0;       ///< transactions of a warp in flight at once; 0 = by the losses seen
  /// First attempts of an item that lock what they open, before it claims (hand_off); at most half of `max_attempts`.
  /// Default: 16 where a region declares at most 4 objects, else none, nor in passes with larger logs.
  std::optional<std::uint32_t> eager_attempts;
  /// For the larger logs, and what their transactions' descriptors need. Those of transactions with the region's own logs are
  /// apart: `Policy::thread_bytes(max_objects, max_writes)` for each thread of a launch.
  std::size_t scratch_bytes = std::size_t{64} << 20;
  std::chrono::milliseconds timeout{60'000};  ///< the watchdog; 0 = none
  /// Recording builds: where to log attempts, in device memory. On `sim` its origin is raised by each launch's steps.
  stm::history* history = nullptr;
  std::vector<slot_pool*> pools = {};  ///< the region's, by number; their views are among its fields
  /// Builds with MAGPIE_SAMPLE_CONFLICTS: for how many objects a launch counts conflicts, a power of 2; 0 = for none.
  std::uint32_t conflict_slots = 4096;
};

struct region_report {
  std::array<std::uint64_t, stm::counter::total> statistics{};  ///< see stm::counter
  std::vector<std::uint32_t> unfinished;                        ///< positions
  double milliseconds = 0;                                      ///< in kernels
  std::uint32_t passes = 0;
  std::uint32_t threads = 0;  ///< of the first pass, before they are rounded to whole warps
  bool timed_out = false;
  conflict_counts conflicts;  ///< by object, in builds with MAGPIE_SAMPLE_CONFLICTS
};

/// Calls `visit` with each argument among the fields of a region, those of its structs included.
template <class T, class Visit>
void for_each_argument(const T& region, Visit&& visit) {
  const auto each = [&](const auto* field) {
    if constexpr (reflection::is_argument<std::remove_cvref_t<decltype(*field)>>) {
      visit(*field);
    } else {
      for_each_argument(*field, visit);
    }
  };
  std::apply([&](const auto*... fields) { (each(fields), ...); }, reflection::field_pointers(region));
}

/// Bytes of a datum in a guarded array that has its objects' words elsewhere; 0 for other arguments of a region.
template <class T>
inline constexpr std::size_t bytes_of_guarded_datum = 0;
template <class T>
inline constexpr std::size_t bytes_of_guarded_datum<stm::guarded_data<array<T>>> = sizeof(T);

/// Bytes of the words of a region's objects under `Policy`, and of the data that they guard. Cells count as words that lie apart.
template <class Policy, class Region>
std::uint64_t bytes_of_objects(const Region& region) {
  std::uint64_t bytes = 0;
  std::set<const std::uint32_t*> counted;  // several arrays may have the same objects
  for_each_argument(region, [&](const auto& field) {
    using type = std::remove_cvref_t<decltype(field)>;
    if constexpr (stm::any_objects<type>) {
      const std::uint64_t words = word_meaning::of<Policy>().size(field.count, stm::stride_of_objects<type>);
      if (counted.insert(field.words).second) bytes += words * sizeof(std::uint32_t);
    } else if constexpr (bytes_of_guarded_datum<type> != 0) {
      bytes += field.size() * bytes_of_guarded_datum<type>;
    }
  });
  return bytes;
}

/// The launches of one region under `Policy`, with the memory they need besides its arguments.
template <class Policy, class Region>
class region_launcher {
  using fixed = stm::region_kernel<Region, Policy, false>;
  using paged = stm::region_kernel<Region, Policy, true>;

 public:
  explicit region_launcher(const region_options& options)
      : options_(options), statistics_(stm::counter::total, 0), stop_(1, 0) {
    if (options.pools.size() != stm::pools_of<Region>) {
      throw std::runtime_error("the region has " + std::to_string(stm::pools_of<Region>) + " pools, the options name " +
                               std::to_string(options.pools.size()));
    }
    if (!std::has_single_bit(options.conflict_slots) && options.conflict_slots != 0) {
      throw std::runtime_error("conflict_slots must be 0 or a power of 2, got " +
                               std::to_string(options.conflict_slots));
    }
    if (stm::samples_conflicts && options.conflict_slots != 0) {
      conflicts_ = std::make_unique<buffer<std::uint64_t>>(1 + std::size_t{2} * options.conflict_slots);
    }
  }

  /// Throws if the region's objects or pools cannot be used in a launch under `Policy`.
  void require_usable(const Region& region) const {
    for (const slot_pool* pool : options_.pools) pool->require_usable();
    for_each_argument(region, [](const auto& field) {
      using type = std::remove_cvref_t<decltype(field)>;
      if constexpr (stm::any_objects<type>) {
        constexpr std::uint32_t stride = stm::stride_of_objects<type>;
        static_assert((!Policy::versions_apart && !Policy::has_descriptors) || stride == sizeof(std::uint32_t),
                      "cells have no room for the versions of this policy: use guarded<T>");
        if (field.count == 0) return;
        if (stm::objects::tag_of(field.policy) != Policy::tag) {
          throw std::runtime_error("an array of " + std::to_string(field.count) +
                                   " objects has words of another policy than the region runs under: pass "
                                   "object_array::view<Policy>() of the same policy");
        }
        tracking_words::require_unclaimed(field.words, field.count, stride, word_meaning::of<Policy>());
      }
    });
  }

  /// Runs positions 0..n-1, 1 <= n < 2^31, of the given ranks: all passes. Settles the pools. `stopped`: with the
  /// watchdog's flag up from the beginning, which in rounds defers every item.
  region_report launch(const Region& region, std::uint32_t n, const std::uint32_t* list, std::uint32_t first_rank,
                       const stm::worklist& work, bool stopped = false) {
    require_usable(region);
    try {
      return run_passes(region, n, list, first_rank, work, stopped);
    } catch (...) {
      for (slot_pool* pool : options_.pools) pool->spoil();
      for_each_argument(region, [](const auto& field) {
        if constexpr (stm::any_objects<std::remove_cvref_t<decltype(field)>>) {
          tracking_words::suspect(field.words);
        }
      });
      throw;
    }
  }

 private:
  region_report run_passes(const Region& region, std::uint32_t n, const std::uint32_t* list, std::uint32_t first_rank,
                           const stm::worklist& work, bool stopped) {
    const std::size_t words = 2 * pending_words(n);  // the bits, and room to list a few of them
    if (!pending_ || pending_->size() < words) pending_ = std::make_unique<buffer<std::uint32_t>>(words);
    pending_->fill_first(pending_words(n), 0);
    statistics_.fill(0);
    stop_.fill(stopped);
    if constexpr (Policy::words_of_launch) {
      for_each_argument(region, [](const auto& field) {
        using type = std::remove_cvref_t<decltype(field)>;
        if constexpr (stm::any_objects<type>) {
          fill_in_device(field.words, field.count, Policy::unclaimed, stm::stride_of_objects<type>);
        }
      });
    }
    if (conflicts_) conflicts_->fill(0);
    region_report report;

    stm::control control = control_of(n, list, first_rank, work);
    report.threads = threads_for(region, n);
    if constexpr (Policy::has_descriptors) control.scratch = descriptors_of(report.threads);
    pass(report, fixed{control, region}, report.threads);
    run_with_larger_logs(report, control, region);

    for (std::size_t i = 0; i < options_.pools.size(); ++i) {
      const std::size_t at = stm::counter::pools + 2 * i;
      options_.pools[i]->settle(report.statistics[at], report.statistics[at + 1]);
    }
    report.unfinished = pending_positions(n);
    if (conflicts_) report.conflicts = conflicts_of(region, conflicts_->get());
    return report;
  }

  /// Threads of the first pass.
  std::uint32_t threads_for([[maybe_unused]] const Region& region, [[maybe_unused]] std::uint32_t n) const {
    if (options_.threads != 0) return options_.threads;
    const std::uint32_t full_grid = default_threads<fixed>();
    if constexpr (stm::has_scattered_accesses<Region>) {
      return threads_for_scattered_accesses(full_grid, warp_width(), n, bytes_of_objects<Policy>(region),
                                            l2_cache_bytes());
    } else {
      return full_grid;
    }
  }

  stm::control control_of(std::uint32_t n, const std::uint32_t* list, std::uint32_t first_rank,
                          const stm::worklist& work) const {
    stm::control control{};
    control.items = n;
    control.list = list;
    control.pending = pending_->data();
    control.statistics = statistics_.data();
    control.stop = stop_.data();
    control.first_rank = first_rank;
    control.max_attempts = options_.max_attempts;
    control.polls = options_.polls;
    control.back_off = options_.back_off ? std::min(*options_.back_off, stm::control::longest_back_off)
                                         : Policy::default_back_off | stm::control::policys_back_off;
    if (options_.linear_back_off) control.back_off |= stm::control::linear_back_off;
    control.give_way = options_.give_way;
    control.lanes = options_.lanes;
    constexpr bool is_short = Region::max_objects <= Policy::most_eager_objects;
    control.eager_attempts = options_.eager_attempts.value_or(is_short ? Policy::default_eager_attempts : 0);
    if (control.max_attempts != 0) {  // claims must follow: by them the oldest item gets through
      control.eager_attempts = std::min(control.eager_attempts, control.max_attempts / 2);
    }
    control.history = options_.history;
    control.work = work;
    for (std::size_t i = 0; i < options_.pools.size(); ++i) {
      control.returned[i] = options_.pools[i]->returned();
      control.returned_room[i] = options_.pools[i]->capacity();
    }
    if (options_.threads != 0 && options_.threads < warp_width()) {
      const std::uint32_t unlimited = Policy::default_lanes != 0 ? Policy::default_lanes : warp_width();
      control.lanes = std::min(options_.threads, options_.lanes != 0 ? options_.lanes : unlimited);
    }
#if defined(MAGPIE_SAMPLE_CONFLICTS)
    if (conflicts_) control.conflicts = {conflicts_->data(), options_.conflict_slots};
#endif
    return control;
  }

  /// Memory for the descriptors of so many threads with the region's own logs.
  std::byte* descriptors_of(std::uint32_t threads) {
    threads = (threads + warp_width() - 1) / warp_width() * warp_width();
    require_descriptors(threads);
    const std::size_t each = Policy::thread_bytes(Region::max_objects, Region::max_writes);
    const std::size_t bytes = Policy::bytes_before_scratch + threads * each;
    if (!descriptors_ || descriptors_->size() < bytes) {
      descriptors_.reset();
      try {
        descriptors_ = std::make_unique<buffer<std::byte>>(bytes);
      } catch (const std::exception& error) {
        throw std::runtime_error("no memory for a table of descriptors, " + std::to_string(each) +
                                 " bytes for each of " + std::to_string(threads) + " threads: " + error.what() +
                                 ": ask for fewer with region_options::threads");
      }
    }
    return behind_zeros(*descriptors_, bytes - Policy::bytes_before_scratch);
  }
  /// Bytes for larger logs.
  std::size_t scratch_bytes() const {
    if constexpr (Policy::has_descriptors) {
      return options_.scratch_bytes - std::min<std::size_t>(options_.scratch_bytes, Policy::bytes_before_scratch);
    }
    return options_.scratch_bytes;
  }
  /// Where scratch memory begins in this: behind what the policy has in front of it. Simulated, all of the scratch memory that
  /// is used is zeros, so that fruitless looks at descriptors take the same steps whatever the memory held before.
  static std::byte* behind_zeros(buffer<std::byte>& memory, [[maybe_unused]] std::uint64_t used) {
    if constexpr (Policy::has_descriptors) {
#if defined(MAGPIE_MACHINE_SIM)
      memory.fill_first(Policy::bytes_before_scratch + used, std::byte{0});
#else
      memory.fill_first(Policy::bytes_before_scratch, std::byte{0});
#endif
      return memory.data() + Policy::bytes_before_scratch;
    }
    return memory.data();
  }
  static void require_descriptors(std::uint64_t threads) {
    if constexpr (Policy::has_descriptors) {
      if (threads > Policy::most_threads) {
        throw std::runtime_error("a launch under this policy has at most " + std::to_string(Policy::most_threads) +
                                 " threads, whose descriptors records can name; this one has " +
                                 std::to_string(threads) + ": ask for fewer with region_options::threads");
      }
    }
  }

  /// Runs the items whose logs overflowed, pass after pass, as long as a larger log finds room.
  void run_with_larger_logs(region_report& report, stm::control control, const Region& region) {
    if (!options_.eager_attempts) control.eager_attempts = 0;  // they open more than the region declares
    const auto n = static_cast<std::uint32_t>(control.items);
    for (std::uint32_t passed = 1; report.statistics[stm::counter::overflows] > 0 && !report.timed_out; ++passed) {
      const std::uint32_t grid = default_threads<paged>();
      const larger_logs logs =
          larger_logs_of(passed, Region::max_objects, Region::max_writes, scratch_bytes(), warp_width(),
                         options_.threads == 0 ? grid : std::min(options_.threads, grid), Policy::thread_bytes);
      if (logs.objects == 0) break;
      require_descriptors(logs.threads);
      if (!scratch_) scratch_ = std::make_unique<buffer<std::byte>>(options_.scratch_bytes);
      control.scratch = behind_zeros(*scratch_, logs.threads * (stm::paged_log_bytes(logs.objects, logs.writes) +
                                                                Policy::thread_bytes(logs.objects, logs.writes)));
      control.scratch_objects = static_cast<std::uint32_t>(logs.objects);
      control.scratch_writes = static_cast<std::uint32_t>(logs.writes);
      forget_unfinished(control.work);
      if (logs.alone) {
        one_by_one(report, control, region, pending_positions(n));
        break;
      }
      control.only_pending = list_pending(n, report.statistics[stm::counter::overflows]);
      pass(report, paged{control, region}, static_cast<std::uint32_t>(logs.threads));
    }
  }

  static std::size_t pending_words(std::uint32_t n) { return (n + 31ull) / 32; }

  std::vector<std::uint32_t> pending_positions(std::uint32_t n) const {
    std::vector<std::uint32_t> words(pending_words(n));
    copy_out(words.data(), pending_->data(), words.size() * sizeof(std::uint32_t));
    std::vector<std::uint32_t> positions;
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      for (std::uint32_t bits = words[i]; bits != 0; bits &= bits - 1u) {
        positions.push_back(i * 32 + static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
    }
    return positions;
  }

  /// Lists what is pending, if there is room behind the bits: the next pass then walks no more. For `only_pending`.
  /// `least`: at least so many are.
  std::uint32_t list_pending(std::uint32_t n, std::uint64_t least) {
    if (least > pending_words(n)) return stm::control::by_bits;
    const auto positions = pending_positions(n);
    if (positions.empty() || positions.size() > pending_words(n)) return stm::control::by_bits;
    copy_in(pending_->data() + pending_words(n), positions.data(), positions.size() * sizeof(std::uint32_t));
    return static_cast<std::uint32_t>(positions.size());
  }

  /// Before a pass that runs every pending item again, whatever left it pending, and counts again what it leaves.
  void forget_unfinished(const stm::worklist& work) {
    auto counts = statistics_.get();
    for (const std::uint32_t which : {stm::counter::overflows, stm::counter::attempts_exhausted, stm::counter::unopened,
                                      stm::counter::too_many_pushes, stm::counter::revoked, stm::counter::requested}) {
      counts[which] = 0;
    }
    if (work.pushed == nullptr) counts[stm::counter::no_slot] = 0;
    statistics_.set(counts);
  }

  /// The last pass: each of these positions, all that are pending, in a launch of its own. Clears the bits of those that
  /// end.
  void one_by_one(region_report& report, stm::control control, const Region& region,
                  const std::vector<std::uint32_t>& positions) {
    const auto begin = std::chrono::steady_clock::now();
    const stm::worklist work = control.work;
    const buffer<std::uint32_t> ids(positions);
    buffer<std::uint32_t> bits(positions.size(), 0);
    const std::uint32_t* const list = control.list;
    const std::uint32_t first_rank = control.first_rank;
    control.items = 1;
    control.only_pending = 0;
    control.work.carried = 0;
    std::size_t ran = 0;
    for (; ran < positions.size() && !report.timed_out; ++ran) {
      const std::uint32_t position = positions[ran];
      control.list = list != nullptr ? list + position : ids.data() + ran;
      control.pending = bits.data() + ran;
      if (position < work.carried) {
        copy_out(&control.first_rank, work.carried_ranks + position, sizeof control.first_rank);
      } else {
        control.first_rank = first_rank - (position - work.carried);
      }
      auto timeout = options_.timeout;
      if (timeout.count() > 0) {
        const auto left = begin + timeout - std::chrono::steady_clock::now();
        timeout = std::max(std::chrono::milliseconds(1), std::chrono::duration_cast<std::chrono::milliseconds>(left));
      }
      launch_kernel(report, paged{control, region}, 1, timeout);
    }
    ++report.passes;
    report.statistics[stm::counter::stopped] += positions.size() - ran;
    const auto left = bits.get();
    auto pending = pending_->get();
    for (std::size_t i = 0; i < ran; ++i) {
      if (left[i] == 0) pending[positions[i] / 32] &= ~(1u << positions[i] % 32);
    }
    pending_->set(pending);
  }

  template <class Kernel>
  void pass(region_report& report, const Kernel& kernel, std::uint32_t threads) {
    launch_kernel(report, kernel, threads, options_.timeout);
    ++report.passes;
  }

  template <class Kernel>
  void launch_kernel(region_report& report, const Kernel& kernel, std::uint32_t threads,
                     std::chrono::milliseconds timeout) {
    const auto on_timeout = [&](auto stream) {
      report.timed_out = true;
#if defined(__CUDACC__)
      static const std::uint32_t one = 1;
      check(cudaMemcpyAsync(stop_.data(), &one, sizeof one, cudaMemcpyHostToDevice, stream), "stopping a kernel");
      check(cudaStreamSynchronize(stream), "stopping a kernel");
#else
      static_cast<void>(stream);
      st_rlx_dev(stop_.data(), 1u);
#endif
    };
    report.milliseconds += run(kernel, threads, timeout, on_timeout);
#if defined(MAGPIE_MACHINE_SIM)
    if (options_.history != nullptr) options_.history->origin += simulator::last_record().steps;
#endif
    const auto counts = statistics_.get();
    std::copy(counts.begin(), counts.end(), report.statistics.begin());
  }

  region_options options_;
  buffer<std::uint64_t> statistics_;
  buffer<std::uint32_t> stop_;
  std::unique_ptr<buffer<std::uint32_t>> pending_;
  std::unique_ptr<buffer<std::byte>> scratch_;
  std::unique_ptr<buffer<std::byte>> descriptors_;    ///< of policies that have them, with the region's own logs
  std::unique_ptr<buffer<std::uint64_t>> conflicts_;  ///< null: none are counted
};

/// The highest rank, which the first item of a run has.
using stm::highest_rank;

/// Runs `region` for items 0..n-1 (or for `list`'s, in device memory), 0 <= n < 2^31, under `Policy`. The words of all
/// its object arrays must be unclaimed and filled for `Policy` (`object_array::view<Policy>`; between launches they
/// are), else it throws. After an exception of a launch make new object arrays and pools; data of those objects that
/// are not `object_array::locked` are what the last commits left.
template <class Policy, class Region>
region_report run_region(const Region& region, std::uint32_t n, const region_options& options = {},
                         const std::uint32_t* list = nullptr) {
  static_assert(stm::max_pushes_of<Region> == 0, "what a region pushes needs a worklist: run_rounds");
  if (n == 0) return {};
  if (n > highest_rank) throw std::runtime_error("a launch has at most 2^31 - 2 items: split it");
  return region_launcher<Policy, Region>(options).launch(region, n, list, highest_rank, {});
}

struct rounds_options : region_options {
  bool defer_losers = false;     ///< a lost attempt ends its item for the round, unless a wait expired or it was eager
  std::uint32_t max_rounds = 0;  ///< rounds after which the run ends; 0 = no bound
  std::uint32_t idle_rounds = 16;           ///< so many rounds in a row that end no item are a stall; at least 2
  std::uint32_t launch_items = 1u << 24;    ///< a round of more items is several launches: bounds the room for pushes
  std::uint32_t first_rank = highest_rank;  ///< the run's highest rank; lower than that only for tests
};

using launch_statistics = std::array<std::uint64_t, stm::counter::total>;

/// Adds what a launch counted, those of pools left out, which hold for one launch alone.
inline void add_statistics(launch_statistics& sum, const launch_statistics& more) {
  for (std::uint32_t i = 0; i < stm::counter::total; ++i) {
    if (i >= stm::counter::pools && i <= stm::counter::irrevocable) continue;
    sum[i] = i == stm::counter::max_attempts ? std::max(sum[i], more[i]) : sum[i] + more[i];
  }
}

/// One round.
struct round_report {
  std::uint32_t round = 0;    ///< from 0
  std::uint32_t items = 0;    ///< at its beginning
  std::uint32_t carried = 0;  ///< of them, deferred by the round before
  std::uint64_t deferred = 0;
  std::uint64_t pushed = 0;
  std::uint64_t no_slot = 0;  ///< of the deferred ones, for want of a slot: grow the pool, or wait for what comes back
  std::uint64_t unfinished = 0;
  std::array<std::uint64_t, stm::counter::total> statistics{};  ///< see stm::counter; those of the launch itself are 0
  double milliseconds = 0;                                      ///< in kernels
  std::uint32_t passes = 0;
  conflict_counts conflicts;  ///< by object, in builds with MAGPIE_SAMPLE_CONFLICTS

  void add(const region_report& launch) {
    deferred += launch.statistics[stm::counter::deferred];
    pushed += launch.statistics[stm::counter::pushed];
    no_slot += launch.statistics[stm::counter::no_slot];
    unfinished += launch.unfinished.size();
    milliseconds += launch.milliseconds;
    passes += launch.passes;
    if (stm::samples_conflicts) conflicts.add(launch.conflicts);
    add_statistics(statistics, launch.statistics);
  }
};

/// A run in rounds. Ended with an empty worklist unless it says otherwise.
struct rounds_report {
  std::uint32_t rounds = 0;
  std::array<std::uint64_t, stm::counter::total> statistics{};  ///< of all rounds
  /// Items whose logs could not be made large enough, that pushed too many, or that used a handle never opened.
  std::vector<std::uint32_t> unfinished;
  double milliseconds = 0;
  bool timed_out = false;     ///< a launch did; what it left is in the worklist
  bool stalled = false;       ///< `idle_rounds` in a row ended no item; all are in the worklist
  conflict_counts conflicts;  ///< of all rounds, by object, in builds with MAGPIE_SAMPLE_CONFLICTS
};

/// Items that wait to be run in rounds: those that were deferred, each with its rank, and new ones. After an exception
/// within a round its contents are unknown, and it refuses everything.
class worklist {
 public:
  explicit worklist(const std::vector<std::uint32_t>& items)
      : now_(std::make_unique<list>(0, items.size())), fresh_(items.size()) {
    copy_in(now_->items.data(), items.data(), items.size() * sizeof(std::uint32_t));
  }

  std::size_t size() const { return carried() + fresh_; }
  /// How many of them were deferred.
  std::size_t carried() const {
    if (within_round_) {
      throw std::runtime_error("a round over this worklist failed: which items wait is unknown; make a new one");
    }
    return carried_;
  }
  /// The items, deferred ones first.
  std::vector<std::uint32_t> items() const { return part(now_->items, now_->middle - carried(), size()); }
  /// The ranks of the deferred ones.
  std::vector<std::uint32_t> ranks() const { return part(now_->ranks, now_->middle - carried(), carried_); }

 private:
  template <class Policy, class Make, class Listener>
  friend rounds_report run_rounds(Make&& make, worklist& work, const rounds_options& options, Listener&& listener);

  /// A list that grows both ways: up from `middle` new items, down from it deferred ones, with their ranks.
  struct list {
    list(std::size_t deferred, std::size_t pushed) : items(deferred + pushed), ranks(deferred), middle(deferred) {}

    std::uint64_t room_for_pushes() const { return items.size() - middle; }

    /// Where a launch goes on that finds so many items here.
    stm::worklist after(std::uint64_t deferred, std::uint64_t pushed) {
      stm::worklist launch{};
      launch.pushed = items.data() + middle + pushed;
      launch.deferred = items.data() + middle - deferred;
      launch.deferred_ranks = ranks.data() + middle - deferred;
      return launch;
    }

    void copy_from(const list& from, std::uint64_t deferred, std::uint64_t pushed) {
      copy_within_device(items.data() + middle - deferred, from.items.data() + from.middle - deferred,
                         deferred + pushed);
      copy_within_device(ranks.data() + middle - deferred, from.ranks.data() + from.middle - deferred, deferred);
    }

    buffer<std::uint32_t> items;
    buffer<std::uint32_t> ranks;
    std::size_t middle;
  };

  static std::vector<std::uint32_t> part(const buffer<std::uint32_t>& of, std::size_t first, std::size_t n) {
    std::vector<std::uint32_t> to(n);
    copy_out(to.data(), of.data() + first, n * sizeof(std::uint32_t));
    return to;
  }

  /// Gives the deferred items the highest ranks from `first` down, in the order of those they have. Gives the next one.
  std::uint32_t renumber(std::uint32_t first) {
    std::vector<std::uint32_t> old = ranks();
    std::vector<std::uint32_t> order(old.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return old[a] > old[b]; });
    for (std::uint32_t i = 0; i < order.size(); ++i) old[order[i]] = first - i;
    copy_in(now_->ranks.data() + now_->middle - carried_, old.data(), old.size() * sizeof(std::uint32_t));
    return first - static_cast<std::uint32_t>(order.size());
  }

  std::unique_ptr<list> now_;
  std::size_t carried_ = 0;
  std::size_t fresh_;
  bool within_round_ = false;    ///< between a round's first launch and its end
  std::uint32_t next_rank_ = 0;  ///< the highest one not yet given in this run; all carried ones are above it
};

/// Runs regions over `work` under `Policy`, round after round, until it is empty or the report says why not. `make()`
/// gives the region for each launch, with the views that its pools then have; `listener(report)` hears of each round,
/// and may grow arrays and pools. Deferred items that `work` has from an earlier run come first, in their order. At most
/// 2^31 - 2 items wait at any time. Otherwise as `run_region`.
template <class Policy, class Make, class Listener>
rounds_report run_rounds(Make&& make, worklist& work, const rounds_options& options, Listener&& listener) {
  using region = std::decay_t<decltype(make())>;
  static_assert(stm::in_rounds<region>, "a region that runs in rounds declares max_pushes, 0 if it pushes nothing");
  if (options.first_rank > highest_rank) {
    throw std::runtime_error("first_rank must be at most 2^31 - 2, got " + std::to_string(options.first_rank));
  }
  region_launcher<Policy, region> launcher(options);
  rounds_report total;
  work.next_rank_ = work.renumber(options.first_rank);
  for (std::uint32_t idle = 0; work.size() > 0 && !total.timed_out; ++total.rounds) {
    if (options.max_rounds != 0 && total.rounds == options.max_rounds) break;
    if (idle == options.idle_rounds) {
      total.stalled = true;
      break;
    }
    if (work.fresh_ > work.next_rank_) work.next_rank_ = work.renumber(options.first_rank);
    if (work.fresh_ > work.next_rank_) {
      throw std::runtime_error(std::to_string(work.size()) + " items wait: more than there are ranks");
    }
    round_report round;
    round.round = total.rounds;
    round.items = static_cast<std::uint32_t>(work.size());
    round.carried = static_cast<std::uint32_t>(work.carried_);
    const std::uint32_t* const items = work.now_->items.data() + work.now_->middle - work.carried_;
    const std::uint32_t* const ranks = work.now_->ranks.data() + work.now_->middle - work.carried_;
    const std::uint64_t most = stm::max_pushes_of<region>;
    std::unique_ptr<worklist::list> next;
    for (std::uint32_t done = 0; done < round.items;) {
      std::uint32_t part = std::min(round.items - done, options.launch_items);
      const std::uint64_t room = round.pushed + part * most;
      if (!next || next->room_for_pushes() < room) {
        auto larger = std::make_unique<worklist::list>(round.items, part < round.items ? 2 * room : room);
        if (next) larger->copy_from(*next, round.deferred, round.pushed);
        next = std::move(larger);
      }
      stm::worklist launch = next->after(round.deferred, round.pushed);
      launch.carried = done < round.carried ? std::min(round.carried - done, part) : 0;
      launch.carried_ranks = ranks + done;
      launch.pushed_capacity = static_cast<std::uint32_t>(part * most);
      launch.deferred_capacity = part;
      launch.defer_losers = options.defer_losers;
      const region made = make();
      launcher.require_usable(made);
      work.within_round_ = true;
      const region_report report = launcher.launch(made, part, items + done, work.next_rank_, launch, total.timed_out);
      work.next_rank_ -= part - launch.carried;
      round.add(report);
      add_statistics(total.statistics, report.statistics);
      for (const std::uint32_t position : report.unfinished) {
        const std::size_t at = items + done + position - work.now_->items.data();
        total.unfinished.push_back(worklist::part(work.now_->items, at, 1)[0]);
      }
      total.timed_out = total.timed_out || report.timed_out;
      done += part;
    }
    total.milliseconds += round.milliseconds;
    if (stm::samples_conflicts) total.conflicts.add(round.conflicts);
    idle = round.deferred == round.items ? idle + 1 : 0;
    work.now_ = std::move(next);
    work.carried_ = round.deferred;
    work.fresh_ = round.pushed;
    work.within_round_ = false;
    listener(static_cast<const round_report&>(round));
  }
  return total;
}

template <class Policy, class Make>
rounds_report run_rounds(Make&& make, worklist& work, const rounds_options& options = {}) {
  return run_rounds<Policy>(make, work, options, [](const round_report&) {});
}

}  // namespace magpie::host
