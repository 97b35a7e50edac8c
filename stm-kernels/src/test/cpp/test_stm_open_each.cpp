// flavors: cpu sim cpu-asan cpu-tsan
// full flavors: sim
// build: -DMAGPIE_TEST_PLAIN
// full build(sim): -DMAGPIE_TEST_COMPARISONS
// Many objects opened at once: each commit adds one to every object of its item, and what a failed attempt took is
// given back. Ids repeat within an item, neighbors overlap, and logs that are too small overflow into larger ones.
#include "stm_test.hpp"

using namespace magpie;
using test::object_array;

template <stm::reads Reads, std::uint32_t Capacity>
struct add_to_many {
  static constexpr std::uint32_t max_objects = Capacity, max_writes = 0;
  static constexpr stm::reads reads = Reads;

  stm::objects objects;
  array<std::uint32_t> sums;
  array<const std::uint32_t> ids;  // `many` of each item
  std::uint32_t many;

  struct state {};
  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx& tx, std::uint32_t item, state&) const {
    const auto id = [&](std::uint32_t i) { return ld_plain(&ids[item * many + i]); };
    if (!tx.open(objects, id(0))) return stm::outcome::retry;
    return tx.open_each(objects, many, id) ? stm::outcome::commit : stm::outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state&) const {
    for (std::uint32_t i = 0; i < many; ++i) {
      std::uint32_t* const sum = &sums[ld_plain(&ids[item * many + i])];
      tx.store({}, sum, tx.load({}, sum) + 1);
    }
  }
};

template <stm::reads Reads, std::uint32_t Capacity>
void adds(const char* name, std::uint32_t objects, std::uint32_t many, std::uint32_t items) {
  std::vector<std::uint32_t> ids(std::size_t{items} * many);
  test::random draw(objects + many);
  for (std::uint32_t& id : ids) id = draw.below(objects);
  object_array words(objects);
  std::vector<std::uint32_t> sums(objects);
  test::run(name, [&] {
    std::uint32_t number = 0;
    test::for_each_setting(test::tests_hand_off ? test::scaled(16, 4) : 4, [&](std::uint32_t threads) {
      const auto options = test::options_of(number++, threads);
      const auto region = [&]<class Policy>(Policy) {
        return add_to_many<Reads, Capacity>{
            words.view<Policy>(), {sums.data(), objects}, {ids.data(), ids.size()}, many};
      };
      const auto check = [&](const test::region_report& report) {
        std::vector<std::uint32_t> expected(objects, 0);
        std::vector<bool> unfinished(items, false);
        for (const std::uint32_t position : report.unfinished) unfinished[position] = true;
        for (std::uint32_t i = 0; i < items * many; ++i) expected[ids[i]] += unfinished[i / many] ? 0 : 1;
        for (std::uint32_t i = 0; i < objects; ++i) CHECK_EQ(sums[i], expected[i]);
      };
      if constexpr (test::tests_hand_off) {
        sums.assign(objects, 0);
        check(test::finishes(region(stm::hand_off{}), items, options, {&words}));
      }
      test::for_each_other_policy([&]<class Policy>(const char*, Policy policy) {
        if constexpr (stm::runs_under<add_to_many<Reads, Capacity>, Policy>) {
          sums.assign(objects, 0);
          check(test::tries<Policy>(region(policy), items, options, {&words}));
        }
      });
    });
  });
}

int main() {
  const std::uint32_t items = test::simulated ? test::scaled(80, 40) : test::scaled(50'000, 2'000);
  adds<stm::reads::unvalidated, 16>("unvalidated, 13 of 64", 64, 13, items);
  adds<stm::reads::unvalidated, 16>("unvalidated, 13 of 1,000", 1000, 13, items);
  adds<stm::reads::unvalidated, 16>("unvalidated, 5 of 6", 6, 5, items);
  adds<stm::reads::unvalidated, 9>("unvalidated, 13 of 400 in a log of 9", 400, 13, items);
  adds<stm::reads::validated, 16>("validated, 13 of 64", 64, 13, items);
  return test::finish();
}
