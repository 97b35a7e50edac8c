// Packing keeps the flagged elements in their order, drops those without room, and counts them all.
// full flavors: cpu
#include "magpie/parallel/pack.cuh"

#include "test.hpp"

using namespace magpie;
using std::uint32_t;
using std::uint64_t;

int main() {
  test::run("pack", [] {
    test::for_each_setting(test::scaled(5, 3), [](uint32_t threads) {
      const std::string name = test::setting();
      for (const uint32_t n : {0u, 1u, 33u, 128u, 129u, 400u}) {
        for (const uint32_t piece : {16u, 32u, 127u, 500u}) {
          for (const uint32_t one_in : {1u, 3u, 1000u}) {
            test::random random(n + piece + one_in);
            std::vector<uint32_t> flags(n);
            std::vector<uint64_t> expected;
            for (uint32_t i = 0; i < n; ++i) {
              flags[i] = random.below(one_in) == 0;
              if (flags[i] != 0) expected.push_back(uint64_t{i} << 33);
            }
            const uint32_t set = static_cast<uint32_t>(expected.size());
            for (const uint32_t room : {set + 2, set, set / 2}) {
              test::setting() = name + ", " + std::to_string(n) + " elements in pieces of " + std::to_string(piece) +
                                ", one in " + std::to_string(one_in) + ", room for " + std::to_string(room);
              std::vector<uint32_t> sums((n + piece - 1) / piece);
              std::vector<uint64_t> out(room + 1, 7);
              uint32_t count = 0;
              const array<uint32_t> counted{sums.data(), sums.size()};
              const array<uint64_t> target{out.data(), room};
              const auto flag = [&](uint64_t i) { return flags[i] != 0; };
              host::run([&](const thread& self) { count_flagged(self, n, piece, counted, flag); }, threads);
              host::run(
                  [&](const thread& self) {
                    pack_pieces(
                        self, n, piece, counted, flag, [](uint64_t i) { return i << 33; }, target, &count);
                  },
                  threads);
              CHECK_EQ(count, set);
              for (uint32_t k = 0; k <= room; ++k) CHECK_EQ(out[k], k < set && k < room ? expected[k] : 7);
            }
          }
        }
      }
    });
  });
  return test::finish();
}
