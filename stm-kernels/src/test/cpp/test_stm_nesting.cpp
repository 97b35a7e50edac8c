// flavors: cpu sim
// full build: -DMAGPIE_TEST_PLAIN
// full build: -DMAGPIE_INDEX_ALL_LOGS
// build(sim): -DMAGPIE_MUTANTS
// full build(sim): -DMAGPIE_TEST_COMPARISONS
/// @file
/// Inner transactions inside inner transactions, decisions that rest on what an undone one has read, and alternatives.
#include "stm_test.hpp"

namespace {

using magpie::stm::outcome;

/// In its first attempt the middle transaction's own inner one cancels and the middle one asks for another attempt; in
/// the second both go well. `insist`: the middle one commits although its inner one canceled.
struct undone_cancel {
  magpie::stm::objects guard;
  magpie::array<std::uint32_t> value;
  std::uint32_t insist;

  static constexpr std::uint32_t max_objects = 1;
  static constexpr std::uint32_t max_writes = 4;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t) const {
    const auto g = tx.open(guard, 0);
    std::uint32_t x;
    if (!tx.read(g, &value[0], x)) return outcome::retry;
    int turn = 0;
    return tx.inner(3, [&](auto& middle) {
      const bool first = turn++ == 0;
      const outcome innermost = middle.inner(1, [&](auto&) { return first ? outcome::cancel : outcome::commit; });
      if (innermost != outcome::commit && insist == 0) return outcome::retry;
      return middle.write(g, &value[0], x + 1) ? outcome::commit : outcome::retry;
    });
  }
};

/// Two values are equal in every state. Even items add 1 to both; odd items look at both, in an inner transaction,
/// and cancel if they differ, which therefore must never be.
template <magpie::stm::reads Reads>
struct equal_pair {
  magpie::stm::objects things;
  magpie::array<std::uint32_t> pair;

  static constexpr std::uint32_t max_objects = 3;
  static constexpr std::uint32_t max_writes = 2;
  static constexpr magpie::stm::reads reads = Reads;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t item) const {
    std::uint32_t x;
    std::uint32_t y;
    if (item % 2 == 0) {
      const auto a = tx.open(things, 0);
      const auto b = tx.open(things, 1);
      if (!tx.read(a, &pair[0], x) || !tx.read(b, &pair[1], y)) return outcome::retry;
      if (!tx.write(a, &pair[0], x + 1) || !tx.write(b, &pair[1], x + 1)) return outcome::retry;
      return outcome::commit;
    }
    const auto own = tx.open(things, 2 + item);
    if (!own) return outcome::retry;
    return tx.inner(2, [&](auto& inner) {
      const auto a = inner.open(things, 0);
      const auto b = inner.open(things, 1);
      if (!inner.read(a, &pair[0], x) || !inner.read(b, &pair[1], y)) return outcome::retry;
      return x != y ? outcome::cancel : outcome::commit;
    });
  }
};

template <magpie::stm::reads Reads>
void never_unequal(std::uint32_t threads) {
  magpie::host::object_array things(32);
  magpie::host::buffer<std::uint32_t> pair(2, 0);
  test::region_options options;
  options.threads = threads;
  const auto report =
      test::finishes(equal_pair<Reads>{things.view<magpie::stm::hand_off>(), pair.view()}, 24, options, {&things});
  CHECK_EQ(report.statistics[magpie::stm::counter::cancels], 0u);
  CHECK_EQ(pair.get()[0], 12u);
  CHECK_EQ(pair.get()[1], 12u);
}

/// Every third item puts 3 into the first of two purses; the others take 3 from it, or else from the second one. Each notes
/// what it did, and which version of each purse it found. `Within`: in an inner transaction, and with a further choice that
/// always cancels.
template <bool Within>
struct either {
  struct deed {
    std::uint32_t kind;  ///< 0 nothing, 1 put, 2 took from the first, 3 from the second
    std::uint32_t first, second;
  };

  magpie::stm::objects purses;  ///< the two, then one for each item
  magpie::array<std::uint32_t> left;
  magpie::array<std::uint32_t> versions;
  magpie::array<deed> deeds;

  static constexpr std::uint32_t max_objects = 3;
  static constexpr std::uint32_t max_writes = 12;

