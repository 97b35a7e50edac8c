// A search that meets a position which cannot be seen yet finds the mesh torn, wherever in it that is; and what
// a cavity in lent memory is.
// flavors: cpu cpu-asan
#include "mesh/look.cuh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "test.hpp"

using namespace magpie::mesh;

namespace {

constexpr u32 corners = 8;
constexpr u32 unseen = corners;  // a vertex that was just inserted: triangles name it before its position can be seen

/// A polygon, triangulated from its vertex 0, that others change: what a search sees of it; whether it met `unseen`.
struct changing_mesh {
  record triangles[corners - 2];
  point points[corners + 1];
  u32 kinds[corners + 1];
  bool* met;

  record triangle(u32 t) const { return triangles[t]; }
  point vertex(u32 v) const {
    if (v == unseen) *met = true;
    return points[v];
  }
  u32 vertex_segment(u32 v) const { return kinds[v]; }
  u32 segment(u32) const { return 0; }
};

/// Corners near the unit circle, so that most circumcircles contain most centers; some edges inside are fixed.
changing_mesh polygon(test::random& random, bool& met) {
  changing_mesh mesh;
  mesh.met = &met;
  for (u32 v = 0; v < corners; ++v) {
    const double angle = 6.283185307179586 * (v + random.below(100) * 0.005) / corners;
    const double radius = 1 + random.below(100) * 0.001;
    mesh.points[v] = {radius * std::cos(angle), radius * std::sin(angle)};
    mesh.kinds[v] = random.below(2) == 0 ? input_vertex : corner_vertex;
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  mesh.points[unseen] = {random.below(2) == 0 ? nan : 0.1, nan};
  mesh.kinds[unseen] = absent_vertex;
  const u32 last = corners - 3;
  for (u32 t = 0; t <= last; ++t) {
    mesh.triangles[t] = {{0, t + 1, t + 2},
                         live | bad | fixed_bit(0),
                         {none, t == last ? none : link_of(t + 1, 2), t == 0 ? none : link_of(t - 1, 1)},
                         0};
  }
  mesh.triangles[0].flags |= fixed_bit(2);
  mesh.triangles[last].flags |= fixed_bit(1);
  for (u32 t = 0; t < last; ++t) {
    if (random.below(3) != 0) continue;
    mesh.triangles[t].flags |= fixed_bit(1);
    mesh.triangles[t + 1].flags |= fixed_bit(2);
  }
  return mesh;
}

/// How often the vertex was met.
struct meetings {
  u32 looks = 0, around = 0, exactly = 0, across = 0;
};

/// Searches from triangle t, in each of the ways there are.
void search_from(const changing_mesh& mesh, bool& met, u32 t, meetings& count) {
  const quality asked{0.25, 0, std::numeric_limits<double>::infinity(), 0, 0, {}};
  cavity<usual, plain_search, true> c;
  const record& r = mesh.triangles[t];

  // As refinement does: of the triangle, and of each of its fixed edges.
  for (u32 k = 0; k <= whole; ++k) {
    met = false;
    u32 edge;
    finding found = search(mesh, magpie::single_lane{}, true, link_of(t, k), asked, c, edge);
    if (found == finding::obstructed) {
      CHECK(!met);
      found = look_at_obstacle(mesh, edge, c);
    }
    if (met) CHECK(found == finding::torn);
    count.looks += met;
  }

  // The parts that it is made of, before what they found is looked at again.
  for (u32 k = 0; k < 3; ++k) {
    if ((r.flags & fixed_bit(k)) == 0) continue;
    met = false;
    const point from = mesh.points[r.corner[after(k)]], to = mesh.points[r.corner[before(k)]];
    const point middle{0.5 * (from.x + to.x), 0.5 * (from.y + to.y)};
    if (middle.x != middle.x || middle.y != middle.y) continue;
    const growth found = c.across(mesh, t, k, r, middle);
    if (met) CHECK(found == growth::torn);
    count.across += met;
  }
  const point p[3] = {mesh.points[r.corner[0]], mesh.points[r.corner[1]], mesh.points[r.corner[2]]};
  for (const point& each : p) {
    if (is_absent(each)) return;
  }
  const auto around = [&]<arithmetic By>(u32& met_here) {
    met = false;
    if (c.template begin<By>(t, r, p, mending_point(p[0], p[1], p[2], asked)) != growth::whole) return;
    const growth found = c.template grow_around<By>(mesh, magpie::single_lane{}, true, t, r, p, {});
    if (met) CHECK(found == growth::torn);
    met_here += met;
  };
  around.template operator()<arithmetic::doubles>(count.around);
  around.template operator()<arithmetic::exact>(count.exactly);
}

/// A fan of a circle's corners around its vertex 0. Some edges have a triangle beyond them, outside of the
/// circle; the others are fixed.
struct circle_mesh {
  std::vector<record> triangles;
  std::vector<point> points;

  record triangle(u32 t) const { return triangles[t]; }
  point vertex(u32 v) const { return points[v]; }
  u32 segment(u32) const { return 0; }

  /// Whether the edge from corner v to the next one is fixed.
  bool stands(u32 v) const { return v == 0 || v + 1 >= size || v % 3 == 0; }
  u32 size;

  explicit circle_mesh(u32 n) : size(n) {
    const auto put = [this](double radius, double turns) {
      const double angle = 6.283185307179586 * turns;
      points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    };
    for (u32 v = 0; v < n; ++v) put(1, double(v) / n);
    const u32 last = n - 3;
    for (u32 t = 0; t <= last; ++t) {
      const u32 fixed =
          (stands(t + 1) ? fixed_bit(0) : 0u) | (t == 0 ? fixed_bit(2) : 0u) | (t == last ? fixed_bit(1) : 0u);
      triangles.push_back(
          {{0, t + 1, t + 2},
           live | fixed,
           {none, fixed & fixed_bit(1) ? none : link_of(t + 1, 2), fixed & fixed_bit(2) ? none : link_of(t - 1, 1)},
           0});
    }
    for (u32 t = 0; t <= last; ++t) {
      if (stands(t + 1)) continue;
      triangles[t].link[0] = link_of(u32(triangles.size()), 0);
      triangles.push_back(
          {{u32(points.size()), t + 2, t + 1}, live | fixed_bit(1) | fixed_bit(2), {link_of(t, 0), none, none}, 0});
      put(3, (t + 1.5) / n);
    }
  }
};

}  // namespace

int main() {
  test::run("a triangle's new corner shows before its position and its new links", [] {
    meetings count;
    for (u32 seed = 0; seed < test::scaled(20'000, 2'000); ++seed) {
      test::setting() = "seed " + std::to_string(seed);
      test::random random(seed);
      bool met = false;
      changing_mesh mesh = polygon(random, met);
      const u32 torn = random.below(corners - 2);
      mesh.triangles[torn].corner[random.below(3)] = unseen;
      for (u32 t = 0; t < corners - 2; ++t) search_from(mesh, met, t, count);
    }
    test::setting() = "";
    CHECK(count.looks > 1000);
    CHECK(count.across > 1000);
    CHECK(count.around > 1000);
    CHECK(count.exactly > 1000);
  });

  test::run("a point that would see a whole edge at more than 180 degrees less twice the angle asked is refused", [] {
    circle_mesh mesh(3);
    record& r = mesh.triangles[0];
    r.flags = live | bad | fixed_bit(0) | fixed_bit(1) | fixed_bit(2);
    r.link[0] = r.link[1] = r.link[2] = none;
    mesh.points = {{0, 0}, {1, 0}, {0.5, 2}};
    const point p[3] = {mesh.points[r.corner[0]], mesh.points[r.corner[1]], mesh.points[r.corner[2]]};
    u32 inserted = 0, refused = 0;
    for (double degrees : {0.0, 20.0, 30.0, 33.0}) {
      const double sine = std::sin(degrees * 3.14159265358979323846 / 180);
      for (int i = -10; i < 60; ++i) {
        const point at{0.48, 0.01 * i + 0.003};
        double widest = 0;  // in degrees, above 180 beyond an edge
        for (u32 k = 0; k < 3; ++k) {
          const point u = p[k] - at, v = p[after(k)] - at;
          const double angle = std::atan2(cross(u, v), dot(u, v)) * 180 / 3.14159265358979323846;
          widest = std::max(widest, angle < 0 ? angle + 360 : angle);
        }
        for (u32 kept = 0; kept <= 2; ++kept) {
          test::setting() =
              std::to_string(degrees) + " degrees, " + std::to_string(widest) + ", kept " + std::to_string(kept);
          cavity<usual> c;
          const quality asked{sine * sine, 0, std::numeric_limits<double>::infinity(), 0, kept, {}};
          CHECK(c.begin<arithmetic::exact>(0, r, p, at) == growth::whole);
          const growth found = c.grow_around<arithmetic::exact>(mesh, magpie::single_lane{}, true, 0, r, p, asked);
          if (kept == 0) {
            CHECK(found == (widest < 90 ? growth::whole : growth::obstructed));
          } else {
            CHECK(found == (widest < 180 - 2 * degrees ? growth::whole : growth::kept));
            ++(found == growth::kept ? refused : inserted);
          }
        }
      }
    }
    test::setting() = "";
    CHECK(inserted > 100 && refused > 100);
  });

  test::run("a cavity in lent memory is right whatever lay there, and writes no more than it needs", [] {
    constexpr u32 capacity = 4096, untouched = 0xa5a5a5a5;
    for (u32 n : {8u, 31u, 32u, 33u, 64u, 100u, 1000u}) {
      test::setting() = std::to_string(n) + " corners";
      const circle_mesh mesh(n);
      std::vector<record> memory(lent_words(capacity) * sizeof(u32) / sizeof(record) + 1);
      u32* const words = reinterpret_cast<u32*>(memory.data());
      std::fill_n(words, lent_words(capacity), untouched);
      cavity<lent_memory, plain_search, true> c;
      c.lend(words, capacity);
      const record r = mesh.triangle(0);
      const point p[3] = {mesh.points[r.corner[0]], mesh.points[r.corner[1]], mesh.points[r.corner[2]]};
      CHECK(c.begin<arithmetic::exact>(0, r, p, {0.01, 0.02}) == growth::whole);
      CHECK(c.grow_around<arithmetic::exact>(mesh, magpie::single_lane{}, true, 0, r, p, {}) == growth::whole);
      CHECK(c.triangles == n - 2);
      CHECK(c.rim == n);
      for (u32 i = 0; i < c.rim; ++i) CHECK(c.is_fixed(i) == mesh.stands(c.rim_vertex[i]));
      for (u32 w = (n + 31) / 32; w < (capacity + 2 + 31) / 32; ++w) CHECK(c.fixed[w] == untouched);
    }
    test::setting() = "";
  });
  return test::finish();
}
