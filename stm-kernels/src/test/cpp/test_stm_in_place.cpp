// flavors: cpu sim cpu-asan cpu-tsan
// full build: -DMAGPIE_CHECKED
// build(sim): -DMAGPIE_MUTANTS
/// @file
/// Writes in place: whatever undoes an attempt, an inner transaction or an alternative, memory is as it was. What should be there
/// is computed from copies of all data, without a log. With mutants: that each step of an undo is needed.
#include <algorithm>
#include <random>

#include "stm_test.hpp"

using namespace magpie;
using stm::mutant;
using stm::outcome;
using test::object_array;

namespace {

constexpr std::uint32_t objects = 3;

enum class kind : std::uint32_t { add, inner, either };

/// What becomes of an inner transaction.
enum fate : std::uint32_t { goes_well, goes_well_the_second_time, fails_the_first_attempt, gives_up, fates };

/// A step of an item, or the item itself. Its parts are steps from `first` to `middle` and from there to `last`.
struct step {
  kind what;
  std::uint32_t object;  ///< `add`: whose data
  std::uint32_t delta;   ///< `add`: by how much
  std::uint32_t ends;    ///< `inner`: a `fate`; `either`: bit k: alternative k cancels; an item: 1 = cancels
  std::uint32_t first, middle, last;
  std::uint32_t retries;  ///< an item: attempts in vain that it asks for
};

/// What an item saw that it should not have, one bit each.
enum flaw : std::uint32_t { differing_data = 1, not_in_place = 2, own_write_unread = 4, uncommitted_data = 8 };

/// Runs drawn items. Of each object there are `Data` data of different sizes, which are equal in every state.
template <stm::reads Reads, std::uint32_t Data, std::uint32_t MaxWrites>
struct drawn {
  stm::objects things;
  array<std::uint32_t> values;
  array<std::uint64_t> wide;
  array<std::uint8_t> narrow;
  array<const step> items;
  array<const step> steps;
  array<std::uint32_t> attempts;
  array<std::uint32_t> flaws;

  static constexpr std::uint32_t max_objects = objects, max_writes = MaxWrites;
  static constexpr stm::reads reads = Reads;
  static constexpr bool narrow_writes = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t before = add_rlx_dev(&attempts[item], 1u);
    const outcome result = run(tx, item, before == 0, items[item].first, items[item].last);
    if (result != outcome::commit) return result;
    if (before < items[item].retries) return outcome::retry;
    return items[item].ends != 0 ? outcome::cancel : outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE outcome run(Tx& tx, std::uint32_t item, bool is_first, std::uint32_t from, std::uint32_t to) const {
    outcome result = outcome::commit;
    for (std::uint32_t i = from; i < to && result == outcome::commit; ++i) {
      const step& s = steps[i];
      if (s.what == kind::add) {
        result = add(tx, item, s);
      } else if (s.what == kind::inner) {
        std::uint32_t turn = 0;
        result = tx.inner(2, [&](Tx& inner) {
          const outcome within = run(inner, item, is_first, s.first, s.last);
          if (within != outcome::commit || s.ends == goes_well) return within;
          if (s.ends == gives_up) return outcome::cancel;
          const bool fails = s.ends == fails_the_first_attempt ? is_first : turn++ == 0;
          return fails ? outcome::retry : outcome::commit;
        });
      } else {
        const auto either = [&](std::uint32_t first, std::uint32_t last, bool cancels) {
          return [&, first, last, cancels](Tx& alternative) {
            const outcome within = run(alternative, item, is_first, first, last);
            return within == outcome::commit && cancels ? outcome::cancel : within;
          };
        };
        result =
            tx.or_else(either(s.first, s.middle, (s.ends & 1u) != 0), either(s.middle, s.last, (s.ends & 2u) != 0));
      }
    }
    return result;
  }

  template <class Tx>
  MAGPIE_DEVICE outcome add(Tx& tx, std::uint32_t item, const step& s) const {
    const stm::handle object = tx.open(things, s.object);
    std::uint32_t found;
    if (!tx.read(object, &values[s.object], found)) return outcome::retry;
    const std::uint32_t sum = found + s.delta;
    if (!change(tx, item, object, &values[s.object], found, sum)) return outcome::retry;
    if constexpr (Data > 1) {
      if (!change<std::uint64_t>(tx, item, object, &wide[s.object], found, sum)) return outcome::retry;
      if (!change(tx, item, object, &narrow[s.object], static_cast<std::uint8_t>(found),
                  static_cast<std::uint8_t>(sum))) {
        return outcome::retry;
      }
    }
    return outcome::commit;
  }
  template <class T, class Tx>
  MAGPIE_DEVICE bool change(Tx& tx, std::uint32_t item, stm::handle object, T* p, T expected, T to) const {
    // What no commit leaves, since the write that follows replaces it.
    constexpr T half_done = sizeof(T) > 1 ? T(1) << (8 * sizeof(T) - 1) : T(0);
    T found;
    if (!tx.read(object, p, found)) return false;
    if ((found & half_done) != 0) flaws[item] |= uncommitted_data;
    // Unvalidated reads of an attempt that fails may be of two states.
    if (Reads == stm::reads::validated && found != expected) flaws[item] |= differing_data;
    if (!tx.write(object, p, static_cast<T>(to | half_done)) || !tx.write(object, p, to)) return false;
    if (ld_rlx_dev(p) != to) flaws[item] |= not_in_place;
    if (!tx.read(object, p, found)) return false;
    if (found != to) flaws[item] |= own_write_unread;
    return true;
  }
};

/// Items, and what they leave.
struct program {
  std::vector<step> items;
  std::vector<step> steps;

