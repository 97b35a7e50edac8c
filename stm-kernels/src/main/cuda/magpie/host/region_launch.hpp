/// @file
/// Runs a transactional region from plain C++: ranks, logs that grow, the watchdog, and the report.
///
/// Layer: host, above runtime.hpp. The passes are those of the Java façade: all items with the region's own logs; then
/// the items that overflowed, with logs 16 times as large each time and as many threads as the scratch memory allows;
/// last one thread with all of it. Items that did not finish are in the report, never dropped.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "magpie/host/runtime.hpp"
#include "magpie/stm/region.cuh"

namespace magpie::host {

/// An owned array of transactional objects, with the allocator of their ranks. Not thread-safe: one launch at a time.
class object_array {
 public:
  explicit object_array(std::uint32_t n) : words_(n, 0) {}

  /// The argument for a region under `Policy`: fills the words anew if the last launch was under another policy.
  template <class Policy>
  stm::objects view() {
    if (policy_ != Policy::tag) {
      words_.fill(Policy::unclaimed);
      policy_ = Policy::tag;
    }
    return {words_.data(), static_cast<std::uint32_t>(words_.size()), policy_};
  }

  /// Words that are not unclaimed: 0 after every launch, unless the protocol is broken.
  std::size_t claimed() const {
    const std::uint32_t unclaimed = policy_ == stm::priority_rule::tag ? stm::priority_rule::unclaimed : 0;
    std::size_t n = 0;
    for (const std::uint32_t word : words_.get()) n += word != unclaimed;
    return n;
  }

  /// The objects that are locked. After a launch that ended by a fault, those whose data are suspect.
  std::vector<std::uint32_t> locked() const {
    const bool rule = policy_ == stm::priority_rule::tag;
    const std::uint32_t lock = rule ? stm::priority_rule::lock_bit : stm::hand_off::lock_bit;
    const auto words = words_.get();
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      if ((words[i] & lock) != 0) found.push_back(i);
    }
    return found;
  }

 private:
  buffer<std::uint32_t> words_;
  std::uint32_t policy_ = stm::hand_off::tag;
};

