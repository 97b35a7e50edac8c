/// @file
/// Who goes on at a switch point of the `sim` machine, and which value a load reads there: the schedules.
///
/// Layer: sim, used by simulator.hpp. Plain host C++. A `schedule` is asked once at every switch point for a thread,
/// and, under weak memory, once at every load that could read an older value for how old a one.
///
/// The default schedule never preempts: the running thread goes on until it pauses, waits in a collective or ends; then
/// comes the next higher rank that can run, after the highest the lowest. What other schedules do is written down as
/// deviations from it, each a `magpie_choice`; `explicit_choices` follows such a list, so every launch is replayed by the
/// deviations it took. A deviation where the running thread did not pause is a preemption. A thread that polls without
/// a pause is never left by the default: give its wait a pause, or the list a choice.
///
/// Determinism: a schedule depends on its parameters and on what it was asked, never on addresses (they are compared
/// for equality only) or time. `lock_step` also depends on how the compiler laid out the code.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "magpie/platform/launch_args.hpp"

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

/// What a thread is about to do at a switch point.
enum class action : std::uint8_t {
  start,  ///< nothing yet
  load,
  store,
  update,  ///< read-modify-write
  fence,
  pause,
  collective,  ///< it waits in a collective, or leaves one
  gather,      ///< it is in active_lanes
  end,
  moment,  ///< it begins or ends an attempt, or takes its place in the serial order; in fine steps only
};

inline const char* name_of(action what) {
  switch (what) {
    case action::start: return "start";
    case action::load: return "load";
    case action::store: return "store";
    case action::update: return "update";
    case action::fence: return "fence";
    case action::pause: return "pause";
    case action::collective: return "collective";
    case action::gather: return "active_lanes";
    case action::end: return "end";
    case action::moment: return "moment";
  }
  return "?";
}

/// Ranks of the threads that can go on. All operations but `next` take constant time.
class runnable_set {
 public:
  explicit runnable_set(std::uint32_t threads) : places_(threads, absent), bits_((threads + 63ull) / 64, 0) {
    dense_.reserve(threads);
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(dense_.size()); }
  bool contains(std::uint32_t rank) const { return rank < places_.size() && places_[rank] != absent; }
  /// The i-th in no particular, but reproducible, order.
  std::uint32_t operator[](std::uint32_t i) const { return dense_[i]; }
  /// The next higher rank, or else the lowest; the lowest after `nobody`. There must be one.
  std::uint32_t next(std::uint32_t rank) const {
    const std::uint32_t from = rank + 1u < places_.size() ? rank + 1u : 0;  // nobody + 1 is 0
    std::size_t word = from / 64;
    std::uint64_t bits = bits_[word] & (~std::uint64_t{0} << (from % 64));
    while (bits == 0) {
      word = word + 1 < bits_.size() ? word + 1 : 0;
      bits = bits_[word];
    }
    return static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(bits)));
  }

  /// Which of the ranks first to first + width - 1 can go on, bit 0 for the first; width <= 32.
  std::uint32_t lanes(std::uint32_t first, std::uint32_t width) const {
    const std::uint32_t shift = first % 64;
    std::uint64_t bits = bits_[first / 64] >> shift;
    if (shift + width > 64) bits |= bits_[first / 64 + 1] << (64 - shift);
    return static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << width) - 1));
  }

  void add(std::uint32_t rank) {
    places_[rank] = count();
    dense_.push_back(rank);
    bits_[rank / 64] |= std::uint64_t{1} << (rank % 64);
  }
  void remove(std::uint32_t rank) {
    const std::uint32_t place = places_[rank];
    dense_[place] = dense_.back();
    places_[dense_[place]] = place;
    dense_.pop_back();
    places_[rank] = absent;
    bits_[rank / 64] &= ~(std::uint64_t{1} << (rank % 64));
  }

 private:
  static constexpr std::uint32_t absent = ~0u;

  std::vector<std::uint32_t> dense_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint64_t> bits_;
};

/// Where a choice is to be made.
struct switch_point {
  static constexpr std::uint32_t nobody = ~0u;

