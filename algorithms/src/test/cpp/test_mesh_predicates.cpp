// The predicates' signs are those of integer arithmetic without bounds, on every kind of input that rounding misjudges.
// flavors: cpu sim cpu-asan sim-asan
// full flavors: sim
// build: -ffp-contract=off
// full build: -march=native -ffp-contract=fast
#include "mesh/predicates.cuh"

#include <algorithm>
#include <array>
#include <cmath>

#include "test.hpp"

using magpie::mesh::in_circle;
using magpie::mesh::orient2d;
using magpie::mesh::point;

namespace {

/// An integer of any size: sign and 32-bit digits, lowest first, without leading zeros.
class integer {
 public:
  integer() = default;
  /// value * 2^-scale, which must be an integer.
  integer(double value, int scale) : negative_(value < 0) {
    if (value == 0) return;
    int exponent;
    const double fraction = std::frexp(std::fabs(value), &exponent);
    std::uint64_t mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    int shift = exponent - 53 - scale;
    for (; shift < 0; ++shift) {
      CHECK(mantissa % 2 == 0);
      mantissa /= 2;
    }
    digits_.assign(shift / 32, 0);
    const int bits = shift % 32;
    const std::uint64_t low = mantissa << bits, high = bits == 0 ? 0 : mantissa >> (64 - bits);
    for (const std::uint64_t part : {low, high}) {
      digits_.push_back(static_cast<std::uint32_t>(part));
      digits_.push_back(static_cast<std::uint32_t>(part >> 32));
    }
    trim();
  }

  int sign() const { return digits_.empty() ? 0 : negative_ ? -1 : 1; }

  friend integer operator-(integer a) {
    a.negative_ = !a.negative_;
    return a;
  }
  friend integer operator+(const integer& a, const integer& b) {
    if (a.negative_ == b.negative_) return {a.negative_, sum(a.digits_, b.digits_)};
    const bool larger = less(b.digits_, a.digits_);
    const integer &most = larger ? a : b, &least = larger ? b : a;
    return {most.negative_, difference(most.digits_, least.digits_)};
  }
  friend integer operator-(const integer& a, const integer& b) { return a + -b; }
  friend integer operator*(const integer& a, const integer& b) {
    digits product(a.digits_.size() + b.digits_.size(), 0);
    for (std::size_t i = 0; i < a.digits_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < b.digits_.size(); ++j) {
        carry += std::uint64_t{a.digits_[i]} * b.digits_[j] + product[i + j];
        product[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      product[i + b.digits_.size()] = static_cast<std::uint32_t>(carry);
    }
    return {a.negative_ != b.negative_, std::move(product)};
  }

 private:
  using digits = std::vector<std::uint32_t>;

  integer(bool negative, digits d) : negative_(negative), digits_(std::move(d)) { trim(); }

  void trim() {
    while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
  }
  static bool less(const digits& a, const digits& b) {
    if (a.size() != b.size()) return a.size() < b.size();
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  }
  static digits sum(const digits& a, const digits& b) {
    digits result;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry != 0; ++i) {
      carry += (i < a.size() ? a[i] : std::uint64_t{0}) + (i < b.size() ? b[i] : 0);
      result.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    return result;
  }
  /// For a >= b.
  static digits difference(const digits& a, const digits& b) {
    digits result;
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      borrow += static_cast<std::int64_t>(a[i]) - (i < b.size() ? b[i] : 0);
      result.push_back(static_cast<std::uint32_t>(borrow));
      borrow >>= 32;
    }
    return result;
  }

