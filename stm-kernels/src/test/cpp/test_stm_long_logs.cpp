// flavors: cpu sim cpu-asan cpu-tsan
// full flavors: sim
// full build: -DMAGPIE_INDEX_ALL_LOGS
// build: -DMAGPIE_TEST_PLAIN
// Long logs find what is in them by an index: against a map of what must be there, with objects opened again, writes of
// inner transactions that are undone, attempts that are repeated, and addresses that all lie in one place of the table.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::object_array;

/// Keys, and the places they have in an index, taken and given back at random.
void use_index(std::uint32_t places, const std::vector<const std::uint32_t*>& keys, std::uint64_t seed) {
  test::random random(seed);
  std::vector<std::uint32_t> memory(3 * places);  // holds anything: also places that will be in use
  for (std::uint32_t& word : memory) word = random.below(2) == 0 ? random.below(3 * places) : 0;
  stm::place_index index(memory.data(), memory.data() + places, places);
  std::vector<const std::uint32_t*> entered;
  const auto places_of = [&](const std::uint32_t* key) {
    std::vector<std::uint32_t> found;
    index.probe(key, static_cast<std::uint32_t>(entered.size()), [&](std::uint32_t place) {
      CHECK(place < entered.size());
      if (entered[place] == key) found.push_back(place);
      return false;
    });
    std::sort(found.begin(), found.end());
    return found;
  };
  for (std::uint32_t step = 0; step < 8 * places + 50; ++step) {
    const std::uint32_t* const key = keys[random.below(static_cast<std::uint32_t>(keys.size()))];
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < entered.size(); ++i) {
      if (entered[i] == key) expected.push_back(i);
    }
    CHECK(places_of(key) == expected);
    if (entered.size() == places || random.below(40) == 0) {
      entered.resize(random.below(static_cast<std::uint32_t>(entered.size()) + 1));
    } else {
      index.enter(key, static_cast<std::uint32_t>(entered.size()));
      entered.push_back(key);
    }
  }
}

/// What an attempt of `random_operations` must find: what it opened, in order, and what each datum must be.
struct model {
  std::map<std::uint32_t, std::uint32_t> places;  // by object
  std::map<std::uint32_t, std::uint32_t> values;  // by object, once it was read
  std::map<std::uint32_t, std::uint32_t> added;   // by object
};

/// Each item opens, reads and adds 1 to objects at random, also in inner transactions, of which some attempts are made in
/// vain; of every third item so is the first attempt. What its log gives is compared with a model at once.
template <std::uint32_t Objects, std::uint32_t Writes>
struct random_operations {
  stm::objects things;
  array<std::uint32_t> values;
  std::uint32_t operations;
  std::uint64_t seed;
  std::uint32_t* wrong;
  std::map<std::uint32_t, std::uint32_t>* added;  // of each item
  std::uint32_t* attempts;                        // of each item
  static constexpr std::uint32_t max_objects = Objects, max_writes = Writes;

  template <class Tx>
  outcome run(Tx& tx, model& known, test::random& random, std::uint32_t count, std::uint32_t depth) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t what = random.below(depth < 3 ? 17 : 16);
      if (what == 16) {
        const std::uint32_t in_vain = random.below(3);
        const model before = known;
        std::uint32_t tried = 0;
        const outcome inner = tx.inner(in_vain + 1, [&](Tx& in) {
          known = before;
          if (run(in, known, random, 1 + random.below(count / 4 + 1), depth + 1) != outcome::commit)
            return outcome::retry;
          return tried++ < in_vain ? outcome::retry : outcome::commit;
        });
        if (inner != outcome::commit) return outcome::retry;
        continue;
      }
      const std::uint32_t id = random.below(things.count);
      const auto object = tx.open(things, id);
      if (!object) return outcome::retry;
      const auto place = known.places.emplace(id, static_cast<std::uint32_t>(known.places.size())).first->second;
      if (object.place != place) red_add_rlx_dev(wrong, 1u);
      if (what < 4) continue;
      std::uint32_t value;
      if (!tx.read(object, &values[id], value)) return outcome::retry;
      const auto [known_value, is_first] = known.values.emplace(id, value);
      if (!is_first && known_value->second != value) red_add_rlx_dev(wrong, 1u);
      if (what < 9) continue;
      if (!tx.write(object, &values[id], value + 1)) return outcome::retry;
      ++known_value->second;
      ++known.added[id];
    }
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t attempt = attempts[item]++;
    test::random random(seed * 1000003 + item * 8 + (attempt < 7 ? attempt : 7));  // others than those before
    model known;
    if (run(tx, known, random, operations, 0) != outcome::commit) return outcome::retry;
    if (attempt == 0 && item % 3 == 0) return outcome::retry;
    added[item] = known.added;
    return outcome::commit;
  }
};