  std::uint64_t step;    ///< choices made before in this launch
  std::uint32_t thread;  ///< rank of the thread that runs, `nobody` at the first step
  action what;           ///< what that thread does next
  const void* address;   ///< of a load, store or update, else null
  const void* position;  ///< in the code of that thread, null where it starts or ends
};

/// Decides who goes on: the one replaceable part of the simulator.
class schedule {
 public:
  virtual ~schedule() = default;
  /// Gives a rank out of `runnable`, which is not empty. `at.thread` is in it unless it waits, has ended or was stopped.
  virtual std::uint32_t choose(const runnable_set& runnable, const switch_point& at) = 0;
  /// Weak memory: the load that thread chosen at `step` does next could read `older` >= 1 values before the newest.
  /// Gives how far back it goes, in [0, older]; 0 is the newest.
  virtual std::uint32_t version([[maybe_unused]] std::uint64_t step, [[maybe_unused]] std::uint32_t older) { return 0; }
  /// This thread got something done: an item of it has ended.
  virtual void progressed([[maybe_unused]] std::uint32_t thread) {}
};

/// What the default schedule chooses.
inline std::uint32_t default_choice(const runnable_set& runnable, const switch_point& at) {
  return at.what != action::pause && runnable.contains(at.thread) ? at.thread : runnable.next(at.thread);
}

/// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
class random_draws {
 public:
  explicit random_draws(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// In [0, n), n >= 1, all equally likely up to n / 2^32.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((bits() >> 32) * n >> 32); }
  /// The same for more than 32 bits, up to n / 2^64.
  std::uint64_t below_wide(std::uint64_t n) {
    __extension__ typedef unsigned __int128 wide;
    return static_cast<std::uint64_t>(static_cast<wide>(bits()) * n >> 64);
  }

 private:
  std::uint64_t state_;
};

/// The probability of going on with the same thread, out of 2^32: by two bits 0, 1/2, 7/8 or 31/32.
inline std::uint32_t inertia(std::uint64_t two_bits) {
  static constexpr std::uint32_t levels[4] = {0, 0x80000000u, 0xe0000000u, 0xf8000000u};
  return levels[two_bits & 3u];
}

/// A schedule that draws: where a load could read older values it does with a probability that the seed gives (1/4, 1/2,
/// 3/4 or 15/16), all equally likely. Some errors need several loads in a row to be late.
class drawing_schedule : public schedule {
 public:
  std::uint32_t version(std::uint64_t, std::uint32_t older) final {
    return static_cast<std::uint32_t>(versions_.bits()) < late_ ? 1 + versions_.below(older) : 0;
  }

 protected:
  explicit drawing_schedule(std::uint64_t seed) : draws_(seed), versions_(~seed) {
    static constexpr std::uint32_t levels[4] = {0x40000000u, 0x80000000u, 0xc0000000u, 0xf0000000u};
    late_ = levels[versions_.bits() & 3u];
  }
  random_draws& draws() { return draws_; }

 private:
  random_draws draws_;
  random_draws versions_;  // apart, so that the threads chosen do not depend on the memory
  std::uint32_t late_;
};

/// Each thread does one step, in the order of ranks. Loads read the newest value.
class round_robin final : public schedule {
 public:
  std::uint32_t choose(const runnable_set& runnable, const switch_point& at) override {
    return runnable.next(at.thread);
  }
};

/// Goes on with the same thread with a probability that the seed gives (see `inertia`), else with any, all equally
/// likely. Fair with probability 1.
class random_walk final : public drawing_schedule {
 public:
  explicit random_walk(std::uint64_t seed) : drawing_schedule(seed), stay_(inertia(draws().bits())) {}

  std::uint32_t choose(const runnable_set& runnable, const switch_point& at) override {
    const std::uint64_t bits = draws().bits();
    if (static_cast<std::uint32_t>(bits) < stay_ && runnable.contains(at.thread)) return at.thread;
    return runnable[static_cast<std::uint32_t>((bits >> 32) * runnable.count() >> 32)];
  }