  bool negative_ = false;
  digits digits_;
};

int sign(double value) { return (value > 0) - (value < 0); }

/// The exponent of the last place of the finest coordinate.
template <std::size_t N>
int scale_of(const std::array<point, N>& points) {
  int scale = 1023;
  for (const point& p : points) {
    for (const double v : {p.x, p.y}) {
      if (v != 0) scale = std::min(scale, std::max(std::ilogb(v) - 52, -1074));
    }
  }
  return scale;
}

struct exact_point {
  integer x, y;
  exact_point(point p, int scale) : x(p.x, scale), y(p.y, scale) {}
};
integer twice_area(const exact_point& a, const exact_point& b, const exact_point& c) {
  return a.x * (b.y - c.y) + b.x * (c.y - a.y) + c.x * (a.y - b.y);
}
integer squared_norm(const exact_point& p) { return p.x * p.x + p.y * p.y; }

int expected_orientation(const std::array<point, 3>& p) {
  const int scale = scale_of(p);
  return twice_area({p[0], scale}, {p[1], scale}, {p[2], scale}).sign();
}
/// By the determinant of rows (x, y, x^2 + y^2, 1), expanded along its third column.
int expected_side(const std::array<point, 4>& p) {
  const int scale = scale_of(p);
  const exact_point a(p[0], scale), b(p[1], scale), c(p[2], scale), d(p[3], scale);
  return (squared_norm(a) * twice_area(b, c, d) - squared_norm(b) * twice_area(a, c, d) +
          squared_norm(c) * twice_area(a, b, d) - squared_norm(d) * twice_area(a, b, c))
      .sign();
}

template <std::size_t N>
std::string text_of(const std::array<point, N>& points) {
  char text[64 * N];
  int end = 0;
  for (const point& p : points) end += std::snprintf(text + end, sizeof text - end, " (%a, %a)", p.x, p.y);
  return text;
}

/// How often each sign came out: a case that meant to be degenerate and is not shows here.
struct tally {
  std::uint32_t of[3] = {};
  std::uint32_t negative() const { return of[0]; }
  std::uint32_t zero() const { return of[1]; }
  std::uint32_t positive() const { return of[2]; }
};

/// Compares a sign with the expected one; in all orders of the points with the expected one's image.
void check_orientation(const std::array<point, 3>& p, tally& seen) {
  const std::string outer = test::setting();
  test::setting() += ", orient2d of" + text_of(p);
  const int expected = expected_orientation(p);
  ++seen.of[expected + 1];
  CHECK_EQ(sign(orient2d(p[0], p[1], p[2])), expected);
  CHECK_EQ(sign(orient2d(p[1], p[2], p[0])), expected);
  CHECK_EQ(sign(orient2d(p[2], p[0], p[1])), expected);
  CHECK_EQ(sign(orient2d(p[1], p[0], p[2])), -expected);
  CHECK_EQ(sign(magpie::mesh::exact::orient2d(p[0], p[1], p[2])), expected);
  test::setting() = outer;
}
void check_side(const std::array<point, 4>& p, tally& seen) {
  const std::string outer = test::setting();
  test::setting() += ", in_circle of" + text_of(p);
  const int expected = expected_side(p);
  ++seen.of[expected + 1];
  CHECK_EQ(sign(in_circle(p[0], p[1], p[2], p[3])), expected);
  CHECK_EQ(sign(in_circle(p[1], p[2], p[0], p[3])), expected);
  CHECK_EQ(sign(in_circle(p[1], p[0], p[2], p[3])), -expected);
  CHECK_EQ(sign(in_circle(p[3], p[1], p[2], p[0])), -expected);
  CHECK_EQ(sign(magpie::mesh::exact::in_circle(p[0], p[1], p[2], p[3])), expected);
  test::setting() = outer;
}

double unit(test::random& random) { return static_cast<double>(random.bits() >> 11) * 0x1p-53; }
/// An integer in [-n, n].
double whole(test::random& random, std::uint32_t n) { return static_cast<double>(random.below(2 * n + 1)) - n; }
/// v moved by up to two places; 0 by about the least magnitude in range.
double nudged(test::random& random, double v) {
  if (v == 0) return whole(random, 2) * 0x1p-204;
  const std::uint32_t steps = random.below(5);
  for (std::uint32_t i = 0; i < steps % 3; ++i) v = std::nextafter(v, steps < 3 ? HUGE_VAL : -HUGE_VAL);
  return v;
}

/// Integer points of the circle of radius 1105 about the origin, of which there are 108.
std::vector<point> circle() {
  std::vector<point> points;
  for (int x = -1105; x <= 1105; ++x) {
    const int y = static_cast<int>(std::lround(std::sqrt(1105.0 * 1105 - 1.0 * x * x)));
    if (x * x + y * y != 1105 * 1105) continue;
    points.push_back({1.0 * x, 1.0 * y});
    if (y != 0) points.push_back({1.0 * x, -1.0 * y});
  }
  return points;
}

const std::uint32_t many = test::scaled(20000, 2000);

/// Sums of doubles that overlap, are far apart, or cancel, in an expansion that has to be compressed often.
void sums() {
  constexpr int scale = -400;
  for (std::uint32_t seed = 0; seed < many / 20; ++seed) {
    test::setting() = "sums, seed " + std::to_string(seed);
    test::random random(seed);
    magpie::mesh::exact::expansion<24> sum;
    integer expected;
    for (int n = 0; n < 200; ++n) {
      // Few bits each, so that the parts are many before they are compressed.
      const double value = std::ldexp(whole(random, 3), static_cast<int>(random.below(800)) + scale);
      sum.add(value);
      expected = expected + integer(value, scale);
      integer total;
      for (int i = 0; i < sum.size; ++i) total = total + integer(sum.part[i], scale);
      CHECK_EQ((total - expected).sign(), 0);
      CHECK_EQ(sign(sum.leading()), expected.sign());
    }
    for (int i = 1; i < sum.size; ++i) CHECK(std::fabs(sum.part[i - 1]) < std::fabs(sum.part[i]));
    sum.compress();
    for (int i = 1; i < sum.size; ++i) CHECK(std::fabs(sum.part[i - 1]) <= 0x1p-52 * std::fabs(sum.part[i]));
  }
}

/// Points of a small grid about (0.5, 0.5), a place apart, with two far points on its diagonal.
void last_places() {
  tally seen;
  const int n = static_cast<int>(test::scaled(128, 32));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      check_orientation({{{0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53}, {12, 12}, {24, 24}}}, seen);
    }
  }
  CHECK(seen.zero() >= static_cast<std::uint32_t>(n));
  CHECK(seen.negative() > 0 && seen.positive() > 0);
}

