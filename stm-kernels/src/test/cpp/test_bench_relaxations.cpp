// The ways of the benchmark of launches from the device to relax the arcs of vertices of high degree: each ends with the
// distances of an independent search, in every order of steps and on weak memory, and the comparison notices arcs that
// nobody relaxes; and its graphs, bounds and lists.
// full flavors: cpu
#include "../../bench/cpp/relaxations.cuh"
#include "test.hpp"

namespace {

using namespace relaxations;

/// By relaxing all arcs until nothing changes.
std::vector<u32> bellman_ford(const graph& g, u32 source, bool weighted) {
  std::vector<u32> distance(g.vertices(), unreached);
  distance[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (u32 v = 0; v < g.vertices(); ++v) {
      for (u32 arc = g.offsets[v]; distance[v] != unreached && arc < g.offsets[v + 1]; ++arc) {
        const u32 offer = distance[v] + (weighted ? g.weights[arc] : 1);
        if (offer < distance[g.neighbors[arc]]) {
          distance[g.neighbors[arc]] = offer;
          changed = true;
        }
      }
    }
  }
  return distance;
}

/// Few hubs, many vertices without arcs, loops and parallel arcs.
graph drawn(test::random& random, u32 vertices) {
  std::vector<std::pair<u32, u32>> arcs;
  for (u32 i = 0; i < 3; ++i) {
    const u32 hub = random.below(vertices);
    for (u32 left = random.below(2 * vertices); left > 0; --left) arcs.emplace_back(hub, random.below(vertices));
  }
  for (u32 left = random.below(3 * vertices); left > 0; --left) {
    arcs.emplace_back(random.below(vertices), random.below(vertices));
  }
  return made("drawn", vertices, arcs);
}

/// Runs rounds of `round(problem, number)` for all lengths and kinds of relaxing, and gives whether all distances are right.
template <class Round>
bool right(const graph& g, Round&& round) {
  bool all = true;
  for (const bool weighted : {false, true}) {
    const u32 source = g.busiest();
    const std::vector<u32> expected = dijkstra(g, source, weighted);
    for (const relaxing which : {relaxing::reached, relaxing::fallen}) {
      problem p(g, source, weighted, which);
      for (u32 times = 0; times < 2; ++times) {
        p.reset();
        repeat(p, [&](u32 r) { round(p, r); });
        all = all && p.distances() == expected;
      }
    }
  }
  return all;
}

/// For drawn graphs and bounds in all settings of the machine.
template <class Body>
void for_each_graph(Body&& body) {
  u32 seed = 0;
  test::for_each_setting(4, [&](std::uint32_t threads) {
    test::random random(seed++);
    const graph g = drawn(random, 1 + random.below(40));
    body(g, random.below(12), threads);
  });
}

template <class Heavy>
void run_threads(const problem& p, u32 round, u32 bound, const Heavy& heavy, u32 threads) {
  host::run(by_threads<Heavy>{p.in_round(round), bound, heavy}, threads);
}

}  // namespace

