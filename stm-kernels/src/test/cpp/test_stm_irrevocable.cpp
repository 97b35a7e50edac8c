// flavors: cpu sim cpu-asan cpu-tsan
// build(cpu cpu-asan cpu-tsan): -DMAGPIE_TEST_PLAIN
// full build(sim): -DMAGPIE_TEST_PLAIN
// full build(cpu): -DMAGPIE_CHECKED
// full build(sim): -DMAGPIE_INDEX_ALL_LOGS
// build(sim): -DMAGPIE_MUTANTS
// full build(sim): -DMAGPIE_RECORD
/// @file
/// Irrevocable attempts: what they do beside the transaction is done once for each commit, one at a time, in the order of the
/// commits.
#include <algorithm>
#include <numeric>

#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::object_array;

namespace {

/// How a transaction becomes irrevocable.
enum class way : std::uint32_t {
  at_first,
  and_opens_each,
  between,
  at_last,
  in_inner,
  in_second_alternative,
  never,
  ways
};

/// What an item did beside its transaction, and which versions it found.
struct deed {
  std::uint32_t times;    ///< how often
  std::uint32_t turn;     ///< which one of all
  std::uint32_t inside;   ///< how many others were irrevocable meanwhile
  std::uint32_t from[2];  ///< versions of the accounts
};

/// Item i moves 1 + i % 3 from one account to another.
template <stm::reads Reads, std::uint32_t Objects = 2>
struct pays {
  stm::objects accounts;
  array<std::int64_t> balance;
  array<std::uint32_t> version;
  array<deed> deeds;
  array<std::uint32_t> counts;  ///< turns, and who is irrevocable
  std::uint32_t one_way;        ///< else each item has its own

  static constexpr std::uint32_t max_objects = Objects, max_writes = 4;
  static constexpr stm::reads reads = Reads;
  static constexpr bool irrevocable = true;

  MAGPIE_DEVICE std::uint32_t account(std::uint32_t item, std::uint32_t which) const {
    const std::uint32_t first = item % accounts.count;
    return which == 0 ? first : (first + 1 + item / 2 % (accounts.count - 1)) % accounts.count;
  }
  MAGPIE_DEVICE way way_of(std::uint32_t item) const {
    return static_cast<way>(
        one_way < static_cast<std::uint32_t>(way::ways) ? one_way : item % static_cast<std::uint32_t>(way::ways));
  }

  /// What cannot be undone.
  MAGPIE_DEVICE void act(std::uint32_t item) const {
    const std::uint32_t others = add_rlx_dev(&counts[1], 1u);
    add_rlx_dev(&deeds[item].times, 1u);
    st_rlx_dev(&deeds[item].turn, add_rlx_dev(&counts[0], 1u));
    st_rlx_dev(&deeds[item].inside, others);
  }
  /// Before its commit, while nobody else can be irrevocable.
  MAGPIE_DEVICE void leave() const { add_rlx_dev(&counts[1], ~0u); }

