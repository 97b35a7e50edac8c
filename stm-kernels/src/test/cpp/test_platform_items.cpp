// items() and warp_items() give every index to exactly one thread, for any number of items, threads and width.
// flavors: cpu sim sim-asan
#include "test.hpp"

using namespace magpie;

struct count_items {
  std::uint32_t n;
  std::uint32_t* times;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (const std::uint32_t i : self.items(n)) add_rlx_dev(times + i, 1u);
  }
};

struct count_wide_items {
  std::uint64_t n;
  std::uint32_t* times;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (const std::uint64_t i : self.items(n)) add_rlx_dev(times + i, 1u);
  }
};

/// Also: every lane sees the same bases, so collectives in the loop work; each item goes to lane item - base.
struct count_warp_items {
  std::uint32_t n;
  std::uint32_t* times;
  std::uint32_t* wrong;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (const std::uint32_t base : self.warp_items(n)) {
      if (self.shuffle(base, 0) != base || base % self.width() != 0) add_rlx_dev(wrong, 1u);
      const std::uint32_t item = base + self.lane();
      if (self.ballot(item < n) == 0) add_rlx_dev(wrong, 1u);
      if (item < n) add_rlx_dev(times + item, 1u);
    }
  }
};

struct identity {
  std::uint32_t* ranks;
  std::uint32_t* wrong;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    add_rlx_dev(ranks + self.rank(), 1u);
    if (self.lane() != self.rank() % self.width() || self.size() % self.width() != 0) add_rlx_dev(wrong, 1u);
  }
};

void cover(std::uint32_t n, std::uint32_t threads) {
  std::vector<std::uint32_t> times(n + 1, 0);
  std::uint32_t wrong = 0;
  const auto check = [&] {
    for (std::uint32_t i = 0; i < n; ++i) CHECK_EQ(times[i], 1u);
    CHECK_EQ(times[n], 0u);
    CHECK_EQ(wrong, 0u);
    times.assign(n + 1, 0);
  };
  host::run(count_items{n, times.data()}, threads);
  check();
  host::run(count_wide_items{n, times.data()}, threads);
  check();
  host::run(count_warp_items{n, times.data(), &wrong}, threads);
  check();
}

int main() {
  test::run("coverage", [] {
    const std::string name = test::setting();
    for (const std::uint32_t width :
         test::simulated ? std::vector<std::uint32_t>{1, 3, 4, 32} : std::vector<std::uint32_t>{1}) {
      for (const std::uint32_t threads : {1u, 2u, 5u, 32u, 33u, 64u}) {
        if (!test::simulated && threads > 8) continue;
        for (const std::uint32_t n : {0u, 1u, 2u, 3u, 31u, 32u, 33u, 63u, 64u, 65u, 100u, 1000u}) {
          host::simulated().seed = n % 3;
          host::simulated().width = width;
          test::setting() = name + ", n " + std::to_string(n) + ", threads " + std::to_string(threads) + ", width " +
                            std::to_string(width);
          cover(n, threads);
        }
      }
    }
  });
  test::run("ranks", [] {
    test::for_each_setting(2, [](std::uint32_t threads) {
      std::vector<std::uint32_t> ranks(threads + 32, 0);
      std::uint32_t wrong = 0;
      host::run(identity{ranks.data(), &wrong}, threads);
      for (std::uint32_t i = 0; i < ranks.size(); ++i) CHECK_EQ(ranks[i], i < threads ? 1u : 0u);
      CHECK_EQ(wrong, 0u);
    });
  });
#if !defined(MAGPIE_MACHINE_SIM)
  test::run("wide shares on cpu", [] {
    // Shares are cut in 64 bits: no overflow near 2^32 items and ranks.
    const thread last{6, 7};
    const auto share = last.items(0xfffffff0u);
    CHECK_EQ(share.last, 0xfffffff0u);
    CHECK_EQ(share.first, static_cast<std::uint32_t>(0xfffffff0ull * 6 / 7));
    const thread first{0, 7};
    CHECK_EQ(first.items(0xfffffff0u).first, 0u);
  });
#endif
  return test::finish();
}
