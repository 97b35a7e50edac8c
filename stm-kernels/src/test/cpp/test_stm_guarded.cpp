// flavors: cpu sim cpu-asan
// full flavors: sim
// Guarded arrays: data of every size move as a whole, narrow neighbors stay apart, members are parts of their struct, a
// transaction sees its own writes in any form, and checked builds refuse what no open object guards.
#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::object_array;
using test::refusal;

struct alignas(8) pair_of_floats {
  float a, b;
  bool operator==(const pair_of_floats&) const = default;
};
struct three_ints {
  std::int32_t a, b, c;
  bool operator==(const three_ints&) const = default;
};
struct alignas(16) mixed {
  double sum;
  std::int32_t count;
  std::int16_t small;
  std::int8_t tiny;
  bool operator==(const mixed&) const = default;
};
struct alignas(16) four_floats {
  float x, y, z, w;
  bool operator==(const four_floats&) const = default;
};
static_assert(stm::datum_words<four_floats>::count == 2);
static_assert(sizeof(mixed) == 16 && stm::datum_words<mixed>::count == 2);
static_assert(stm::datum_words<three_ints>::count == 3 && stm::datum_words<pair_of_floats>::count == 1);
static_assert(stm::datum_words<std::int8_t>::count == 1 && sizeof(stm::word_of_datum<std::int8_t>) == 1);

/// How a datum stands for a number, in each of its parts.
template <class T>
struct number_in {
  static T of(std::int32_t n) { return static_cast<T>(n); }
  MAGPIE_INLINE static T plus(T value, std::int32_t n) { return static_cast<T>(value + static_cast<T>(n)); }
  MAGPIE_INLINE static bool agrees(const T&) { return true; }
};
template <>
struct number_in<pair_of_floats> {
  static pair_of_floats of(std::int32_t n) { return {static_cast<float>(n), static_cast<float>(2 * n)}; }
  MAGPIE_INLINE static pair_of_floats plus(pair_of_floats v, std::int32_t n) {
    return {v.a + static_cast<float>(n), v.b + static_cast<float>(2 * n)};
  }
  MAGPIE_INLINE static bool agrees(const pair_of_floats& v) { return v.b == 2 * v.a; }
};
template <>
struct number_in<four_floats> {
  static four_floats of(std::int32_t n) {
    const auto x = static_cast<float>(n);
    return {x, 2 * x, 3 * x, 4 * x};
  }
  MAGPIE_INLINE static four_floats plus(four_floats v, std::int32_t n) {
    const auto x = static_cast<float>(n);
    return {v.x + x, v.y + 2 * x, v.z + 3 * x, v.w + 4 * x};
  }
  MAGPIE_INLINE static bool agrees(const four_floats& v) { return v.y == 2 * v.x && v.z == 3 * v.x && v.w == 4 * v.x; }
};
template <>
struct number_in<three_ints> {
  static three_ints of(std::int32_t n) { return {n, 2 * n, 3 * n}; }
  MAGPIE_INLINE static three_ints plus(three_ints v, std::int32_t n) { return {v.a + n, v.b + 2 * n, v.c + 3 * n}; }
  MAGPIE_INLINE static bool agrees(const three_ints& v) { return v.b == 2 * v.a && v.c == 3 * v.a; }
};
template <>
struct number_in<mixed> {
  static mixed of(std::int32_t n) {
    return {static_cast<double>(n), n, static_cast<std::int16_t>(n), static_cast<std::int8_t>(n)};
  }
  MAGPIE_INLINE static mixed plus(mixed v, std::int32_t n) {
    return {v.sum + n, v.count + n, static_cast<std::int16_t>(v.small + n), static_cast<std::int8_t>(v.tiny + n)};
  }
  MAGPIE_INLINE static bool agrees(const mixed& v) {
    return v.sum == v.count && v.small == static_cast<std::int16_t>(v.count) &&
           v.tiny == static_cast<std::int8_t>(v.count);
  }
};

/// Moves 1 from a datum to another, by index or by the opened datum; counts data whose parts disagree.
template <class T, class Guard>
struct moves {
  stm::guarded<T, Guard> data;
  array<std::uint32_t> torn;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2 * stm::datum_words<T>::count;
  static constexpr bool narrow_writes = sizeof(T) < 4;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto n = static_cast<std::uint32_t>(data.size());
    const std::uint32_t from = item * 7 % n, to = (item * 5 + 3) % n;
    const T x = MAGPIE_TRY(tx.get(data, from));
    if (!number_in<T>::agrees(x)) tx.tally(&torn[0], 1u);
    MAGPIE_TRY(tx.set(data, from, number_in<T>::plus(x, -1)));
    if (item % 2 == 0) {
      MAGPIE_TRY(tx.set(data, to, number_in<T>::plus(MAGPIE_TRY(tx.get(data, to)), 1)));
    } else {
      const stm::datum<T> target = MAGPIE_TRY(tx.open(data, to));
      MAGPIE_TRY(tx.set(target, number_in<T>::plus(MAGPIE_TRY(tx.get(target)), 1)));
    }
    return outcome::commit;
  }
};