template <class Policy, std::uint32_t Objects, std::uint32_t Writes>
void operate(std::uint32_t n, std::uint32_t items, std::uint32_t operations, std::uint64_t seed,
             std::uint32_t threads) {
  object_array things(n);
  std::vector<std::uint32_t> values(n, 0), attempts(items, 0);
  std::vector<std::map<std::uint32_t, std::uint32_t>> added(items);
  std::uint32_t wrong = 0;
  const random_operations<Objects, Writes> region{things.view<Policy>(), {values.data(), n}, operations, seed, &wrong,
                                                  added.data(),          attempts.data()};
  const test::region_options options = test::options_of(static_cast<std::uint32_t>(seed), threads);
  test::region_report report;
  if constexpr (std::is_same_v<Policy, stm::hand_off>) {
    report = test::finishes(region, items, options, {&things});
  } else {
    report = test::tries(region, items, options, {&things});
  }
  CHECK_EQ(wrong, 0u);
  for (const std::uint32_t item : report.unfinished) added[item].clear();
  std::vector<std::uint32_t> expected(n, 0);
  for (const auto& of_item : added) {
    for (const auto& [id, times] : of_item) expected[id] += times;
  }
  CHECK(values == expected);
}

/// Adds 1 to each of the ids of its item, twice to those that come twice, and opens all once more.
struct add_each {
  stm::objects things;
  array<std::uint32_t> values;
  const std::uint32_t* ids;
  std::uint32_t n;  // of each item
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t id = ids[std::uint64_t{item} * n + i];
      const auto object = tx.open(things, id);
      std::uint32_t value;
      if (!tx.read(object, &values[id], value) || !tx.write(object, &values[id], value + 1)) return outcome::retry;
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!tx.open(things, ids[std::uint64_t{item} * n + i])) return outcome::retry;
    }
    return outcome::commit;
  }
};

template <class Policy>
test::region_report add(object_array& things, const std::vector<std::uint32_t>& ids, std::uint32_t items,
                        const test::region_options& options) {
  std::vector<std::uint32_t> values(things.count(), 0), expected(things.count(), 0);
  const auto n = static_cast<std::uint32_t>(ids.size() / items);
  const add_each region{things.view<Policy>(), {values.data(), values.size()}, ids.data(), n};
  test::region_report report;
  if constexpr (std::is_same_v<Policy, stm::hand_off>) {
    report = test::finishes(region, items, options, {&things});
  } else {
    report = test::tries(region, items, options, {&things});
  }
  std::vector<bool> is_left(items, false);
  for (const std::uint32_t item : report.unfinished) is_left[item] = true;
  for (std::size_t i = 0; i < ids.size(); ++i) expected[ids[i]] += is_left[i / n] ? 0 : 1;
  CHECK(values == expected);
  return report;
}

/// `make(policy)` under each.
template <class Make>
void under_both(const char* name, Make&& make) {
  test::run((std::string(name) + ", hand_off").c_str(), [&] { make(stm::hand_off{}); });
  test::run((std::string(name) + ", priority_rule").c_str(), [&] { make(stm::priority_rule{}); });
}

