// build(cpu cpu-asan cpu-tsan): -DMAGPIE_TEST_PLAIN
// full build(sim): -DMAGPIE_TEST_PLAIN
// build(sim): -DMAGPIE_MUTANTS
// full build(cpu sim): -DMAGPIE_TEST_COMPARISONS
// full build(cpu sim): -DMAGPIE_RECORD
// full build(cpu sim): -DMAGPIE_INDEX_ALL_LOGS
// flavors: cpu sim cpu-asan cpu-tsan
// Fused cells: word and datum change at once under hand_off, and lie beside each other under every other policy that takes
// cells. In each form in which a region reaches a datum nothing is lost, and no attempt sees a mix of two states.
#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::refusal;

static_assert(stm::cell<std::int32_t, stm::fused>::bytes == 8 && stm::cell<std::int32_t, stm::fused>::offset == 0);
static_assert(stm::cell<std::int32_t, stm::fused>::word_offset == 4);

struct alignas(4) two_shorts {
  std::int16_t a, b;
};
using shorts = stm::fused_cells<two_shorts>;
using numbers = stm::fused_cells<std::int32_t>;

/// What moves say of who takes and who gets, and what must come of it.
struct way {
  MAGPIE_INLINE static std::uint32_t from(std::uint32_t item, std::uint64_t n) {
    return static_cast<std::uint32_t>(item * 7 % n);
  }
  MAGPIE_INLINE static std::uint32_t to(std::uint32_t item, std::uint64_t n) {
    return static_cast<std::uint32_t>((item * 5 + 3) % n);
  }
};

/// Moves 1 between two data drawn by the item, which may be the same, to be followed in any order.
template <stm::reads Reads>
struct moves {
  numbers cells;
  array<std::uint32_t> moved;  // by item: belongs to the datum that it takes from

  static constexpr std::uint32_t max_objects = 2, max_writes = 3;
  static constexpr bool opens_fused_cells = true;
  static constexpr stm::reads reads = Reads;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t n = cells.size();
    const stm::datum<std::int32_t> source = MAGPIE_TRY(tx.open(cells, way::from(item, n)));
    MAGPIE_TRY(tx.set(source, MAGPIE_TRY(tx.get(source)) - 1));
    MAGPIE_TRY(tx.write(source.object, &moved[item], 1u));
    MAGPIE_TRY(tx.set(cells, way::to(item, n), MAGPIE_TRY(tx.get(cells, way::to(item, n))) + 1));
    return outcome::commit;
  }
};

/// The same with members, in `apply`.
struct moves_in_apply {
  shorts cells;
  array<std::uint32_t> moved;

  static constexpr std::uint32_t max_objects = 2, max_writes = 1;
  static constexpr bool opens_fused_cells = true;
  struct state {};

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state&) const {
    const std::uint64_t n = cells.size();
    MAGPIE_TRY(tx.open_each(cells.guards, 2, [&](std::uint32_t k) { return (k == 0 ? way::from : way::to)(item, n); }));
    const stm::datum<two_shorts> source = MAGPIE_TRY(tx.open(cells, way::from(item, n)));
    MAGPIE_TRY(
        tx.set(source, &two_shorts::a, static_cast<std::int16_t>(MAGPIE_TRY(tx.get(source, &two_shorts::a)) - 1)));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state&) const {
    const std::uint64_t n = cells.size();
    two_shorts next = tx.load(cells, way::to(item, n));
    ++next.a;
    --next.b;
    tx.store(cells, way::to(item, n), next);
    tx.store(cells, way::from(item, n), &two_shorts::b,
             static_cast<std::int16_t>(tx.load(cells, way::from(item, n), &two_shorts::b) + 1));
    tx.store(stm::handle{}, &moved[item], 1u);
  }
};

/// Opens and writes more than its log has at first, in inner transactions and alternatives that are undone, too.
template <std::uint32_t Objects>
struct nested_moves {
  numbers cells;
  array<std::uint32_t> moved;