  template <class Tx>
  MAGPIE_DEVICE bool move(Tx& tx, std::uint32_t item, std::uint32_t which) const {
    const std::uint32_t id = account(item, which);
    const auto opened = tx.open(accounts, id);
    std::int64_t there;
    std::uint32_t before;
    if (!tx.read(opened, &balance[id], there) || !tx.read(opened, &version[id], before)) return false;
    const std::int64_t amount = 1 + item % 3;
    if (!tx.write(opened, &balance[id], which == 0 ? there - amount : there + amount)) return false;
    if (!tx.write(opened, &version[id], before + 1)) return false;
    if (tx.is_irrevocable()) st_rlx_dev(&deeds[item].from[which], before);
    return true;
  }
  template <class Tx>
  MAGPIE_DEVICE bool become(Tx& tx, std::uint32_t item, std::uint32_t more_objects, std::uint32_t more_writes) const {
    if (!tx.become_irrevocable(more_objects, more_writes)) return false;
    act(item);
    return tx.become_irrevocable() && tx.is_irrevocable();
  }
  /// Notes the versions of what was opened before, which are the transaction's own by now.
  template <class Tx>
  MAGPIE_DEVICE bool note(Tx& tx, std::uint32_t item, std::uint32_t which) const {
    const std::uint32_t id = account(item, which);
    std::uint32_t own;
    if (!tx.read(tx.open(accounts, id), &version[id], own)) return false;
    st_rlx_dev(&deeds[item].from[which], own - 1);
    return true;
  }

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto rest = [&](Tx& within) {
      const bool done = become(within, item, 1, 2) && note(within, item, 0) && move(within, item, 1);
      return done ? outcome::commit : outcome::retry;
    };
    bool done = false;
    switch (way_of(item)) {
      case way::at_first: done = become(tx, item, 2, 4) && move(tx, item, 0) && move(tx, item, 1); break;
      case way::and_opens_each:
        done = become(tx, item, 2, 4) &&
               tx.open_each(accounts, 2, [&](std::uint32_t which) { return account(item, which); }) &&
               move(tx, item, 0) && move(tx, item, 1);
        break;
      case way::between: done = move(tx, item, 0) && rest(tx) == outcome::commit; break;
      case way::at_last:
        done =
            move(tx, item, 0) && move(tx, item, 1) && become(tx, item, 0, 0) && note(tx, item, 0) && note(tx, item, 1);
        break;
      case way::in_inner: done = move(tx, item, 0) && tx.inner(3, rest) == outcome::commit; break;
      case way::in_second_alternative:
        done = move(tx, item, 0) &&
               tx.or_else([&](Tx& first) { return move(first, item, 1) ? outcome::cancel : outcome::retry; }, rest) ==
                   outcome::commit;
        break;
      default: return move(tx, item, 0) && move(tx, item, 1) ? outcome::commit : outcome::retry;
    }
    if (!done) return outcome::retry;
    leave();
    return outcome::commit;
  }
};

struct bank {
  bank(std::uint32_t accounts, std::uint32_t items)
      : objects(accounts), balance(accounts, 100), version(accounts, 0), deeds(items, deed{}), counts(2, 0) {}

  object_array objects;
  std::vector<std::int64_t> balance;
  std::vector<std::uint32_t> version;
  std::vector<deed> deeds;
  std::vector<std::uint32_t> counts;

  template <class Region, class Policy>
  Region region(way one_way = way::ways) {
    return {objects.view<Policy>(),
            {balance.data(), balance.size()},
            {version.data(), version.size()},
            {deeds.data(), deeds.size()},
            {counts.data(), 2},
            static_cast<std::uint32_t>(one_way)};
  }

