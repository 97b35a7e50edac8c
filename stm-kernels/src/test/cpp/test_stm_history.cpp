// flavors: cpu sim cpu-tsan
// full flavors: sim
// build: -DMAGPIE_RECORD
// full build(sim): -DMAGPIE_RECORD -DMAGPIE_TEST_COMPARISONS
/// @file
/// Histories: the records of scripted regions word by word, and those of contended ones against what the regions saw.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "stm_test.hpp"

namespace {

namespace stm = magpie::stm;
namespace host = magpie::host;
using magpie::stm::cause;
using magpie::stm::outcome;
using test::region_options;

struct access {
  std::uint32_t object;
  bool write;
  std::uint32_t stamp;
  bool operator==(const access&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const access& a) {
    return out << (a.write ? " w" : " r") << a.object << "@" << a.stamp;
  }
};

struct record {
  std::uint32_t thread, item, attempt, rank, code;
  std::uint64_t begin, end;
  std::vector<access> accesses;
};

inline constexpr std::uint32_t committed = 0;
inline constexpr std::uint32_t canceled = 1;
constexpr std::uint32_t aborted(cause why) { return 16 + static_cast<std::uint32_t>(why); }

std::ostream& operator<<(std::ostream& out, const std::vector<access>& all) {
  for (const access& each : all) out << each;
  return out;
}

/// Logs and stamps in device memory.
class recording {
 public:
  static constexpr std::uint64_t canary = 0xabcdabcdabcdabcd;

  recording(std::uint32_t threads, std::uint64_t capacity, bool counter)
      : threads_(threads),
        capacity_(capacity),
        entries_(threads * capacity + 1, canary),
        used_(threads, 0),
        clock_(1, 0),
        history_(1) {
    settings.entries = entries_.data();
    settings.used = used_.data();
    settings.clock = counter ? clock_.data() : nullptr;
    settings.capacity = capacity;
    settings.threads = threads;
    settings.arrays = 0;
    settings.first_attempts = ~0u;
  }

  void add(const stm::objects& array, host::buffer<std::uint32_t>& stamps, std::uint32_t first) {
    settings.array[settings.arrays++] = {array.words, stamps.data(), array.count, first, 2, 0};
  }

  stm::history* device() {
    history_.set({settings});
    return history_.data();
  }

  std::vector<std::uint64_t> used() const { return used_.get(); }
  /// A thread's words.
  std::vector<std::uint64_t> words(std::uint32_t thread) const {
    const std::vector<std::uint64_t> all = entries_.get();
    const auto mine = all.begin() + static_cast<std::ptrdiff_t>(thread * capacity_);
    return {mine, mine + static_cast<std::ptrdiff_t>(used_.get()[thread])};
  }

  /// All records, by thread and then in the order of the log.
  std::vector<record> records() const {
    const std::vector<std::uint64_t> words = entries_.get();
    const std::vector<std::uint64_t> used = used_.get();
    std::vector<record> all;
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
      CHECK(used[thread] <= capacity_);
      const std::uint64_t* at = words.data() + thread * capacity_;
      const std::uint64_t* const end = at + used[thread];
      while (at != end) {
        CHECK(end - at >= 4);
        const std::uint64_t n = at[1] >> 40;
        record next{thread,
                    static_cast<std::uint32_t>(at[0]),
                    static_cast<std::uint32_t>(at[0] >> 32),
                    static_cast<std::uint32_t>(at[1]),
                    static_cast<std::uint32_t>(at[1] >> 32 & 0xff),
                    at[2],
                    at[3],
                    {}};
        CHECK(n <= static_cast<std::uint64_t>(end - at) - 4);
        for (std::uint64_t i = 4; i < 4 + n; ++i) {
          next.accesses.push_back({static_cast<std::uint32_t>(at[i]) & 0x7fffffffu, (at[i] >> 31 & 1u) != 0,
                                   static_cast<std::uint32_t>(at[i] >> 32)});
        }
        CHECK(next.begin <= next.end);
        CHECK(all.empty() || all.back().thread != thread || all.back().end <= next.begin);
        all.push_back(std::move(next));
        at += 4 + n;
      }
    }
    CHECK_EQ(words.back(), canary);
    return all;
  }

  stm::history settings{};

 private:
  std::uint32_t threads_;
  std::uint64_t capacity_;
  host::buffer<std::uint64_t> entries_;
  host::buffer<std::uint64_t> used_;
  host::buffer<std::uint64_t> clock_;
  host::buffer<stm::history> history_;
};

/// The most threads of a run's passes where the first one has so many: passes with paged logs fill the machine.
std::uint32_t most_threads(std::uint32_t threads) {
  const std::uint32_t most = std::max(threads, host::default_threads<stm::control>());
  return (most + host::warp_width() - 1) / host::warp_width() * host::warp_width();
}

