// Aggregated append gives every caller a place of its own, and no place is left out.
// flavors: cpu sim sim-asan
// full flavors: cpu
#include "magpie/parallel/append.cuh"

#include "test.hpp"

using namespace magpie;

/// Threads push the items that a pattern keeps, from divergent code.
struct push {
  std::uint32_t n;
  std::uint32_t pattern;
  std::uint32_t* counter;
  std::uint32_t* list;
  std::uint32_t* group_sizes;  // how often a group of so many lanes was seen
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (const std::uint32_t item : self.items(n)) {
      if ((item * 2654435761u >> 28) < pattern) {
        add_rlx_dev(group_sizes + popcount(self.active_lanes()), 1u);
        st_rlx_dev(list + append(self, counter), item + 1);
      }
    }
  }
};

/// Threads push item % 6 copies of each item that a pattern keeps, from divergent code.
struct push_several {
  std::uint32_t n;
  std::uint32_t pattern;
  std::uint64_t* counter;
  std::uint32_t* list;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (const std::uint32_t item : self.items(n)) {
      if ((item * 2654435761u >> 28) >= pattern) continue;
      const std::uint64_t place = append<5>(self, counter, item % 6);
      for (std::uint32_t k = 0; k < item % 6; ++k) st_rlx_dev(list + place + k, item + 1);
    }
  }
};

/// Threads push the items that a pattern keeps to one of several lists each, from divergent code.
struct push_to {
  static constexpr std::uint32_t lists = 5;
  std::uint32_t n;
  std::uint32_t pattern;
  std::uint32_t spread;  // of the lists that are named
  std::uint32_t* counters;
  std::uint32_t* list;  // n + 1 places for each
  static std::uint32_t list_of(std::uint32_t item, std::uint32_t spread) { return (item * 40503u >> 7) % spread; }
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (const std::uint32_t item : self.items(n)) {
      if ((item * 2654435761u >> 28) >= pattern) continue;
      const std::uint32_t which = list_of(item, spread);
      st_rlx_dev(list + which * (n + 1) + append_to(self, counters, which), item + 1);
    }
  }
};

int main() {
  std::vector<std::uint32_t> groups(33, 0);
  test::run("append", [&] {
    test::for_each_setting(8, [&](std::uint32_t threads) {
      for (const std::uint32_t pattern : {0u, 1u, 8u, 15u, 16u}) {
        const std::uint32_t n = test::scaled(1000, 300);
        std::uint32_t counter = 0;
        std::vector<std::uint32_t> list(n + 1, 0);
        host::run(push{n, pattern, &counter, list.data(), groups.data()}, threads);
        std::uint32_t kept = 0;
        std::vector<bool> seen(n, false);
        for (std::uint32_t item = 0; item < n; ++item) kept += (item * 2654435761u >> 28) < pattern;
        CHECK_EQ(counter, kept);
        for (std::uint32_t place = 0; place <= n; ++place) {
          CHECK_EQ(list[place] != 0, place < kept);
          if (list[place] == 0) continue;
          const std::uint32_t item = list[place] - 1;
          CHECK(item < n && (item * 2654435761u >> 28) < pattern);
          CHECK(!seen[item]);
          seen[item] = true;
        }
      }
    });
  });
  test::run("append several", [&] {
    test::for_each_setting(8, [&](std::uint32_t threads) {
      for (const std::uint32_t pattern : {0u, 1u, 8u, 16u}) {
        const std::uint32_t n = test::scaled(600, 200);
        std::uint64_t counter = 0;
        std::vector<std::uint32_t> list(6 * n, 0);
        host::run(push_several{n, pattern, &counter, list.data()}, threads);
        std::uint64_t kept = 0;
        std::vector<std::uint32_t> seen(n, 0);
        for (std::uint32_t item = 0; item < n; ++item) kept += (item * 2654435761u >> 28) < pattern ? item % 6 : 0;
        CHECK_EQ(counter, kept);
        for (std::uint32_t place = 0; place < list.size(); ++place) {
          CHECK_EQ(list[place] != 0, place < kept);
          if (list[place] == 0) continue;
          ++seen[list[place] - 1];
          // A lane's places are in a row.
          if (place > 0 && list[place - 1] != list[place]) CHECK_EQ(seen[list[place] - 1], 1u);
        }
        for (std::uint32_t item = 0; item < n; ++item) {
          CHECK_EQ(seen[item], (item * 2654435761u >> 28) < pattern ? item % 6 : 0u);
        }
      }
    });
  });
  test::run("append to several lists", [&] {
    test::for_each_setting(8, [&](std::uint32_t threads) {
      for (const std::uint32_t pattern : {0u, 1u, 8u, 16u}) {
        for (const std::uint32_t spread : {1u, 2u, 5u}) {
          const std::uint32_t n = test::scaled(400, 120);
          std::vector<std::uint32_t> counters(push_to::lists, 0);
          std::vector<std::uint32_t> list(push_to::lists * (n + 1), 0);
          host::run(push_to{n, pattern, spread, counters.data(), list.data()}, threads);
          std::vector<std::uint32_t> kept(push_to::lists, 0);
          std::vector<bool> seen(n, false);
          for (std::uint32_t item = 0; item < n; ++item) {
            if ((item * 2654435761u >> 28) < pattern) ++kept[push_to::list_of(item, spread)];
          }
          for (std::uint32_t which = 0; which < push_to::lists; ++which) {
            CHECK_EQ(counters[which], kept[which]);
            for (std::uint32_t place = 0; place <= n; ++place) {
              const std::uint32_t found = list[which * (n + 1) + place];
              CHECK_EQ(found != 0, place < kept[which]);
              if (found == 0) continue;
              CHECK_EQ(push_to::list_of(found - 1, spread), which);
              CHECK(!seen[found - 1]);
              seen[found - 1] = true;
            }
          }
        }
      }
    });
  });
  if (test::simulated) {
    test::run("groups", [&] {
      // The simulator forms groups of one lane, of some, and of the whole warp.
      CHECK(groups[1] > 0);
      CHECK(groups[2] > 0);
      CHECK(groups[3] > 0);
      CHECK(groups[4] > 0);
      std::uint32_t larger = 0;
      for (std::uint32_t size = 5; size <= 32; ++size) larger += groups[size];
      CHECK(larger > 0);
      CHECK_EQ(groups[0], 0u);
    });
  }
  return test::finish();
}