  /// What is wrong after a run in which every item committed but `unfinished`; "" if nothing is.
  template <class Region>
  std::string fault(const Region& region, const std::vector<std::uint32_t>& unfinished = {}) const {
    std::vector<std::int64_t> expected(balance.size(), 100);
    std::vector<std::uint32_t> changes(balance.size(), 0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> turns;
    std::vector<bool> left_out(deeds.size(), false);
    for (const std::uint32_t item : unfinished) left_out[item] = true;
    for (std::uint32_t item = 0; item < deeds.size(); ++item) {
      const bool acts = !left_out[item] && region.way_of(item) != way::never;
      if (deeds[item].times != (acts ? 1u : 0u)) {
        return "item " + std::to_string(item) + " acted " + std::to_string(deeds[item].times) + " times";
      }
      if (left_out[item]) continue;
      for (const std::uint32_t which : {0u, 1u}) {
        expected[region.account(item, which)] += (which == 0 ? -1 : 1) * std::int64_t{1 + item % 3};
        ++changes[region.account(item, which)];
      }
      if (!acts) continue;
      if (deeds[item].inside != 0) return "two were irrevocable at a time";
      turns.push_back({deeds[item].turn, item});
    }
    if (balance != expected) return "money";
    if (version != changes) return "versions";
    if (counts[0] != turns.size() || counts[1] != 0) return "turns";
    std::sort(turns.begin(), turns.end());
    std::vector<std::int64_t> last(balance.size(), -1);
    for (const auto& [turn, item] : turns) {
      for (const std::uint32_t which : {0u, 1u}) {
        std::int64_t& before = last[region.account(item, which)];
        if (before >= deeds[item].from[which]) return "acts in another order than their commits";
        before = deeds[item].from[which];
      }
    }
    return "";
  }
};

template <class Policy, class Region>
void pays_well(std::uint32_t accounts, std::uint32_t items, const test::region_options& options,
               way one_way = way::ways) {
  bank of(accounts, items);
  const auto region = of.region<Region, Policy>(one_way);
  std::vector<std::uint32_t> unfinished;
  if constexpr (std::is_same_v<Policy, stm::hand_off>) {
    test::finishes(region, items, options, {&of.objects});
  } else {
    unfinished = test::tries<Policy>(region, items, options, {&of.objects}).unfinished;
  }
  CHECK_EQ(of.fault(region, unfinished), std::string());
}

using validated = pays<stm::reads::validated>;
using unvalidated = pays<stm::reads::unvalidated>;
using of_long_log = pays<stm::reads::validated, 300>;

template <class Policy>
void under(const char* name) {
  test::run((std::string(name) + ", all ways").c_str(), [] {
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled(24, 6), [&](std::uint32_t threads) {
      const auto options = test::options_of(number++, threads);
      const std::uint32_t items = test::simulated ? 60 : 3'000;
      pays_well<Policy, validated>(3, items, options);
      pays_well<Policy, validated>(40, items, options);
      pays_well<Policy, unvalidated>(3, items, options);
      if (number % 4 == 0) pays_well<Policy, of_long_log>(4, items, options);
    });
  });
#if defined(MAGPIE_MACHINE_SIM)
  test::run((std::string(name) + ", two and three items under many schedules").c_str(), [] {
    const std::string setting = test::setting();
    for (std::uint32_t seed = 0; seed < test::scaled(1200, 100); ++seed) {
      const std::string schedule = test::simulate_by(seed, seed % 2 == 0 || !has_atomic_max ? 1u : 4u);
      const std::uint32_t items = 2 + seed % 2;
      const auto one_way = static_cast<way>(seed / 2 % (static_cast<std::uint32_t>(way::ways) + 1));
      test::setting() = setting + ": " + schedule;
      pays_well<Policy, validated>(2, items, test::options_of(seed, items), one_way);
      pays_well<Policy, unvalidated>(2 + seed % 3 / 2, items, test::options_of(seed, items), one_way);
    }
    host::simulated().plan = nullptr;
    test::setting() = setting;
  });
#endif
}

#if defined(MAGPIE_MACHINE_SIM)
/// Two threads alone for some steps each, one after the other, then everybody in turn.
class head_starts final : public simulator::schedule {
 public:
  head_starts(std::uint32_t a, std::uint64_t steps, std::uint32_t b, std::uint64_t more)
      : a_(a), b_(b), first_(steps), second_(steps + more) {}
  std::uint32_t choose(const simulator::runnable_set& runnable, const simulator::switch_point& at) override {
    if (at.step <= first_ && runnable.contains(a_)) return a_;
    if (at.step <= second_ && runnable.contains(b_)) return b_;
    return runnable.next(at.thread);
  }

 private:
  std::uint32_t a_, b_;
  std::uint64_t first_, second_;
};

/// Calls `run` under every such schedule of `threads` threads, with steps up to `most` each.
template <class Run>
void for_each_head_starts(std::uint32_t threads, std::uint64_t most, std::uint64_t stride, Run&& run) {
  for (std::uint32_t a = 0; a < threads; ++a) {
    for (std::uint32_t b = 0; b < threads; ++b) {
      if (a == b) continue;
      for (std::uint64_t steps = 0; steps <= most; steps += stride) {
        for (std::uint64_t more = 0; more <= most; more += stride) {
          head_starts choices(a, steps, b, more);
          host::simulated() = {0, test::plenty_of_steps, 1, &choices};
          if (!run()) return;
        }
      }
    }
  }
  host::simulated().choices = nullptr;
}
#endif