  static constexpr std::uint32_t max_objects = Objects, max_writes = Objects + 1;
  static constexpr bool opens_fused_cells = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t n = cells.size();
    const std::uint32_t from = way::from(item, n), to = way::to(item, n);
    MAGPIE_TRY(tx.set(cells, from, MAGPIE_TRY(tx.get(cells, from)) - 1));
    bool again = false;
    const outcome given = tx.inner(3, [&](auto& inner) {
      MAGPIE_TRY(inner.set(cells, from, MAGPIE_TRY(inner.get(cells, from)) + 5));
      MAGPIE_TRY(inner.set(cells, to, MAGPIE_TRY(inner.get(cells, to)) + 1));
      MAGPIE_TRY(inner.set(cells, from, MAGPIE_TRY(inner.get(cells, from)) - 5));
      if (!again && item % 3 == 0) return again = true, outcome::retry;
      return outcome::commit;
    });
    if (given != outcome::commit) return given;
    const auto first = [&](auto& t) -> outcome {
      MAGPIE_TRY(t.set(cells, (to + 1) % n, 1000));
      return outcome::cancel;
    };
    const auto second = [&](auto& t) -> outcome {
      const auto source = MAGPIE_TRY(t.open(cells, from));
      MAGPIE_TRY(t.write(source.object, &moved[item], 1u));
      return outcome::commit;
    };
    return tx.or_else(first, second);
  }
};

template <class T>
struct number_in {
  static T of(std::int32_t n) { return n; }
  static bool is(T value, std::int32_t n) { return value == n; }
};
template <>
struct number_in<two_shorts> {
  static two_shorts of(std::int32_t n) { return {static_cast<std::int16_t>(n), static_cast<std::int16_t>(-n)}; }
  static bool is(two_shorts value, std::int32_t n) { return value.a == n && value.b == -n; }
};

/// What the items that committed make of the data.
template <class T>
bool is_right(const host::cell_array<T, stm::fused>& cells, const std::vector<std::uint32_t>& moved) {
  std::vector<std::int32_t> expected(cells.count(), 3);
  for (std::uint32_t item = 0; item < moved.size(); ++item) {
    if (moved[item] == 0) continue;
    --expected[way::from(item, cells.count())];
    ++expected[way::to(item, cells.count())];
  }
  const std::vector<T> data = cells.get();
  bool right = cells.claimed() == 0 && cells.locked().empty();
  for (std::uint32_t i = 0; i < cells.count(); ++i) right = right && number_in<T>::is(data[i], expected[i]);
  return right;
}

template <class Region, class T = std::int32_t>
void moves_are_whole(const std::string& name, std::uint32_t n) {
  const std::uint32_t items = test::simulated ? test::scaled(60, 30) : test::scaled(20'000, 2'000);
  const auto run = [&]<class Policy>(const std::string& policy, Policy) {
    test::run((name + ", " + policy).c_str(), [&] {
      std::uint32_t number = 0;
      test::for_each_setting(test::scaled(16, 8), [&](std::uint32_t threads) {
        host::cell_array<T, stm::fused> cells(n, number_in<T>::of(3));
        host::buffer<std::uint32_t> moved(items, 0);
        // Under another policy before, whose words are filled again.
        const Region first{cells.template view<stm::coarse_lock>(), moved.view()};
        test::tries<stm::coarse_lock>(first, 1, test::options_of(1, 1), {});
        CHECK(is_right(cells, moved.get()));
        cells.set(std::vector<T>(n, number_in<T>::of(3)));
        moved.fill(0);
        const Region region{cells.template view<Policy>(), moved.view()};
        const auto report = test::tries<Policy>(region, items, test::options_of(number++, threads), {});
        const std::vector<std::uint32_t> done = moved.get();
        CHECK(is_right(cells, done));
        const auto committed = std::accumulate(done.begin(), done.end(), std::uint64_t{0});
        CHECK_EQ(committed, std::uint64_t{items} - report.unfinished.size());
        CHECK_EQ(report.statistics[test::counter::commits], committed);
      });
    });
  };
  if constexpr (test::tests_hand_off) run("hand_off", stm::hand_off{});
  test::for_each_other_policy([&]<class Policy>(const std::string& policy, Policy) {
    if constexpr (!Policy::versions_apart && !Policy::has_descriptors && stm::runs_under<Region, Policy>) {
      run(policy, Policy{});
    }
  });
}

