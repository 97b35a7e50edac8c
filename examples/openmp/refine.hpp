/// @file
/// Delaunay refinement with locks, section 6.4 of the study: rounds over a list of bad triangles, of each of which a thread
/// locks the cavity and what is around it, fills it, and lists the new bad triangles for the next round.
///
/// Where points go and how cavities grow is the library's, algorithms/src/main/cuda/mesh, so that this and its refinement
/// differ in how threads share the mesh, and in the order of work: here an item's turn is the round after the one that listed
/// it, there the most urgent ones go first.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "mesh/look.cuh"
#include "mesh_files.hpp"
#include "team.hpp"

namespace baseline {

namespace mesh = magpie::mesh;

class refinement {
 public:
  /// @param degrees the least angle allowed
  /// @param area the largest area of a triangle; infinite = any
  refinement(const mesh_data& input, double degrees, double area, int grain)
      : markers_(input.markers),
        segment_ends_(input.ends),
        grain_(grain),
        vertices_(static_cast<u32>(input.coordinates.size() / 2)),
        triangles_(static_cast<u32>(input.corners.size() / 3)) {
    const double angle = degrees * std::numbers::pi / 180;
    import_vertices(input, degrees > 30 ? -0.5 : 0.5);
    import_triangles(input);
    asked_.sine_squared = std::sin(angle) * std::sin(angle) * (1 - tie);
    asked_.off_center = degrees == 0 ? 0 : 0.475 / std::tan(angle / 2);
    asked_.doubled_area = 2 * area;
    asked_.kept = 0;
    asked_.areas = {nullptr, 0};
  }

  void run() {
    std::vector<u32> items = find_work();
    while (!items.empty()) {
      ++rounds_;
      make_room(items.size());
      shared_list<u32> output;
#pragma omp parallel
      {
        const auto room = std::make_unique<cavity>();  // large for a stack
        std::vector<u32> held;
#pragma omp for schedule(dynamic, grain_)
        for (std::size_t i = 0; i < items.size(); ++i) work_on(items[i], *room, held, output);
      }
      if (too_large_)
        throw failure("a cavity has more than " + std::to_string(most) + " triangles; take magpie refine");
      items = output.take();
    }
  }

  mesh_data result() const {
    const mesh::view m = arrays();
    mesh_data made;
    for (u32 v = 0; v < vertices_; ++v) {
      const mesh::point p = m.position_plain(v);
      made.coordinates.insert(made.coordinates.end(), {p.x, p.y});
    }
    for (u32 t = 0; t < triangles_; ++t) {
      const mesh::record r = m.load_plain(t);
      made.corners.insert(made.corners.end(), r.corner, r.corner + 3);
      for (u32 k = 0; k < 3; ++k) {
        if ((r.flags & mesh::fixed_bit(k)) == 0) continue;
        if (r.link[k] != mesh::none && mesh::triangle_of(r.link[k]) < t) continue;  // listed there
        made.ends.insert(made.ends.end(), {r.corner[mesh::after(k)], r.corner[mesh::before(k)]});
        made.markers.push_back(markers_[*m.segment(mesh::link_of(t, k))]);
      }
    }
    return made;
  }

  std::int64_t rounds() const { return rounds_; }
  /// How often an item had to wait for another round, as others had changed what it was to change.
  std::int64_t retries() const { return retries_; }
  /// Bad triangles that cannot be mended in double precision.
  std::int64_t stuck() const { return stuck_; }

 private:
  using u32 = mesh::u32;
  using u64 = mesh::u64;
  /// Triangles of a cavity that there is room for.
  static constexpr u32 most = 1000;
  using cavity = mesh::cavity<most, mesh::plain_search, true>;
  /// By what part of its squared sine an angle may be below the bound, as in Java: half of what the verifier allows.
  static constexpr double tie = 1e-10;

  const std::vector<std::int32_t> markers_;
  std::vector<u32> segment_ends_;
  const int grain_;
  u32 vertices_;
  u32 triangles_;
  std::vector<magpie::word_pair> records_;
  std::vector<magpie::word_pair> points_;
  std::vector<u32> vertex_segment_;
  std::vector<u32> edge_segment_;
  std::unique_ptr<spin_lock[]> locks_;  ///< of triangles
  mesh::quality asked_{};
  std::int64_t rounds_ = 0;
  std::int64_t retries_ = 0;
  std::int64_t stuck_ = 0;
  bool too_large_ = false;

  mesh::view arrays() const {
    const auto writable = [](const auto& vector) {
      return const_cast<std::decay_t<decltype(vector[0])>*>(vector.data());
    };
    return {writable(records_), writable(points_), writable(vertex_segment_), writable(edge_segment_),
            segment_ends_.data()};
  }