  program(std::uint32_t seed, std::uint32_t count, std::uint32_t most_steps) : draw_(seed) {
    for (std::uint32_t i = 0; i < count; ++i) {
      step item = block(1 + below(most_steps), 2, true);
      item.ends = below(6) == 0;
      item.retries = below(12) == 0 ? 1000 : below(3) == 0 ? 1 + below(2) : 0;
      items.push_back(item);
    }
  }

  /// What the values are after the items that end, and none of the others.
  std::vector<std::uint32_t> values_after(const std::vector<bool>& ended) const {
    std::vector<std::uint32_t> values(objects, 0);
    for (std::size_t i = 0; i < items.size(); ++i) {
      std::vector<std::uint32_t> after = values;
      if (ended[i] && run(after, items[i].first, items[i].last) && items[i].ends == 0) values = after;
    }
    return values;
  }

 private:
  std::uint32_t below(std::uint32_t n) { return draw_() % n; }

  /// `n` steps one after the other, and a block of them. Inner transactions give up where that ends the item.
  step block(std::uint32_t n, std::uint32_t depth, bool may_give_up) {
    std::vector<step> mine;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t what = depth == 0 ? 0 : below(4);
      step each{};
      if (what == 1) {
        each = block(1 + below(2), depth - 1, may_give_up);
        each.what = kind::inner;
        each.ends = below(may_give_up ? fates : gives_up);
      } else if (what == 2) {
        const step first = block(1 + below(2), depth - 1, false);
        const std::vector<step> kept(steps.begin() + first.first, steps.begin() + first.last);
        const step second = block(1 + below(2), depth - 1, false);
        const std::vector<step> others(steps.begin() + second.first, steps.begin() + second.last);
        each.first = static_cast<std::uint32_t>(steps.size());
        steps.insert(steps.end(), kept.begin(), kept.end());
        each.middle = static_cast<std::uint32_t>(steps.size());
        steps.insert(steps.end(), others.begin(), others.end());
        each.last = static_cast<std::uint32_t>(steps.size());
        each.what = kind::either;
        each.ends = below(4);
      } else {
        each.object = below(objects);
        each.delta = 1 + below(5);
      }
      mine.push_back(each);
    }
    step all{};
    all.first = all.middle = static_cast<std::uint32_t>(steps.size());
    steps.insert(steps.end(), mine.begin(), mine.end());
    all.last = static_cast<std::uint32_t>(steps.size());
    return all;
  }

  /// The steps in an attempt that nobody disturbs and that asks for no other; whether they go well.
  bool run(std::vector<std::uint32_t>& values, std::uint32_t from, std::uint32_t to) const {
    for (std::uint32_t i = from; i < to; ++i) {
      const step& s = steps[i];
      if (s.what == kind::add) {
        values[s.object] += s.delta;
      } else if (s.what == kind::inner) {
        if (!run(values, s.first, s.last) || s.ends == gives_up) return false;
      } else {
        std::vector<std::uint32_t> first = values;
        if (run(first, s.first, s.middle) && (s.ends & 1u) == 0) {
          values = first;
        } else if (!run(values, s.middle, s.last) || (s.ends & 2u) != 0) {
          return false;
        }
      }
    }
    return true;
  }

  std::mt19937 draw_;
};

/// What is wrong after a launch of `what`; empty if nothing is.
template <class Policy, stm::reads Reads, std::uint32_t Data, std::uint32_t MaxWrites>
std::string wrong_after(const program& what, std::uint32_t number, std::uint32_t threads) {
  object_array things(objects);
  const auto n = static_cast<std::uint32_t>(what.items.size());
  std::vector<std::uint32_t> values(objects, 0), attempts(n, 0), flaws(n, 0);
  std::vector<std::uint64_t> wide(objects, 0);
  std::vector<std::uint8_t> narrow(objects, 0);
  const drawn<Reads, Data, MaxWrites> region{things.view<Policy>(),  {values.data(), objects},
                                             {wide.data(), objects}, {narrow.data(), objects},
                                             {what.items.data(), n}, {what.steps.data(), what.steps.size()},
                                             {attempts.data(), n},   {flaws.data(), n}};
  test::region_options options = test::options_of(number, threads);
  options.max_attempts = 40;
  const auto report = host::run_region<Policy>(region, n, options);
  std::vector<bool> ended(n, true);
  for (const std::uint32_t position : report.unfinished) ended[position] = false;
  const std::vector<std::uint32_t> expected = what.values_after(ended);
  if (things.claimed() != 0) return "an object is locked after the launch";
  for (std::uint32_t i = 0; i < n; ++i) {
    if (flaws[i] != 0) return "item " + std::to_string(i) + " saw " + std::to_string(flaws[i]);
  }
  for (std::uint32_t k = 0; k < objects; ++k) {
    if (values[k] != expected[k] || (Data > 1 && (wide[k] != values[k] || narrow[k] != (values[k] & 0xffu)))) {
      return "data of object " + std::to_string(k) + " are " + std::to_string(values[k]) + ", " +
             std::to_string(wide[k]) + " and " + std::to_string(narrow[k]) + ", not " + std::to_string(expected[k]);
    }
  }
  return "";
}