/// Pairs of data that are equal at every commit; odd items add to a pair, even ones look at it. What an attempt saw is judged
/// at once, outside of the transaction.
template <stm::reads Reads, std::uint32_t Objects>
struct pairs {
  numbers cells;  // 2 for each pair
  std::uint32_t* broken;

  static constexpr std::uint32_t max_objects = Objects, max_writes = 2;
  static constexpr bool opens_fused_cells = true;
  static constexpr stm::reads reads = Reads;

  MAGPIE_INLINE static std::uint32_t pair_of(std::uint32_t item, std::uint64_t n) {
    return static_cast<std::uint32_t>(item * 2654435761u % n);
  }
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t first = pair_of(item, cells.size() / 2) * 2 + item / 2 % 2, second = first ^ 1u;
    const std::int32_t x = MAGPIE_TRY(tx.get(cells, first));
    const std::int32_t y = MAGPIE_TRY(tx.get(cells, second));
    if (x != y) red_add_rlx_dev(broken, 1u);
    if (item % 2 == 0) return outcome::commit;
    MAGPIE_TRY(tx.set(cells, first, x + 1));
    MAGPIE_TRY(tx.set(cells, second, y + 1));
    return outcome::commit;
  }
};

/// How many mixes were seen.
template <stm::reads Reads, std::uint32_t Objects>
std::uint32_t mixes(std::uint32_t n, std::uint32_t items, const test::region_options& options) {
  host::cell_array<std::int32_t, stm::fused> cells(2 * n, -5);
  host::buffer<std::uint32_t> broken(1, 0);
  const pairs<Reads, Objects> region{cells.view<stm::hand_off>(), broken.data()};
  test::finishes(region, items, options, {});
  std::vector<std::int32_t> expected(n, -5);
  for (std::uint32_t item = 1; item < items; item += 2) ++expected[region.pair_of(item, n)];
  const std::vector<std::int32_t> data = cells.get();
  for (std::uint32_t i = 0; i < 2 * n; ++i) CHECK_EQ(data[i], expected[i / 2]);
  CHECK_EQ(cells.claimed(), 0u);
  return broken.get()[0];
}

void no_mixes() {
  const std::uint32_t items = test::simulated ? test::scaled(200, 80) : test::scaled(50'000, 5'000);
  std::uint32_t number = 0, unvalidated = 0;
  test::run("no mix of states is seen", [&] {
    for (const std::uint32_t n : {1u, 3u}) {
      test::for_each_setting(test::scaled(16, 8), [&](std::uint32_t threads) {
        const test::region_options options = test::options_of(number++, threads);
        CHECK_EQ((mixes<stm::reads::validated, 2>(n, items, options)), 0u);    // looks by exchanges
        CHECK_EQ((mixes<stm::reads::validated, 6>(n, items, options)), 0u);    // by loads
        CHECK_EQ((mixes<stm::reads::validated, 300>(n, items, options)), 0u);  // after publications
        unvalidated += mixes<stm::reads::unvalidated, 2>(n, items, options);
      });
    }
    if (test::simulated) CHECK(unvalidated > 0);  // so that the check above means something
  });
}