struct region_options {
  bool counted = true;             ///< counters and histograms
  std::uint32_t threads = 0;       ///< transactions in flight; 0 = a full grid
  std::uint32_t polls = 64;        ///< bound of polls in one attempt (not on `cpu`)
  std::uint32_t max_attempts = 0;  ///< of one item; 0 = no bound
  std::optional<std::uint32_t> back_off;  ///< longest pause between attempts in ns, 0 = none; default: the policy's
  bool give_way = true;            ///< on a higher claim: roll back at once instead of waiting in place (not on `cpu`)
  std::uint32_t lanes = 0;         ///< transactions of a warp in flight at once; 0 = by the losses seen
  std::size_t scratch_bytes = std::size_t{64} << 20;  ///< for the larger logs
  std::chrono::milliseconds timeout{60'000};          ///< the watchdog; 0 = none
  /// Recording builds: where to log attempts, in device memory. On `sim` its origin is raised by each launch's steps.
  stm::history* history = nullptr;
};

struct region_report {
  std::array<std::uint64_t, stm::counter::total> statistics{};  ///< see stm::counter
  std::vector<std::uint32_t> unfinished;                        ///< positions
  double milliseconds = 0;                                      ///< in kernels
  std::uint32_t passes = 0;
  bool timed_out = false;
};

/// Runs `region` for items 0..n-1 (or for `list`'s, in device memory), 1 <= n < 2^31, under `Policy`. The words of all
/// its object arrays must be unclaimed and filled for `Policy` (`object_array::view<Policy>`; between launches they are).
/// After an exception make the object arrays anew; data of those objects that are not `object_array::locked` are what
/// the last commits left.
template <class Policy, class Region>
region_report run_region(const Region& region, std::uint32_t n, const region_options& options = {},
                         const std::uint32_t* list = nullptr) {
  using plain = stm::region_kernel<Region, Policy, stm::uncounted, false>;
  using counting = stm::region_kernel<Region, Policy, stm::counted, false>;
  using paged = stm::region_kernel<Region, Policy, stm::counted, true>;

  if (n == 0) return {};
  if (n >= 0x80000000u) throw std::runtime_error("a launch has fewer than 2^31 items: split it");
  buffer<std::uint32_t> pending((n + 31ull) / 32, 0);
  buffer<std::uint64_t> statistics(stm::counter::total, 0);
  buffer<std::uint32_t> stop(1, 0);
  region_report report;

  stm::control control{};
  control.items = n;
  control.list = list;
  control.pending = pending.data();
  control.statistics = statistics.data();
  control.stop = stop.data();
  control.first_rank = 0x7fffffffu;
  control.max_attempts = options.max_attempts;
  control.polls = options.polls;
  control.back_off = options.back_off.value_or(Policy::default_back_off);
  control.give_way = options.give_way;
  control.lanes = options.lanes;
  control.history = options.history;
  if (options.threads != 0 && options.threads < warp_width()) {
    control.lanes = std::min(options.threads, options.lanes != 0 ? options.lanes : warp_width());
  }

  const auto on_timeout = [&](auto stream) {
    report.timed_out = true;
#if defined(__CUDACC__)
    static const std::uint32_t one = 1;
    check(cudaMemcpyAsync(stop.data(), &one, sizeof one, cudaMemcpyHostToDevice, stream), "stopping a kernel");
    check(cudaStreamSynchronize(stream), "stopping a kernel");
#else
    static_cast<void>(stream);
    st_rlx_dev(stop.data(), 1u);
#endif
  };
  const auto pass = [&](const auto& kernel, std::uint32_t threads) {
    report.milliseconds += run(kernel, threads, options.timeout, on_timeout);
    ++report.passes;
#if defined(MAGPIE_MACHINE_SIM)
    if (options.history != nullptr) options.history->origin += simulator::last_record().steps;
#endif
    const auto counts = statistics.get();
    std::copy(counts.begin(), counts.end(), report.statistics.begin());
  };

  if (options.counted) {
    pass(counting{control, region}, options.threads);
  } else {
    pass(plain{control, region}, options.threads);
  }

  std::uint64_t objects = std::max<std::uint64_t>(Region::max_objects, 1);
  std::uint64_t writes = std::max<std::uint64_t>(Region::max_writes, 1);
  std::optional<buffer<std::byte>> scratch;
  std::uint64_t threads = 2;
  while (report.statistics[stm::counter::overflows] > 0 && !report.timed_out && threads > 1) {
    if (!scratch) scratch.emplace(options.scratch_bytes);
    const std::uint64_t fits = options.scratch_bytes / (16 * objects + 24 * writes + 16);
    const std::uint64_t factor = std::clamp<std::uint64_t>(fits, 1, 16);
    objects *= factor;
    writes *= factor;
    threads = factor < 16 ? 1 : std::min<std::uint64_t>(fits / 16, default_threads<paged>());
    threads = threads / warp_width() * warp_width();
    if (threads <= 1) {  // the serial tail: one lane of one warp
      threads = 1;
      control.lanes = 1;
    }
    if (threads * stm::paged_log_bytes(objects, writes) > options.scratch_bytes) break;
    auto counts = statistics.get();
    // The pass runs every pending item again, also those out of attempts, and counts anew what it cannot finish.
    counts[stm::counter::overflows] = 0;
    counts[stm::counter::attempts_exhausted] = 0;
    statistics.set(counts);
    control.only_pending = 1;
    control.scratch = scratch->data();
    control.scratch_objects = static_cast<std::uint32_t>(objects);
    control.scratch_writes = static_cast<std::uint32_t>(writes);
    pass(paged{control, region}, static_cast<std::uint32_t>(threads));
  }

  const auto bits = pending.get();
  for (std::uint32_t position = 0; position < n; ++position) {
    if ((bits[position / 32] >> (position % 32) & 1u) != 0) report.unfinished.push_back(position);
  }
  return report;
}

}  // namespace magpie::host
