// The two sweeps of the work-efficient scan give the arrays of the thesis's figures, and with segments what a loop gives.
// full flavors: cpu
#include "magpie/parallel/scan.cuh"
#include "test.hpp"

using namespace magpie;
using std::uint32_t;

/// Composition of two maps of {0, 1, 2} to itself, each a number below 27: does not commute.
struct composed {
  uint32_t identity() const { return 0 + 1 * 3 + 2 * 9; }
  uint32_t operator()(uint32_t f, uint32_t g) const {
    uint32_t both = 0;
    for (uint32_t x = 3; x-- > 0;) both = both * 3 + at(g, at(f, x));
    return both;
  }
  static uint32_t at(uint32_t map, uint32_t x) { return map / (x == 0 ? 1 : x == 1 ? 3 : 9) % 3; }
};

template <class Body>
void by_one_warp(Body&& body) {
  host::run(
      [&](const thread& self) {
        if (self.rank() < self.width()) body(self);
      },
      test::simulated ? 32 : 1);
}

int main() {
  // Figures 4.3 and 4.4 have eight elements x0 .. x7; powers of two tell which of them are in a sum.
  test::run("figures", [] {
    test::for_each_setting(8, [](uint32_t) {
      std::vector<uint32_t> x{1, 2, 4, 8, 16, 32, 64, 128};
      by_one_warp([&](const thread& self) { sweep_up(self, x.data(), 8, plus<uint32_t>{}); });
      CHECK(x == (std::vector<uint32_t>{1, 3, 4, 15, 16, 48, 64, 255}));
      x[7] = 0;
      by_one_warp([&](const thread& self) { sweep_down(self, x.data(), 8, plus<uint32_t>{}); });
      CHECK(x == (std::vector<uint32_t>{0, 1, 3, 7, 15, 31, 63, 127}));
    });
  });
  test::run("segments", [] {
    test::for_each_setting(8, [](uint32_t) {
      const composed op;
      for (uint32_t tile = 2; tile <= 256; tile *= 2) {
        for (uint32_t density : {1u, 3u, 20u, 1000u}) {
          test::random random(tile + density);
          std::vector<uint32_t> in(tile), heads(tile);
          for (uint32_t& v : in) v = random.below(27);
          for (uint32_t& head : heads) head = random.below(density) == 0;
          const uint32_t before = random.below(27);
          std::vector<uint32_t> x = in, f = heads, plain = in;
          by_one_warp([&](const thread& self) { sweep_up(self, x.data(), f.data(), tile, op); });
          by_one_warp([&](const thread& self) { sweep_up(self, plain.data(), tile, op); });

          uint32_t all = op.identity(), last = op.identity(), any = 0;
          for (uint32_t i = 0; i < tile; ++i) {
            all = op(all, in[i]);
            last = heads[i] != 0 ? in[i] : op(last, in[i]);
            any |= heads[i];
          }
          CHECK_EQ(plain[tile - 1], all);
          CHECK_EQ(x[tile - 1], last);
          CHECK_EQ(f[tile - 1], any);

          // What stands before the tile is the identity where a segment begins with it, as the scanned roots have it.
          x[tile - 1] = heads[0] != 0 ? op.identity() : before;
          plain[tile - 1] = before;
          by_one_warp([&](const thread& self) {
            sweep_down(self, x.data(), f.data(), tile, op, [&](uint32_t i) { return heads[i] != 0; });
          });
          by_one_warp([&](const thread& self) { sweep_down(self, plain.data(), tile, op); });
          uint32_t sum = before, segment = before;
          for (uint32_t i = 0; i < tile; ++i) {
            if (heads[i] != 0) segment = op.identity();
            CHECK_EQ(plain[i], sum);
            CHECK_EQ(x[i], segment);
            sum = op(sum, in[i]);
            segment = op(segment, in[i]);
          }
        }
      }
    });
  });
  return test::finish();
}
