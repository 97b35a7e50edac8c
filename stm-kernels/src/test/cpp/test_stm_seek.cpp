// full flavors: cpu
// build: -DMAGPIE_TEST_PLAIN
// full build(sim): -DMAGPIE_TEST_COMPARISONS
// Regions that seek before they plan: what was sought stands at commit, and lanes run each part together.
#include "stm_test.hpp"

using namespace magpie;
using test::object_array;

/// Follows a chain of links, and moves each of its links on by one: what is sought depends on what others write. Entry e of
/// `next` leads to another entry, and is data of object e. Item i begins at entry i * `stride`.
struct follow {
  static constexpr std::uint32_t max_objects = 12, max_writes = 0;
  static constexpr stm::reads reads = stm::reads::unvalidated;
  static constexpr std::uint32_t steps = 4;

  std::uint32_t stride;
  stm::objects entries;
  array<std::uint32_t> next;
  array<std::uint32_t> moved;   // how often each entry was written
  array<std::uint32_t> rounds;  // of each item: those of the loop in apply
  array<std::uint32_t> groups;  // of each item: lanes in apply

  struct state {
    std::uint32_t found[steps];
    std::uint32_t looks;
  };
  MAGPIE_DEVICE void seek(const lane_group& lanes, std::uint32_t, std::uint32_t item, state& s) const {
    const std::uint32_t length = 1 + item % steps;
    std::uint32_t at = item * stride % next.size();
    s.looks = 0;
    for (std::uint32_t i = 0; lanes.any(i < length); ++i) {
      if (i >= length) continue;
      s.found[i] = at;
      ++s.looks;
      at = ld_rlx_dev(&next[at]) % next.size();
    }
  }
  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx& tx, std::uint32_t, state& s) const {
    if (!tx.open_each(entries, s.looks, [&](std::uint32_t i) { return s.found[i]; })) return stm::outcome::retry;
    for (std::uint32_t i = 0; i + 1 < s.looks; ++i) {
      if (ld_rlx_dev(&next[s.found[i]]) % next.size() != s.found[i + 1]) return stm::outcome::retry;
    }
    return stm::outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, const lane_group& lanes, std::uint32_t item, const state& s) const {
    std::uint32_t all = 0;
    for (std::uint32_t i = 0; lanes.any(i < s.looks); ++i) {
      ++all;
      if (i >= s.looks) continue;
      std::uint32_t* const entry = &next[s.found[i]];
      tx.store({}, entry, tx.load({}, entry) + 1);
      std::uint32_t* const count = &moved[s.found[i]];
      tx.store({}, count, tx.load({}, count) + 1);
    }
    st_rlx_dev(&rounds[item], all);
    st_rlx_dev(&groups[item], lanes.lanes);
  }
};

/// Takes the arguments of `apply` as they are passed.
struct takes_what_is_passed {
  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  struct state {};
  MAGPIE_DEVICE void seek(const lane_group&, std::uint32_t, std::uint32_t, state&) const {}
  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx&, std::uint32_t, state&) const {
    return stm::outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx&, lane_group&, std::uint32_t, state&) const {}
};
static_assert(stm::check::flaw_of<takes_what_is_passed> == stm::check::flaw::nothing);

/// A run over `entries` in which each link leads on by `step`.
template <class Check>
void chains(const char* name, std::uint32_t items, std::uint32_t entries, std::uint32_t stride, std::uint32_t step,
            Check&& check_groups) {
  test::run(name, [&] {
    std::uint32_t number = 0;
    object_array words(entries);
    std::vector<std::uint32_t> next(entries), moved(entries), rounds(items), groups(items);
    test::for_each_setting(test::scaled(16, 4), [&](std::uint32_t threads) {
      const auto options = test::options_of(number++, threads);
      const auto tries = [&]<class Policy>(Policy, auto&& run) {
        auto in_effect = options;
        if (in_effect.lanes == 0) in_effect.lanes = Policy::default_lanes;
        if constexpr (std::is_same_v<Policy, stm::coarse_lock>) in_effect.lanes = 1;  // no more get the lock
        for (std::uint32_t i = 0; i < entries; ++i) next[i] = i + step;
        moved.assign(entries, 0);
        rounds.assign(items, 0);
        groups.assign(items, 0);
        const test::region_report report = run(follow{stride,
                                                      words.view<Policy>(),
                                                      {next.data(), entries},
                                                      {moved.data(), entries},
                                                      {rounds.data(), items},
                                                      {groups.data(), items}});
        std::vector<bool> unfinished(items, false);
        for (const std::uint32_t position : report.unfinished) unfinished[position] = true;
        std::uint64_t expected = 0, total = 0;
        for (std::uint32_t i = 0; i < items; ++i) {
          if (unfinished[i]) continue;
          const std::uint32_t length = 1 + i % follow::steps;
          expected += length;
          // As many rounds as the longest chain of the lanes that were there: one alone has its own.
          CHECK(groups[i] != 0);
          CHECK(rounds[i] >= length && rounds[i] <= follow::steps);
          if ((groups[i] & (groups[i] - 1)) == 0) CHECK_EQ(rounds[i], length);
        }
        for (std::uint32_t i = 0; i < entries; ++i) {
          total += moved[i];
          CHECK_EQ(next[i], i + step + moved[i]);
        }
        CHECK_EQ(total, expected);
        check_groups(in_effect, rounds, groups);
      };
      if constexpr (test::tests_hand_off) {
        tries(stm::hand_off{}, [&](const follow& region) { return test::finishes(region, items, options, {&words}); });
      }
      test::for_each_other_policy([&]<class Policy>(const char*, Policy policy) {
        if constexpr (stm::runs_under<follow, Policy>) {
          tries(policy, [&](const follow& region) { return test::tries<Policy>(region, items, options, {&words}); });
        }
      });
    });
  });
}

int main() {
  const std::uint32_t items = test::simulated ? test::scaled(120, 60) : test::scaled(50'000, 2'000);
  for (const std::uint32_t entries : {5u, 64u, 1000u}) {
    chains(("chains through " + std::to_string(entries)).c_str(), items, entries, 1, 7, [](auto&&...) {});
  }
  // Without rivals all lanes of a group commit together, and go as many rounds as the longest of their chains.
  constexpr std::uint32_t few = 64;
  chains("chains apart", few, few * follow::steps, follow::steps, 1,
         [](const auto& options, const std::vector<std::uint32_t>& rounds, const std::vector<std::uint32_t>& groups) {
           const std::uint32_t width = test::simulated ? host::simulated().width : 1;
           std::uint32_t together = 0;
           for (std::uint32_t i = 0; i < few; ++i) {
             const std::uint32_t lanes = popcount(groups[i]);
             if (lanes > together) together = lanes;
             CHECK(lanes <= width);
             // Neighbors in the list are neighbors in the warp.
             if (lanes >= follow::steps) CHECK_EQ(rounds[i], follow::steps);
           }
           const bool limited = options.lanes != 0 && options.lanes < width;
           const bool crowded = options.threads != 0 && options.threads < few;
           if (width > 1 && crowded && !limited) CHECK(together > 1);
         });
  return test::finish();
}