  template <class Tx>
  bool change(Tx& tx, magpie::stm::handle purse, std::uint32_t which, std::uint32_t to, std::uint32_t version) const {
    return tx.write(purse, &left[which], to) && tx.write(purse, &versions[which], version + 1);
  }

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t item) const {
    deed mine = {};
    const auto own = tx.open(purses, 2 + item);
    const auto take = [&](std::uint32_t which) {
      return [&, which](Tx& alternative) {
        const auto purse = alternative.open(purses, which);
        std::uint32_t there, again, version;
        if (!alternative.read(purse, &left[which], there) || !alternative.read(purse, &versions[which], version)) {
          return outcome::retry;
        }
        (which == 0 ? mine.first : mine.second) = version;
        // Before it looks whether there is enough; and it reads what it wrote.
        if (!change(alternative, purse, which, there - 3, version)) return outcome::retry;
        if (!alternative.read(purse, &left[which], again)) return outcome::retry;
        CHECK_EQ(again, there - 3);
        if (there < 3) return outcome::cancel;
        mine.kind = 2 + which;
        return outcome::commit;
      };
    };
    outcome result;
    if (item % 3 == 0) {
      const auto purse = tx.open(purses, 0);
      std::uint32_t there, version;
      if (!tx.read(purse, &left[0], there) || !tx.read(purse, &versions[0], version)) return outcome::retry;
      if (!change(tx, purse, 0, there + 3, version)) return outcome::retry;
      mine = {1, version, 0};
      result = outcome::commit;
    } else if constexpr (Within) {
      result = tx.inner(3, [&](Tx& inner) {
        const auto choice = [&](Tx& alternative) { return alternative.or_else(take(0), take(1)); };
        const auto never = [&](Tx& alternative) {
          return alternative.write(own, &deeds[item].kind, 77u) ? outcome::cancel : outcome::retry;
        };
        return inner.or_else(never, choice);
      });
    } else {
      result = tx.or_else(take(0), take(1));
    }
    if (result != outcome::commit) return result;
    const bool noted = tx.write(own, &deeds[item].kind, mine.kind) && tx.write(own, &deeds[item].first, mine.first) &&
                       tx.write(own, &deeds[item].second, mine.second);
    return noted ? outcome::commit : outcome::retry;
  }
};

/// Runs it and looks whether all is as in one order of the items.
template <bool Within, class Policy>
bool chooses_well(std::uint32_t items, const test::region_options& options) {
  using deed = typename either<Within>::deed;
  magpie::host::object_array purses(2 + items);
  std::vector<std::uint32_t> left = {4, 5 * items}, versions = {0, 0};
  std::vector<deed> deeds(items, deed{});
  const either<Within> region{purses.view<Policy>(), {left.data(), 2}, {versions.data(), 2}, {deeds.data(), items}};
  if constexpr (std::is_same_v<Policy, magpie::stm::hand_off>) {
    test::finishes(region, items, options, {&purses});
  } else {
    test::tries<Policy>(region, items, options, {&purses});
  }
  std::vector<std::uint32_t> change(versions[0], 9), found(versions[1], ~0u);
  std::uint32_t took[2] = {0, 0};
  bool well = true;
  for (const deed& each : deeds) {
    if (each.kind == 1 || each.kind == 2) {
      well = well && each.first < change.size() && change[each.first] == 9;  // once each
      if (well) change[each.first] = each.kind;
    } else if (each.kind == 3) {
      well = well && each.second < found.size() && found[each.second] == ~0u;
      if (well) found[each.second] = each.first;
    }
    if (each.kind >= 2) ++took[each.kind - 2];
  }
  if (!well) return false;
  std::vector<std::uint32_t> content = {4};  // of the first purse by version
  for (const std::uint32_t kind : change) {
    if (kind == 9 || (kind == 2 && content.back() < 3)) return false;
    content.push_back(kind == 1 ? content.back() + 3 : content.back() - 3);
  }
  std::uint32_t before = 0;
  for (const std::uint32_t version : found) {
    if (version >= content.size() || content[version] >= 3 || version < before) return false;
    before = version;
  }
  return left[0] == content.back() && left[1] == 5 * items - 3 * took[1];
}

