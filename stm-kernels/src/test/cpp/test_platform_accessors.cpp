// flavors: cpu sim sim-asan cpu-tsan
// Accessors of shared words: values, old values, signedness; then many threads at once on the same words.
#include <algorithm>
#include <limits>

#include "test.hpp"

using namespace magpie;

/// In a place of its own: on `sim` no word that it reads may be written, not even as another local variable.
template <class T>
void plain_loads() {
  static const T words[] = {T(1), T(-1), T(77)};
  CHECK_EQ(ld_plain(words), T(1));
  CHECK_EQ(ld_plain(words + 1), T(-1));
  CHECK_EQ(ld_plain(words + 2), T(77));
}

/// In the middle of three words, the others of which stay as they are.
template <class T>
void loads_and_stores(T first, T second) {
  T words[3] = {second, first, second};
  T* const word = words + 1;
  CHECK_EQ(ld_rlx_dev(word), first);
  CHECK_EQ(ld_acq_dev(word), first);
  st_rlx_dev(word, second);
  CHECK_EQ(*word, second);
  st_rel_dev(word, first);
  CHECK_EQ(*word, first);
  st_plain(word, second);
  CHECK_EQ(ld_own(word), second);
  if constexpr (sizeof(T) >= 4) {
    CHECK_EQ(exch_rlx_dev(word, first), second);
    CHECK_EQ(*word, first);
  }
  CHECK(words[0] == second && words[2] == second);
}

void moves_pairs() {
  word_pair words[2] = {{1, 2}, {3, 4}};
  const word_pair second = ld_rlx_pair_dev(words + 1);
  CHECK_EQ(second.first, 3u);
  CHECK_EQ(second.second, 4u);
  st_rlx_pair_dev(words, {~std::uint64_t{0}, 7});
  CHECK_EQ(words[0].first, ~std::uint64_t{0});
  CHECK_EQ(words[0].second, 7u);
  CHECK_EQ(words[1].first, 3u);
}

template <class T>
void compare_exchanges() {
  for (T (*cas)(T*, T, T) :
       {+[](T*p, T e, T d) { return cas_rlx_dev(p, e, d); }, +[](T*p, T e, T d) { return cas_acq_dev(p, e, d); },
        +[](T*p, T e, T d) { return cas_acqrel_dev(p, e, d); }}) {
    T word = 5;
    CHECK_EQ(cas(&word, T{4}, T{9}), T{5});  // fails: the old value, and nothing changed
    CHECK_EQ(word, T{5});
    CHECK_EQ(cas(&word, T{5}, T{9}), T{5});
    CHECK_EQ(word, T{9});
    CHECK_EQ(cas(&word, T{9}, T{9}), T{9});
    CHECK_EQ(word, T{9});
  }
}

template <class T>
void read_modify_writes(T a, T b) {
  using wide = std::make_unsigned_t<T>;
  const T sum = static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b));
  const auto one = [&](T expected, auto&& operation) {
    T word = a;
    CHECK_EQ(operation(&word), a);
    CHECK_EQ(word, expected);
  };
  const auto none = [&](T expected, auto&& operation) {
    T word = a;
    operation(&word);
    CHECK_EQ(word, expected);
  };
  one(sum, [&](T* p) { return add_rlx_dev(p, b); });
  one(static_cast<T>(a & b), [&](T* p) { return and_rlx_dev(p, b); });
  one(static_cast<T>(a | b), [&](T* p) { return or_rlx_dev(p, b); });
  one(std::min(a, b), [&](T* p) { return min_rlx_dev(p, b); });
  one(std::max(a, b), [&](T* p) { return max_rlx_dev(p, b); });
  one(std::max(a, b), [&](T* p) { return max_acq_dev(p, b); });
  one(b, [&](T* p) { return exch_rlx_dev(p, b); });
  none(sum, [&](T* p) { red_add_rlx_dev(p, b); });
  none(static_cast<T>(a & b), [&](T* p) { red_and_rlx_dev(p, b); });
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    none(a & b, [&](T* p) { red_and_rlx_dev_last(p, b); });
  }
  none(b, [&](T* p) { st_rlx_dev_last(p, b); });
  none(static_cast<T>(a | b), [&](T* p) { red_or_rlx_dev(p, b); });
  none(std::min(a, b), [&](T* p) { red_min_rlx_dev(p, b); });
  none(std::max(a, b), [&](T* p) { red_max_rlx_dev(p, b); });
}