template <class T, class Guard = stm::same_index>
void moves_are_whole(const char* name, std::uint32_t objects) {
  const std::uint32_t items = test::simulated ? test::scaled(60, 30) : test::scaled(40'000, 2'000);
  constexpr std::uint32_t places = 12;
  object_array words(objects);
  test::run(name, [&] {
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled(16, 4), [&](std::uint32_t threads) {
      std::vector<T> data(places, number_in<T>::of(0));
      std::vector<std::uint32_t> torn(1, 0);
      std::vector<std::int32_t> expected(places, 0);
      for (std::uint32_t item = 0; item < items; ++item) {
        --expected[item * 7 % places];
        ++expected[(item * 5 + 3) % places];
      }
      const auto options = test::options_of(number++, threads);
      test::finishes(moves<T, Guard>{{{data.data(), places}, words.view<stm::hand_off>()}, {torn.data(), 1}}, items,
                     options, {&words});
      CHECK_EQ(torn[0], 0u);
      for (std::uint32_t i = 0; i < places; ++i) {
        const T wanted = number_in<T>::of(expected[i]);
        CHECK(number_in<T>::agrees(data[i]));
        CHECK(data[i] == wanted);
      }
    });
  });
}

/// Writes members and wholes by turns, and reads each back in the other form.
struct sees_own_writes {
  stm::guarded<mixed> data;
  array<std::uint32_t> wrong;

  static constexpr std::uint32_t max_objects = 1, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto must = [&](bool right) {
      if (!right) tx.tally(&wrong[0], 1u);
    };
    const mixed before = MAGPIE_TRY(tx.get(data, item));
    MAGPIE_TRY(tx.set(data, item, &mixed::tiny, 9));
    const mixed after = MAGPIE_TRY(tx.get(data, item));
    must(after.tiny == 9 && after.small == before.small && after.count == before.count && after.sum == before.sum);
    MAGPIE_TRY(tx.set(data, item, mixed{1.5, 2, 3, 4}));
    must(MAGPIE_TRY(tx.get(data, item, &mixed::sum)) == 1.5);
    must(MAGPIE_TRY(tx.get(data, item, &mixed::count)) == 2);
    must(MAGPIE_TRY(tx.get(data, item, &mixed::small)) == 3);
    must(MAGPIE_TRY(tx.get(data, item, &mixed::tiny)) == 4);
    MAGPIE_TRY(tx.set(data, item, &mixed::count, 7));
    must(MAGPIE_TRY(tx.get(data, item, &mixed::small)) == 3);
    MAGPIE_TRY(tx.set(data, item, &mixed::sum, 2.5));
    return outcome::commit;
  }
};

/// A helper that gives a result, and an inner transaction whose body fails in the same words.
struct through_functions {
  stm::guarded<std::uint32_t> next;
  array<std::uint32_t> last;

  static constexpr std::uint32_t max_objects = 8, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE stm::result<std::uint32_t> end_of(Tx& tx, std::uint32_t at) const {
    for (;;) {
      const std::uint32_t following = MAGPIE_TRY(tx.get(next, at));
      if (following == at) return at;
      at = following;
    }
  }
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t end = MAGPIE_TRY(end_of(tx, item));
    const outcome inner = tx.inner(3, [&](auto& in) {
      MAGPIE_TRY(in.set(next, item, end));
      return outcome::commit;
    });
    if (inner != outcome::commit) return inner;
    st_plain(&last[item], end);
    return outcome::commit;
  }
};

/// Moves 1 between columns of one row, and to the next row; a sum of each row is kept in place.
struct moves_in_rows {
  stm::guarded_matrix<std::int16_t, stm::blocks_of<2>> table;
  std::uint32_t at_column;

  static constexpr std::uint32_t max_objects = 2, max_writes = 3;
  static constexpr bool narrow_writes = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t row = item % table.rows(), next = (row + 1) % table.rows();
    const std::uint32_t column = item % table.columns;
    const auto mine = table.row(row);
    const std::int16_t x = MAGPIE_TRY(tx.get(mine, column));
    MAGPIE_TRY(tx.set(mine, column, static_cast<std::int16_t>(x - 2)));
    const std::int16_t y = MAGPIE_TRY(tx.get(mine, (column + 1) % table.columns));
    MAGPIE_TRY(tx.set(mine, (column + 1) % table.columns, static_cast<std::int16_t>(y + 1)));
    const std::int16_t z = MAGPIE_TRY(tx.get(table.row(next), at_column));
    MAGPIE_TRY(tx.set(table.row(next), at_column, static_cast<std::int16_t>(z + 1)));
    return outcome::commit;
  }
};