/// Becomes irrevocable, acts, and then does what it must not.
struct breaks_rule {
  enum how : std::uint32_t {
    retries,
    cancels,
    defers,
    cancels_inner,
    retries_alternative,
    opens_more,
    writes_more,
    gave_up_before,
    ways
  };

  stm::objects cells;
  array<std::uint32_t> value;
  array<std::uint32_t> acts;
  how way;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr bool irrevocable = true;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(cells, item);
    if (!tx.write(own, &value[item], 77u)) return outcome::retry;
    if (way == gave_up_before) {
      static_cast<void>(tx.inner(1, [](Tx&) { return outcome::cancel; }));
      return tx.become_irrevocable() ? outcome::commit : outcome::retry;
    }
    if (!tx.become_irrevocable()) return outcome::retry;
    add_rlx_dev(&acts[item], 1u);
    switch (way) {
      case retries: return outcome::retry;
      case cancels: return outcome::cancel;
      case defers: return outcome::defer;
      case cancels_inner: return tx.inner(2, [](Tx&) { return outcome::cancel; });
      case retries_alternative:
        static_cast<void>(tx.or_else([](Tx&) { return outcome::retry; }, [](Tx&) { return outcome::commit; }));
        return outcome::commit;
      case opens_more: static_cast<void>(tx.open(cells, item + 3)); return outcome::commit;
      default: static_cast<void>(tx.write(own, &value[item + 3], 77u)); return outcome::commit;
    }
  }
};

/// Its time is up when it is irrevocable; it goes on for long, and commits.
struct goes_on {
  stm::objects cells;
  array<std::uint32_t> value;
  std::uint32_t* stop;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr bool irrevocable = true;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t item) const {
    if (!tx.open(cells, item) || !tx.become_irrevocable(1, 1)) return outcome::retry;
    st_rlx_dev(stop, 1u);
    const auto last = tx.open(cells, 3);
    std::uint32_t x = 0;
    for (std::uint32_t i = 0; i < 5'000; ++i) CHECK(tx.read(last, &value[3], x));
    return tx.write(last, &value[3], x + 1) ? outcome::commit : outcome::retry;
  }
};

/// Takes a ticket and says so outside of the transaction.
struct takes_ticket {
  stm::objects cells;
  array<std::uint32_t> holder;  ///< of a ticket: item + 1
  array<std::uint32_t> acts;
  stm::pool<0> tickets;
  std::uint32_t late;  ///< reserves when it is irrevocable already

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr bool irrevocable = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (late == 0 && !tx.reserve(tickets, 1)) return outcome::retry;
    const auto own = tx.open(cells, item % cells.count);
    if (!own || !tx.become_irrevocable(0, 1)) return outcome::retry;
    add_rlx_dev(&acts[item], 1u);
    if (late != 0 && !tx.reserve(tickets, 1)) return outcome::retry;
    return tx.write(own, &holder[tx.take(tickets)], item + 1) ? outcome::commit : outcome::retry;
  }
};

/// Asks for more room than its own log has.
struct asks_for_room {
  stm::objects cells;
  array<std::uint32_t> value;
  array<std::uint32_t> acts;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr bool irrevocable = true;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t item) const {
    if (!tx.become_irrevocable(cells.count, cells.count)) return outcome::retry;
    add_rlx_dev(&acts[item], 1u);
    for (std::uint32_t i = 0; i < cells.count; ++i) {
      std::uint32_t x;
      const auto cell = tx.open(cells, i);
      if (!tx.read(cell, &value[i], x) || !tx.write(cell, &value[i], x + 1)) return outcome::retry;
    }
    return outcome::commit;
  }
};

/// In parts, in rounds: each of the first items pushes another one.
template <bool Seeks>
struct in_parts {
  stm::objects cells;
  array<std::uint32_t> value;
  array<std::uint32_t> acts;

  static constexpr std::uint32_t max_objects = 3, max_writes = 0, max_pushes = 1;
  static constexpr bool irrevocable = true;

