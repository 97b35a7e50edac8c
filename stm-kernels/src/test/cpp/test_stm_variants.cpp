// flavors: cpu
// build: -DEXPECTED=only_hand_off
// full build: -DEXPECTED=only_hand_off -DMAGPIE_ALL_POLICIES -DMAGPIE_POLICY=hand_off
// full build: -DEXPECTED=only_priority_rule -DMAGPIE_POLICY=priority_rule
// build: -DEXPECTED=both -DMAGPIE_ALL_POLICIES
// full build: -DEXPECTED=both -DMAGPIE_MUTANTS
// build: -DEXPECTED=only_pr_stm -DMAGPIE_ALL_POLICIES -DMAGPIE_POLICY=pr_stm
// build: -DEXPECTED=fixed_logs -DMAGPIE_ALL_POLICIES -DMAGPIE_ONLY_FIXED_LOGS
// build: -DEXPECTED=second_region -DMAGPIE_ONLY_REGION=second
// Which variants of its regions a module contains, by the macros that choose them.
#include "magpie/stm.cuh"

#include <set>
#include <sstream>

#include "test.hpp"

struct first {
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  magpie::stm::objects things;
  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    return tx.open(things, item) ? magpie::stm::outcome::commit : magpie::stm::outcome::retry;
  }
};
MAGPIE_REGION(first)
using second = first;
MAGPIE_REGION(second)

using names = std::set<std::string>;
[[maybe_unused]] const names only_hand_off{"first hand_off fixed", "first hand_off paged", "second hand_off fixed",
                                           "second hand_off paged"};
[[maybe_unused]] const names only_priority_rule{"first priority_rule fixed", "first priority_rule paged",
                                                "second priority_rule fixed", "second priority_rule paged"};
[[maybe_unused]] const names only_pr_stm{"first pr_stm fixed", "first pr_stm paged", "second pr_stm fixed",
                                         "second pr_stm paged"};
[[maybe_unused]] const names fixed_logs{"first hand_off fixed", "first priority_rule fixed", "second hand_off fixed",
                                        "second priority_rule fixed"};
[[maybe_unused]] const names second_region{"second hand_off fixed", "second hand_off paged"};
[[maybe_unused]] const names both = [] {
  names all = only_hand_off;
  all.insert(only_priority_rule.begin(), only_priority_rule.end());
  return all;
}();

int main() {
  test::run("variants are those that the macros ask for", [] {
    names found;
    names regions;
    std::string region;
    std::istringstream table(magpie_module_table());
    for (std::string line; std::getline(table, line);) {
      std::istringstream words(line);
      std::string kind, name, log;
      words >> kind >> name >> log;
      if (kind == "region") regions.insert(region = name);
      if (kind == "variant") found.insert(region + " " + name + " " + log);
    }
    CHECK(regions == (names{"first", "second"}));  // those without variants are told of, too
    CHECK(found == EXPECTED);
  });
  return test::finish();
}