/// Points of a line, exactly and within places of it.
void collinear(double unit_length, std::uint32_t size) {
  tally seen;
  for (std::uint32_t seed = 0; seed < many; ++seed) {
    test::random random(seed);
    const double ax = whole(random, size), ay = whole(random, size);
    const double dx = whole(random, size), dy = whole(random, size);
    const auto on_line = [&](double k) { return point{(ax + k * dx) * unit_length, (ay + k * dy) * unit_length}; };
    std::array<point, 3> p = {on_line(whole(random, 50)), on_line(whole(random, 50)), on_line(whole(random, 50))};
    check_orientation(p, seen);
    p[seed % 3].x = nudged(random, p[seed % 3].x);
    p[seed % 3].y = nudged(random, p[seed % 3].y);
    check_orientation(p, seen);
  }
  CHECK(seen.zero() >= many && seen.zero() < 2 * many);
  CHECK(seen.negative() > 0 && seen.positive() > 0);
}

/// Points of a circle about any center, exactly and within places of it.
void cocircular(double unit_length, std::uint32_t offset) {
  const std::vector<point> points = circle();
  CHECK_EQ(points.size(), 108u);
  tally seen;
  for (std::uint32_t seed = 0; seed < many; ++seed) {
    test::random random(seed);
    const double x = whole(random, offset), y = whole(random, offset);
    std::array<point, 4> p;
    for (point& q : p) {
      q = points[random.below(108)];
      q = {(q.x + x) * unit_length, (q.y + y) * unit_length};
    }
    check_side(p, seen);
    point& moved = p[seed % 4];
    moved = {nudged(random, moved.x), nudged(random, moved.y)};
    check_side(p, seen);
  }
  CHECK(seen.zero() >= many && seen.zero() < 2 * many);
  CHECK(seen.negative() > 0 && seen.positive() > 0);
}

/// Points within some relative distance of a common circle or line, whose differences are not doubles.
void nearly_degenerate(double distance, double size) {
  tally lines, circles;
  for (std::uint32_t seed = 0; seed < many; ++seed) {
    test::random random(seed);
    const double x = unit(random) * size, y = unit(random) * size, r = unit(random) * size;
    std::array<point, 4> p;
    for (point& q : p) {
      const double angle = unit(random) * 6.3, radius = r * (1 + distance * unit(random));
      q = {x + radius * std::cos(angle), y + radius * std::sin(angle)};
    }
    check_side(p, circles);
    const double k = unit(random) * 3;
    check_orientation({p[0], p[1], {p[0].x + k * (p[1].x - p[0].x), p[0].y + k * (p[1].y - p[0].y)}}, lines);
  }
  CHECK(lines.negative() > 0 && lines.positive() > 0);
  CHECK(circles.negative() > 0 && circles.positive() > 0);
}