  struct state {
    stm::handle at[2];
  };
  MAGPIE_DEVICE void seek(const lane_group&, std::uint32_t, std::uint32_t, state&) const requires Seeks {}
  template <class Tx>
  outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.at[0] = tx.open(cells, item % 3);
    if (!s.at[0]) return outcome::retry;
    if (item % 4 != 3) {
      if (!tx.become_irrevocable(2)) return outcome::retry;
      add_rlx_dev(&acts[item], 1u);
    }
    s.at[1] = tx.open(cells, (item + 1 + item / 3 % 2) % 3);
    return s.at[1] ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  void change(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(s.at[0], &value[item % 3], tx.load(s.at[0], &value[item % 3]) + 1);
    const std::uint32_t other = (item + 1 + item / 3 % 2) % 3;
    tx.store(s.at[1], &value[other], tx.load(s.at[1], &value[other]) + 1);
    if (item < 40) tx.push(item + 40);
  }
  template <class Tx>
  void apply(Tx& tx, std::uint32_t item, const state& s) const requires(!Seeks) {
    change(tx, item, s);
  }
  template <class Tx>
  void apply(Tx& tx, const lane_group&, std::uint32_t item, const state& s) const requires Seeks {
    change(tx, item, s);
  }
};

template <bool Seeks>
void runs_in_parts(std::uint32_t number, std::uint32_t threads) {
  object_array cells(3);
  std::vector<std::uint32_t> value(3, 0), acts(80, 0), expected(80, 1);
  for (std::uint32_t item = 3; item < 80; item += 4) expected[item] = 0;
  std::vector<std::uint32_t> items(40);
  for (std::uint32_t i = 0; i < 40; ++i) items[i] = i;
  host::worklist work(items);
  host::rounds_options options;
  static_cast<test::region_options&>(options) = test::options_of(number, threads);
  options.defer_losers = number / 3 % 2 != 0;
  const auto report = host::run_rounds<stm::hand_off>(
      [&] {
        return in_parts<Seeks>{cells.view<stm::hand_off>(), {value.data(), 3}, {acts.data(), 80}};
      },
      work, options);
  CHECK(report.unfinished.empty());
  CHECK(!report.stalled);
  CHECK(acts == expected);
  CHECK_EQ(value[0] + value[1] + value[2], 160u);
}

static_assert(stm::runs_under<validated, stm::hand_off> && stm::runs_under<validated, stm::coarse_lock>);
static_assert(!stm::runs_under<validated, stm::priority_rule> && !stm::runs_under<validated, stm::pessimistic>);
static_assert(!stm::runs_under<validated, stm::optimistic_hand_off> && !stm::runs_under<validated, stm::locks>);

}  // namespace