void rows() {
  test::run("rows", [] {
    constexpr std::uint32_t columns = 5, n_rows = 6;
    const std::uint32_t items = test::simulated ? test::scaled(60, 30) : test::scaled(30'000, 3'000);
    std::vector<std::int16_t> expected(n_rows * columns + 2, 0);
    for (std::uint32_t item = 0; item < items; ++item) {
      const std::uint32_t row = item % n_rows, column = item % columns;
      expected[row * columns + column] -= 2;
      ++expected[row * columns + (column + 1) % columns];
      ++expected[(row + 1) % n_rows * columns + 4];
    }
    object_array words(n_rows / 2);
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled(16, 4), [&](std::uint32_t threads) {
      std::vector<std::int16_t> data(n_rows * columns + 2, 0);
      const moves_in_rows region{{{data.data(), data.size()}, columns, words.view<stm::hand_off>()}, 4};
      CHECK_EQ(region.table.rows(), std::uint64_t{n_rows});
      test::finishes(region, items, test::options_of(number++, threads), {&words});
      CHECK(data == expected);
    });
  });
}

/// In `apply`; `stray` = stores what nothing open guards.
struct in_place {
  stm::guarded<three_ints, stm::blocks_of<4>> data;
  std::uint32_t stray;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  struct state {};

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state&) const {
    MAGPIE_TRY(tx.open(data, item % data.size()));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state&) const {
    const std::uint64_t at = item % data.size();
    tx.store(data, stray != 0 ? (at + 4) % data.size() : at, number_in<three_ints>::plus(tx.load(data, at), 1));
  }
};

/// In `apply`, one member of a struct, whose others stay as they are. Of data that nobody else writes hints are exact.
struct parts_in_place {
  stm::guarded<mixed> data;
  stm::guarded<const mixed> fixed;
  array<std::uint32_t> wrong;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  struct state {};

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state&) const {
    const std::uint64_t at = item % data.size();
    const mixed& same = fixed.unguarded(at);
    bool right = tx.glance(fixed, at, &mixed::sum) == same.sum && tx.peek(fixed, at, &mixed::tiny) == same.tiny;
    right =
        right && tx.peek(fixed, at, &mixed::count) == same.count && tx.glance(fixed, at, &mixed::small) == same.small;
    if (!right) tx.tally(&wrong[0], 1u);
    static_cast<void>(tx.glance(data, at, &mixed::small));
    MAGPIE_TRY(tx.open(data, at));
    return outcome::commit;
  }
  template <class Tx, class Member>
  MAGPIE_DEVICE void add(Tx& tx, std::uint64_t at, Member mixed::*member, std::int32_t n) const {
    tx.store(data, at, member, static_cast<Member>(tx.load(data, at, member) + static_cast<Member>(n)));
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state&) const {
    const std::uint64_t at = item % data.size();
    const std::uint32_t turn = item / static_cast<std::uint32_t>(data.size());
    if (turn % 4 == 0) add(tx, at, &mixed::sum, 1);
    if (turn % 4 == 1) add(tx, at, &mixed::count, 10);
    if (turn % 4 == 2) add(tx, at, &mixed::small, -3);
    if (turn % 4 == 3) add(tx, at, &mixed::tiny, 50);
  }
};

