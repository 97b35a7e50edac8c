// flavors: cpu sim cpu-asan
// full build: -DMAGPIE_CHECKED
// build(sim): -DMAGPIE_MUTANTS
/// @file
/// Data that share a version lock, as GPU-STM's stripes do: blocks of 1, 4 and 16 data of a guarded array, and data that a hash
/// scatters over few objects, under `hierarchical`. What transactions see and leave, under many schedules and with the mutants of the
/// policy; and that values remove conflicts between different data of one stripe, and no others.
#include <algorithm>
#include <random>

#include "stm_test.hpp"

using namespace magpie;
using stm::mutant;
using stm::outcome;
using test::object_array;

namespace {

constexpr std::uint32_t data_count = 24;
/// Data whose numbers are equal modulo this are a family, within which money moves: neighbors are of different ones.
constexpr std::uint32_t families = 4;

/// Data in an order that a hash makes, on few objects: GPU-STM's table of locks by addresses.
struct hashed {
  static constexpr std::uint32_t objects = 5;
  MAGPIE_INLINE std::uint32_t operator()(std::uint64_t index) const {
    return (static_cast<std::uint32_t>(index) * 2654435761u >> 16) % objects;
  }
};

template <class Guard>
constexpr std::uint32_t objects_of = (data_count + Guard::data_per_object - 1) / Guard::data_per_object;
template <>
constexpr std::uint32_t objects_of<hashed> = hashed::objects;

enum class kind : std::uint32_t {
  move,        ///< moves money between two data of a family
  sum_family,  ///< sums up a family: no more data than values are kept of
  sum_all,     ///< sums up all: more
  take,        ///< takes 1 from the first of two data, if both together have any
};

struct item_plan {
  kind what;
  std::uint32_t a, b;  ///< data; of a sum `a` is the first, or the family
  std::int32_t amount;
};

constexpr std::int32_t money = 100;  ///< of each datum at first

/// What an item saw that it should not have: in any attempt, and in its last one.
enum flaw : std::uint32_t { wrong_sum = 1, wrong_sum_at_last = 2 };

template <class Guard, stm::reads Reads>
struct on_stripes {
  stm::guarded<std::int32_t, Guard> values;
  array<const item_plan> plans;
  array<std::uint32_t> flaws;
  static constexpr std::uint32_t max_objects = objects_of<Guard>, max_writes = 2;
  static constexpr stm::reads reads = Reads;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const item_plan& plan = plans[item];
    if (plan.what == kind::move) {
      const std::int32_t from = MAGPIE_TRY(tx.get(values, plan.a));
      MAGPIE_TRY(tx.set(values, plan.a, from - plan.amount));
      const std::int32_t to = MAGPIE_TRY(tx.get(values, plan.b));
      MAGPIE_TRY(tx.set(values, plan.b, to + plan.amount));
      return outcome::commit;
    }
    if (plan.what == kind::take) {
      const std::int32_t mine = MAGPIE_TRY(tx.get(values, plan.a));
      const std::int32_t other = MAGPIE_TRY(tx.get(values, plan.b));
      if (mine + other <= 0) return outcome::cancel;
      MAGPIE_TRY(tx.set(values, plan.a, mine - 1));
      return outcome::commit;
    }
    const bool all = plan.what == kind::sum_all;
    std::int32_t sum = 0;
    for (std::uint32_t i = plan.a; i < data_count; i += all ? 1 : families) sum += MAGPIE_TRY(tx.get(values, i));
    const auto expected = static_cast<std::int32_t>(money * data_count / (all ? 1 : families));
    std::uint32_t& seen = flaws[item];
    seen = sum == expected ? seen & wrong_sum : wrong_sum_at_last;
    // An attempt without validation may see a mix, and then does not commit.
    if (sum != expected && Reads == stm::reads::validated) seen |= wrong_sum;
    return outcome::commit;
  }
};

