// The places of a split are a stable partition of each segment; the thesis's example has the thesis's addresses.
// flavors: cpu cpu-asan
#include "magpie/parallel/pack.cuh"

#include "test.hpp"

using namespace magpie;
using std::uint32_t;

struct split {
  std::vector<uint32_t> places;
  std::vector<uint32_t> heads;
};

/// Sums and copies by loops; places and heads by the library.
split split_of(const std::vector<uint32_t>& heads, const std::vector<uint32_t>& flags) {
  const uint32_t n = static_cast<uint32_t>(heads.size());
  const auto head = [&](uint32_t i) { return i == 0 || heads[i] != 0; };
  std::vector<uint32_t> p(n), q(n);
  for (uint32_t i = 0; i < n; ++i) {
    p[i] = (head(i) ? 0 : p[i - 1]) + split_term(i, head(i), flags[i] != 0);
  }
  for (uint32_t i = n; i-- > 0;) q[i] = i == n - 1 || head(i + 1) ? p[i] : q[i + 1];
  split result{std::vector<uint32_t>(n), std::vector<uint32_t>(n, 9)};
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t place = split_place(i, flags[i] != 0, p[i], q[i]);
    CHECK(place < n);
    CHECK_EQ(result.heads[place], 9u);
    result.places[i] = place;
    result.heads[place] = split_head(place, head(place), flags[i] != 0, q[i]) ? 1 : 0;
  }
  return result;
}

int main() {
  test::run("the thesis's example", [] {
    const split s = split_of(std::vector<uint32_t>(7), {1, 0, 1, 0, 0, 1, 0});
    CHECK(s.places == (std::vector<uint32_t>{4, 0, 5, 1, 2, 6, 3}));
    CHECK(s.heads == (std::vector<uint32_t>{1, 0, 0, 0, 1, 0, 0}));
  });
  test::run("stable partitions", [] {
    for (uint32_t seed = 0; seed < 500; ++seed) {
      test::setting() = "seed " + std::to_string(seed);
      test::random random(seed);
      const uint32_t n = 1 + random.below(60);
      std::vector<uint32_t> heads(n), flags(n);
      for (uint32_t& v : heads) v = random.below(1 + seed % 9) == 0;
      for (uint32_t& v : flags) v = random.below(1 + seed % 4) == 0;
      const split s = split_of(heads, flags);
      for (uint32_t from = 0; from < n;) {
        uint32_t to = from + 1;
        while (to < n && heads[to] == 0) ++to;
        uint32_t place = from;
        for (const bool part : {false, true}) {
          const uint32_t begin = place;
          for (uint32_t i = from; i < to; ++i) {
            if ((flags[i] != 0) != part) continue;
            CHECK_EQ(s.places[i], place);
            CHECK_EQ(s.heads[place], place == begin ? 1u : 0u);
            ++place;
          }
        }
        CHECK_EQ(place, to);
        from = to;
      }
    }
  });
  return test::finish();
}