void parts_and_functions() {
  test::run("a transaction sees its own writes, of members and of wholes", [] {
    constexpr std::uint32_t n = 5;
    std::vector<mixed> data(n, mixed{4, 5, 6, 7});
    std::vector<std::uint32_t> wrong(1, 0);
    object_array words(n);
    test::finishes(sees_own_writes{{{data.data(), n}, words.view<stm::hand_off>()}, {wrong.data(), 1}}, n,
                   test::options_of(0, 4), {&words});
    CHECK_EQ(wrong[0], 0u);
    for (const mixed& each : data) CHECK(each.sum == 2.5 && each.count == 7 && each.small == 3 && each.tiny == 4);
  });
  test::run("MAGPIE_TRY in functions and inner transactions", [] {
    constexpr std::uint32_t n = 6;
    std::vector<std::uint32_t> next{1, 2, 3, 4, 5, 5};
    std::vector<std::uint32_t> last(n, 99);
    object_array words(n);
    test::finishes(through_functions{{{next.data(), n}, words.view<stm::hand_off>()}, {last.data(), n}}, n,
                   test::options_of(1, 4), {&words});
    for (std::uint32_t i = 0; i < n; ++i) CHECK(next[i] == 5 && last[i] == 5);
  });
  test::run("members in place, and hints of members", [] {
    constexpr std::uint32_t n = 5, items = 8 * n;
    const std::vector<mixed> before{{0, 0, 0, 0},
                                    {-1.5, -1, -1, -1},
                                    {1e300, 2'000'000'000, 32'767, 127},
                                    {4, 5, 6, 7},
                                    {-0.0, -2'000'000'000, -32'768, -128}};
    object_array words(n);
    std::uint32_t number = 0;
    test::for_each_setting(4, [&](std::uint32_t threads) {
      std::vector<mixed> data = before;
      std::vector<std::uint32_t> wrong(1, 0);
      test::finishes(parts_in_place{{{data.data(), n}, words.view<stm::hand_off>()},
                                    {{before.data(), n}, words.view<stm::hand_off>()},
                                    {wrong.data(), 1}},
                     items, test::options_of(number++, threads), {&words});
      CHECK_EQ(wrong[0], 0u);
      for (std::uint32_t i = 0; i < n; ++i) {  // each member twice
        CHECK_EQ(data[i].sum, before[i].sum + 2);
        CHECK_EQ(data[i].count, before[i].count + 20);
        CHECK_EQ(data[i].small, static_cast<std::int16_t>(before[i].small - 6));
        CHECK_EQ(data[i].tiny, static_cast<std::int8_t>(before[i].tiny + 100));
      }
    });
  });
  test::run("data in blocks, in place", [] {
    constexpr std::uint32_t n = 16, items = 64;
    std::vector<three_ints> data(n, number_in<three_ints>::of(0));
    object_array words(n / 4);
    test::finishes(in_place{{{data.data(), n}, words.view<stm::hand_off>()}, 0}, items, test::options_of(0, 8),
                   {&words});
    for (const three_ints& each : data) {
      const auto wanted = number_in<three_ints>::of(items / n);
      CHECK_EQ(std::memcmp(&each, &wanted, sizeof each), 0);
    }
  });
}

#if MAGPIE_CHECKS_BOUNDS
void refusals() {
  test::run("what no open object guards, and what is not there", [] {
    constexpr std::uint32_t n = 16;
    std::vector<three_ints> data(n);
    object_array words(n / 4), few(2);
    const auto run = [&](const in_place& region, std::uint32_t items) {
      return refusal([&] { magpie::host::run_region<stm::hand_off>(region, items, test::options_of(0, 1)); });
    };
    CHECK_CONTAINS(run({{{data.data(), n}, words.view<stm::hand_off>()}, 1}, 1), "no open object guards");
    object_array unused(n / 4);
    CHECK_CONTAINS(run({{{data.data(), n}, few.view<stm::hand_off>()}, 0}, n), "index 2");
  });
  test::run("rows and columns that are not there", [] {
    std::vector<std::int16_t> data(30);
    const auto run = [&](std::uint32_t objects, std::uint32_t at_column) {
      object_array guards(objects);
      const moves_in_rows region{{{data.data(), 30}, 5, guards.view<stm::hand_off>()}, at_column};
      return refusal([&] { magpie::host::run_region<stm::hand_off>(region, 6, test::options_of(0, 1)); });
    };
    CHECK_EQ(run(3, 4), "nothing was thrown");
    CHECK_CONTAINS(run(3, 5), "index 5 is outside an array of length 5");
    CHECK_CONTAINS(run(2, 4), "index 2 is outside an array of length 2");
    object_array guards(3);
    const stm::guarded_matrix<std::int16_t, stm::blocks_of<2>> table{
        {data.data(), 30}, 5, guards.view<stm::hand_off>()};
    CHECK_CONTAINS(refusal([&] { static_cast<void>(table.row(6)); }),
                   "row 6, column 0 is outside a matrix of 6 rows and 5 columns");
  });
}
#endif

int main() {
  // Each is compiled on its own, at length: the smallest, one of several words, and the largest everywhere.
  moves_are_whole<std::int8_t>("1 byte", 12);
  moves_are_whole<three_ints>("12 bytes", 12);
  moves_are_whole<mixed>("16 bytes", 12);
  if constexpr (!test::sanitized) {
    moves_are_whole<std::int32_t>("4 bytes", 12);
    moves_are_whole<double>("a double", 12);
    moves_are_whole<four_floats, stm::blocks_of<4>>("16 bytes, a vector of floats, four to an object", 3);
    if constexpr (!test::simulated) {
      moves_are_whole<std::uint16_t>("2 bytes", 12);
      moves_are_whole<std::int64_t>("8 bytes", 12);
      moves_are_whole<pair_of_floats>("8 bytes, two floats", 12);
    }
  }
  rows();
  parts_and_functions();
#if MAGPIE_CHECKS_BOUNDS
  refusals();
#endif
  return test::finish();
}