void are_known_by_index() {
  using region_type = moves<stm::reads::validated>;
  test::run("the module's table", [] {
    const std::string table = reflection::field_lines<region_type>();
    CHECK_CONTAINS(table, "field cells.data 0 16 array:i32@8+0\n");
    CHECK_CONTAINS(table, "field cells.guards 16 16 objects@8:1\n");
  });
  test::run("conflicts", [] {
    host::cell_array<std::int32_t, stm::fused> cells(5, 0);
    const region_type region{cells.view<stm::hand_off>(), {nullptr, 0}};
    const auto at = [](const std::uint32_t* word) { return reinterpret_cast<std::uintptr_t>(word); };
    const auto found = host::conflicts_of(region, {0, at(region.cells.guards.word(4)), 9, 0, 0});
    CHECK_EQ(found.hot.size(), 1u);
    CHECK_EQ(found.hot[0].array, "cells.guards");
    CHECK_EQ(found.hot[0].index, 4u);
  });
}

#if MAGPIE_CHECKS_BOUNDS
/// Opens what there is and then what there is not.
struct outside {
  numbers cells;
  static constexpr std::uint32_t max_objects = 2, max_writes = 1;
  static constexpr bool opens_fused_cells = true;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.set(cells, 0, 1));
    MAGPIE_TRY(tx.set(cells, item + 4, 1));
    return outcome::commit;
  }
};

void faults() {
  test::run("faults, and launches that left claims", [] {
    host::cell_array<std::int32_t, stm::fused> cells(4, 5);
    test::region_options options = test::options_of(0, 1);
    const auto run = [&] {
      return refusal([&] { host::run_region<stm::hand_off>(outside{cells.view<stm::hand_off>()}, 1, options); });
    };
    CHECK_CONTAINS(run(), "index 4 is outside an array of length 4");
    CHECK_EQ(cells.claimed(), 1u);
    CHECK_CONTAINS(run(), "left 1 of 4 objects claimed");
    CHECK_EQ(cells.get()[3], 5);
  });
}
#endif

#if defined(MAGPIE_MUTANTS)
/// Counts in two data drawn by the item, and beside each in a word that its object guards, which must be as much: the datum
/// comes with the object, the word by a load.
template <std::uint32_t Objects>
struct counts_beside {
  numbers cells;
  array<std::uint32_t> beside;
  array<std::uint32_t> broken;  // where the two were seen to differ

  static constexpr std::uint32_t max_objects = Objects, max_writes = 4;
  static constexpr bool opens_fused_cells = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t n = cells.size();
    const std::uint32_t at[2] = {way::from(item, n), way::to(item, n)};
    for (const std::uint32_t i : at) {
      const stm::datum<std::int32_t> datum = MAGPIE_TRY(tx.open(cells, i));
      const std::int32_t counted = MAGPIE_TRY(tx.get(datum));
      std::uint32_t also = 0;
      MAGPIE_TRY(tx.read(datum.object, &beside[i], also));
      if (static_cast<std::uint32_t>(counted) != also) red_add_rlx_dev(&broken[0], 1u);
      MAGPIE_TRY(tx.set(datum, counted + 1));
      MAGPIE_TRY(tx.write(datum.object, &beside[i], also + 1));
    }
    return outcome::commit;
  }
};

/// Counts in two data, and cancels after an attempt that failed: what that waited for is nobody's then.
struct counts_at_first_try {
  numbers cells;
  array<std::uint32_t> tries;  // by item

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr bool opens_fused_cells = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (add_rlx_dev(&tries[item], 1u) != 0) return outcome::cancel;
    const std::uint64_t n = cells.size();
    for (const std::uint32_t i : {way::from(item, n), way::to(item, n)}) {
      MAGPIE_TRY(tx.set(cells, i, MAGPIE_TRY(tx.get(cells, i)) + 1));
    }
    return outcome::commit;
  }
};

constexpr std::uint32_t mutant_items = 11;  // not as many one way as the other

bool moves_are_right(const test::region_options& options) {
  host::cell_array<std::int32_t, stm::fused> cells(2, 3);
  host::buffer<std::uint32_t> moved(mutant_items, 0);
  const moves<stm::reads::validated> region{cells.view<stm::hand_off>(), moved.view()};
  const auto report = host::run_region<stm::hand_off>(region, mutant_items, options);
  return report.unfinished.empty() && is_right(cells, moved.get());
}