  /// Room for what so many insertions add: each a vertex, and two triangles beside those that it replaces.
  void make_room(std::size_t insertions) {
    const std::size_t vertices = vertices_ + insertions;
    const std::size_t slots = triangles_ + 2 * insertions;
    if (slots >= std::size_t{1} << 30) throw failure("more than 2^30 triangles; ask for less");
    if (vertices > vertex_segment_.size()) {
      const auto absent = std::bit_cast<u64>(std::numeric_limits<double>::quiet_NaN());
      points_.resize(2 * vertices, {absent, absent});
      vertex_segment_.resize(2 * vertices, mesh::absent_vertex);
    }
    if (2 * slots > records_.size()) {
      records_.resize(4 * slots, {0, 0});
      edge_segment_.resize(6 * slots, mesh::none);
      locks_ = std::make_unique<spin_lock[]>(2 * slots);  // between rounds nobody holds one
    }
  }

  /// A corner is where two segments meet at an angle of a larger cosine.
  void import_vertices(const mesh_data& input, double cosine) {
    points_.resize(vertices_);
    vertex_segment_.assign(vertices_, mesh::input_vertex);
    for (u32 v = 0; v < vertices_; ++v) arrays().place(v, {input.coordinates[2 * v], input.coordinates[2 * v + 1]});
    std::vector<std::pair<u32, u32>> joined;
    for (std::size_t s = 0; s < segment_ends_.size(); s += 2) {
      joined.emplace_back(segment_ends_[s], segment_ends_[s + 1]);
      joined.emplace_back(segment_ends_[s + 1], segment_ends_[s]);
    }
    std::sort(joined.begin(), joined.end());
    for (std::size_t from = 0, to = 0; from < joined.size(); from = to) {
      const u32 v = joined[from].first;
      while (to < joined.size() && joined[to].first == v) ++to;
      double largest = to - from > 6 ? 1 : -1;  // seven directions leave two within 60 degrees
      for (std::size_t i = from; i < to && largest < 1; ++i) {
        for (std::size_t j = i + 1; j < to; ++j) {
          const mesh::point a = arrays().position_plain(joined[i].second) - arrays().position_plain(v);
          const mesh::point b = arrays().position_plain(joined[j].second) - arrays().position_plain(v);
          largest = std::max(largest, dot(a, b) / std::sqrt(dot(a, a) * dot(b, b)));
        }
      }
      if (largest > cosine) vertex_segment_[v] = mesh::corner_vertex;
      if (largest > 0.5) asked_.sharp = 1;
    }
  }

  /// Links triangles that have an edge in common, and fixes the edges that are segments.
  void import_triangles(const mesh_data& input) {
    records_.resize(2 * std::size_t{triangles_});
    edge_segment_.assign(3 * std::size_t{triangles_}, mesh::none);
    const auto key = [](u32 a, u32 b) { return u64{std::min(a, b)} << 32 | std::max(a, b); };
    std::vector<std::pair<u64, u32>> segments, edges;
    for (u32 s = 0; 2 * s < segment_ends_.size(); ++s) {
      segments.emplace_back(key(segment_ends_[2 * s], segment_ends_[2 * s + 1]), s);
    }
    std::sort(segments.begin(), segments.end());
    std::vector<mesh::record> made(triangles_);
    for (u32 t = 0; t < triangles_; ++t) {
      mesh::record& r = made[t];
      r = {{input.corners[3 * t], input.corners[3 * t + 1], input.corners[3 * t + 2]},
           mesh::live,
           {mesh::none, mesh::none, mesh::none},
           0};
      for (u32 k = 0; k < 3; ++k)
        edges.emplace_back(key(r.corner[mesh::after(k)], r.corner[mesh::before(k)]), mesh::link_of(t, k));
      const auto at = [&](u32 k) { return arrays().position_plain(r.corner[k]); };
      if (!(mesh::orient2d(at(0), at(1), at(2)) > 0)) {
        throw failure("triangle " + std::to_string(t) + " is not counter-clockwise; expected a mesh of such");
      }
    }
    std::sort(edges.begin(), edges.end());
    for (std::size_t from = 0, to = 0; from < edges.size(); from = to) {
      const u64 edge = edges[from].first;
      while (to < edges.size() && edges[to].first == edge) ++to;
      const std::string name = std::to_string(edge >> 32) + " to " + std::to_string(static_cast<u32>(edge));
      const auto segment = std::lower_bound(segments.begin(), segments.end(), std::pair{edge, u32{0}});
      const bool fixed = segment != segments.end() && segment->first == edge;
      if (to - from > 2) throw failure("more than two triangles have the edge from vertex " + name);
      if (to - from == 1 && !fixed) throw failure("the edge from vertex " + name + ", on the boundary, is no segment");
      for (std::size_t i = from; i < to; ++i) {
        mesh::record& r = made[mesh::triangle_of(edges[i].second)];
        const u32 k = mesh::edge_of(edges[i].second);
        if (to - from == 2) r.link[k] = edges[from + to - 1 - i].second;
        if (fixed) {
          r.flags |= mesh::fixed_bit(k);
          *arrays().segment(edges[i].second) = segment->second;
        }
      }
    }
    for (u32 t = 0; t < triangles_; ++t) arrays().store(t, made[t]);
  }