/// Three objects with a datum and a stamp each, identifiers from 40 on.
struct cells {
  host::object_array objects{3};
  host::buffer<std::uint32_t> values{3, 7};
  host::buffer<std::uint32_t> stamps{3, 0};
  static constexpr std::uint32_t first = 40;
};

/// Runs items one after the other under `Policy`; gives the records in that order.
template <class Policy, class Region>
std::vector<record> one_by_one(const Region& region, cells& on, std::uint32_t items, outcome expected = outcome::commit,
                               std::optional<std::uint32_t> eager_attempts = std::nullopt) {
  const std::uint32_t threads = most_threads(1);
  recording log(threads, 4096, !test::simulated);
  log.add(region.cells, on.stamps, cells::first);
  region_options options;
  options.threads = 1;
  options.history = log.device();
  options.eager_attempts = eager_attempts;
  const test::region_report report = host::run_region<Policy>(region, items, options);
  CHECK_EQ(report.unfinished.size(), 0u);
  CHECK_EQ(report.statistics[test::counter::commits], expected == outcome::commit ? items : 0u);
  CHECK_EQ(on.objects.claimed(), 0u);
  std::vector<record> all = log.records();
  std::sort(all.begin(), all.end(), [](const record& a, const record& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i - 1].end <= all[i].begin);
  return all;
}

void check_record(const record& seen, std::uint32_t item, std::uint32_t attempt, std::uint32_t code,
                  const std::vector<access>& accesses) {
  CHECK_EQ(seen.item, item);
  CHECK_EQ(seen.attempt, attempt);
  CHECK_EQ(seen.rank, host::highest_rank - item);
  CHECK_EQ(seen.code, code);
  CHECK_EQ(seen.accesses, accesses);
}

/// What the scripted region does with its item.
enum script : std::uint32_t {
  mixed,          ///< reads 0 twice, writes 1 twice and reads it back, writes 2
  undone,         ///< an inner attempt reads 0 and 1 and writes 2, fails, and writes 1 the second time; then reads 0
  inner_cancel,   ///< reads 0; an inner one reads 1, writes 2, and cancels; so does the whole
  alternative,    ///< as before, but another inner one reads 0 and 2, and the whole peeks at 1 and would commit
  cancel_undone,  ///< reads 0; in an inner attempt one further in reads 1 and cancels; the second attempt reads 1 and 2
  meddled,        ///< reads 0, whose stamp changes, and reads it again; and cancels
  two_attempts,   ///< reads 0 and asks for another attempt until the third
  peeking,        ///< peeks at 0 and twice at 2, writes 0, peeks at it, and reads it back
};

template <stm::reads Reads>
struct scripted {
  stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> stamps;
  magpie::array<std::uint32_t> tries;
  script what;

  static constexpr std::uint32_t max_objects = 3;
  static constexpr std::uint32_t max_writes = 4;
  static constexpr stm::reads reads = Reads;

  template <class Tx>
  std::uint32_t past(Tx& tx, std::uint32_t i) const {
    if constexpr (Tx::reaches_past) return tx.peek(cells, i, &values[i]);
    return 1;
  }
  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t x = 0;
    const stm::handle zero = tx.open(cells, 0);
    switch (what) {
      case mixed: {
        const stm::handle two = tx.open(cells, 2);
        const stm::handle one = tx.open(cells, 1);
        if (!tx.read(zero, &values[0], x) || !tx.read(zero, &values[0], x)) return outcome::retry;
        if (!tx.write(one, &values[1], x) || !tx.write(one, &values[1], x + item)) return outcome::retry;
        if (!tx.read(one, &values[1], x)) return outcome::retry;
        return tx.write(two, &values[2], x) ? outcome::commit : outcome::retry;
      }
      case undone: {
        bool again = false;
        const outcome inner = tx.inner(2, [&](Tx& in) {
          if (again) return in.write(in.open(cells, 1), &values[1], 5) ? outcome::commit : outcome::retry;
          again = true;
          if (!in.read(zero, &values[0], x) || !in.read(in.open(cells, 1), &values[1], x)) return outcome::retry;
          return in.write(in.open(cells, 2), &values[2], 5) ? outcome::retry : outcome::commit;
        });
        if (inner != outcome::commit) return inner;
        return tx.read(zero, &values[0], x) ? outcome::commit : outcome::retry;
      }
      case inner_cancel: {
        if (!tx.read(zero, &values[0], x)) return outcome::retry;
        return tx.inner(2, [&](Tx& in) {
          if (!in.read(in.open(cells, 1), &values[1], x)) return outcome::retry;
          return in.write(in.open(cells, 2), &values[2], 5) ? outcome::cancel : outcome::retry;
        });
      }
      case alternative: {
        if (!tx.read(zero, &values[0], x)) return outcome::retry;
        const outcome first = tx.inner(
            2, [&](Tx& in) { return in.read(in.open(cells, 1), &values[1], x) ? outcome::cancel : outcome::retry; });
        if (first != outcome::cancel) return outcome::retry;
        const outcome second = tx.inner(2, [&](Tx& in) {
          return in.read(zero, &values[0], x) && in.read(in.open(cells, 2), &values[2], x) ? outcome::commit
                                                                                           : outcome::retry;
        });
        return past(tx, 1) != 0 ? second : outcome::retry;
      }
      case cancel_undone: {
        if (!tx.read(zero, &values[0], x)) return outcome::retry;
        bool again = false;
        return tx.inner(2, [&](Tx& in) {
          if (again) {
            return in.read(in.open(cells, 1), &values[1], x) && in.read(in.open(cells, 2), &values[2], x)
                       ? outcome::commit
                       : outcome::retry;
          }
          again = true;
          const outcome within = in.inner(2, [&](Tx& further) {
            return further.read(further.open(cells, 1), &values[1], x) ? outcome::cancel : outcome::retry;
          });
          return within == outcome::cancel ? outcome::retry : outcome::commit;
        });
      }
      case meddled: {
        if (!tx.read(zero, &values[0], x)) return outcome::retry;
        magpie::st_rlx_dev(&stamps[0], 100 + item);
        return tx.read(zero, &values[0], x) ? outcome::cancel : outcome::retry;
      }
      case two_attempts:
        if (!tx.read(zero, &values[0], x)) return outcome::retry;
        return magpie::add_rlx_dev(&tries[item], 1u) < 2 ? outcome::retry : outcome::commit;
      case peeking: {
        const std::uint32_t before = past(tx, 0);
        if (past(tx, 2) != past(tx, 2)) return outcome::cancel;
        if (!tx.write(zero, &values[0], before + 1)) return outcome::retry;
        if (past(tx, 0) != before) return outcome::cancel;
        return tx.read(zero, &values[0], x) && x == before + 1 ? outcome::commit : outcome::retry;
      }
    }
    return outcome::retry;
  }
};