template <std::uint32_t Objects>
bool counts_are_right(const test::region_options& options) {
  constexpr std::uint32_t n = 3;
  host::cell_array<std::int32_t, stm::fused> cells(n, 0);
  host::buffer<std::uint32_t> beside(n, 0), broken(1, 0);
  const counts_beside<Objects> region{cells.view<stm::hand_off>(), beside.view(), broken.view()};
  const auto report = host::run_region<stm::hand_off>(region, mutant_items, options);
  std::vector<std::uint32_t> expected(n, 0);
  for (std::uint32_t item = 0; item < mutant_items; ++item) {
    ++expected[way::from(item, n)];
    ++expected[way::to(item, n)];
  }
  const std::vector<std::int32_t> data = cells.get();
  return report.unfinished.empty() && broken.get()[0] == 0 && cells.claimed() == 0 && beside.get() == expected &&
         std::equal(data.begin(), data.end(), expected.begin(),
                    [](std::int32_t counted, std::uint32_t all) { return counted == static_cast<std::int32_t>(all); });
}

bool canceled_items_leave_nothing(const test::region_options& options) {
  host::cell_array<std::int32_t, stm::fused> cells(2, 0);
  host::buffer<std::uint32_t> tries(mutant_items, 0);
  const counts_at_first_try region{cells.view<stm::hand_off>(), tries.view()};
  const auto report = host::run_region<stm::hand_off>(region, mutant_items, options);
  const std::vector<std::int32_t> data = cells.get();
  return cells.claimed() == 0 &&
         static_cast<std::uint64_t>(data[0] + data[1]) == 2 * report.statistics[test::counter::commits];
}

/// Whether every schedule, half of them over weak memory, ends, and gives what it has to; looks are by exchanges and by loads.
bool survives(stm::mutant mutant) {
  bool right = true;
  stm::chosen_mutant = mutant;
  test::region_options options;
  options.back_off = 0;
  for (std::uint32_t seed = 1; right && seed < 4'000; ++seed) {
    test::simulate_by(seed, 1);
    options.polls = seed / 4 % 2 == 0 ? 8 : 1;
    options.threads = 3 + seed % 4;
    options.eager_attempts = seed % 3;
    host::simulated().max_steps = 20'000;
    try {
      right = moves_are_right(options) && counts_are_right<2>(options) && counts_are_right<6>(options) &&
              canceled_items_leave_nothing(options);
    } catch (const std::exception&) {
      right = false;
    }
  }
  host::simulated().plan = nullptr;
  stm::chosen_mutant = stm::mutant::none;
  return right;
}
#endif