/// Of all launches since the last look.
struct counted {
  std::uint64_t conflicts_removed = 0, value_validations = 0;
};

template <class Policy, class Guard, stm::reads Reads>
std::string wrong_after(const std::vector<item_plan>& plans, std::vector<std::int32_t> values, std::uint32_t number,
                        std::uint32_t threads, counted& counts) {
  object_array objects(objects_of<Guard>);
  const auto n = static_cast<std::uint32_t>(plans.size());
  std::vector<std::uint32_t> flaws(n, 0);
  std::vector<std::int32_t> expected = values;
  const on_stripes<Guard, Reads> region{
      {{values.data(), values.size()}, objects.view<Policy>()}, {plans.data(), n}, {flaws.data(), n}};
  test::region_options options = test::options_of(number, threads);
  options.max_attempts = 40;
  const auto report = host::run_region<Policy>(region, n, options);
  counts.conflicts_removed += report.statistics[stm::counter::conflicts_removed];
  counts.value_validations += report.statistics[stm::counter::value_validations];
  if (objects.claimed() != 0) return "an object is locked after the launch";
  std::vector<bool> ended(n, true);
  for (const std::uint32_t position : report.unfinished) ended[position] = false;
  bool takes = false;
  for (std::uint32_t i = 0; i < n; ++i) {
    if ((flaws[i] & wrong_sum) != 0 || (ended[i] && flaws[i] != 0)) return "item " + std::to_string(i) + " saw a mix";
    takes = takes || plans[i].what == kind::take;
    if (plans[i].what != kind::move || !ended[i]) continue;
    expected[plans[i].a] -= plans[i].amount;
    expected[plans[i].b] += plans[i].amount;
  }
  if (!takes) return values == expected ? "" : "a move is lost, or was made twice";
  for (std::uint32_t i = 0; i < n; ++i) {
    if (values[plans[i].a] + values[plans[i].b] < 0) {
      return "two took the same, of data " + std::to_string(plans[i].a) + " and " + std::to_string(plans[i].b);
    }
  }
  return "";
}

/// Moves within two families, and sums.
std::vector<item_plan> moves(std::uint32_t seed, std::uint32_t n) {
  std::mt19937 draw(seed);
  std::vector<item_plan> plans;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t family = draw() % 2;
    const auto datum = [&] { return static_cast<std::uint32_t>(draw() % (data_count / families) * families + family); };
    item_plan plan{kind::move, datum(), datum(), 1 + static_cast<std::int32_t>(draw() % 9)};
    if (i % 4 == 1) plan = {kind::sum_family, family, 0, 0};
    if (i % 8 == 7) plan = {kind::sum_all, 0, 0, 0};
    plans.push_back(plan);
  }
  return plans;
}

/// Two items for each of some pairs of data, of which one is to find nothing left.
std::vector<item_plan> takes() {
  std::vector<item_plan> plans;
  // In different stripes, whatever their size, and in the same one.
  for (const auto& [a, b] : {std::pair(0u, 20u), std::pair(1u, 2u), std::pair(5u, 21u)}) {
    plans.push_back({kind::take, a, b, 0});
    plans.push_back({kind::take, b, a, 0});
  }
  return plans;
}

template <class Policy, class Guard, stm::reads Reads>
std::string wrong_in(std::uint32_t number, std::uint32_t threads, std::uint32_t items, counted& counts) {
  std::string wrong =
      wrong_after<Policy, Guard, Reads>(moves(number, items), std::vector(data_count, money), number, threads, counts);
  if (!wrong.empty()) return "moves: " + wrong;
  std::vector<std::int32_t> few(data_count, 0);
  few[0] = few[1] = few[21] = 1;
  wrong = wrong_after<Policy, Guard, Reads>(takes(), few, number, threads, counts);
  return wrong.empty() ? wrong : "takes: " + wrong;
}