template <class T>
void integers() {
  using limits = std::numeric_limits<T>;
  const T values[] = {T{0},
                      T{1},
                      T{7},
                      static_cast<T>(-1),
                      limits::min(),
                      limits::max(),
                      static_cast<T>(limits::max() - 3),
                      static_cast<T>(0x8000000000000000ull >> (64 - 8 * sizeof(T)))};
  plain_loads<T>();
  compare_exchanges<T>();
  for (const T a : values) {
    for (const T b : values) {
      loads_and_stores<T>(a, b);
      read_modify_writes<T>(a, b);
    }
  }
}

/// Words of 1 and 2 bytes, which only loads and stores take.
template <class T>
void narrow() {
  using limits = std::numeric_limits<T>;
  plain_loads<T>();
  for (const T a : {T{0}, T{77}, limits::min(), limits::max()}) {
    for (const T b : {static_cast<T>(-1), T{1}}) loads_and_stores<T>(a, b);
  }
}

/// Values and types as inside of a kernel: on `sim` every accessor is a switch point there.
struct all_values {
  std::uint32_t unused;
  MAGPIE_DEVICE void operator()(const thread&) const {
    integers<std::int32_t>();
    integers<std::uint32_t>();
    integers<std::int64_t>();
    integers<std::uint64_t>();
    narrow<std::int8_t>();
    narrow<std::uint8_t>();
    narrow<std::int16_t>();
    narrow<std::uint16_t>();
    plain_loads<double>();
    loads_and_stores<float>(1.5f, -0.25f);
    loads_and_stores<double>(1e300, -1e-300);
    fence_acqrel_dev();
    fence_sc_dev();
    pause(0);
    pause(5000);
    pause_while_polling(0);
    pause_while_polling(100);
  }
};

/// Every thread does `times` of everything to the same words.
template <class T>
struct contention {
  std::uint32_t times;
  T* sum;
  T* sum_reduced;
  T* by_cas;
  T* lowest;
  T* highest;
  T* highest_acquired;
  T* bits;
  T* remaining;
  T* token;
  T* tokens;  // what each exchange gave
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (std::uint32_t i = 0; i < times; ++i) {
      const T mine = static_cast<T>(self.rank() * times + i + 1);
      add_rlx_dev(sum, mine);
      red_add_rlx_dev(sum_reduced, mine);
      for (T seen = ld_rlx_dev(by_cas);;) {
        const T old = cas_acqrel_dev(by_cas, seen, static_cast<T>(seen + 1));
        if (old == seen) break;
        seen = old;
      }
      min_rlx_dev(lowest, static_cast<T>(-mine));
      max_rlx_dev(highest, mine);
      max_acq_dev(highest_acquired, mine);
      const T bit = static_cast<T>(T{1} << (mine % (8 * sizeof(T) - 1)));
      or_rlx_dev(bits, bit);
      red_and_rlx_dev(remaining, static_cast<T>(~bit));
      tokens[mine - 1] = exch_rlx_dev(token, mine);
    }
  }
};