  /// Judges all triangles.
  std::vector<u32> find_work() {
    const mesh::view m = arrays();
    const mesh::still_access still{m};
    shared_list<u32> found;
#pragma omp parallel for schedule(dynamic, grain_)
    for (u32 t = 0; t < triangles_; ++t) {
      mesh::record r = m.load(t);
      const mesh::point p[3] = {still.vertex(r.corner[0]), still.vertex(r.corner[1]), still.vertex(r.corner[2])};
      mesh::judge<mesh::plain_search>(still, t, r, p, asked_, [&](u32 item) { found.push(item); });
      m.store(t, r);
    }
    return found.take();
  }

  /// Does what an item asks for, or puts it back. What is changed was looked at without locks: it is locked, and then has to
  /// be as it was seen. Locks are taken in one order, so nobody waits in a circle, and an item is put back only where
  /// another one was done meanwhile.
  void work_on(u32 item, cavity& c, std::vector<u32>& held, shared_list<u32>& output) {
    const mesh::view m = arrays();
    const mesh::shared_access seen{m};
    u32 edge = mesh::none;
    mesh::finding found = mesh::search(seen, magpie::single_lane{}, true, item, asked_, c, edge);
    const mesh::record first = c.seen[0];  // the item's triangle
    if (found == mesh::finding::obstructed) found = mesh::look_at_obstacle(seen, edge, c);
    const bool of_triangle = mesh::edge_of(item) == mesh::whole;
    if (found == mesh::finding::too_large) {
      store(too_large_, true);
      return;
    }
    if (found == mesh::finding::insert) {
      lock_cavity(c, held);
      if (is_as_seen(m, c)) {
        fill(m, c, edge, output);
        if (edge != mesh::none && of_triangle) output.push(item);
        found = mesh::finding::nothing;
      } else {
        found = mesh::finding::torn;
      }
      for (const u32 t : held) locks_[t].unlock();
    } else if (found != mesh::finding::torn) {
      // There is nothing to do, or nothing that can be done: if the triangle is still that which says so.
      const u32 t = mesh::triangle_of(item);
      locks_[t].lock();
      if (!same(m.load(t), first)) {
        found = mesh::finding::torn;
      } else if (found != mesh::finding::nothing && of_triangle) {
        magpie::st_rlx_dev(m.flags(t), first.flags & ~mesh::bad);
        std::atomic_ref(stuck_).fetch_add(1, std::memory_order_relaxed);
      }
      locks_[t].unlock();
    }
    if (found == mesh::finding::torn) {
      std::atomic_ref(retries_).fetch_add(1, std::memory_order_relaxed);
      output.push(item);
    }
  }

  void lock_cavity(const cavity& c, std::vector<u32>& held) {
    held.assign(c.ids, c.ids + c.triangles);
    for (u32 i = 0; i < c.rim; ++i) {
      if (c.outer[i] != mesh::none) held.push_back(mesh::triangle_of(c.outer[i]));
    }
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
    for (const u32 t : held) locks_[t].lock();
  }

  static bool same(const mesh::record& a, const mesh::record& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

  /// Whether the triangles of a cavity, and the corners seen beyond its rim, are what the search saw.
  static bool is_as_seen(const mesh::view& m, const cavity& c) {
    for (u32 i = 0; i < c.triangles; ++i) {
      if (!same(m.load(c.ids[i]), c.seen[i])) return false;
    }
    for (u32 i = 0; i < c.rim; ++i) {
      if (c.is_fixed(i)) continue;
      const mesh::record around = m.load(mesh::triangle_of(c.outer[i]));
      if (mesh::pick(around.corner, mesh::edge_of(c.outer[i])) != c.beyond[i]) return false;
    }
    return true;
  }

  void fill(const mesh::view& m, cavity& c, u32 edge, shared_list<u32>& output) {
    c.read_segments(mesh::shared_access{m});
    const u32 segment = edge == mesh::none ? mesh::none : magpie::ld_rlx_dev(m.segment(edge));
    const u32 slot = std::atomic_ref(triangles_).fetch_add(c.rim - c.triangles, std::memory_order_relaxed);
    const u32 vertex = std::atomic_ref(vertices_).fetch_add(1, std::memory_order_relaxed);
    mesh::fill(
        m, magpie::single_lane{}, true, c, segment, vertex, asked_,
        [&](u32 i) { return i < c.triangles ? c.ids[i] : slot + (i - c.triangles); },
        [&](u32 work) { output.push(work); });
  }
};

}  // namespace baseline