#if defined(MAGPIE_MACHINE_SIM)
/// Three threads under drawn schedules, most of them on weak memory.
template <class Guard>
std::string wrong_together(std::uint32_t seeds, counted& counts) {
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const std::string name = test::simulate_by(seed, 1);
    if (host::simulated().plan != nullptr) host::simulated().plan->length = 300;
    host::simulated().max_steps = test::plenty_of_steps;
    std::string wrong = wrong_in<stm::hierarchical, Guard, stm::reads::validated>(seed, 3, 8, counts);
    if (wrong.empty()) wrong = wrong_in<stm::hierarchical, Guard, stm::reads::unvalidated>(seed, 3, 8, counts);
    host::simulated() = {};
    if (!wrong.empty()) return name + ": " + wrong;
  }
  return "";
}

// ---- A reader, and who writes beside it.

/// Item 0 reads the first and the last datum, item 1 adds to two data.
template <class Guard>
struct beside_a_reader {
  stm::guarded<std::int32_t, Guard> values;
  array<std::uint32_t> written;  // by item 1
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t first = item == 0 ? 0 : written[0], second = item == 0 ? data_count - 1 : written[1];
    const std::int32_t x = MAGPIE_TRY(tx.get(values, first));
    const std::int32_t y = MAGPIE_TRY(tx.get(values, second));
    if (item == 0) return outcome::commit;
    MAGPIE_TRY(tx.set(values, first, x + 1));
    MAGPIE_TRY(tx.set(values, second, y + 1));
    return outcome::commit;
  }
};

/// Thread 0 makes so many steps, then thread 1 all of its own, then thread 0 the rest.
class steps_aside final : public simulator::schedule {
 public:
  explicit steps_aside(std::uint64_t steps) : left_(steps) {}
  std::uint32_t choose(const simulator::runnable_set& runnable, const simulator::switch_point&) override {
    ended_ = left_ > 0 && !runnable.contains(0);
    if (left_ > 0 && !ended_) return --left_, 0;
    return runnable.contains(1) ? 1 : runnable[0];
  }
  /// Whether thread 0 ended before it was to step aside.
  bool ended() const { return ended_; }

 private:
  std::uint64_t left_;
  bool ended_ = false;
};

struct met {
  std::uint64_t aborts = 0, removed = 0;
};

/// What it comes to if item 1 writes these, over all moments at which it may do so.
template <class Policy, class Guard>
met beside_reader(std::uint32_t first, std::uint32_t second) {
  met all;
  for (std::uint64_t steps = 0;; ++steps) {
    steps_aside choices(steps);
    host::simulated() = {};
    host::simulated().width = 1;
    host::simulated().max_steps = test::plenty_of_steps;
    host::simulated().choices = &choices;
    object_array objects(objects_of<Guard>);
    std::vector<std::int32_t> values(data_count, 0);
    std::vector<std::uint32_t> written{first, second};
    const beside_a_reader<Guard> region{{{values.data(), values.size()}, objects.view<Policy>()}, {written.data(), 2}};
    test::region_options options;
    options.threads = 2;
    const auto report = host::run_region<Policy>(region, 2, options);
    host::simulated() = {};
    CHECK_EQ(report.statistics[stm::counter::commits], 2u);
    CHECK(values[first] == 1 && values[second] == 1);
    for (std::uint32_t i = stm::counter::aborts_outranked; i <= stm::counter::aborts_requested; ++i) {
      all.aborts += report.statistics[i];
    }
    all.removed += report.statistics[stm::counter::conflicts_removed];
    if (choices.ended()) return all;
  }
}
#endif

/// Calls `test(name, Guard{}, shared)`; `shared`: whether an object has several data.
template <class Test>
void for_each_guard(Test&& test) {
  test(std::string("an object for each datum"), stm::blocks_of<1>{}, false);
  test(std::string("stripes of 4"), stm::blocks_of<4>{}, true);
  test(std::string("stripes of 16"), stm::blocks_of<16>{}, true);
  test(std::string("a table by hash"), hashed{}, true);
}

