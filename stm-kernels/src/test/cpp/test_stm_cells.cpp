// build: -DMAGPIE_TEST_PLAIN
// full build(cpu sim): -DMAGPIE_TEST_COMPARISONS
// full build(cpu sim): -DMAGPIE_RECORD
// flavors: cpu sim cpu-asan cpu-tsan
// full flavors: sim
// Cells: data of every size beside their objects' words, under every policy without versions apart. Whatever a transaction
// does to one part of a cell leaves the other as it was; recordings, samples of conflicts and faults know cells by index.
#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::refusal;

struct three_ints {
  std::int32_t a, b, c;
};
struct alignas(8) five_words {
  std::int64_t a;
  std::int32_t b, c, d;
};
struct largest {
  std::int32_t of[16];
};

static_assert(stm::cell<std::int8_t>::bytes == 8 && stm::cell<std::int8_t>::offset == 4);
static_assert(stm::cell<std::int32_t>::bytes == 8 && stm::cell<std::int32_t>::offset == 4);
static_assert(stm::cell<three_ints>::bytes == 16 && stm::cell<three_ints>::offset == 4);
static_assert(stm::cell<std::int64_t>::bytes == 16 && stm::cell<std::int64_t>::offset == 8);
static_assert(stm::cell<five_words>::bytes == 32 && stm::cell<five_words>::offset == 8);
static_assert(stm::cell<largest>::bytes == 128 && stm::cell<largest>::offset == 4);

/// How a datum stands for a number, in its first part and in its last.
template <class T>
struct number_in {
  static T of(std::int32_t n) { return static_cast<T>(n); }
  MAGPIE_INLINE static T plus(T value, std::int32_t n) { return static_cast<T>(value + n); }
  static bool is(T value, std::int32_t n) { return value == static_cast<T>(n); }
};
template <>
struct number_in<three_ints> {
  static three_ints of(std::int32_t n) { return {n, 7, -n}; }
  MAGPIE_INLINE static three_ints plus(three_ints v, std::int32_t n) { return {v.a + n, v.b, v.c - n}; }
  static bool is(three_ints v, std::int32_t n) { return v.a == n && v.b == 7 && v.c == -n; }
};
template <>
struct number_in<five_words> {
  static five_words of(std::int32_t n) { return {n, 7, 8, -n}; }
  MAGPIE_INLINE static five_words plus(five_words v, std::int32_t n) { return {v.a + n, v.b, v.c, v.d - n}; }
  static bool is(five_words v, std::int32_t n) { return v.a == n && v.b == 7 && v.c == 8 && v.d == -n; }
};

/// Moves 1 between two data drawn by the item, to be followed in any order.
template <class T>
struct moves {
  stm::guarded_cells<T> cells;
  array<std::uint32_t> moved;  // by item: belongs to the datum that it takes from

  static constexpr std::uint32_t max_objects = 2, max_writes = 2 * stm::datum_words<T>::count + 1;
  static constexpr bool narrow_writes = sizeof(T) < 4;

  MAGPIE_INLINE std::uint32_t from(std::uint32_t item) const {
    return item * 7 % static_cast<std::uint32_t>(cells.size());
  }
  MAGPIE_INLINE std::uint32_t to(std::uint32_t item) const {
    return (item * 5 + 3) % static_cast<std::uint32_t>(cells.size());
  }

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const stm::datum<T> source = MAGPIE_TRY(tx.open(cells, from(item)));
    MAGPIE_TRY(tx.set(source, number_in<T>::plus(MAGPIE_TRY(tx.get(source)), -1)));
    MAGPIE_TRY(tx.write(source.object, &moved[item], 1u));
    MAGPIE_TRY(tx.set(cells, to(item), number_in<T>::plus(MAGPIE_TRY(tx.get(cells, to(item))), 1)));
    return outcome::commit;
  }
};

/// What the items that committed make of n data.
template <class T>
void check(const host::cell_array<T>& cells, const moves<T>& region, const std::vector<std::uint32_t>& moved) {
  std::vector<std::int32_t> expected(cells.count(), 3);
  for (std::uint32_t item = 0; item < moved.size(); ++item) {
    if (moved[item] == 0) continue;
    --expected[region.from(item)];
    ++expected[region.to(item)];
  }
  const std::vector<T> data = cells.get();
  for (std::uint32_t i = 0; i < cells.count(); ++i) CHECK(number_in<T>::is(data[i], expected[i]));
  CHECK_EQ(cells.claimed(), 0u);
  CHECK_EQ(cells.locked().size(), 0u);
}