int main() {
#if defined(MAGPIE_MUTANTS)
  const auto is_right = [](stm::reads reads, std::uint32_t items, way one_way, const test::region_options& options) {
    const auto tried = [&]<class Region>(Region*) {
      bank of(2, items);
      const auto region = of.region<Region, stm::hand_off>(one_way);
      host::simulated().max_steps = 20'000;
      try {
        const auto report = host::run_region<stm::hand_off>(region, items, options);
        return report.unfinished.empty() && of.objects.claimed() == 0 && of.fault(region).empty();
      } catch (const std::exception&) {
        return false;
      }
    };
    return reads == stm::reads::validated ? tried(static_cast<validated*>(nullptr))
                                          : tried(static_cast<unvalidated*>(nullptr));
  };
  const auto survives = [&](stm::mutant mutant) {
    bool right = true;
    stm::chosen_mutant = mutant;
    test::region_options options;
    options.polls = 8;
    options.back_off = 0;
    for (std::uint32_t seed = 1; right && seed < 6'000; ++seed) {
      test::simulate_by(seed, 1);
      options.threads = 3 + seed % 4;
      const stm::reads reads = seed % 3 == 0 ? stm::reads::unvalidated : stm::reads::validated;
      right = is_right(reads, options.threads, way::ways, options);
    }
    host::simulated().plan = nullptr;
    if (!right) std::printf("    killed by a schedule\n");
    for (const way one_way : {way::between, way::at_last}) {
      if (!right) break;
      for_each_head_starts(3, 60, 4, [&] {
        options.threads = 3;
        right = is_right(stm::reads::validated, 3, one_way, options);
        return right;
      });
      host::simulated().choices = nullptr;
    }
    stm::chosen_mutant = stm::mutant::none;
    return right;
  };
  test::run("mutants", [&] {
    const std::string name = test::setting();
    CHECK(survives(stm::mutant::none));
    for (const auto mutant : {stm::mutant::irrevocable_without_token, stm::mutant::token_kept,
                              stm::mutant::irrevocable_unlocked, stm::mutant::irrevocable_by_own_rank}) {
      test::setting() = name + ", mutant " + std::to_string(static_cast<std::uint32_t>(mutant));
      CHECK(!survives(mutant));
    }
  });
#else
  under<stm::hand_off>("hand_off");
  under<stm::coarse_lock>("coarse_lock");

#if defined(MAGPIE_MACHINE_SIM)
  test::run("all head starts of two among three", [] {
    const std::string name = test::setting();
    for (std::uint32_t one_way = 0; one_way <= static_cast<std::uint32_t>(way::ways); ++one_way) {
      test::setting() = name + ", way " + std::to_string(one_way);
      for_each_head_starts(3, 60, test::scaled(3, 12), [&] {
        pays_well<stm::hand_off, validated>(2, 3, test::options_of(one_way, 3), static_cast<way>(one_way));
        return true;
      });
    }
    test::setting() = name;
  });
#endif

  test::run("in parts and rounds", [] {
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled(12, 3), [&](std::uint32_t threads) {
      runs_in_parts<false>(number, threads);
      runs_in_parts<true>(number++, threads);
    });
  });

  test::run("outcomes other than commit", [] {
    for (std::uint32_t how = 0; how < breaks_rule::ways; ++how) {
      object_array cells(6);
      std::vector<std::uint32_t> value(6, 5), acts(3, 0);
      const breaks_rule region{
          cells.view<stm::hand_off>(), {value.data(), 6}, {acts.data(), 3}, static_cast<breaks_rule::how>(how)};
      test::region_options options;
      options.threads = 1;
#if MAGPIE_CHECKS_BOUNDS
      const bool for_room = how == breaks_rule::opens_more || how == breaks_rule::writes_more;
      CHECK_CONTAINS(test::refusal([&] { host::run_region<stm::hand_off>(region, 3, options); }),
                     for_room
                         ? "became irrevocable and did not commit: it opened or wrote more than it had asked room for"
                         : "became irrevocable and did not commit: it gave another outcome");
#else
      const auto report = host::run_region<stm::hand_off>(region, 3, options);
      CHECK_EQ(report.unfinished.size(), 3u);
      CHECK_EQ(report.statistics[test::counter::revoked], 3u);
      CHECK_EQ(cells.claimed(), 0u);
      CHECK(value == std::vector<std::uint32_t>(6, 5));
      CHECK(acts == std::vector<std::uint32_t>(3, how == breaks_rule::gave_up_before ? 0 : 1));
      // The token is free again.
      CHECK_EQ(report.statistics[test::counter::irrevocable], 0u);
#endif
    }
  });

  test::run("slots of a pool", [] {
    test::for_each_setting(test::scaled(12, 4), [](std::uint32_t threads) {
      for (const std::uint32_t late : {0u, 1u}) {
        constexpr std::uint32_t items = 40;
        object_array cells(3);
        std::vector<std::uint32_t> holder(items, 0), acts(items, 0);
        host::slot_pool pool(items, 0);
        test::region_options options;
        options.threads = threads;
        options.pools = {&pool};
        const takes_ticket region{
            cells.view<stm::hand_off>(), {holder.data(), items}, {acts.data(), items}, pool.view<0>(), late};
        test::finishes(region, items, options, {&cells});
        CHECK(acts == std::vector<std::uint32_t>(items, 1));
        std::vector<std::uint32_t> expected(items);
        std::iota(expected.begin(), expected.end(), 1u);
        std::sort(holder.begin(), holder.end());
        CHECK(holder == expected);
        CHECK_EQ(pool.live(), items);
      }
    });
  });

  test::run("slots that there are not", [] {
    object_array cells(1);
    std::vector<std::uint32_t> holder(1, 0), acts(2, 0);
    for (const std::uint32_t late : {0u, 1u}) {
      host::slot_pool pool(1, 0);
      test::region_options options;
      options.threads = 1;
      options.pools = {&pool};
      acts.assign(2, 0);
      const takes_ticket region{
          cells.view<stm::hand_off>(), {holder.data(), 1}, {acts.data(), 2}, pool.view<0>(), late};
#if MAGPIE_CHECKS_BOUNDS
      if (late != 0) {
        CHECK_CONTAINS(test::refusal([&] { host::run_region<stm::hand_off>(region, 2, options); }),
                       "it reserved slots that there were not; reserve before");
        continue;
      }
#endif
      const auto report = host::run_region<stm::hand_off>(region, 2, options);
      CHECK_EQ(report.unfinished.size(), 1u);
      CHECK_EQ(report.statistics[test::counter::revoked], late);
      CHECK_EQ(report.statistics[test::counter::no_slot], 1 - late);
      CHECK_EQ(acts[0] + acts[1], 1 + late);
      CHECK_EQ(cells.claimed(), 0u);
    }
  });

  test::run("when time is up", [] {
    const std::uint32_t items = 3;
    object_array cells(4);
    std::vector<std::uint32_t> value(4, 0);
    std::uint32_t stop = 0, pending = 0;
    std::vector<std::uint64_t> statistics(test::counter::total, 0);
    stm::control control{};
    control.items = items;
    control.pending = &pending;
    control.statistics = statistics.data();
    control.stop = &stop;
    control.first_rank = 100;
    control.polls = 8;
    host::simulated() = {0, test::plenty_of_steps, 1};
    using kernel = stm::region_kernel<goes_on, stm::hand_off, false>;
    host::run(kernel{control, goes_on{cells.view<stm::hand_off>(), {value.data(), 4}, &stop}}, items);
    const auto commits = static_cast<std::uint32_t>(statistics[test::counter::commits]);
    CHECK(commits >= 1);
    CHECK_EQ(statistics[test::counter::stopped], items - commits);
    CHECK_EQ(value[3], commits);
    CHECK_EQ(cells.claimed(), 0u);
  });

  test::run("room in the log", [] {
    test::for_each_setting(4, [](std::uint32_t threads) {
      object_array cells(5);
      std::vector<std::uint32_t> value(5, 0), acts(12, 0);
      test::region_options options;
      options.threads = threads;
      options.scratch_bytes = std::size_t{1} << 20;
      const asks_for_room region{cells.view<stm::hand_off>(), {value.data(), 5}, {acts.data(), 12}};
      const auto report = test::finishes(region, 12, options, {&cells});
      CHECK(report.passes > 1);
      CHECK(value == std::vector<std::uint32_t>(5, 12));
      CHECK(acts == std::vector<std::uint32_t>(12, 1));
    });
  });

#if defined(MAGPIE_RECORD)
  test::run("attempts that are forced to fail", [] {
    constexpr std::uint32_t threads = 4, capacity = 4'096, items = 24;
    std::vector<std::uint64_t> entries(threads * capacity);
    std::vector<std::uint64_t> used(threads, 0);
    stm::history log{};
    log.threads = threads;
    log.capacity = capacity;
    log.entries = entries.data();
    log.used = used.data();
    log.forced_retries = 2;
    test::region_options options;
    options.threads = threads;
    options.history = &log;
    host::simulated() = {0, test::plenty_of_steps, 4};
    bank of(3, items);
    const auto region = of.region<validated, stm::hand_off>();
    const auto report = test::finishes(region, items, options, {&of.objects});
    CHECK(report.statistics[test::counter::max_attempts] >= 3);
    CHECK_EQ(of.fault(region), std::string());
  });
#endif
#endif
  return test::finish();
}
