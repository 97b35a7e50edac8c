// A pass of the radix sort is a stable sort by a digit.
// full flavors: cpu
#include "magpie/parallel/radix.cuh"

#include <algorithm>
#include <numeric>

#include "test.hpp"

using namespace magpie;
using std::uint32_t;
using std::uint64_t;

int main() {
  test::run("pass", [] {
    test::for_each_setting(test::scaled(5, 3), [](uint32_t threads) {
      const std::string name = test::setting();
      for (const uint32_t n : {0u, 1u, 2u, 31u, 33u, 100u, 300u}) {
        for (const uint32_t piece : {13u, 64u, 1000u}) {
          for (const auto& [shift, bits] : {std::pair{0u, 8u}, {0u, 1u}, {3u, 5u}, {24u, 8u}, {31u, 1u}}) {
            test::setting() = name + ", " + std::to_string(n) + " elements, pieces of " + std::to_string(piece) + ", " +
                              std::to_string(bits) + " bits from " + std::to_string(shift);
            test::random random(n + piece + shift);
            std::vector<uint32_t> keys(n), sorted(n, ~0u), order(n);
            // Few digits in some inputs, so that lanes meet.
            for (uint32_t& key : keys) key = static_cast<uint32_t>(random.bits()) & (piece == 64 ? 0x03000019u : ~0u);
            std::iota(order.begin(), order.end(), 0);
            const auto digit = [&, shift = shift, bits = bits](uint32_t i) { return digit_of(keys[i], shift, bits); };
            std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return digit(a) < digit(b); });

            const uint32_t pieces = (n + piece - 1) / piece;
            std::vector<uint32_t> counts(most_digits * pieces, 77);
            const array<uint32_t> table{counts.data(), counts.size()};
            const auto key = [&](uint64_t i) { return keys[i]; };
            host::run([&, shift = shift, bits = bits](
                          const thread& self) { count_digits(self, n, piece, pieces, shift, bits, table, key); },
                      threads);
            counts.resize((1u << bits) * pieces);
            CHECK_EQ(std::accumulate(counts.begin(), counts.end(), 0u), n);
            std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), 0u);
            const array<uint32_t> places{counts.data(), counts.size()};
            host::run(
                [&, shift = shift, bits = bits](const thread& self) {
                  move_to_digits(self, n, piece, pieces, shift, bits, places, key,
                                 [&](uint64_t i, uint32_t place) { sorted[place] = static_cast<uint32_t>(i); });
                },
                threads);
            for (uint32_t i = 0; i < n; ++i) CHECK_EQ(sorted[i], order[i]);
          }
        }
      }
    });
  });
  return test::finish();
}
