// flavors: cpu sim cpu-tsan
// full build:
// optimistic_hand_off: readers do not meet, scans beside transfers see one state and end, and the orders that attempts by
// version need, each of them: on `sim` over all schedules, and all values that loads may read on weak memory.
#if defined(MAGPIE_MACHINE_SIM)
#include "sim_test.hpp"
#endif
#include "stm_test.hpp"

using namespace magpie;
using stm::optimistic_hand_off;
using stm::outcome;
namespace counter = magpie::stm::counter;
using test::object_array;

/// Adds up all of `hot` and writes the sum to a datum of its own.
struct read_all {
  stm::objects hot, own;
  array<const std::uint32_t> values;
  array<std::uint32_t> sums;
  static constexpr std::uint32_t most = 8;
  static constexpr std::uint32_t max_objects = most + 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < hot.count; ++i) {
      std::uint32_t value;
      if (!tx.read(tx.open(hot, i), &values[i], value)) return outcome::retry;
      sum += value;
    }
    return tx.write(tx.open(own, item), &sums[item], sum) ? outcome::commit : outcome::retry;
  }
};

/// Every fourth item notes the sum of all accounts; the others move something, by a read, later a write.
template <std::uint32_t Objects>
struct scan_or_move {
  stm::objects accounts, own;
  array<std::uint32_t> balance;
  array<std::uint32_t> sums;  // of items that scan
  std::uint32_t* mixed;       // scans that saw another sum, in attempts that failed too
  std::uint32_t total;
  static constexpr std::uint32_t max_objects = Objects, max_writes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t n = accounts.count;
    if (item % 4 == 0) {
      std::uint32_t sum = 0;
      for (std::uint32_t i = 0; i < n; ++i) {
        std::uint32_t value;
        if (!tx.read(tx.open(accounts, i), &balance[i], value)) return outcome::retry;
        sum += value;
      }
      if (sum != total) red_add_rlx_dev(mixed, 1u);
      return tx.write(tx.open(own, item), &sums[item], sum) ? outcome::commit : outcome::retry;
    }
    const std::uint32_t f = item * 7 % n, t = (f + 1 + item % (n - 1)) % n;
    std::uint32_t x, y;
    const auto from = tx.open(accounts, f), to = tx.open(accounts, t);
    if (!tx.read(from, &balance[f], x) || !tx.read(to, &balance[t], y)) return outcome::retry;
    if (x == 0) return outcome::cancel;
    if (!tx.write(to, &balance[t], y + 1) || !tx.write(from, &balance[f], x - 1)) return outcome::retry;
    return outcome::commit;
  }
};

/// One counter for all, in one part or two.
template <bool Planned>
struct count_up {
  stm::objects one;
  array<std::uint32_t> value;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t) const {
    std::uint32_t x;
    const auto object = tx.open(one, 0);
    if (!tx.read(object, &value[0], x) || !tx.write(object, &value[0], x + 1)) return outcome::retry;
    return outcome::commit;
  }
};
template <>
struct count_up<true> {
  stm::objects one;
  array<std::uint32_t> value;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  using state = stm::handle;
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t, state& object) const {
    object = tx.open(one, 0);
    return object ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& object) const {
    tx.store(object, &value[0], tx.load(object, &value[0]) + 1);
  }
};

/// Two items read both values, and each writes one. In step, each look finds the other's lock.
struct cross {
  stm::objects things;
  array<std::uint32_t> values;
  static constexpr std::uint32_t max_objects = 2, max_writes = 1, max_pushes = 0;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t mine, other;
    const auto object = tx.open(things, item);
    if (!tx.read(object, &values[item], mine)) return outcome::retry;
    if (!tx.read(tx.open(things, 1 - item), &values[1 - item], other)) return outcome::retry;
    return tx.write(object, &values[item], mine + other + 1) ? outcome::commit : outcome::retry;
  }
};

/// Reads one object, and in an inner transaction changes others that everybody wants.
struct outer_and_inner {
  stm::objects things;
  array<std::uint32_t> values;
  bool writes_first;
  static constexpr std::uint32_t max_objects = 3, max_writes = 3;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t n = things.count, first = item % n;
    std::uint32_t value;
    const auto object = tx.open(things, first);
    if (!tx.read(object, &values[first], value)) return outcome::retry;
    if (writes_first && !tx.write(object, &values[first], value + 1)) return outcome::retry;
    const outcome result = tx.inner(1000, [&](Tx& inner) {
      for (std::uint32_t k = 1; k <= 2; ++k) {
        const std::uint32_t i = (first + k) % n;
        std::uint32_t x;
        const auto thing = inner.open(things, i);
        if (!inner.read(thing, &values[i], x) || !inner.write(thing, &values[i], x + 1)) return outcome::retry;
      }
      return outcome::commit;
    });
    return result;
  }
};