/// Peeks at an object so many times.
struct staring {
  stm::objects cells;
  magpie::array<std::uint32_t> values;
  std::uint32_t times;

  static constexpr std::uint32_t max_objects = 1;
  static constexpr std::uint32_t max_writes = 1;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t) const {
    std::uint32_t changed = 0;
    for (std::uint32_t i = 0; i < times; ++i) changed |= tx.peek(cells, 0, &values[0]) ^ 7u;
    return changed == 0 ? outcome::commit : outcome::cancel;
  }
};

/// Needs more writes than the first log holds.
struct overflowing {
  stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 3;
  static constexpr std::uint32_t max_writes = 2;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t) const {
    std::uint32_t x = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const stm::handle each = tx.open(cells, i);
      if (!tx.read(each, &values[i], x) || !tx.write(each, &values[i], x + 1)) return outcome::retry;
    }
    return outcome::commit;
  }
};

/// In place: reads 0, writes it, reads it again; then writes 1, or, if `named` is 0, writes without a handle.
struct cautious {
  stm::objects cells;
  magpie::array<std::uint32_t> values;
  std::uint32_t named;

  static constexpr std::uint32_t max_objects = 3;
  static constexpr std::uint32_t max_writes = 1;
  struct state {
    stm::handle handle[3];
  };