template <class T>
void contended(std::uint32_t threads) {
  const std::uint32_t times = test::scaled(test::simulated ? 20 : 2000, test::simulated ? 5 : 300);
  std::vector<T> words(9, T{0});
  words[3] = 0;
  words[7] = static_cast<T>(-1);
  const std::uint64_t grid =
      test::simulated ? (threads + host::simulated().width - 1) / host::simulated().width * host::simulated().width
                      : threads;
  std::vector<T> tokens(grid * times);
  contention<T> work{times,     &words[0], &words[1], &words[2], &words[3],    &words[4],
                     &words[5], &words[6], &words[7], &words[8], tokens.data()};
  if constexpr (std::is_unsigned_v<T>) words[3] = std::numeric_limits<T>::max();
  host::run(work, threads);
  const std::uint64_t n = grid * times;
  CHECK_EQ(words[0], static_cast<T>(n * (n + 1) / 2));
  CHECK_EQ(words[1], static_cast<T>(n * (n + 1) / 2));
  CHECK_EQ(words[2], static_cast<T>(n));
  CHECK_EQ(words[3], static_cast<T>(-static_cast<T>(n)));
  CHECK_EQ(words[4], static_cast<T>(n));
  CHECK_EQ(words[5], static_cast<T>(n));
  const T all_bits = static_cast<T>(std::numeric_limits<std::make_unsigned_t<T>>::max() >> 1);
  CHECK_EQ(words[6], all_bits);
  CHECK_EQ(words[7], static_cast<T>(~all_bits));
  // Exchanges pass every token on exactly once: what they gave, and what is left, is 0..n.
  tokens.push_back(words[8]);
  std::sort(tokens.begin(), tokens.end());
  for (std::uint64_t i = 0; i <= n; ++i) CHECK_EQ(tokens[i], static_cast<T>(i));
}

/// Every thread stores to its own of adjacent words, again and again, and sees what it stored.
template <class T>
struct neighbors {
  std::uint32_t times;
  T* words;
  std::uint32_t* wrong;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    T* const mine = words + self.rank();
    for (std::uint32_t i = 1; i <= times; ++i) {
      st_rlx_dev(mine, static_cast<T>(i));
      if (ld_rlx_dev(mine) != static_cast<T>(i)) add_rlx_dev(wrong, 1u);
    }
  }
};

template <class T>
void neighbors_stay_apart(std::uint32_t threads) {
  const std::uint32_t times = test::scaled(test::simulated ? 50 : 5000, test::simulated ? 20 : 1000);
  std::vector<T> words(threads + 32, T{0});
  std::uint32_t wrong = 0;
  host::run(neighbors<T>{times, words.data(), &wrong}, threads);
  CHECK_EQ(wrong, 0u);
  for (std::uint32_t i = 0; i < threads; ++i) CHECK_EQ(words[i], static_cast<T>(times));
}

/// Whether the time went back in any thread.
struct times {
  std::uint32_t* word;
  std::uint32_t* wrong;
  MAGPIE_DEVICE void operator()(const magpie::thread&) const {
    std::uint64_t before = timestamp();
    for (std::uint32_t i = 0; i < 100; ++i) {
      add_rlx_dev(word, 1u);
      const std::uint64_t now = timestamp();
      if (now < before) add_rlx_dev(wrong, 1u);
      before = now;
    }
    progress();
  }
};

int main() {
  test::run("pairs", moves_pairs);
  test::run("time does not go back", [] {
    std::uint32_t word = 0, wrong = 0;
    host::run(times{&word, &wrong}, 4);
    CHECK_EQ(wrong, 0u);
  });
  test::run("on the host", [] { all_values{0}(thread{}); });
  test::run("in a kernel", [] { host::run(all_values{0}, 4); });
  test::run("adjacent bytes", [] { test::for_each_setting(6, neighbors_stay_apart<std::uint8_t>); });
  test::run("adjacent pairs of bytes", [] { test::for_each_setting(6, neighbors_stay_apart<std::int16_t>); });
  test::run("contended int32", [] { test::for_each_setting(6, contended<std::int32_t>); });
  test::run("contended uint32", [] { test::for_each_setting(6, contended<std::uint32_t>); });
  test::run("contended int64", [] { test::for_each_setting(6, contended<std::int64_t>); });
  test::run("contended uint64", [] { test::for_each_setting(6, contended<std::uint64_t>); });
  return test::finish();
}
