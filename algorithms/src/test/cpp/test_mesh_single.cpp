// What tests in single precision are sure of is what tests in doubles say, and they are sure of nearly everything that
// does not need more.
// flavors: cpu cpu-asan
// build: -ffp-contract=off
// build: -march=native -ffp-contract=fast
#include "mesh/single.cuh"

#include <cmath>

#include "test.hpp"

using magpie::mesh::point;
using magpie::mesh::quality;
namespace mesh = magpie::mesh;

namespace {

/// Fractions from 0 to 1.
struct source {
  std::uint64_t state;
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53;
  }
  point around(point center, double radius) {
    return {center.x + radius * (2 * next() - 1), center.y + radius * (2 * next() - 1)};
  }
};

quality asked(double degrees, double area) {
  const double sine = std::sin(degrees * 3.14159265358979 / 180);
  return {sine * sine, 0, area == 0 ? INFINITY : 2 * area, 0, 0, {}};
}

/// Whether the tests of these points in floats agree with those in doubles; counts what is sure.
void compare(const point (&p)[4], const quality& q, int& sure_circle, int& sure_quality) {
  const int circle = mesh::single::in_circle(p[0], p[1], p[2], p[3]);
  const double exact = mesh::in_circle(p[0], p[1], p[2], p[3]);
  if (circle != 0) CHECK_EQ(circle > 0, exact > 0);
  if (circle != 0) CHECK(exact != 0);
  sure_circle += circle != 0;
  const int bad = mesh::single::is_bad(p[0], p[1], p[2], q);
  if (bad != 0) CHECK_EQ(bad > 0, mesh::is_bad(p[0], p[1], p[2], q));
  sure_quality += bad != 0;
  // Where floats do not tell, doubles may; where they do not either, the search is made again exactly.
  const double side = mesh::single_search::in_circle(p[0], p[1], p[2], p[3]);
  const double in_doubles = mesh::in_circle_if_sure(p[0], p[1], p[2], p[3]);
  if (side == side) CHECK_EQ(side > 0, exact > 0);
  if (in_doubles == in_doubles) CHECK_EQ(in_doubles > 0, exact > 0);
  CHECK_EQ(side != side, circle == 0 && in_doubles != in_doubles);
  CHECK_EQ(mesh::single_search::is_bad(p[0], p[1], p[2], q), mesh::is_bad(p[0], p[1], p[2], q));
}

}  // namespace

int main() {
  test::run("points at random, at every scale", [] {
    source random{1};
    for (int exponent = -200; exponent <= 200; ++exponent) {
      const double radius = std::ldexp(1.0, exponent);
      int circle = 0, good = 0;
      const int tries = 200;
      for (int i = 0; i < tries; ++i) {
        const point center = i % 2 == 0 ? point{0, 0} : point{0.3, 0.7};
        const point p[4] = {random.around(center, radius), random.around(center, radius), random.around(center, radius),
                            random.around(center, radius)};
        compare(p, asked(30, i % 3 == 0 ? 0 : radius * radius / 4), circle, good);
      }
      // In the middle of the floats' range next to nothing needs doubles; beyond it everything does.
      if (exponent >= -16 && exponent <= 10) CHECK(circle > tries * 0.99 && good > tries * 0.99);
      if (exponent < -100 || exponent > 40) CHECK(circle + good == 0);
    }
  });

  test::run("nearly on one circle, nearly at the bounds", [] {
    source random{2};
    for (int i = 0; i < 100'000; ++i) {
      const double turn = 6.283 * random.next(), radius = std::exp(10 * random.next() - 8);
      const point center{random.next(), random.next()};
      const double push = 1 + std::ldexp(2 * random.next() - 1, -static_cast<int>(50 * random.next()));
      point p[4];
      for (int k = 0; k < 4; ++k) {
        const double angle = turn + k * (1 + random.next()) * 0.7;
        const double r = k == 3 ? radius * push : radius;
        p[k] = {center.x + r * std::cos(angle), center.y + r * std::sin(angle)};
      }
      int circle = 0, good = 0;
      compare(p, asked(30, 0), circle, good);
      // Two equal legs with just the angle that is asked between them, and just the area.
      const double degrees = 20 + 14 * random.next();
      const double angle = degrees * 3.14159265358979 / 180 * push;
      const point thin[4] = {center,
                             {center.x + radius, center.y},
                             {center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)},
                             center};
      const double area = 0.5 * radius * radius * std::sin(angle);
      compare(thin, asked(degrees, 0), circle, good);
      compare(thin, asked(0, area * push), circle, good);
    }
  });

  test::run("points on a grid", [] {
    source random{3};
    for (int i = 0; i < 100'000; ++i) {
      const double step = std::ldexp(1.0, static_cast<int>(20 * random.next()) - 10);
      point p[4];
      for (point& each : p) each = {step * std::floor(5 * random.next()), step * std::floor(5 * random.next())};
      int circle = 0, good = 0;
      compare(p, asked(45, step * step / 2), circle, good);
    }
  });
  return test::finish();
}