template <class Policy>
std::uint64_t aborts_of_readers(const test::region_options& options) {
  constexpr std::uint32_t items = 64;
  object_array hot(read_all::most), own(items);
  std::vector<std::uint32_t> values(read_all::most), sums(items, 0);
  for (std::uint32_t i = 0; i < read_all::most; ++i) values[i] = 1u << i;
  const read_all region{hot.view<Policy>(), own.view<Policy>(), {values.data(), read_all::most}, {sums.data(), items}};
  const auto report = test::finishes<Policy>(region, items, options, {&hot, &own});
  CHECK(sums == std::vector<std::uint32_t>(items, (1u << read_all::most) - 1));
  std::uint64_t aborts = 0;
  for (std::uint32_t c = counter::aborts_outranked; c <= counter::aborts_requested; ++c) aborts += report.statistics[c];
  return aborts;
}

template <std::uint32_t Objects>
void scans_beside_moves(std::uint32_t accounts, std::uint32_t items, const test::region_options& options) {
  object_array words(accounts), own(items);
  std::vector<std::uint32_t> balance(accounts, 100), sums(items, 0);
  std::uint32_t mixed = 0;
  const scan_or_move<Objects> region{words.view<optimistic_hand_off>(),
                                     own.view<optimistic_hand_off>(),
                                     {balance.data(), accounts},
                                     {sums.data(), items},
                                     &mixed,
                                     100 * accounts};
  test::finishes<optimistic_hand_off>(region, items, options, {&words, &own});
  CHECK_EQ(mixed, 0u);
  for (std::uint32_t item = 0; item < items; ++item) CHECK_EQ(sums[item], item % 4 == 0 ? 100 * accounts : 0u);
  std::uint32_t total = 0;
  for (const std::uint32_t each : balance) total += each;
  CHECK_EQ(total, 100 * accounts);
}

#if defined(MAGPIE_MACHINE_SIM)
enum rule {
  whole,
  relaxed_open,
  relaxed_data,
  relaxed_word,
  version_before_word,
  no_fence_before_write,
  no_fence_before_release,
  acq_rel_after_locks,
  look_before_locks,
  acq_rel_where_all_is_locked,
};

/// An object of two data, by accessors alone. Thread 0 opens it by version and reads both data; thread 1 commits a write of
/// both.
struct reader_and_writer {
  struct memory {
    std::uint32_t word = 0, version = 0;
    std::uint32_t values[2] = {0, 0};
    std::string outcome;
  };
  memory* m;
  rule broken;

  bool stands(std::uint32_t seen) const {
    if (broken == version_before_word) {
      const std::uint32_t version = ld_rlx_dev(&m->version);
      return (ld_acq_dev(&m->word) & 1) == 0 && version == seen;
    }
    const std::uint32_t word = broken == relaxed_word ? ld_rlx_dev(&m->word) : ld_acq_dev(&m->word);
    return (word & 1) == 0 && ld_rlx_dev(&m->version) == seen;
  }

  void operator()(const thread& self) const {
    if (self.rank() == 0) {
      const std::uint32_t seen = broken == relaxed_open ? ld_rlx_dev(&m->version) : ld_acq_dev(&m->version);
      const std::uint32_t word = broken == relaxed_open ? ld_rlx_dev(&m->word) : ld_acq_dev(&m->word);
      std::string read;
      bool ends = (word & 1) != 0;
      for (std::uint32_t i = 0; i < 2 && !ends; ++i) {
        read += std::to_string(broken == relaxed_data ? ld_rlx_dev(&m->values[i]) : ld_acq_dev(&m->values[i]));
        ends = !stands(seen);
      }
      m->outcome = ends ? "failed" : read;
    } else {
      if (cas_acq_dev(&m->word, 0u, 1u) != 0) return;
      const std::uint32_t version = ld_rlx_dev(&m->version);
      if (broken != no_fence_before_write) fence_acqrel_dev();
      st_rlx_dev(&m->version, version + 1);
      for (std::uint32_t& value : m->values) st_rlx_dev(&value, version + 1);
      if (broken != no_fence_before_release) fence_acqrel_dev();
      red_and_rlx_dev(&m->word, ~1u);
    }
  }
};

std::string read_beside_a_writer(rule broken) {
  reader_and_writer::memory memory;
  return test::outcomes(
      true, 2, 1,
      [&] {
        memory = {};
        return reader_and_writer{&memory, broken};
      },
      [&] { return memory.outcome; });
}