int main() {
  const std::vector<std::uint32_t> words(1 << 18);
  test::run("places by address", [&] {
    for (const std::uint32_t places : {1u, 2u, 3u, 16u, 100u}) {
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::uint32_t stride = std::uint32_t{1} << seed % 10;
        std::vector<const std::uint32_t*> keys, colliding;
        for (std::uint32_t i = 0; i < 2 * places + 1; ++i) keys.push_back(&words[i * stride]);
        for (std::uint32_t i = 0; colliding.size() < std::size_t{places} + 1 && i < words.size(); ++i) {
          // The last two slots: the search goes on at the first one.
          if (stm::place_index::first_slot(&words[i], 2 * places) + 2 >= 2 * places) colliding.push_back(&words[i]);
        }
        use_index(places, keys, seed);
        use_index(places, colliding, seed);
      }
    }
  });

  test::run("addresses in steps", [&] {
    // What a search looks at, for ids that lie as regular as can be: few steps on average, whatever the step.
    const std::uint32_t places = 4096;
    for (std::uint64_t step = 4; step <= std::uint64_t{1} << 33; step = step % 3 == 0 ? step / 3 * 4 : step / 2 * 3) {
      std::vector<std::uint32_t> memory(3 * places, 0);
      stm::place_index index(memory.data(), memory.data() + places, places);
      std::uint64_t looks = 0;
      for (std::uint32_t i = 0; i < places; ++i) {
        const auto* const key = reinterpret_cast<const void*>(0x7f0000000000u + i * step);
        index.probe(key, i, [&](std::uint32_t) { return ++looks, false; });
        index.enter(key, i);
      }
      CHECK(looks < 2 * places);
    }
  });

  under_both("at random", [](auto policy) {
    using Policy = decltype(policy);
    std::uint64_t seed = 0;
    test::for_each_setting(test::scaled(8, 2), [&](std::uint32_t threads) {
      const std::uint32_t items = test::simulated ? 4 : test::scaled(60, 20);
      operate<Policy, 2, 1>(200, items, 40, ++seed, threads);
      operate<Policy, 3, 9>(12, items, 12, ++seed, threads);
      operate<Policy, 9, 2>(1000, items / 2, test::simulated ? 60 : 300, ++seed, threads);
      operate<Policy, 300, 300>(400, items / 2, test::simulated ? 60 : 300, ++seed, threads);
    });
  });

  under_both("in one place of the table", [](auto policy) {
    const std::uint32_t n = test::simulated ? 1 << 16 : 1 << 18;
    object_array things(n);
    const auto view = things.view<decltype(policy)>();
    // 512 objects in the second pass over items that overflow.
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; id < n && ids.size() < 200; ++id) {
      if (stm::place_index::first_slot(view.words + id, 1024) >= 1020) ids.push_back(id);
    }
    CHECK_EQ(ids.size(), 200u);
    for (std::uint32_t i = 0; i < 50; ++i) ids.push_back(ids[i * 3]);
    test::region_options options;
    options.threads = 1;
    host::simulated() = {0, 0, 1};
    CHECK_EQ(add<decltype(policy)>(things, ids, 1, options).passes, 3u);
  });

  under_both("the same objects in other orders", [](auto policy) {
    test::for_each_setting(test::scaled(8, 2), [&](std::uint32_t threads) {
      const std::uint32_t n = 60, items = test::simulated ? 5 : 40;
      object_array things(n);
      std::vector<std::uint32_t> ids;
      test::random random(threads);
      for (std::uint32_t i = 0; i < items * 50; ++i) ids.push_back(random.below(n));
      add<decltype(policy)>(things, ids, items, test::options_of(threads, threads));
    });
  });

#if defined(MAGPIE_MACHINE_SIM)
  under_both("steps grow with the objects, not with their square", [](auto policy) {
    const std::uint32_t n = 1000;
    object_array things(n);
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; id < n; ++id) ids.push_back(id);
    test::region_options options;
    options.threads = 1;
    host::simulated() = {0, 0, 1};
    host::simulated().max_steps = 60 * n;  // half a million where every read looks at every claim
    CHECK_EQ(add<decltype(policy)>(things, ids, 1, options).statistics[test::counter::commits], 1u);
    host::simulated().max_steps = test::plenty_of_steps;
  });
#else
  test::run("100,000 objects", [] {
    const std::uint32_t n = test::scaled(100'000, 10'000);
    object_array things(4 * n);
    std::vector<std::uint32_t> ids;
    test::random random(1);
    for (std::uint32_t i = 0; i < n; ++i) ids.push_back(4 * i + random.below(4));
    for (std::uint32_t i = n - 1; i > 0; --i) std::swap(ids[i], ids[random.below(i + 1)]);
    test::region_options options;
    CHECK_EQ(add<stm::hand_off>(things, ids, 1, options).statistics[test::counter::commits], 1u);
    // Four at once, which meet in a fifth of their objects.
    ids.clear();
    for (std::uint32_t i = 0; i < n; ++i) ids.push_back(random.below(5 * n / 4));
    add<stm::hand_off>(things, ids, 4, options);
  });
#endif
  return test::finish();
}
