// Items are counted by class, and sorted into what is due and into bins, as loops over them say.
// flavors: cpu sim cpu-asan sim-asan
// full flavors: sim
#include "mesh/mesh.cuh"
#include "mesh/schedule.cuh"

#include <algorithm>
#include <string>
#include <vector>

#include "test.hpp"

using namespace magpie::mesh;

namespace {

constexpr u32 slots = 64;
constexpr u32 bins = magpie::priority_bins::count;
constexpr u32 end_words = magpie::priority_bins::end_words;

/// Triangles of a few classes, of which many are equal modulo the width of a warp; some need nothing.
std::vector<u32> some_triangles(test::random& random) {
  std::vector<u32> words(8 * slots, 0);
  const view m{reinterpret_cast<magpie::word_pair*>(words.data()), nullptr, nullptr, nullptr, nullptr};
  for (u32 t = 0; t < slots; ++t) {
    *m.flags(t) = random.below(4) == 0 ? live : live | bad;
    const u32 of_class = random.below(3) == 0 ? 1 + random.below(90) : 1 + 16 * random.below(6);
    *m.urgency(t) = of_class << 20 | random.below(1u << 20);
  }
  return words;
}

/// What `class_of` says, from the words.
u32 class_in(const std::vector<u32>& triangles, u32 item) {
  if ((item & 3u) != 3) return 0;
  const u32* t = &triangles[8 * (item >> 2)];
  return (t[3] & (live | bad)) == (live | bad) ? t[7] >> 20 : none;
}

u32 some_item(test::random& random) { return random.below(slots) << 2 | (random.below(5) == 0 ? random.below(3) : 3); }

magpie::array<u32> of(std::vector<u32>& words) { return {words.data(), static_cast<u32>(words.size())}; }

std::vector<u32> sorted(std::vector<u32> items) {
  std::sort(items.begin(), items.end());
  return items;
}

/// New items, and lists that wait in bins, in `waiting` with room behind each; and what is to come of them.
struct lists {
  std::vector<u32> fresh;
  std::vector<u32> in[bins];
  u32 first[bins];
  std::vector<u32> due;
  std::vector<u32> then[bins];

  lists(test::random& random, const std::vector<u32>& triangles, u32 base, u32 threshold) {
    for (u32 n = random.below(200); n != 0; --n) fresh.push_back(some_item(random));
    for (u32 b = 0; b < bins; ++b) {
      if (random.below(3) != 0) continue;
      for (u32 n = random.below(40); n != 0; --n) in[b].push_back(some_item(random));
    }
    const auto bin_in = [&](u32 item) {
      const u32 c = class_in(triangles, item);
      return c == none || c == 0 ? c : c <= base ? 1 : std::min(c - base + 1, bins - 1);
    };
    for (u32 b = threshold + 1; b < bins; ++b) then[b] = in[b];
    for (const u32 item : fresh) {
      const u32 b = bin_in(item);
      if (b != none) (b <= threshold ? due : then[b]).push_back(item);
    }
    for (u32 b = 0; b <= threshold; ++b) {
      std::copy_if(in[b].begin(), in[b].end(), std::back_inserter(due), [&](u32 item) { return bin_in(item) == b; });
    }
    u32 at = 0;
    for (u32 b = 0; b < bins; ++b) {
      first[b] = at;
      at += static_cast<u32>(std::max(in[b].size(), then[b].size()));
    }
    room = at;
  }

  u32 room;
};

}  // namespace

int main() {
  test::run("counts by class", [] {
    test::for_each_setting(6, [](std::uint32_t threads) {
      const std::string machine = test::setting();
      for (u32 seed = 0; seed < 8; ++seed) {
        test::setting() = machine + ", input " + std::to_string(seed);
        test::random random(seed);
        std::vector<u32> triangles = some_triangles(random);
        std::vector<u32> items(random.below(300));
        std::vector<u32> expected(classes, 0);
        for (u32& item : items) {
          item = some_item(random);
          if (class_in(triangles, item) != none) ++expected[class_in(triangles, item)];
        }
        std::vector<u32> counts(classes, 0);
        magpie::host::run(count_classes{{static_cast<u32>(items.size()), of(items), of(counts)}, of(triangles)},
                          threads);
        CHECK(counts == expected);
      }
    });
  });
  test::run("sorts into due and bins", [] {
    test::for_each_setting(6, [](std::uint32_t threads) {
      const std::string machine = test::setting();
      for (u32 seed = 0; seed < 8; ++seed) {
        test::setting() = machine + ", input " + std::to_string(seed);
        test::random random(seed);
        std::vector<u32> triangles = some_triangles(random);
        const u32 base = 1 + random.below(20);
        const u32 threshold = random.below(bins - 1);
        lists l(random, triangles, base, threshold);
        std::vector<u32> waiting(l.room, none), due(l.due.size(), none), plan(end_words * (1 + bins), 0);
        u32 turns = 0, sources = 0;
        const auto add = [&](u32 count, u32 bin, u32 first) {
          if (count == 0) return;
          u32 range = 1;
          while (range < count) range *= 2;
          turns += range;
          ++sources;
          const u32 stride = 1 + 2 * random.below(50);
          plan.insert(plan.end(), {range, stride, count, bin, first});
        };
        add(static_cast<u32>(l.fresh.size()), none, 0);
        for (u32 b = 0; b < bins; ++b) {
          const u32 n = static_cast<u32>(l.in[b].size());
          std::copy(l.in[b].begin(), l.in[b].end(), waiting.begin() + l.first[b]);
          plan[end_words * (1 + b)] = l.first[b] + (b <= threshold ? 0 : n);
          if (b <= threshold) add(n, b, l.first[b]);
        }
        if (sources == 0) continue;
        const sort_items sort{{turns, sources, base, threshold, of(l.fresh), of(due), of(waiting), of(plan)},
                              of(triangles)};
        magpie::host::run(sort, threads);
        CHECK_EQ(plan[0], l.due.size());
        CHECK(sorted(due) == sorted(l.due));
        for (u32 b = threshold + 1; b < bins; ++b) {
          const std::vector<u32> now(waiting.begin() + l.first[b], waiting.begin() + plan[end_words * (1 + b)]);
          CHECK(sorted(now) == sorted(l.then[b]));
        }
      }
    });
  });
  return test::finish();
}
