// flavors: cpu sim sim-asan
// Warp collectives against reference results, at several widths and in every order of arrival.
#include <algorithm>

#include "test.hpp"

using namespace magpie;

/// Each thread's input in each round.
std::uint32_t input(std::uint32_t rank, std::uint32_t round) { return (rank * 31u + round * 7u) * 2654435761u >> 16; }

struct results {
  std::uint32_t ballot;
  bool any, all, all_true, any_false;
  std::uint32_t shuffled, down, up;
  std::int64_t wide;
  float real;
  double real_wide;
  std::uint32_t sum;
  std::int64_t wide_sum;
  float real_sum;
  std::uint32_t least;
};

struct every_collective {
  std::uint32_t rounds;
  results* out;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      const std::uint32_t mine = input(self.rank(), round);
      results& r = out[round * self.size() + self.rank()];
      if (mine % 3 == 0) pause(0);  // lanes arrive in different orders
      r.ballot = self.ballot(mine % 2 != 0);
      r.any = self.any(mine % 64 == 5);
      r.all = self.all(mine % 64 != 5);
      r.all_true = self.all(true);
      r.any_false = self.any(false);
      r.shuffled = self.shuffle(mine, mine % 40);
      if (mine % 5 == 0) fence_sc_dev();
      r.down = self.shuffle_down(mine, round % 40);
      r.up = self.shuffle_up(mine, round % 40);
      r.wide = self.shuffle(-static_cast<std::int64_t>(mine) << 20, round);
      r.real = self.shuffle(static_cast<float>(mine) / 4, round);
      r.real_wide = self.shuffle_down(static_cast<double>(mine) / 3, 1);
      self.sync_warp();
      r.sum = self.reduce_add(mine);
      r.wide_sum = self.reduce_add(-static_cast<std::int64_t>(mine) << 20);
      r.real_sum = self.reduce_add(static_cast<float>(mine));
      r.least = self.reduce_min(mine - 9000);  // of some a number above all others
    }
  }
};

void compare(std::uint32_t threads, std::uint32_t width) {
  const std::uint32_t rounds = 50;
  const std::uint32_t grid = (threads + width - 1) / width * width;
  std::vector<results> out(std::size_t{rounds} * grid);
  host::run(every_collective{rounds, out.data()}, threads);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t rank = 0; rank < grid; ++rank) {
      const std::uint32_t base = rank / width * width;
      const std::uint32_t lane = rank - base;
      const auto value = [&](std::uint32_t l) { return input(base + l, round); };
      std::uint32_t ballot = 0, sum = 0, least = ~0u;
      bool any = false;
      std::int64_t wide_sum = 0;
      float real_sum = 0;
      for (std::uint32_t l = 0; l < width; ++l) {
        ballot |= value(l) % 2 != 0 ? 1u << l : 0u;
        any = any || value(l) % 64 == 5;
        sum += value(l);
        least = std::min(least, value(l) - 9000);
        wide_sum += -static_cast<std::int64_t>(value(l)) << 20;
        real_sum += static_cast<float>(value(l));  // exact: small integers
      }
      const std::uint32_t distance = round % 40;
      const results& r = out[std::size_t{round} * grid + rank];
      CHECK_EQ(r.ballot, ballot);
      CHECK_EQ(r.any, any);
      CHECK_EQ(r.all, !any);
      CHECK(r.all_true);
      CHECK(!r.any_false);
      CHECK_EQ(r.shuffled, value(value(lane) % 40 % width));
      CHECK_EQ(r.down, value(lane + distance < width ? lane + distance : lane));
      CHECK_EQ(r.up, value(distance <= lane ? lane - distance : lane));
      CHECK_EQ(r.wide, -static_cast<std::int64_t>(value(round % width)) << 20);
      CHECK_EQ(r.real, static_cast<float>(value(round % width)) / 4);
      CHECK_EQ(r.real_wide, static_cast<double>(value(lane + 1 < width ? lane + 1 : lane)) / 3);
      CHECK_EQ(r.sum, sum);
      CHECK_EQ(r.wide_sum, wide_sum);
      CHECK_EQ(r.real_sum, real_sum);
      CHECK_EQ(r.least, least);
    }
  }
}

int main() {
  test::run("reference results", [] {
    const std::string name = test::setting();
    for (const std::uint32_t width :
         test::simulated ? std::vector<std::uint32_t>{1, 2, 4, 7, 32} : std::vector<std::uint32_t>{1}) {
      for (std::uint32_t seed = 0; seed < (test::simulated ? 6u : 1u); ++seed) {
        host::simulated().seed = seed;
        host::simulated().width = width;
        test::setting() = name + ", width " + std::to_string(width) + ", seed " + std::to_string(seed);
        compare(test::simulated ? 64 : 3, width);
      }
    }
  });
  return test::finish();
}