/// Two objects, two threads: each opens one and writes the other. The version stands for the data.
struct skew {
  struct memory {
    std::uint32_t words[2] = {0, 0}, versions[2] = {0, 0};
    std::string outcome = "..";
  };
  memory* m;
  rule broken;

  bool stands(std::uint32_t i, std::uint32_t seen) const {
    return (ld_acq_dev(&m->words[i]) & 1) == 0 && ld_rlx_dev(&m->versions[i]) == seen;
  }
  void operator()(const thread& self) const {
    const std::uint32_t me = self.rank(), other = 1 - me;
    const std::uint32_t seen = ld_acq_dev(&m->versions[other]);
    if (broken == look_before_locks && !stands(other, seen)) return;
    if (cas_acq_dev(&m->words[me], 0u, 1u) != 0) return;
    if (broken == acq_rel_after_locks) {
      fence_acqrel_dev();
    } else {
      fence_sc_dev();
    }
    if (broken == look_before_locks || stands(other, seen)) {
      st_rlx_dev(&m->versions[me], 1u);
      fence_acqrel_dev();
      m->outcome[me] = static_cast<char>('0' + seen);
    }
    red_and_rlx_dev(&m->words[me], ~1u);
  }
};

std::string skew_under(rule broken) {
  skew::memory memory;
  return test::outcomes(
      true, 2, 1,
      [&] {
        memory = {};
        return skew{&memory, broken};
      },
      [&] { return memory.outcome; });
}
/// Thread 0 writes object 1, having read object 0, of which the version stands for the data; thread 1 writes object 0, and
/// nothing else; thread 2 reads both. Thread 2 must not see what thread 1 wrote, and not what came before it. Thread 0 reads by
/// version or under a claim, which thread 1 steals.
struct chain {
  static constexpr std::uint32_t claim = 1 << 1, older = 2 << 1;
  struct memory {
    std::uint32_t words[2] = {0, 0}, version = 0;
    std::string outcome = "...";
  };
  memory* m;
  rule broken;
  bool claims;

  void operator()(const thread& self) const {
    if (self.rank() == 0) {
      cas_acq_dev(&m->words[1], 0u, 1u);
      if (broken == acq_rel_after_locks) {
        fence_acqrel_dev();
      } else {
        fence_sc_dev();
      }
      const bool stands = claims ? ld_rlx_dev(&m->words[0]) == claim
                                 : (ld_acq_dev(&m->words[0]) & 1) == 0 && ld_rlx_dev(&m->version) == 0;
      m->outcome[0] = stands ? 'c' : 'f';
    } else if (self.rank() == 1) {
      if (claims) {
        max_acq_dev(&m->words[0], older | 1u);
        and_rlx_dev(&m->words[0], ~1u);
        cas_rlx_dev(&m->words[0], older, 1u);
      } else {
        cas_acq_dev(&m->words[0], 0u, 1u);
      }
      if (broken == acq_rel_where_all_is_locked) {
        fence_acqrel_dev();
      } else {
        fence_sc_dev();
      }
      st_rlx_dev(&m->version, 1u);
    } else {
      m->outcome[1] = static_cast<char>('0' + ld_acq_dev(&m->version));
      m->outcome[2] = (ld_acq_dev(&m->words[1]) & 1) != 0 ? 'f' : 'c';
    }
  }
};

std::string chain_under(rule broken, bool claims) {
  chain::memory memory;
  return test::outcomes(
      true, 3, 1,
      [&] {
        memory = {};
        if (claims) memory.words[0] = chain::claim;
        return chain{&memory, broken, claims};
      },
      [&] { return memory.outcome; });
}
#endif