  template <class Tx>
  outcome plan(Tx& tx, std::uint32_t, state& s) const {
    std::uint32_t x = 0;
    for (std::uint32_t i = 0; i < 3; ++i) s.handle[i] = tx.open(cells, i);
    return tx.read(s.handle[2], &values[2], x) ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  void apply(Tx& tx, std::uint32_t, const state& s) const {
    if (named != 0) {
      const std::uint32_t x = tx.load(s.handle[0], &values[0]);
      tx.store(s.handle[0], &values[0], x + 1);
      tx.store(s.handle[0], &values[0], tx.load(s.handle[0], &values[0]));
      tx.store(s.handle[1], &values[1], x);
    } else {
      const std::uint32_t x = tx.load({}, &values[0]);
      tx.store({}, &values[0], x + 1);
    }
  }
};

template <class Policy, stm::reads Reads>
void scripts() {
  host::buffer<std::uint32_t> tries(8, 0);
  cells on;
  const auto region = [&](script what) {
    return scripted<Reads>{on.objects.view<Policy>(), on.values.view(), on.stamps.view(), tries.view(), what};
  };
  // Versions of each object before the run.
  const auto stamps = [&] { return on.stamps.get(); };

  auto all = one_by_one<Policy>(region(mixed), on, 3);
  CHECK_EQ(all.size(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) {
    check_record(all[i], i, 1, committed, {{40, false, 0}, {41, true, i}, {42, true, i}});
  }
  CHECK(stamps() == (std::vector<std::uint32_t>{0, 3, 3}));

  all = one_by_one<Policy>(region(undone), on, 2);
  CHECK_EQ(all.size(), 2u);
  for (std::uint32_t i = 0; i < 2; ++i) check_record(all[i], i, 1, committed, {{40, false, 0}, {41, true, 3 + i}});
  CHECK(stamps() == (std::vector<std::uint32_t>{0, 5, 3}));

  all = one_by_one<Policy>(region(inner_cancel), on, 2, outcome::cancel);
  CHECK_EQ(all.size(), 2u);
  for (std::uint32_t i = 0; i < 2; ++i) check_record(all[i], i, 1, canceled, {{40, false, 0}, {41, false, 5}});

  all = one_by_one<Policy>(region(alternative), on, 2, outcome::cancel);
  CHECK_EQ(all.size(), 2u);
  for (std::uint32_t i = 0; i < 2; ++i) check_record(all[i], i, 1, canceled, {{40, false, 0}, {41, false, 5}});

  all = one_by_one<Policy>(region(cancel_undone), on, 2);
  CHECK_EQ(all.size(), 2u);
  for (std::uint32_t i = 0; i < 2; ++i) {
    check_record(all[i], i, 1, committed, {{40, false, 0}, {41, false, 5}, {42, false, 3}});
  }

  all = one_by_one<Policy>(region(two_attempts), on, 2);
  CHECK_EQ(all.size(), 6u);
  for (std::uint32_t i = 0; i < 6; ++i) {
    check_record(all[i], i / 3, i % 3 + 1, i % 3 < 2 ? aborted(cause::requested) : committed, {{40, false, 0}});
  }
  CHECK(stamps() == (std::vector<std::uint32_t>{0, 5, 3}));

  if constexpr (!Policy::writes_in_place) {
    all = one_by_one<Policy>(region(peeking), on, 2);
    CHECK_EQ(all.size(), 2u);
    for (std::uint32_t i = 0; i < 2; ++i) {
      check_record(all[i], i, 1, committed,
                   {{40, false, i}, {42, false, 3}, {42, false, 3}, {40, false, i}, {40, true, i}});
    }
  }
  on.stamps.set({0, 5, 3});

  all = one_by_one<Policy>(region(meddled), on, 2, outcome::cancel);
  CHECK_EQ(all.size(), 2u);
  check_record(all[0], 0, 1, canceled, {{40, false, 0}, {40, false, 100}});
  check_record(all[1], 1, 1, canceled, {{40, false, 100}, {40, false, 101}});

  // Versions are counted modulo 2^32.
  const std::uint32_t late = ~1u;
  on.stamps.set({late, late, late});
  all = one_by_one<Policy>(region(mixed), on, 4);
  CHECK_EQ(all.size(), 4u);
  for (std::uint32_t i = 0; i < 4; ++i) {
    check_record(all[i], i, 1, committed, {{40, false, late}, {41, true, late + i}, {42, true, late + i}});
  }
  CHECK(stamps() == (std::vector<std::uint32_t>{late, 2, 2}));
}

template <class Policy>
void every_form() {
  scripts<Policy, stm::reads::validated>();
  scripts<Policy, stm::reads::unvalidated>();

  if constexpr (stm::runs_under<cautious, Policy>) {
    cells on;
    const auto named = one_by_one<Policy>(cautious{on.objects.view<Policy>(), on.values.view(), 1}, on, 2);
    CHECK_EQ(named.size(), 2u);
    for (std::uint32_t i = 0; i < 2; ++i) {
      check_record(named[i], i, 1, committed, {{42, false, 0}, {40, false, i}, {40, true, i}, {41, true, i}});
    }
    const auto unnamed = one_by_one<Policy>(cautious{on.objects.view<Policy>(), on.values.view(), 0}, on, 2);
    CHECK_EQ(unnamed.size(), 2u);
    for (std::uint32_t i = 0; i < 2; ++i) {
      check_record(
          unnamed[i], i, 1, committed,
          i == 0 ? std::vector<access>{{42, false, 0},
                                       {40, false, 2},
                                       {41, false, 2},
                                       {40, true, 2},
                                       {41, true, 2},
                                       {42, true, 0}}
                 : std::vector<access>{
                       {42, false, 1}, {40, false, 3}, {41, false, 3}, {40, true, 3}, {41, true, 3}, {42, true, 1}});
    }
    CHECK(on.stamps.get() == (std::vector<std::uint32_t>{4, 4, 2}));
  }
  {
    cells on;
    const auto all = one_by_one<Policy>(overflowing{on.objects.view<Policy>(), on.values.view()}, on, 1);
    CHECK_EQ(all.size(), 2u);  // the log was full; then with a paged one
    check_record(all[0], 0, 1, aborted(cause::overflow), {{40, false, 0}, {41, false, 0}, {42, false, 0}});
    check_record(all[1], 0, 1, committed,
                 {{40, false, 0}, {41, false, 0}, {42, false, 0}, {40, true, 0}, {41, true, 0}, {42, true, 0}});
  }
}

/// Reads two objects and overwrites one or both with its item's number + 1; notes what it has seen.
struct tagging {
  stm::objects low;
  stm::objects high;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint32_t> seen;  // 2 an item

  static constexpr std::uint32_t max_objects = 2;
  static constexpr std::uint32_t max_writes = 2;

  MAGPIE_DEVICE std::uint32_t objects() const { return low.count + high.count; }
  /// The two objects of an item, different ones.
  MAGPIE_DEVICE std::uint32_t pick(std::uint32_t item, std::uint32_t which) const {
    const std::uint32_t first = item * 7919u % objects();
    return which == 0 ? first : (first + 1 + item / 3 % (objects() - 1)) % objects();
  }
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    stm::handle handle[2];
    std::uint32_t value[2];
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::uint32_t at = pick(item, i);
      handle[i] = at < low.count ? tx.open(low, at) : tx.open(high, at - low.count);
      if (!tx.read(handle[i], &values[at], value[i])) return outcome::retry;
    }
    for (std::uint32_t i = 0; i < 1 + item % 2; ++i) {
      if (!tx.write(handle[i], &values[pick(item, i)], item + 1)) return outcome::retry;
    }
    for (std::uint32_t i = 0; i < 2; ++i) magpie::st_plain(&seen[2 * item + i], value[i]);
    return outcome::commit;
  }
};

