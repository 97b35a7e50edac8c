// Scan and reduction, plain and segmented, keep the order of any associative operator, for every cut into pieces.
// full flavors: cpu
#include <limits>

#include "magpie/parallel/scan.cuh"

#include "test.hpp"

using namespace magpie;
using std::uint32_t;
using std::uint64_t;

/// x -> a x + b modulo 2^32: composition is associative and does not commute.
struct affine {
  uint32_t a;
  uint32_t b;
  bool operator==(const affine&) const = default;
};
struct composed {
  affine identity() const { return {1, 0}; }
  affine operator()(affine f, affine g) const { return {f.a * g.a, g.a * f.b + g.b}; }
};
static_assert(!is_commutative<composed> && is_commutative<plus<int>> && !is_commutative<segmented<plus<int>>>);

/// The shorter of two, then the one that is more to the left: neither commutes nor is there an inverse.
struct first_shortest {
  uint64_t identity() const { return ~uint64_t{0}; }
  uint64_t operator()(uint64_t f, uint64_t g) const { return g >> 32 < f >> 32 ? g : f; }
};

template <class T>
array<T> over(std::vector<T>& v) {
  return {v.data(), v.size()};
}

constexpr uint32_t sizes[] = {0, 1, 2, 31, 33, 128, 255, 257, 400};
constexpr uint32_t cuts[] = {1, 7, 32, 33, 300};

template <class T, class Op, class Make>
void scans(Op op, Make&& make) {
  test::for_each_setting(test::scaled(5, 3), [&](uint32_t threads) {
    const std::string name = test::setting();
    for (const uint32_t n : sizes) {
      for (const uint32_t piece : cuts) {
        if (n > 100 && piece < 32) continue;
        test::setting() = name + ", " + std::to_string(n) + " elements in pieces of " + std::to_string(piece);
        test::random random(n * 1000 + piece);
        std::vector<T> in(n);
        std::vector<uint32_t> heads(n);
        for (T& v : in) v = make(random);
        for (uint32_t& head : heads) head = random.below(9) == 0;
        std::vector<T> sums((n + piece - 1) / piece, T{});
        std::vector<headed<T>> headed_sums(sums.size(), headed<T>{});
        std::vector<T> before(n), with(n), segment_before(n), segment_with(n);
        std::vector<T> total(1, op.identity());
        const auto load = [&](uint64_t i) { return in[i]; };
        const auto head = [&](uint64_t i) { return i == 0 || heads[i] != 0; };

        host::run([&](const thread& self) { reduce_pieces(self, n, piece, over(sums), op, load); }, threads);
        host::run(
            [&](const thread& self) {
              scan_pieces(
                  self, n, piece, over(sums), op, load,
                  [&](uint64_t i, T left, T own) {
                    before[i] = left;
                    with[i] = op(left, own);
                  },
                  total.data());
            },
            threads);
        host::run([&](const thread& self) { reduce_headed_pieces(self, n, piece, over(headed_sums), op, head, load); },
                  threads);
        host::run(
            [&](const thread& self) {
              scan_headed_pieces(self, n, piece, over(headed_sums), op, head, load, [&](uint64_t i, T left, T own) {
                segment_before[i] = left;
                segment_with[i] = op(left, own);
              });
            },
            threads);

        T sum = op.identity();
        T segment = op.identity();
        for (uint32_t i = 0; i < n; ++i) {
          if (heads[i] != 0) segment = op.identity();
          CHECK(before[i] == sum && segment_before[i] == segment);
          sum = op(sum, in[i]);
          segment = op(segment, in[i]);
          CHECK(with[i] == sum && segment_with[i] == segment);
        }
        CHECK(total[0] == sum);
      }
    }
  });
}

/// Warps of every width, also of those that are not powers of two.
void every_width() {
#if defined(MAGPIE_MACHINE_SIM)
  for (uint32_t width = 1; width <= 32; ++width) {
    test::setting() = "width " + std::to_string(width);
    test::simulate_by(0, width);
    std::vector<affine> in(width), scanned(width), reduced(width), segmented_scan(width);
    std::vector<uint32_t> heads(width);
    test::random random(width);
    for (uint32_t i = 0; i < width; ++i) {
      in[i] = {random.below(100), random.below(100)};
      heads[i] = random.below(4) == 0;
    }
    host::run(
        [&](const thread& self) {
          const uint32_t i = self.lane();
          scanned[i] = warp_inclusive_scan(self, in[i], composed{});
          reduced[i] = warp_reduce(self, in[i], composed{});
          segmented_scan[i] = warp_inclusive_scan(self, headed<affine>{heads[i], in[i]}, segmented<composed>{}).value;
        },
        width);
    affine sum = composed{}.identity();
    affine segment = sum;
    for (uint32_t i = 0; i < width; ++i) {
      sum = composed{}(sum, in[i]);
      segment = heads[i] != 0 ? in[i] : composed{}(segment, in[i]);
      CHECK(scanned[i] == sum && segmented_scan[i] == segment);
    }
    for (uint32_t i = 0; i < width; ++i) CHECK(reduced[i] == sum);
  }
#else
  const thread self{0, 1};
  CHECK(warp_inclusive_scan(self, affine{3, 4}, composed{}) == (affine{3, 4}));
  CHECK(warp_reduce(self, affine{3, 4}, composed{}) == (affine{3, 4}));
#endif
}

/// Identities of the operators that come with the library, at the ends of their types.
template <class T>
void identities() {
  for (const T v : {std::numeric_limits<T>::lowest(), T{0}, T{1}, std::numeric_limits<T>::max()}) {
    CHECK_EQ(plus<T>{}(plus<T>{}.identity(), v), v);
    CHECK_EQ(minimum<T>{}(minimum<T>{}.identity(), v), v);
    CHECK_EQ(maximum<T>{}(v, maximum<T>{}.identity()), v);
    if constexpr (std::is_integral_v<T>) {
      CHECK_EQ(bits_and<T>{}(v, bits_and<T>{}.identity()), v);
      CHECK_EQ(bits_or<T>{}(bits_or<T>{}.identity(), v), v);
    }
  }
}

int main() {
  test::run("sums", [] {
    scans<std::int32_t>(plus<std::int32_t>{}, [](test::random& r) { return static_cast<std::int32_t>(r.bits()); });
  });
  test::run("compositions", [] {
    scans<affine>(composed{}, [](test::random& r) { return affine{r.below(1000), r.below(1000)}; });
  });
  test::run("first of the shortest", [] {
    scans<uint64_t>(first_shortest{}, [](test::random& r) { return uint64_t{r.below(5)} << 32 | r.below(1000); });
  });
  test::run("every width", every_width);
  test::run("identities", [] {
    identities<std::int32_t>();
    identities<uint32_t>();
    identities<std::int64_t>();
    identities<float>();
    identities<double>();
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK_EQ(minimum<float>{}(minimum<float>{}.identity(), infinity), infinity);
    CHECK_EQ(maximum<float>{}(maximum<float>{}.identity(), -infinity), -infinity);
  });
  return test::finish();
}