template <class T>
void moves_are_whole(const std::string& name) {
  constexpr std::uint32_t n = 12;
  const std::uint32_t items = test::simulated ? test::scaled(60, 30) : test::scaled(40'000, 2'000);
  const auto run = [&]<class Policy>(const char* policy, Policy) {
    test::run((name + ", " + policy).c_str(), [&] {
      std::uint32_t number = 0;
      test::for_each_setting(test::scaled(16, 4), [&](std::uint32_t threads) {
        host::cell_array<T> cells(n, number_in<T>::of(3));
        host::buffer<std::uint32_t> moved(items, 0);
        // Under another policy before, whose words are filled again.
        const moves<T> first{cells.template view<stm::priority_rule>(), moved.view()};
        test::tries<stm::priority_rule>(first, 1, test::options_of(1, 1), {});
        const moves<T> region{cells.template view<Policy>(), moved.view()};
        CHECK_EQ(reinterpret_cast<std::uintptr_t>(&region.cells.unguarded(n - 1)) % alignof(T), 0u);
        cells.set(std::vector<T>(n, number_in<T>::of(3)));
        moved.fill(0);
        const auto report = test::tries<Policy>(region, items, test::options_of(number++, threads), {});
        check(cells, region, moved.get());
        CHECK_EQ(report.statistics[test::counter::commits], std::uint64_t{items} - report.unfinished.size());
      });
    });
  };
  if constexpr (test::tests_hand_off) run("hand_off", stm::hand_off{});
  test::for_each_other_policy([&]<class Policy>(const std::string& policy, Policy) {
    if constexpr (!Policy::versions_apart && !Policy::has_descriptors) run(policy.c_str(), Policy{});
  });
}

/// Members, `apply`, hints, claims of several at once, in one cell each.
struct every_access {
  stm::guarded_cells<three_ints> cells;

  static constexpr std::uint32_t max_objects = 2, max_writes = 3;
  static constexpr stm::reads reads = stm::reads::unvalidated;
  struct state {};

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state&) const {
    const auto n = static_cast<std::uint32_t>(cells.size());
    MAGPIE_TRY(tx.open_each(cells.guards, 2, [&](std::uint32_t k) { return (item + k) % n; }));
    if (tx.peek(cells.guards, item % n, &cells.unguarded(item % n).b) != 7) return outcome::cancel;
    MAGPIE_TRY(tx.set(cells, item % n, &three_ints::a, MAGPIE_TRY(tx.get(cells, item % n, &three_ints::a)) + 1));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state&) const {
    const std::uint32_t at = (item + 1) % static_cast<std::uint32_t>(cells.size());
    three_ints next = tx.load(cells, at);
    ++next.c;
    tx.store(cells, at, next);
  }
};

void all_accesses() {
  test::run("members, apply, hints and several claims at once", [] {
    constexpr std::uint32_t n = 5, items = 100;
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled(16, 4), [&](std::uint32_t threads) {
      host::cell_array<three_ints> cells(n, {0, 7, 0});
      test::finishes(every_access{cells.view<stm::hand_off>()}, items, test::options_of(number++, threads), {});
      for (const three_ints& each : cells.get()) {
        CHECK(each.a == items / n && each.b == 7 && each.c == items / n);
      }
      CHECK_EQ(cells.claimed(), 0u);
    });
  });
}

/// Opens what there is and then what there is not.
struct outside {
  stm::guarded_cells<std::int32_t> cells;
  static constexpr std::uint32_t max_objects = 2, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.set(cells, 0, 1));
    MAGPIE_TRY(tx.set(cells, item + 4, 1));
    return outcome::commit;
  }
};