/// Several launches of contended items: every attempt is there, and every committed one says what it saw and did.
template <class Policy>
void contended(std::uint32_t threads, bool counter) {
  static constexpr std::uint32_t items = 120;
  static constexpr std::uint32_t first[2] = {10, 1000};
  host::object_array low(3), high(4);
  host::buffer<std::uint32_t> values(7, 0), low_stamps(3, 0), high_stamps(4, 0), seen(2 * items, 0);
  std::vector<std::vector<std::uint32_t>> writers(7);  // of each object, by version
  for (auto& each : writers) each.push_back(0);
  // Threads of a processor repeat an attempt while another one is not scheduled; those of the simulator write few records,
  // and are many.
  recording log(most_threads(threads), test::simulated ? 20'000 : 200'000, counter);
  const tagging region{low.view<Policy>(), high.view<Policy>(), values.view(), seen.view()};
  log.add(region.low, low_stamps, first[0]);
  log.add(region.high, high_stamps, first[1]);
  const auto index = [&](std::uint32_t object) {
    return object < first[1] ? object - first[0] : 3 + object - first[1];
  };
  region_options options;
  options.threads = threads;
  options.history = log.device();
  magpie::host::simulated().max_steps = test::plenty_of_steps;
  if (Policy::tag == stm::priority_rule::tag) options.back_off = 2000;
  std::size_t before = 0;
  for (std::uint32_t launch = 1; launch <= 3; ++launch) {
    const test::region_report report = host::run_region<Policy>(region, items, options);
    CHECK_EQ(report.unfinished.size(), 0u);
    std::vector<record> all = log.records();
    // The log goes on where the last launch ended.
    CHECK(all.size() >= before + items);
    std::map<std::tuple<std::uint32_t, std::uint32_t>, std::uint32_t> times;
    for (const record& each : all) ++times[{each.item, each.attempt}];
    for (const auto& [key, count] : times) CHECK(count <= launch);
    before = all.size();
    if (launch < 3) continue;

    // Each version has one writer: all of them are there, and no more than that.
    std::uint64_t commits = 0;
    for (const record& each : all) {
      CHECK(each.code == committed || each.code > 16);
      CHECK_EQ(each.rank, host::highest_rank - each.item);
      if (each.code != committed) continue;
      ++commits;
      CHECK_EQ(each.accesses.size(), 2u + 1 + each.item % 2);
      for (std::uint32_t i = 0; i < each.accesses.size(); ++i) {
        const access& entry = each.accesses[i];
        CHECK_EQ(index(entry.object), region.pick(each.item, i % 2));
        CHECK_EQ(entry.write, i >= 2);
        if (!entry.write) continue;
        CHECK_EQ(entry.stamp, each.accesses[i - 2].stamp);  // written on top of the version read
        std::vector<std::uint32_t>& of = writers[index(entry.object)];
        if (of.size() <= entry.stamp + 1) of.resize(entry.stamp + 2, ~0u);
        CHECK_EQ(of[entry.stamp + 1], ~0u);
        of[entry.stamp + 1] = each.item + 1;
      }
    }
    CHECK_EQ(commits, 3ull * items);
    const auto final_stamp = [&](std::uint32_t i) { return i < 3 ? low_stamps.get()[i] : high_stamps.get()[i - 3]; };
    const std::vector<std::uint32_t> last = values.get();
    for (std::uint32_t i = 0; i < 7; ++i) {
      CHECK_EQ(writers[i].size(), final_stamp(i) + 1ull);
      CHECK(std::find(writers[i].begin(), writers[i].end(), ~0u) == writers[i].end());
      CHECK_EQ(last[i], writers[i].back());
    }
    // What the region was given is what the logged version's writer wrote. The last launch's notes are still there.
    std::map<std::uint32_t, const record*> latest;
    for (const record& each : all) {
      if (each.code != committed) continue;
      const record*& newest = latest[each.item];
      if (newest == nullptr || newest->begin < each.begin) newest = &each;
    }
    const std::vector<std::uint32_t> noted = seen.get();
    for (const auto& [item, commit] : latest) {
      for (std::uint32_t i = 0; i < 2; ++i) {
        CHECK_EQ(noted[2 * item + i], writers[index(commit->accesses[i].object)][commit->accesses[i].stamp]);
      }
    }
    // Attempts count from 1 without gaps, and the commit is the last.
    std::vector<std::uint32_t> most(items, 0), commit_sum(items, 0), records(items, 0);
    for (const record& each : all) {
      ++records[each.item];
      if (each.code == committed) commit_sum[each.item] += each.attempt;
    }
    for (std::uint32_t i = 0; i < items; ++i) CHECK_EQ(records[i], commit_sum[i]);
  }
}