int run_all() {
  for_each_guard([&]<class Guard>(const std::string& name, Guard, [[maybe_unused]] bool shared) {
#if defined(MAGPIE_MUTANTS)
    const std::vector<std::pair<mutant, const char*>> rules{{mutant::no_validation, "no_validation"},
                                                            {mutant::relaxed_reads, "relaxed_reads"},
                                                            {mutant::reads_not_locked, "reads_not_locked"},
                                                            {mutant::lock_unchecked, "lock_unchecked"},
                                                            {mutant::last_object_not_locked, "last_object_not_locked"},
                                                            {mutant::version_kept, "version_kept"},
                                                            {mutant::weak_fence_after_locks, "weak_fence_after_locks"},
                                                            {mutant::no_fence_before_write, "no_fence_before_write"},
                                                            {mutant::no_release_fence, "no_release_fence"}};
    for (const auto& [broken, rule] : rules) {
      test::run((name + ", " + rule).c_str(), [&, broken = broken] {
        stm::chosen_mutant = broken;
        counted counts;
        const std::string wrong = wrong_together<Guard>(3000, counts);
        stm::chosen_mutant = mutant::none;
        std::printf("    %s\n", wrong.c_str());
        CHECK(!wrong.empty());
      });
    }
#endif
#if defined(MAGPIE_MACHINE_SIM)
    test::run((name + ", drawn schedules").c_str(), [&] {
      counted counts;
      CHECK_EQ(wrong_together<Guard>(test::scaled_without_mutants(1000, 200), counts), std::string());
      std::printf("    %llu comparisons of values, %llu conflicts removed\n",
                  static_cast<unsigned long long>(counts.value_validations),
                  static_cast<unsigned long long>(counts.conflicts_removed));
      CHECK(!shared || counts.conflicts_removed > 0);
      CHECK(counts.value_validations > counts.conflicts_removed);
    });
#endif
    test::run((name + ", many threads").c_str(), [&] {
      std::uint32_t number = 0;
      test::for_each_setting(test::scaled(8, 4), [&](std::uint32_t threads) {
        counted counts;
        const std::uint32_t items = test::simulated ? 64 : test::scaled(20'000, 2000);
        CHECK_EQ((wrong_in<stm::hierarchical, Guard, stm::reads::validated>(number, threads, items, counts)),
                 std::string());
        CHECK_EQ((wrong_in<stm::hierarchical, Guard, stm::reads::unvalidated>(number++, threads, items, counts)),
                 std::string());
      });
    });
  });
#if defined(MAGPIE_MACHINE_SIM)
  constexpr std::uint32_t last = data_count - 1;
  test::run("other data of a reader's stripes", [] {
    const met removed = beside_reader<stm::hierarchical, stm::blocks_of<4>>(1, last - 1);
    CHECK_EQ(removed.aborts, 0u);
    CHECK(removed.removed > 0);
    const met none = beside_reader<stm::hierarchical, stm::blocks_of<1>>(1, last - 1);
    CHECK_EQ(none.aborts + none.removed, 0u);
    CHECK((beside_reader<stm::invisible_reads, stm::blocks_of<4>>(1, last - 1)).aborts > 0);  // which has no values
    CHECK_EQ((beside_reader<stm::invisible_reads, stm::blocks_of<1>>(1, last - 1)).aborts, 0u);
  });
  test::run("a reader's own data", [] {
    CHECK((beside_reader<stm::hierarchical, stm::blocks_of<1>>(0, last)).aborts > 0);
    CHECK((beside_reader<stm::hierarchical, stm::blocks_of<4>>(0, last)).aborts > 0);
    CHECK((beside_reader<stm::hierarchical, stm::blocks_of<16>>(0, last)).aborts > 0);
  });
#endif
  return test::finish();
}

}  // namespace

int main() { return run_all(); }