/// Odd items add 1; even ones write something else in an alternative that cancels, and commit without any write.
struct writes_in_vain {
  magpie::stm::objects things;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2;
  static constexpr std::uint32_t max_writes = 2;

  template <class Tx>
  outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t which = item / 2 % 3;
    const auto thing = tx.open(things, which);
    std::uint32_t value;
    if (!tx.read(thing, &values[which], value)) return outcome::retry;
    if (item % 2 != 0) return tx.write(thing, &values[which], value + 1) ? outcome::commit : outcome::retry;
    const auto in_vain = [&](Tx& within) {
      return within.write(thing, &values[which], value + 100) ? outcome::cancel : outcome::retry;
    };
    const auto nothing = [](Tx&) { return outcome::commit; };
    return tx.or_else(in_vain, nothing);
  }
};

template <class Policy>
void undone_writes(std::uint32_t items, const test::region_options& options) {
  magpie::host::object_array things(3);
  std::vector<std::uint32_t> values(3, 0), expected(3, 0);
  const writes_in_vain region{things.view<Policy>(), {values.data(), 3}};
  test::region_report report;
  if constexpr (std::is_same_v<Policy, magpie::stm::hand_off>) {
    report = test::finishes(region, items, options, {&things});
  } else {
    report = test::tries<Policy>(region, items, options, {&things});
  }
  std::vector<bool> unfinished(items, false);
  for (const std::uint32_t item : report.unfinished) unfinished[item] = true;
  for (std::uint32_t item = 1; item < items; item += 2) {
    if (!unfinished[item]) ++expected[item / 2 % 3];
  }
  for (std::uint32_t i = 0; i < 3; ++i) CHECK_EQ(values[i], expected[i]);
}

template <class Policy>
void alternatives(const char* name) {
  test::run(("alternatives under " + std::string(name)).c_str(), [] {
    std::uint32_t number = 0;
    test::for_each_setting(test::scaled_without_mutants(20, 6), [&](std::uint32_t threads) {
      const std::uint32_t items = test::simulated ? 40 : 2'000;
      const auto options = test::options_of(number++, threads);
      CHECK((chooses_well<false, Policy>(items, options)));
      CHECK((chooses_well<true, Policy>(items, options)));
      undone_writes<Policy>(test::simulated ? 90 : 3'000, options);
    });
  });
}

}  // namespace

int main() {
  test::for_each_other_policy([]<class Policy>(const char* name, Policy) { alternatives<Policy>(name); });
  if (!test::tests_hand_off) return test::finish();
  alternatives<magpie::stm::hand_off>("hand_off");
#if defined(MAGPIE_MUTANTS)
  test::run("a first alternative whose writes stay", [] {
    magpie::stm::chosen_mutant = magpie::stm::mutant::alternative_keeps_writes;
    CHECK(!(chooses_well<false, magpie::stm::hand_off>(40, {})));
    magpie::stm::chosen_mutant = magpie::stm::mutant::none;
  });
#endif
  test::run("an undone cancel cancels nothing", [] {
    test::for_each_setting(2, [](std::uint32_t threads) {
      magpie::host::object_array guard(1);
      magpie::host::buffer<std::uint32_t> value(1, 0);
      test::region_options options;
      options.threads = threads;
      test::finishes(undone_cancel{guard.view<magpie::stm::hand_off>(), value.view(), 0}, 5, options, {&guard});
      CHECK_EQ(value.get()[0], 5u);
    });
  });
  test::run("a cancel that stands cancels all", [] {
    test::for_each_setting(2, [](std::uint32_t threads) {
      magpie::host::object_array guard(1);
      magpie::host::buffer<std::uint32_t> value(1, 0);
      test::region_options options;
      options.threads = threads;
      const auto report =
          test::finishes(undone_cancel{guard.view<magpie::stm::hand_off>(), value.view(), 1}, 5, options, {&guard});
      CHECK_EQ(report.statistics[magpie::stm::counter::cancels], 5u);
      CHECK_EQ(value.get()[0], 0u);
    });
  });
  test::run("a cancel rests on one state", [] {
    test::for_each_setting(test::scaled_without_mutants(100, 40), [](std::uint32_t threads) {
      never_unequal<magpie::stm::reads::unvalidated>(threads);
      never_unequal<magpie::stm::reads::validated>(threads);
    });
  });
  return test::finish();
}