/// Uses data in every way that a record with data tells apart.
struct with_data {
  stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint64_t> sums;

  static constexpr std::uint32_t max_objects = 2;
  static constexpr std::uint32_t max_writes = 2;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t) const {
    std::uint32_t x = 0;
    const stm::handle zero = tx.open(cells, 0);
    if (!tx.read(zero, &values[1], x, 101) || !tx.read(zero, &values[2], x, 102)) return outcome::retry;
    const stm::handle one = tx.open(cells, 1);
    static_cast<void>(tx.peek(cells, 2, &values[2], 103));
    if (!tx.write(one, &values[0], x + 1, 104) || !tx.write(zero, &values[2], x, 105)) return outcome::retry;
    tx.tally(&sums[1], 1);
    magpie::add_rlx_dev(&sums[2], std::uint64_t{1});
    return outcome::commit;
  }
  template <class Tx>
  void rolled_back(Tx& tx, std::uint32_t) const {
    static_cast<void>(tx.glance(&values[0]));
  }
};

/// Records of data, with and without attempts that are forced to fail.
void data_of_accesses() {
  cells on;
  host::buffer<std::uint64_t> sums(3, 0);
  host::buffer<std::uint32_t> versions(6, 0);  // and turns
  host::buffer<std::uint32_t> marks(2, 0);
  const with_data region{on.objects.view<stm::hand_off>(), on.values.view(), sums.view()};
  host::buffer<magpie::noted_memory> memory(2);
  memory.set({{reinterpret_cast<const std::byte*>(on.values.data()), 12, 0, 0, 0},
              {reinterpret_cast<const std::byte*>(sums.data()), 24, 12, 0, 0}});
  const auto words_of_run = [&](std::uint32_t forced_retries) {
    marks.set({0, 0});
    recording log(most_threads(1), 4096, !test::simulated);
    log.add(region.cells, versions, cells::first);
    log.settings.data = {memory.data(), marks.data(), 2, 0};
    log.settings.forced_retries = forced_retries;
    region_options options;
    options.threads = 1;
    options.history = log.device();
    CHECK_EQ(host::run_region<stm::hand_off>(region, 1, options).unfinished.size(), 0u);
    return log.words(0);
  };
  // A record's words behind the times.
  const auto check_accesses = [&](const std::vector<std::uint64_t>& words, std::size_t begin, std::uint32_t turn,
                                  bool commits) {
    struct expected {
      std::uint32_t object;
      std::uint32_t stamp;
      std::uint64_t datum;
      stm::access_kind kind;
      bool again;
      std::uint32_t line;
    };
    constexpr std::uint64_t nowhere = (std::uint64_t{1} << 40) - 1;
    using kind = stm::access_kind;
    std::vector<expected> all{{40, turn, nowhere, kind::opened, true, 0},
                              {40, turn, 4, kind::read, false, 101},
                              {40, turn, 8, kind::read, true, 102},
                              {41, turn, nowhere, kind::opened, true, 0},
                              {42, 0, 8, kind::peek, false, 103}};
    if (commits) {
      all.push_back({41 | 0x80000000u, turn, 0, kind::write, false, 104});
      all.push_back({40 | 0x80000000u, turn, 8, kind::write, false, 105});
    }
    CHECK_EQ(words[begin + 1] >> 40, all.size());
    CHECK_EQ(words[begin + 1] >> 31 & 1u, 1u);
    CHECK_EQ(words[begin + 1] & 0x7fffffffu, host::highest_rank);  // the rank
    for (std::size_t i = 0; i < all.size(); ++i) {
      const expected& each = all[i];
      CHECK_EQ(words[begin + 4 + 2 * i], each.object | std::uint64_t{each.stamp} << 32);
      CHECK_EQ(
          words[begin + 5 + 2 * i],
          each.datum | std::uint64_t{static_cast<std::uint32_t>(each.kind) | (each.again ? 16u : 0u) | each.line << 5}
                           << 40);
    }
    return begin + 4 + 2 * all.size();
  };
  const std::uint32_t rolled_back = stm::seen::rolled_back_hook;
  // Words 5 and 6 are those of sums[1], 7 and 8 those of sums[2]; what the simulator traces is not marked there.
  const std::uint32_t tallied = magpie::access_notes::tallied;
  const std::uint32_t atomic = test::simulated ? 0 : magpie::access_notes::atomic;
  const std::uint32_t of_sums = (tallied | atomic) * (1u << 10 | 1u << 12) | atomic * (1u << 14 | 1u << 16);

  std::vector<std::uint64_t> words = words_of_run(0);
  CHECK_EQ(check_accesses(words, 0, 0, true), words.size());
  CHECK(marks.get() == (std::vector<std::uint32_t>{rolled_back, of_sums}));

  words = words_of_run(1);
  const std::size_t second = check_accesses(words, 0, 1, false);
  CHECK_EQ(words[1] >> 32 & 0xff, aborted(cause::stolen));
  CHECK_EQ(check_accesses(words, second, 1, true), words.size());
  CHECK_EQ(words[second + 1] >> 32 & 0xff, committed);
  CHECK(marks.get() == (std::vector<std::uint32_t>{rolled_back | stm::seen::hints_in_hook, of_sums}));
  CHECK(versions.get() == (std::vector<std::uint32_t>{2, 2, 0, 2, 2, 0}));
  CHECK(sums.get() == (std::vector<std::uint64_t>{0, 3, 3}));
}