void are_known_by_index() {
  test::run("the module's table", [] {
    const std::string table = reflection::field_lines<moves<three_ints>>();
    CHECK_CONTAINS(table, "field cells.data 0 16 array:bytes12@16+4\n");
    CHECK_CONTAINS(table, "field cells.guards 16 16 objects@16:1\n");
  });
  test::run("conflicts", [] {
    host::cell_array<three_ints> cells(5, {});
    const moves<three_ints> region{cells.view<stm::hand_off>(), {nullptr, 0}};
    const auto at = [](const std::uint32_t* word) { return reinterpret_cast<std::uintptr_t>(word); };
    const std::uint32_t* const words = region.cells.guards.words;
    const auto found = host::conflicts_of(region, {0, at(region.cells.guards.word(4)), 9, at(words + 20), 2});
    CHECK_EQ(found.hot.size(), 2u);
    CHECK_EQ(found.hot[0].array, "cells.guards");
    CHECK_EQ(found.hot[0].index, 4u);
    CHECK_EQ(found.hot[1].array, host::hot_object::unknown);
  });
#if MAGPIE_CHECKS_BOUNDS
  test::run("faults, and launches that left claims", [] {
    host::cell_array<std::int32_t> cells(4, 5);
    test::region_options options = test::options_of(0, 1);
    const auto run = [&] {
      return refusal([&] { host::run_region<stm::hand_off>(outside{cells.view<stm::hand_off>()}, 1, options); });
    };
    CHECK_CONTAINS(run(), "index 4 is outside an array of length 4");
    CHECK_EQ(cells.claimed(), 1u);
    CHECK_CONTAINS(run(), "left 1 of 4 objects claimed");
  });
#endif
}

#if defined(MAGPIE_RECORD)
void are_recorded() {
  test::run("recorded", [] {
    constexpr std::uint32_t n = 3;
    host::cell_array<three_ints> cells(n, {3, 7, -3});
    host::buffer<std::uint32_t> moved(8, 0);
    const moves<three_ints> region{cells.view<stm::hand_off>(), moved.view()};
    host::buffer<std::uint32_t> versions(2 * n, 0), marks(4, 0);
    host::buffer<noted_memory> memory(1);
    memory.set({{reinterpret_cast<const std::byte*>(&region.cells.unguarded(0)), 2 * 16 + 12, 0, 16, 12}});
    host::buffer<std::uint64_t> entries(4096, 0), used(64, 0);
    stm::history settings{};
    settings.entries = entries.data();
    settings.used = used.data();
    settings.capacity = 4096;
    settings.threads = 1;
    settings.arrays = 1;
    settings.first_attempts = ~0u;
    settings.array[0] = {region.cells.guards.words, versions.data(), n, 40, 4, 0};
    settings.data = {memory.data(), marks.data(), 1, 0};
    host::buffer<stm::history> history(1);
    history.set({settings});
    test::region_options options;
    options.threads = 1;
    options.eager_attempts = 0;
    options.history = history.data();
    CHECK_EQ(host::run_region<stm::hand_off>(region, 1, options).unfinished.size(), 0u);
    // Item 0 takes from datum 0, words 0 to 2, and gives to datum 0: it writes that and reads it, and opens nothing else.
    const std::vector<std::uint64_t> words = entries.get();
    const std::uint64_t accesses = words[1] >> 40;
    CHECK(accesses > 0);
    for (std::uint64_t i = 0; i < accesses; ++i) {
      CHECK_EQ(words[4 + 2 * i] & 0x7fffffffu, 40u);
      const std::uint64_t datum = words[5 + 2 * i] & ((std::uint64_t{1} << 40) - 1);
      CHECK(datum == (std::uint64_t{1} << 40) - 1 || datum < 12);
    }
    CHECK_EQ(versions.get()[0], 1u);
    // Its word, in the gap before the datum, is no datum.
    CHECK_EQ(settings.data.datum(&region.cells.unguarded(1)), 16u);
    CHECK(settings.data.datum(region.cells.guards.word(1)) == access_notes::nowhere);
    for (const std::uint32_t each : marks.get()) CHECK_EQ(each, 0u);
  });
}
#endif

int main() {
#if defined(MAGPIE_RECORD)
  are_recorded();
#else
  moves_are_whole<std::int8_t>("1 byte");
  moves_are_whole<three_ints>("12 bytes");
  if constexpr (!test::sanitized) {
    moves_are_whole<std::int32_t>("4 bytes");
    moves_are_whole<std::int64_t>("8 bytes");
    moves_are_whole<five_words>("24 bytes");
  }
  if constexpr (test::tests_hand_off) {
    all_accesses();
    are_known_by_index();
  }
#endif
  return test::finish();
}