int main() {
  test::run("readers do not meet", [] {
    test::for_each_setting(test::scaled(8, 2), [](std::uint32_t threads) {
      test::region_options options;
      options.threads = threads;
      CHECK_EQ(aborts_of_readers<optimistic_hand_off>(options), 0u);
    });
  });
  test::run("scans beside transfers", [] {
    std::uint32_t number = 0;
    const std::uint32_t items = test::simulated ? 48 : test::scaled(20'000, 4'000);
    test::for_each_setting(test::scaled(12, 3), [&](std::uint32_t threads) {
      scans_beside_moves<13>(12, items, test::options_of(number++, threads));
    });
  });
  test::run("scans with logs that have an index", [] {
    const std::uint32_t items = test::simulated ? 32 : test::scaled(4'000, 400);
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled(8, 3), [&](std::uint32_t threads) {
      scans_beside_moves<300>(12, items, test::options_of(number++, threads));
    });
  });
  test::run("larger logs than the region declares", [] {
    const std::uint32_t items = test::simulated ? 24 : test::scaled(2'000, 200);
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled(8, 3), [&](std::uint32_t threads) {
      scans_beside_moves<4>(12, items, test::options_of(number++, threads));
    });
  });
  test::run("one counter", [] {
    const std::uint32_t items = test::simulated ? 48 : test::scaled(20'000, 2'000);
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled(12, 4), [&](std::uint32_t threads) {
      for (const bool planned : {false, true}) {
        object_array one(1);
        std::uint32_t value = 0;
        const auto options = test::options_of(number++, threads);
        const auto words = one.view<optimistic_hand_off>();
        if (planned) {
          test::finishes<optimistic_hand_off>(count_up<true>{words, {&value, 1}}, items, options, {&one});
        } else {
          test::finishes<optimistic_hand_off>(count_up<false>{words, {&value, 1}}, items, options, {&one});
        }
        CHECK_EQ(value, items);
      }
    });
  });

  test::run("inner transactions", [] {
    const std::uint32_t items = test::simulated ? 40 : test::scaled(10'000, 1'000);
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled(12, 4), [&](std::uint32_t threads) {
      for (const bool writes_first : {false, true}) {
        object_array things(4);
        std::vector<std::uint32_t> values(4, 0);
        const outer_and_inner region{things.view<optimistic_hand_off>(), {values.data(), 4}, writes_first};
        test::finishes<optimistic_hand_off>(region, items, test::options_of(number++, threads), {&things});
        std::vector<std::uint32_t> expected(4, 0);
        for (std::uint32_t item = 0; item < items; ++item) {
          for (std::uint32_t k = writes_first ? 0 : 1; k <= 2; ++k) ++expected[(item + k) % 4];
        }
        CHECK(values == expected);
      }
    });
  });
  test::run("losers in rounds", [] {
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled(12, 4), [&](std::uint32_t threads) {
      for (const bool in_step : {false, true}) {
        object_array things(2);
        std::vector<std::uint32_t> values(2, 0);
        host::worklist work({0, 1});
        host::rounds_options options;
        static_cast<test::region_options&>(options) = test::options_of(number++, threads);
        options.eager_attempts = 16;
        options.defer_losers = true;
        const auto before = host::simulated();
        if (in_step) host::simulated() = {0, test::plenty_of_steps, 2};
        const auto report = host::run_rounds<optimistic_hand_off>(
            [&] {
              return cross{things.view<optimistic_hand_off>(), {values.data(), 2}};
            },
            work, options);
        host::simulated() = before;
        CHECK(!report.stalled);
        CHECK_EQ(things.claimed(), 0u);
        CHECK_EQ(values[0] + values[1], 3u);  // one after the other
      }
    });
  });

#if defined(MAGPIE_MACHINE_SIM)
  test::run("readers that claim do", [] {
    std::uint64_t aborts = 0;
    test::for_each_setting(test::scaled(8, 2), [&](std::uint32_t threads) {
      test::region_options options;
      options.threads = threads;
      options.eager_attempts = 0;
      aborts += aborts_of_readers<optimistic_hand_off>(options);
    });
    CHECK(aborts > 0);
  });
  test::run("all schedules on weak memory, a reader and a writer", [] {
    CHECK_EQ(read_beside_a_writer(whole), "00 11 failed");
    // Each order is needed.
    for (const rule broken : {relaxed_open, relaxed_data, relaxed_word, version_before_word, no_fence_before_write,
                              no_fence_before_release}) {
      CHECK_CONTAINS(read_beside_a_writer(broken), "01");
    }
  });
  test::run("all schedules on weak memory, two that read what the other writes", [] {
    CHECK_EQ(skew_under(whole), ".. .0 0. 01 10");
    for (const rule broken : {acq_rel_after_locks, look_before_locks}) CHECK_CONTAINS(skew_under(broken), "00");
  });
  test::run("all schedules on weak memory, a chain of three", [] {
    const std::string wrong = "c1c";
    for (const bool claims : {false, true}) {
      const std::string right = chain_under(whole, claims);
      CHECK_CONTAINS(right, "c1f");
      CHECK_CONTAINS(right, "f1c");
      CHECK(right.find(wrong) == std::string::npos);
      for (const rule broken : {acq_rel_where_all_is_locked, acq_rel_after_locks}) {
        CHECK_CONTAINS(chain_under(broken, claims), wrong);
      }
    }
  });
#endif
  return test::finish();
}