/// Each item fails so many times on request before it commits.
struct stubborn {
  stm::objects cells;
  magpie::array<std::uint32_t> tries;
  std::uint32_t failures;

  static constexpr std::uint32_t max_objects = 1;
  static constexpr std::uint32_t max_writes = 1;

  template <class Tx>
  outcome operator()(Tx&, std::uint32_t item) const {
    return magpie::add_rlx_dev(&tries[item], 1u) < failures ? outcome::retry : outcome::commit;
  }
};

/// Records of `items` items that fail 20 times each.
std::vector<record> sampled(std::uint32_t items, std::uint32_t first_attempts, std::uint32_t sample) {
  cells on;
  host::buffer<std::uint32_t> tries(items, 0);
  const stubborn region{on.objects.view<stm::hand_off>(), tries.view(), 20};
  recording log(most_threads(4), 20'000, !test::simulated);
  log.add(region.cells, on.stamps, 0);
  log.settings.first_attempts = first_attempts;
  log.settings.sample = sample;
  region_options options;
  options.threads = 4;
  options.history = log.device();
  CHECK_EQ(host::run_region<stm::hand_off>(region, items, options).unfinished.size(), 0u);
  return log.records();
}

void for_small_settings(const auto& body) {
#if defined(MAGPIE_MACHINE_SIM)
  const std::string name = test::setting();
  for (const std::uint32_t width : {1u, 4u}) {
    host::simulated() = {};
    host::simulated().width = width;
    test::setting() = name + ", width " + std::to_string(width);
    body();
  }
  test::setting() = name;
#else
  body();
#endif
}

}  // namespace