 private:
  std::uint32_t stay_;
};

/// The threads of a list in turn, each until an item of it has ended; those that are not in it come last, by rank. While
/// the thread whose turn it is waits, as lanes do before they take items, the others of its warp go on, by the list too: so
/// items end in the order of the list unless they wait for each other. Deterministic; not fair.
class ordered final : public schedule {
 public:
  ordered(const magpie_choice* list, std::uint64_t count, std::uint32_t threads, std::uint32_t width)
      : has_ended_(threads, false), width_(width) {
    std::vector<bool> listed(threads, false);
    const auto add = [&](std::uint32_t rank) {
      if (rank < threads && !listed[rank]) order_.push_back(rank);
      if (rank < threads) listed[rank] = true;
    };
    for (std::uint64_t i = 0; i < count; ++i) add(list[i].thread);
    for (std::uint32_t rank = 0; rank < threads; ++rank) add(rank);
  }

  std::uint32_t choose(const runnable_set& runnable, const switch_point&) override {
    while (turn_ < order_.size() && has_ended_[order_[turn_]]) ++turn_;
    std::uint32_t first = switch_point::nobody;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t rank = order_[i];
      if (!runnable.contains(rank)) continue;
      if (i <= turn_ || rank / width_ == order_[turn_] / width_) return rank;
      if (first == switch_point::nobody) first = rank;
    }
    return first;
  }

  void progressed(std::uint32_t thread) override { has_ended_[thread] = true; }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<bool> has_ended_;  ///< by rank
  std::size_t turn_ = 0;
  std::uint32_t width_;
};

/// The default schedule except for the choices of a list, in ascending order of steps. A choice that cannot be is softened:
/// a thread that cannot run to the default, a value too old to the oldest; a step out of order is passed over. So a list
/// stays a schedule when a part of it is taken away; the launch's own deviations say what was left of it.
class explicit_choices final : public schedule {
 public:
  explicit_choices(const magpie_choice* choices, std::uint64_t count) : next_(choices), end_(choices + count) {}

  std::uint32_t choose(const runnable_set& runnable, const switch_point& at) override {
    while (next_ != end_ && next_->step < at.step) ++next_;
    if (next_ != end_ && next_->step == at.step && runnable.contains(next_->thread)) return next_->thread;
    return default_choice(runnable, at);
  }
  std::uint32_t version(std::uint64_t step, std::uint32_t older) override {
    if (next_ == end_ || next_->step != step) return 0;
    return next_->version < older ? next_->version : older;
  }

 private:
  const magpie_choice* next_;
  const magpie_choice* end_;
};

/// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatti: A randomized scheduler with
/// probabilistic guarantees of finding bugs, ASPLOS 2010): threads have random priorities and the highest that can run
/// does; at `depth` - 1 steps drawn from [0, length) the thread that was to run drops to a low priority given to that
/// step. A bug that `depth` ordering constraints between steps make happen is hit with probability at least
/// 1 / (threads * length^(depth - 1)), if the launch takes no more than `length` steps.
///
/// Beyond the paper: a thread that pauses drops below all others. Otherwise one that polls at a high priority would
/// starve whoever it waits for. The bound holds for bugs that need no thread to go on from a pause before others did.
///
/// Cost: linear in the threads that can run at every pause, collective, end and change; else constant.
class pct final : public drawing_schedule {
 public:
  pct(std::uint32_t threads, std::uint64_t seed, std::uint32_t depth, std::uint64_t length)
      : drawing_schedule(seed), priorities_(threads) {
    if (depth < 1) depth = 1;
    std::iota(priorities_.begin(), priorities_.end(), std::int64_t{depth});
    for (std::uint32_t i = threads; i > 1; --i) std::swap(priorities_[i - 1], priorities_[draws().below(i)]);
    for (std::uint32_t i = 1; i < depth; ++i) changes_.push_back({draws().below_wide(length > 0 ? length : 1), i});
    std::sort(changes_.begin(), changes_.end());
  }

  std::uint32_t choose(const runnable_set& runnable, const switch_point& at) override {
    if (at.what == action::pause) priorities_[at.thread] = lowest_--;
    const bool same = at.what == action::load || at.what == action::store || at.what == action::update ||
                      at.what == action::fence || at.what == action::gather ||
                      at.what == action::moment;  // nobody became runnable
    std::uint32_t chosen = same && runnable.contains(at.thread) ? at.thread : highest(runnable);
    for (; next_ < changes_.size() && changes_[next_].first <= at.step; ++next_) {
      priorities_[chosen] = changes_[next_].second;
      chosen = highest(runnable);
    }
    return chosen;
  }