/// One thread: nothing fails but what asks for it. Logs in registers, in memory, and those that are outgrown.
template <class Policy>
std::string wrong_alone(std::uint32_t seeds) {
#if defined(MAGPIE_MACHINE_SIM)
  host::simulated() = {};
  host::simulated().width = 1;
#endif
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const program few(seed, 4, 2), many(seed, 6, 5);
    std::string wrong = wrong_after<Policy, stm::reads::validated, 1, 4>(few, seed, 1);
    if (wrong.empty()) wrong = wrong_after<Policy, stm::reads::validated, 3, 64>(many, seed, 1);
    if (wrong.empty()) wrong = wrong_after<Policy, stm::reads::unvalidated, 3, 5>(many, seed, 1);
    if (!wrong.empty()) return "seed " + std::to_string(seed) + ": " + wrong;
  }
  return "";
}

#if defined(MAGPIE_MACHINE_SIM)
/// Three threads under drawn schedules, most of them on weak memory.
template <class Policy>
std::string wrong_together(std::uint32_t seeds) {
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const program few(seed, 6, 2);
    const std::string name = test::simulate_by(seed, 1);
    if (host::simulated().plan != nullptr) host::simulated().plan->length = 300;
    host::simulated().max_steps = test::plenty_of_steps;
    std::string wrong = wrong_after<Policy, stm::reads::validated, 1, 4>(few, seed, 3);
    if (wrong.empty()) wrong = wrong_after<Policy, stm::reads::unvalidated, 3, 64>(few, seed, 3);
    host::simulated() = {};
    if (!wrong.empty()) return name + ": " + wrong;
  }
  return "";
}
#endif

/// Calls `test(name, Policy{})` for each policy that writes in place.
template <class Test>
void for_each_policy(Test&& test) {
  test(std::string("pessimistic_in_place"), stm::pessimistic_in_place{});
  test(std::string("invisible_reads_in_place"), stm::invisible_reads_in_place{});
}

int run_all() {
#if defined(MAGPIE_MUTANTS)
  struct rule {
    mutant broken;
    const char* name;
    bool is_of_versions = false;
  };
  const std::vector<rule> rules{{mutant::undo_forgotten, "undo_forgotten"},
                                {mutant::undo_in_order, "undo_in_order"},
                                {mutant::release_before_undo, "release_before_undo"},
                                {mutant::no_fence_after_undo, "no_fence_after_undo"},
                                {mutant::no_release_fence, "no_release_fence"},
                                {mutant::inner_undo_keeps_writes, "inner_undo_keeps_writes"},
                                {mutant::alternative_keeps_writes, "alternative_keeps_writes"},
                                {mutant::undo_keeps_version, "undo_keeps_version", true},
                                {mutant::no_fence_before_write, "no_fence_before_write", true},
                                {mutant::no_validation, "no_validation", true}};
  for_each_policy([&]<class Policy>(const std::string& name, Policy) {
    for (const rule& each : rules) {
      if (each.is_of_versions && !Policy::has_versions) continue;
      // Where there are versions, the fence before the look at what was read orders the writes as well.
      if (Policy::has_versions && each.broken == mutant::no_release_fence) continue;
      test::run((name + ", " + each.name).c_str(), [&] {
        stm::chosen_mutant = each.broken;
        std::string wrong = wrong_alone<Policy>(300);
        if (wrong.empty()) wrong = wrong_together<Policy>(3000);
        std::printf("    %s\n", wrong.c_str());
        CHECK(!wrong.empty());
      });
    }
  });
  stm::chosen_mutant = mutant::none;
#endif
  for_each_policy([]<class Policy>(const std::string& name, Policy) {
    test::run((name + ", alone").c_str(),
              [] { CHECK_EQ(wrong_alone<Policy>(test::scaled(1500, 200)), std::string()); });
#if defined(MAGPIE_MACHINE_SIM)
    test::run((name + ", beside others").c_str(), [] { CHECK_EQ(wrong_together<Policy>(1500), std::string()); });
#endif
    test::run((name + ", many threads").c_str(), [] {
      std::uint32_t number = 0;
      test::for_each_setting(test::scaled(8, 4), [&](std::uint32_t threads) {
        const program many(number, test::simulated ? 64 : test::scaled(4000, 400), 3);
        const std::string wrong = wrong_after<Policy, stm::reads::validated, 3, 64>(many, number++, threads);
        CHECK_EQ(wrong, std::string());
      });
    });
  });
  return test::finish();
}

}  // namespace

int main() { return run_all(); }