int main() {
  test::run("the module says that it records",
            [] { CHECK_CONTAINS(std::string(magpie_module_table()), " recording\n"); });

  if constexpr (test::tests_hand_off) {
    test::run("scripts under hand_off", [] { for_small_settings(every_form<stm::hand_off>); });
  }
  test::for_each_other_policy([]<class Policy>(const std::string& name, Policy) {
    test::run(("scripts under " + name).c_str(), [] { for_small_settings(every_form<Policy>); });
  });

  test::run("contended under hand_off", [] {
    test::for_each_setting(3, [](std::uint32_t threads) {
      contended<stm::hand_off>(threads, true);
      contended<stm::hand_off>(threads, false);
    });
  });
  test::for_each_other_policy([]<class Policy>(const std::string& name, Policy) {
    test::run(("contended under " + name).c_str(), [] {
      // One transaction at a time: more livelock.
      test::for_each_setting(2, [](std::uint32_t) { contended<Policy>(1, true); });
    });
  });

#if defined(MAGPIE_MACHINE_SIM)
  test::run("times are steps", [] {
    host::simulated() = {};
    host::simulated().width = 1;
    cells on;
    const overflowing region{on.objects.view<stm::hand_off>(), on.values.view()};
    const auto all = one_by_one<stm::hand_off>(region, on, 1, outcome::commit, 0);
    CHECK_EQ(all.size(), 2u);
    // Claim; per read the datum, the stamp, a fence, each word; then the words are given back.
    CHECK_EQ(all[0].end - all[0].begin, 3u + (3 + 1) + (3 + 2) + (3 + 3) + 3);
  });
#endif

  test::run("data of accesses", [] {
#if defined(MAGPIE_MACHINE_SIM)
    host::simulated() = {};
    host::simulated().width = 1;
#endif
    data_of_accesses();
  });

  test::run("which unsuccessful attempts are logged", [] {
    for_small_settings([] {
      static constexpr std::uint32_t items = 200;
      const auto of = [](const std::vector<record>& all, std::uint32_t attempt) {
        return std::count_if(all.begin(), all.end(), [&](const record& each) { return each.attempt == attempt; });
      };
      CHECK_EQ(sampled(items, 0, 0).size(), items);  // the commits
      CHECK_EQ(sampled(items, ~0u, 0).size(), 21u * items);
      CHECK_EQ(sampled(items, 0, 1).size(), 21u * items);
      const std::vector<record> few = sampled(items, 2, 0);
      CHECK_EQ(few.size(), 3u * items);
      CHECK_EQ(of(few, 1), items);
      CHECK_EQ(of(few, 2), items);
      CHECK_EQ(of(few, 21), items);
      const std::vector<record> some = sampled(items, 2, 4);
      CHECK_EQ(of(some, 1), items);
      CHECK_EQ(of(some, 2), items);
      for (std::uint32_t attempt = 3; attempt <= 20; ++attempt) {  // a quarter of 200 each: 50, deviation 6
        CHECK(of(some, attempt) > 20);
        CHECK(of(some, attempt) < 80);
      }
      CHECK_EQ(of(some, 21), items);
    });
  });

  test::run("a log that is too small", [] {
    for_small_settings([] {
      cells whole, cut;
      const auto run = [](cells& on, recording& log) {
        const scripted<stm::reads::validated> region{
            on.objects.view<stm::hand_off>(), on.values.view(), on.stamps.view(), {}, mixed};
        log.add(region.cells, on.stamps, 0);
        region_options options;
        options.threads = 1;
        options.history = log.device();
        CHECK_EQ(host::run_region<stm::hand_off>(region, 10, options).unfinished.size(), 0u);
      };
      recording large(most_threads(1), 1000, true);
      run(whole, large);
      std::uint64_t need = 0;
      for (const std::uint64_t each : large.used()) need = std::max(need, each);
      CHECK_EQ(need, 10u * 7);
      for (const std::uint64_t capacity : {need - 1, need / 2, std::uint64_t{3}, std::uint64_t{0}}) {
        recording small(most_threads(1), capacity, true);
        cells on;
        run(on, small);
        CHECK(small.used() == large.used());
        CHECK(on.stamps.get() == whole.stamps.get());
      }
      recording exact(most_threads(1), need, true);
      run(cut, exact);
      CHECK_EQ(exact.records().size(), 10u);
    });
  });

#if !defined(MAGPIE_MACHINE_SIM)
  test::run("more accesses than a record counts", [] {
    static constexpr std::uint32_t most = (1u << 24) - 1;
    cells on;
    recording log(most_threads(1), 16, true);
    staring region{on.objects.view<stm::hand_off>(), on.values.view(), most};
    log.add(region.cells, on.stamps, 0);
    region_options options;
    options.threads = 1;
    options.history = log.device();
    const auto needed = [&](std::uint32_t times) {
      region.times = times;
      CHECK_EQ(host::run_region<stm::hand_off>(region, 1, options).unfinished.size(), 0u);
      std::uint64_t most_used = 0;
      for (const std::uint64_t each : log.used()) most_used = std::max(most_used, each);
      return most_used;
    };
    CHECK_EQ(needed(most), 4u + most);
    CHECK(needed(most + 1) >= std::uint64_t{1} << 63);
    CHECK(needed(1) >= std::uint64_t{1} << 63);  // for good
  });
#endif

  test::run("what is not recorded", [] {
    for_small_settings([] {
      cells on;
      const scripted<stm::reads::validated> region{
          on.objects.view<stm::hand_off>(), on.values.view(), on.stamps.view(), {}, mixed};
      region_options options;
      options.threads = 1;
      CHECK_EQ(host::run_region<stm::hand_off>(region, 5, options).unfinished.size(), 0u);
      CHECK(on.stamps.get() == (std::vector<std::uint32_t>{0, 0, 0}));

      // Objects of no listed array: attempts without accesses.
      recording log(most_threads(1), 1000, true);
      host::object_array others(3);
      log.add(others.view<stm::hand_off>(), on.stamps, 0);
      options.history = log.device();
      CHECK_EQ(host::run_region<stm::hand_off>(region, 5, options).unfinished.size(), 0u);
      const std::vector<record> all = log.records();
      CHECK_EQ(all.size(), 5u);
      for (const record& each : all) CHECK(each.accesses.empty());
      CHECK(on.stamps.get() == (std::vector<std::uint32_t>{0, 0, 0}));

      // Threads beyond those there is room for.
      recording narrow(1, 10'000, true);
      narrow.add(region.cells, on.stamps, 0);
      options.threads = 8;
      options.history = narrow.device();
      CHECK_EQ(host::run_region<stm::hand_off>(region, 200, options).unfinished.size(), 0u);
      const std::vector<record> mine = narrow.records();
      const auto commits =
          std::count_if(mine.begin(), mine.end(), [](const record& each) { return each.code == committed; });
      CHECK(commits > 0);
      CHECK(commits < 200);
    });
  });
  return test::finish();
}