 private:
  std::uint32_t highest(const runnable_set& runnable) const {
    std::uint32_t best = runnable[0];
    for (std::uint32_t i = 1; i < runnable.count(); ++i) {
      if (priorities_[runnable[i]] > priorities_[best]) best = runnable[i];
    }
    return best;
  }

  std::vector<std::int64_t> priorities_;                         // all different
  std::vector<std::pair<std::uint64_t, std::int64_t>> changes_;  // step, and the priority that it gives
  std::size_t next_ = 0;
  std::int64_t lowest_ = 0;
};

/// As warps run: in a turn, the lanes of one warp that are at the same position in the code do one step each, in
/// ascending or descending order. Lanes at other positions are another group, which has turns of its own: which group
/// of a warp goes first, how long it goes on, and how warps interleave is drawn. Lanes that come to the same position
/// again are one group again.
///
/// A turn stays with the group, or else with the warp, with probabilities that the seed gives (see `inertia`); else any
/// group of the warp, all equally likely, or the warp of any thread. A group that pauses does not stay. Fair with
/// probability 1.
class lock_step final : public drawing_schedule {
 public:
  lock_step(std::uint32_t threads, std::uint32_t width, std::uint64_t seed)
      : drawing_schedule(seed), width_(width), positions_(threads, nullptr) {
    const std::uint64_t bits = draws().bits();
    stay_in_group_ = inertia(bits);
    stay_in_warp_ = inertia(bits >> 2);
  }

  std::uint32_t choose(const runnable_set& runnable, const switch_point& at) override {
    if (at.thread != switch_point::nobody) positions_[at.thread] = at.position;
    std::uint32_t lanes = turn_ & runnable.lanes(first_, width_);
    if (lanes == 0) {
      new_turn(runnable, at);
      lanes = turn_;
    }
    const auto lane = static_cast<std::uint32_t>(descending_ ? 31 - std::countl_zero(lanes) : std::countr_zero(lanes));
    turn_ = lanes & ~(1u << lane);
    return first_ + lane;
  }

 private:
  void new_turn(const runnable_set& runnable, const switch_point& at) {
    const std::uint64_t bits = draws().bits();
    const bool paused = at.what == action::pause;
    std::uint32_t lanes = runnable.lanes(first_, width_);
    if (lanes == 0 || static_cast<std::uint32_t>(bits) >= stay_in_warp_) {
      first_ = runnable[draws().below(runnable.count())] / width_ * width_;
      lanes = runnable.lanes(first_, width_);
    }
    const std::uint32_t last = at.thread - first_;  // lane that ran last, if it is of this warp
    if (!paused && last < width_ && ((lanes >> last) & 1u) != 0 &&
        static_cast<std::uint32_t>(bits >> 32) < stay_in_group_) {
      turn_ = group_of(last, lanes);
    } else {
      std::uint32_t groups = 0;
      for (std::uint32_t rest = lanes; rest != 0; rest &= ~group_of(lowest(rest), rest)) {
        if (draws().below(++groups) == 0) turn_ = group_of(lowest(rest), rest);
      }
    }
    descending_ = (draws().bits() & 1u) != 0;
  }

  static std::uint32_t lowest(std::uint32_t lanes) { return static_cast<std::uint32_t>(std::countr_zero(lanes)); }

  /// The lanes out of `lanes` that are where `lane` is.
  std::uint32_t group_of(std::uint32_t lane, std::uint32_t lanes) const {
    std::uint32_t group = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      if (positions_[first_ + lowest(rest)] == positions_[first_ + lane]) group |= 1u << lowest(rest);
    }
    return group;
  }

  std::uint32_t width_;
  std::vector<const void*> positions_;
  std::uint32_t stay_in_group_ = 0;
  std::uint32_t stay_in_warp_ = 0;
  std::uint32_t first_ = 0;  // lane 0 of the warp whose turn it is
  std::uint32_t turn_ = 0;   // lanes that are yet to step in this turn
  bool descending_ = false;
};

}  // namespace simulator

MAGPIE_NAMESPACE_END