/// Coordinates of all magnitudes in range, many with few bits, so that terms of very different sizes decide.
void magnitudes() {
  tally lines, circles;
  for (std::uint32_t seed = 0; seed < many; ++seed) {
    test::random random(seed);
    const std::uint32_t spread = random.below(454) + 1;
    const auto coordinate = [&] {
      if (random.below(8) == 0) return 0.0;
      const double v = random.below(2) == 0 ? 1 + unit(random) : 1 + random.below(2) * 0x1p-52;
      const int exponent = 23 - static_cast<int>(spread / 2) + static_cast<int>(random.below(spread));
      return std::ldexp(random.below(2) == 0 ? v : -v, exponent);
    };
    std::array<point, 4> p;
    for (point& q : p) q = {coordinate(), coordinate()};
    if (random.below(2) == 0) p[3] = {nudged(random, p[0].x), p[0].y};
    if (random.below(4) == 0) p[2] = {p[1].x, nudged(random, p[1].y)};
    check_orientation({p[0], p[1], p[3]}, lines);
    check_side(p, circles);
  }
  CHECK(lines.negative() > 0 && lines.positive() > 0);
  CHECK(circles.negative() > 0 && circles.positive() > 0);
}

/// The ends of the range, where the next larger power would overflow and the next smaller one lose bits.
void ends_of_range() {
  tally lines, circles;
  for (const double size : {0x1p-204, 0x1p-203, 1.0, 0x1p249}) {
    const double next = size * (1 + 0x1p-52);
    check_orientation({{{size, size}, {next, next}, {-size, -size}}}, lines);
    check_orientation({{{size, next}, {next, size}, {-size, -next}}}, lines);
    check_side({{{-size, -size}, {size, -size}, {size, size}, {-size, size}}}, circles);
    check_side({{{-size, -size}, {size, -size}, {size, size}, {-size, next}}}, circles);
    check_side({{{-size, -next}, {next, -size}, {size, next}, {-next, size}}}, circles);
    check_side({{{-size, -size}, {size, -size}, {next, size}, {-0x1p-204, size}}}, circles);
    check_side({{{-0x1p250, -size}, {0x1p250, -size}, {0x1p250, next}, {-0x1p250, next}}}, circles);
    check_side({{{-0x1p250, -size}, {0x1p250, -size}, {0x1p250, size}, {-0x1p250, next}}}, circles);
  }
  CHECK(lines.zero() > 0 && lines.negative() + lines.positive() > 0);
  CHECK(circles.zero() > 0 && circles.negative() > 0 && circles.positive() > 0);
}

/// Beyond the range a sign is right or there is none.
void out_of_range() {
  const double infinite = HUGE_VAL;
  for (const double large : {0x1p251, 1e100, 1e200, 1e300, 0x1.fffffffffffffp1023, infinite, double(NAN)}) {
    CHECK(std::isnan(orient2d({0.1, 0.1}, {large, large}, {-large, -large})));
    CHECK(std::isnan(in_circle({-large, -large}, {large, -large}, {large, large}, {-large, large})));
    CHECK(!(orient2d({0, 0}, {large, 0}, {0, large}) <= 0));
    CHECK(!(in_circle({-large, 0}, {large, 0}, {0, large}, {0, 0}) <= 0));
    CHECK(!(in_circle({-large, 0}, {0, 0}, {0, large}, {large, 0}) >= 0));
  }
  CHECK(orient2d({0, 0}, {1e100, 0}, {0, 1e100}) > 0);
}

}  // namespace

int main() {
  test::run("sums", sums);
  test::run("last places", last_places);
  test::run("collinear, small", [] { collinear(1, 1000); });
  test::run("collinear, about 1e16", [] { collinear(0x1p24, 20'000'000); });
  test::run("collinear, inexact differences", [] { collinear(0x1p-30, 1'000'000'000); });
  test::run("cocircular, small", [] { cocircular(1, 0); });
  test::run("cocircular, about 1e16", [] { cocircular(0x1p24, 500'000'000); });
  test::run("cocircular, tiny", [] { cocircular(0x1p-190, 1000); });
  test::run("random", [] { nearly_degenerate(1, 1); });
  test::run("nearly degenerate", [] { nearly_degenerate(1e-15, 1); });
  test::run("nearly degenerate, about 1e16", [] { nearly_degenerate(1e-15, 1e16); });
  test::run("magnitudes", magnitudes);
  test::run("ends of range", ends_of_range);
  test::run("out of range", out_of_range);
  return test::finish();
}