int main() {
  test::run("the two searches of the host agree", [] {
    for (u32 seed = 0; seed < 200; ++seed) {
      test::random random(seed);
      const graph g = drawn(random, 1 + random.below(60));
      for (const bool weighted : {false, true}) {
        CHECK(dijkstra(g, g.busiest(), weighted) == bellman_ford(g, g.busiest(), weighted));
      }
    }
  });

  test::run("a lane for each vertex", [] {
    for_each_graph([](const graph& g, u32, u32 threads) {
      CHECK(right(g, [&](problem& p, u32 round) { run_threads(p, round, unreached, not_apart{}, threads); }));
    });
  });

  test::run("a second launch over the list", [] {
    for_each_graph([](const graph& g, u32 bound, u32 threads) {
      CHECK(right(g, [&](problem& p, u32 round) {
        run_threads(p, round, bound, p.apart(), threads);
        host::run(p.listed_pieces(round), threads);
      }));
    });
  });

  test::run("a grid for each entry of the list", [] {
    for_each_graph([](const graph& g, u32 bound, u32 threads) {
      CHECK(right(g, [&](problem& p, u32 round) {
        run_threads(p, round, bound, p.apart(), threads);
        const std::vector<u32> listed = p.list();
        for (u32 i = 0; i < entries(p.listed_in(round)); ++i) host::run(by_grid{p.in_round(round), listed[i]}, threads);
      }));
    });
  });

  test::run("virtual nodes", [] {
    for_each_graph([](const graph& g, u32 bound, u32 threads) {
      const virtual_nodes nodes(g, bound + 1);
      CHECK(right(g, [&](problem& p, u32 round) { host::run(nodes.of(p.in_round(round)), threads); }));
    });
  });

  test::run("equal pieces of all arcs", [] {
    for_each_graph([](const graph& g, u32, u32 threads) {
      CHECK(right(g, [&](problem& p, u32 round) { host::run(p.all_pieces(round), threads); }));
    });
  });

  test::run("arcs that nobody relaxes are noticed", [] {
    u32 noticed = 0;
    for_each_graph([&](const graph& g, u32, u32 threads) {
      noticed += right(g, [&](problem& p, u32 round) { run_threads(p, round, 4, p.apart(), threads); }) ? 0 : 1;
    });
    CHECK(noticed > 0);
  });

  test::run("the list has each heavy vertex once", [] {
    for_each_graph([](const graph& g, u32 bound, u32 threads) {
      problem p(g, g.busiest(), false, relaxing::reached);
      p.reset();
      for (u32 round = 2; round < 6; ++round) {
        const std::vector<u32> before = p.distances();
        run_threads(p, round, bound, p.apart(), threads);
        const u64 listed = p.listed_in(round);
        std::vector<u32> list = p.list();
        const std::vector<u32> starts = p.starts();
        list.resize(entries(listed));
        for (u32 i = 0; i < list.size(); ++i) CHECK_EQ(starts[i + 1] - starts[i], g.degree(list[i]));
        CHECK_EQ(list.empty() ? 0 : starts[list.size()], arcs(listed));
        // Those reached in this round may be among them.
        const std::vector<u32> after = p.distances();
        std::sort(list.begin(), list.end());
        CHECK(std::adjacent_find(list.begin(), list.end()) == list.end());
        for (u32 v = 0; v < g.vertices(); ++v) {
          const bool has = std::binary_search(list.begin(), list.end(), v);
          if (before[v] != unreached && g.degree(v) > bound) CHECK(has);
          if (after[v] == unreached || g.degree(v) <= bound) CHECK(!has);
        }
        host::run(p.listed_pieces(round), threads);
      }
    });
  });

  test::run("virtual nodes are as few as there can be", [] {
    test::random random(1);
    for (u32 i = 0; i < 50; ++i) {
      const graph g = drawn(random, 1 + random.below(60));
      const u32 bound = 1 + random.below(9);
      std::size_t expected = 0;
      for (u32 v = 0; v < g.vertices(); ++v) {
        u32 nodes = 1;
        while (nodes * bound < g.degree(v)) ++nodes;
        expected += nodes;
      }
      CHECK_EQ(virtual_nodes(g, bound).size(), expected);
    }
  });

  test::run("bounds by histogram", [] {
    // 9 vertices of degree 1 to 9 and one of 20: the first bucket has degrees up to 2, the others two each.
    std::vector<std::pair<u32, u32>> arcs;
    for (u32 v = 0; v < 10; ++v) {
      for (u32 i = 0; i < (v == 9 ? 20 : v + 1); ++i) arcs.emplace_back(v, 0);
    }
    CHECK_EQ(bound_by_histogram(made("steps", 10, arcs)), 2u);
    arcs.clear();
    for (u32 v = 0; v < 10; ++v) {
      for (u32 i = 0; i < (v < 4 ? v : v == 9 ? 100 : 41 + v); ++i) arcs.emplace_back(v, 0);
    }
    CHECK_EQ(bound_by_histogram(made("two heaps", 10, arcs)), 49u);
    CHECK_EQ(bound_by_histogram(made("no arcs", 3, {})), 1u);
    CHECK_EQ(heavier_than(made("two heaps", 10, arcs), 48u), 2u);
  });

  test::run("graphs", [] {
    const graph hubs = stars("stars", 256, 4, 8, 50);
    CHECK_EQ(hubs.arcs(), 256u * 4 + 8 * 50);
    CHECK_EQ(heavier_than(hubs, 4), 8u);
    CHECK_EQ(heavier_than(hubs, 53), 8u);
    CHECK_EQ(hubs.busiest(), 0u);
    const graph skewed = rmat("rmat", 8, 2048, 0.57, 0.19, 0.19);
    CHECK_EQ(skewed.vertices(), 256u);
    CHECK_EQ(skewed.arcs(), 2048u);
    // Each end's first bit is 0 with probability 0.76.
    u32 lower = 0;
    u32 right = 0;
    for (u32 v = 0; v < 256; ++v) {
      for (u32 arc = skewed.offsets[v]; arc < skewed.offsets[v + 1]; ++arc) {
        lower += v >= 128 ? 1 : 0;
        right += skewed.neighbors[arc] >= 128 ? 1 : 0;
        CHECK(skewed.weights[arc] >= 1 && skewed.weights[arc] <= most_weight);
      }
    }
    CHECK(lower > 2048 * 0.2 && lower < 2048 * 0.28);
    CHECK(right > 2048 * 0.2 && right < 2048 * 0.28);
  });

  test::run("too many vertices for distances of 32 bits are refused", [] {
    std::string told;
    try {
      made("long", 1u << 25, {});
    } catch (const std::runtime_error& e) {
      told = e.what();
    }
    CHECK_CONTAINS(told, "long: 33554432 vertices and 0 arcs are too many");
  });
  return test::finish();
}