#if defined(MAGPIE_RECORD)
void are_recorded() {
  test::run("recorded", [] {
    constexpr std::uint32_t n = 3;
    host::cell_array<std::int32_t, stm::fused> cells(n, 3);
    host::buffer<std::uint32_t> moved(8, 0);
    const moves<stm::reads::validated> region{cells.view<stm::hand_off>(), moved.view()};
    host::buffer<std::uint32_t> versions(2 * n, 0), marks(4, 0);
    host::buffer<noted_memory> memory(1);
    memory.set({{reinterpret_cast<const std::byte*>(&region.cells.unguarded(0)), 2 * 8 + 4, 0, 8, 4}});
    host::buffer<std::uint64_t> entries(4096, 0), used(64, 0);
    stm::history settings{};
    settings.entries = entries.data();
    settings.used = used.data();
    settings.capacity = 4096;
    settings.threads = 1;
    settings.arrays = 1;
    settings.first_attempts = ~0u;
    settings.array[0] = {region.cells.guards.words, versions.data(), n, 40, 3, 0};
    settings.data = {memory.data(), marks.data(), 1, 0};
    host::buffer<stm::history> history(1);
    history.set({settings});
    for (const std::uint32_t eager : {0u, 1u}) {
      test::region_options options;
      options.threads = 1;
      options.eager_attempts = eager;
      options.history = history.data();
      used.fill(0);
      CHECK_EQ(host::run_region<stm::hand_off>(region, 1, options).unfinished.size(), 0u);
      // Item 0 takes from datum 0 and gives to datum 0: it writes that and reads it.
      const std::vector<std::uint64_t> words = entries.get();
      const std::uint64_t accesses = words[1] >> 40;
      std::uint32_t of_datum = 0;
      for (std::uint64_t i = 0; i < accesses; ++i) {
        CHECK_EQ(words[4 + 2 * i] & 0x7fffffffu, 40u);
        const std::uint64_t datum = words[5 + 2 * i] & ((std::uint64_t{1} << 40) - 1);
        of_datum += datum < 4;
      }
      CHECK(of_datum >= 2);
      CHECK_EQ(versions.get()[0], eager + 1);
    }
    CHECK_EQ(settings.data.datum(&region.cells.unguarded(1)), 8u);
    CHECK(settings.data.datum(region.cells.guards.word(1)) == access_notes::nowhere);
    for (const std::uint32_t each : marks.get()) CHECK_EQ(each, 0u);
  });
}
#endif

int main() {
#if defined(MAGPIE_RECORD)
  are_recorded();
#elif defined(MAGPIE_MUTANTS)
  test::run("no mutant", [] { CHECK(survives(stm::mutant::none)); });
  const auto dies = [](const char* name, stm::mutant mutant) { test::run(name, [=] { CHECK(!survives(mutant)); }); };
  dies("roll_back_by_store", stm::mutant::roll_back_by_store);
  dies("lock_unchecked", stm::mutant::lock_unchecked);
  dies("lost_claim_retaken", stm::mutant::lost_claim_retaken);
  dies("last_object_not_locked", stm::mutant::last_object_not_locked);
  dies("eager_lock_kept", stm::mutant::eager_lock_kept);
  dies("release_before_write_back", stm::mutant::release_before_write_back);
  dies("steal_ignores_lock", stm::mutant::steal_ignores_lock);
  dies("wait_skipped", stm::mutant::wait_skipped);
  dies("forgotten_registration", stm::mutant::forgotten_registration);
  dies("give_back_granted_only", stm::mutant::give_back_granted_only);
  dies("no_withdrawal_at_end", stm::mutant::no_withdrawal_at_end);
  dies("no_validation", stm::mutant::no_validation);
  dies("datum_after_word", stm::mutant::datum_after_word);
  dies("datum_not_given", stm::mutant::datum_not_given);
  dies("datum_left", stm::mutant::datum_left);
  dies("no_release_fence", stm::mutant::no_release_fence);
  dies("no_fence_before_write", stm::mutant::no_fence_before_write);
  dies("relaxed_reads", stm::mutant::relaxed_reads);
  dies("relaxed_claim", stm::mutant::relaxed_claim);
  dies("relaxed_cell_lock", stm::mutant::relaxed_cell_lock);
  dies("relaxed_cell_claim", stm::mutant::relaxed_cell_claim);
  dies("relaxed_cell_poll", stm::mutant::relaxed_cell_poll);
#else
  moves_are_whole<moves<stm::reads::validated>>("by datum and by index", 12);
  moves_are_whole<moves<stm::reads::unvalidated>>("unvalidated", 4);
  moves_are_whole<moves_in_apply, two_shorts>("members, in apply", 12);
  if constexpr (!test::sanitized) moves_are_whole<nested_moves<3>>("nested", 12);
  moves_are_whole<nested_moves<1>>("nested, larger logs than its own", 12);
  if constexpr (test::tests_hand_off) {
    no_mixes();
    are_known_by_index();
#if MAGPIE_CHECKS_BOUNDS
    faults();
#endif
  }
#endif
  return test::finish();
}
