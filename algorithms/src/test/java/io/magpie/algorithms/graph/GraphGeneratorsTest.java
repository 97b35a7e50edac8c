package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GraphGeneratorsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "random:1000,m=5000                | 1000    | 5000    | random:n=1000,m=5000,seed=1,weights=max",
        "random:1000                       | 1000    | 5000    | random:n=1000,m=5000,seed=1,weights=max",
        "random:n=2,m=1,weights=7          | 2       | 1       | random:n=2,m=1,seed=1,weights=7",
        "random:0                          | 0       | 0       | random:n=0,m=0,seed=1,weights=max",
        "random:1                          | 1       | 0       | random:n=1,m=0,seed=1,weights=max",
        "rmat:10,edges=4k                  | 1024    | 4000    | rmat:scale=10,edges=4000,a=0.57,b=0.19,c=0.19,seed=1,weights=max",
        "rmat:0                            | 1       | 16      | rmat:scale=0,edges=16,a=0.57,b=0.19,c=0.19,seed=1,weights=max",
        "rmat:n=1000,edges=4k              | 1000    | 4000    | rmat:n=1000,edges=4000,a=0.57,b=0.19,c=0.19,seed=1,weights=max",
        "rmat:n=7,constants=gtgraph        | 7       | 112     | rmat:n=7,edges=112,a=0.45,b=0.15,c=0.15,seed=1,weights=max",
        "rmat:3,constants=graph500         | 8       | 128     | rmat:scale=3,edges=128,a=0.57,b=0.19,c=0.19,seed=1,weights=max",
        "rmat:n=0                          | 0       | 0       | rmat:n=0,edges=0,a=0.57,b=0.19,c=0.19,seed=1,weights=max",
        "rmat:n=1                          | 1       | 16      | rmat:n=1,edges=16,a=0.57,b=0.19,c=0.19,seed=1,weights=max",
        "powerlaw:0                        | 0       | 0       | powerlaw:n=0,m=0,exponent=2.3,seed=1,weights=max",
        "powerlaw:1,weights=none           | 1       | 0       | powerlaw:n=1,m=0,exponent=2.3,seed=1,weights=none",
        "ba:0                              | 0       | 0       | ba:n=0,d=8,seed=1,weights=max",
        "ba:1,d=3                          | 1       | 0       | ba:n=1,d=3,seed=1,weights=max",
        "web:0                             | 0       | 0       | web:n=0,m=0,cap=255,exponent=2.1,local=0.75,seed=1,weights=max",
        "web:3                             | 3       | 6       | web:n=3,m=6,cap=255,exponent=2.1,local=0.75,seed=1,weights=max",
        "web:1000,cap=20,local=.5          | 1000    | 8000    | web:n=1000,m=8000,cap=20,exponent=2.1,local=.5,seed=1,weights=max",
        "web:1000,cap=4                    | 1000    | 4000    | web:n=1000,m=4000,cap=4,exponent=2.1,local=0.75,seed=1,weights=max",
        "grid:30                           | 900     | 1740    | grid:rows=30,columns=30,seed=1,weights=max",
        "grid:rows=3,columns=5             | 15      | 22      | grid:rows=3,columns=5,seed=1,weights=max",
        "grid:1,columns=9                  | 9       | 8       | grid:rows=1,columns=9,seed=1,weights=max",
        "grid:0                            | 0       | 0       | grid:rows=0,columns=0,seed=1,weights=max",
        "grid3:10                          | 1000    | 2700    | grid3:columns=10,rows=10,layers=10,seed=1,weights=max",
        "grid3:2,rows=3,layers=4,weights=1 | 24      | 46      | grid3:columns=2,rows=3,layers=4,seed=1,weights=1",
        "grid3:5,rows=1                    | 5       | 4       | grid3:columns=5,rows=1,layers=1,seed=1,weights=max",
        "grid3:5,layers=0,weights=none     | 0       | 0       | grid3:columns=5,rows=5,layers=0,seed=1,weights=none",
        "road:0                            | 0       | 0       | road:n=0,degree=2.4375,seed=1,weights=distance",
        "road:1                            | 1       | 0       | road:n=1,degree=2.4375,seed=1,weights=distance",
        "knn:0                             | 0       | 0       | knn:n=0,k=5,seed=1,weights=distance",
        "knn:1                             | 1       | 0       | knn:n=1,k=5,seed=1,weights=distance",
        "knn:6                             | 6       | 15      | knn:n=6,k=5,seed=1,weights=distance",
        "rgg:0                             | 0       | 0       | rgg:n=0,radius=0.0,seed=1,weights=distance",
        "rgg:1                             | 1       | 0       | rgg:n=1,radius=0.0,seed=1,weights=distance",
        "rgg:50,radius=2                   | 50      | 1225    | rgg:n=50,radius=2,seed=1,weights=distance",
        "rgg:50,radius=0,weights=none      | 50      | 0       | rgg:n=50,radius=0,seed=1,weights=none",
        "star:9                            | 9       | 8       | star:n=9,seed=1,weights=max",
        "star:0,weights=none               | 0       | 0       | star:n=0,seed=1,weights=none",
        "path:1M                           | 1000000 | 999999  | path:n=1000000,seed=1,weights=max",
        "path:1,seed=-5                    | 1       | 0       | path:n=1,seed=-5,weights=max",
        "complete:20,weights=1..3          | 20      | 190     | complete:n=20,seed=1,weights=1..3",
        "Complete:n=3,seed=2               | 3       | 3       | complete:n=3,seed=2,weights=max",
      })
  void countsAndCompleteSpecs(String spec, int vertices, long edges, String complete) {
    GraphGenerator generator = GraphGenerators.parse(spec);
    assertEquals(complete, generator.spec());
    Graph graph = generator.generate();
    assertEquals(vertices, graph.vertices());
    assertEquals(edges, graph.edges());
    assertEquals(!spec.contains("none"), graph.weighted());
    assertEquals(graph.weighted(), generator.isWeighted());
    assertEquals(graph, GraphGenerators.generate(complete));
    // The constructor checks both directions, ranges and weights.
    assertEquals(graph, Graph.of(graph.offsets(), graph.neighbors(), graph.weights()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "random:2000,m=9000,weights=0..9",
        "rmat:11,edges=20000",
        "rmat:n=2500,edges=20000,constants=gtgraph",
        "powerlaw:2000",
        "ba:2000",
        "web:2000",
        "grid:40",
        "grid3:9",
        "road:3000",
        "knn:2000",
        "rgg:2000",
        "star:3000",
        "path:3000",
        "complete:60"
      })
  void resultDependsOnTheSeedAndNotOnTheThreads(String spec) throws Exception {
    Graph graph = GraphGenerators.generate(spec + ",seed=3");
    for (int threads : new int[] {1, 5}) {
      ForkJoinPool pool = new ForkJoinPool(threads);
      try {
        Graph again = pool.submit(() -> GraphGenerators.generate(spec + ",seed=3")).get();
        assertEquals(graph, again, threads + " threads");
      } finally {
        pool.shutdown();
      }
    }
    assertNotEquals(graph, GraphGenerators.generate(spec + ",seed=4"));
    assertEquals(graph, graph.sorted());
  }

  @Test
  void randomGraphIsUniform() {
    Graph graph = GraphGenerators.generate("random:n=100,m=100000,weights=none");
    for (int v = 0; v < 100; v++) {
      assertEquals(2000, graph.degree(v), 250, "degree of " + v);
      int previous = -1;
      for (long a = graph.offset(v); a < graph.offset(v + 1); a++) {
        int u = graph.neighbors()[(int) a];
        assertNotEquals(v, u);
        assertTrue(u == previous || u > previous);
        previous = u;
      }
    }
  }

  /** The first vertices have the share of the ends that the integral of their weights says. */
  @ParameterizedTest
  @ValueSource(doubles = {2.1, 2.3, 3})
  void powerLawsHaveTheirDegrees(double exponent) {
    int n = 20_000;
    Graph graph =
        GraphGenerators.generate("powerlaw:n=" + n + ",m=200k,weights=none,exponent=" + exponent);
    double power = 1 - 1 / (exponent - 1);
    double first = Math.pow(10, power);
    double all = Math.pow(n + 10, power) - first;
    for (int most : new int[] {10, 1000, 10_000}) {
      double expected = (Math.pow(most + 10, power) - first) / all;
      double found = (double) graph.offsets()[most] / graph.arcs();
      assertEquals(expected, found, 0.02, "vertices below " + most);
    }
  }

  /** Degrees of the oldest grow as the root of n; each vertex has about d edges to earlier ones. */
  @Test
  void attachmentPrefersManyNeighbors() {
    int n = 20_000;
    int d = 8;
    Graph graph = GraphGenerators.generate("ba:n=" + n + ",d=" + d + ",weights=none");
    assertEquals(n * (double) d, graph.edges(), n * (double) d / 1000);
    int most = IntStream.range(0, n).map(graph::degree).max().orElseThrow();
    assertTrue(most > d * Math.sqrt(n) / 2 && most < 8 * d * Math.sqrt(n), "degree " + most);
    for (int v = d; v < n; v++) {
      int earlier = 0;
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        earlier += graph.neighbors()[a] < v ? 1 : 0;
      }
      assertTrue(earlier <= d, "vertex " + v);
    }
  }

  @Test
  void rmatIsSkewedAndRenumbered() {
    Graph graph = GraphGenerators.generate("rmat:14,edges=131072");
    int largest = 0;
    int at = 0;
    int isolated = 0;
    for (int v = 0; v < graph.vertices(); v++) {
      if (graph.degree(v) > largest) {
        largest = graph.degree(v);
        at = v;
      }
      isolated += graph.degree(v) == 0 ? 1 : 0;
    }
    assertTrue(largest > 50 * graph.arcs() / graph.vertices(), "largest degree " + largest);
    assertTrue(isolated > graph.vertices() / 10, "isolated " + isolated);
    assertNotEquals(0, at, "the heaviest vertex keeps its number");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 12, 14})
  void rmatRenumberingIsAPermutation(int scale) {
    // With a = 1 every edge is a self-loop at the vertex that 0 becomes; the quadrants of b
    // and c alone reach every vertex, which only a permutation leaves true.
    Graph graph =
        GraphGenerators.generate("rmat:" + scale + ",edges=" + (40L << scale) + ",a=0,b=0.5,c=0.5");
    for (int v = 0; v < graph.vertices(); v++) {
      assertTrue(graph.degree(v) > 0, "vertex " + v + " of " + graph.vertices());
    }
  }

  @ParameterizedTest
  @CsvSource({"1000000, 2.4375", "1000000, 2", "100000, 3.5", "12345, 2.2", "1000000, 4"})
  void roadIsConnectedAndHasItsDegree(int n, double degree) {
    Graph graph = GraphGenerators.generate("road:" + n + ",degree=" + degree);
    assertEquals(degree, (double) graph.arcs() / n, 0.02);
    assertEquals(1, components(graph));
    int largest = 0;
    for (int v = 0; v < n; v++) {
      largest = Math.max(largest, graph.degree(v));
    }
    assertTrue(largest <= 4, "largest degree " + largest);
    for (int weight : graph.weights()) {
      assertTrue(weight >= 1 && weight <= 22362, "weight " + weight);
    }
  }

  private static int components(Graph graph) {
    int[] parent = new int[graph.vertices()];
    for (int v = 0; v < parent.length; v++) {
      parent[v] = v;
    }
    int components = graph.vertices();
    for (int u = 0; u < graph.vertices(); u++) {
      for (long a = graph.offset(u); a < graph.offset(u + 1); a++) {
        int x = root(parent, u);
        int y = root(parent, graph.neighbors()[(int) a]);
        if (x != y) {
          parent[x] = y;
          components--;
        }
      }
    }
    return components;
  }

  private static int root(int[] parent, int v) {
    int x = v;
    while (parent[x] != x) {
      parent[x] = parent[parent[x]];
      x = parent[x];
    }
    return x;
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "9, 3", "300, 1", "300, 7", "1000, 5", "40, 60"})
  void nearestNeighborsAgreeWithComparingAllPairs(int n, int k) {
    PlanePoints points = new NearestNeighbors(n, k, 11).points();
    Set<Long> expected = new HashSet<>();
    for (int v = 0; v < n; v++) {
      int center = v;
      List<Integer> others = new ArrayList<>();
      for (int u = 0; u < n; u++) {
        if (u != v) {
          others.add(u);
        }
      }
      others.sort(
          Comparator.comparingLong((Integer u) -> points.squaredDistance(center, u))
              .thenComparing(Comparator.naturalOrder()));
      for (int u : others.subList(0, Math.min(k, n - 1))) {
        expected.add(ReplayedEdges.pack(Math.min(u, v), Math.max(u, v)));
      }
    }
    Graph graph = GraphGenerators.generate("knn:" + n + ",k=" + k + ",seed=11");
    Set<Long> found = new HashSet<>();
    for (int a : graph.canonicalArcs()) {
      int u = graph.source(a);
      int v = graph.neighbors()[a];
      assertTrue(found.add(ReplayedEdges.pack(u, v)), "an edge is there twice");
      assertEquals((int) Math.sqrt((double) points.squaredDistance(u, v)), graph.weights()[a]);
    }
    assertEquals(expected, found);
  }

  @ParameterizedTest
  @CsvSource({"2, 1.5", "300, 0.1", "300, 0.003", "700, 0.34", "700, 0.5", "1000, 0.0457"})
  void geometricEdgesAgreeWithComparingAllPairs(int n, double radius) {
    PlanePoints points = new RandomGeometric(n, radius, 11).points();
    Graph graph = GraphGenerators.generate("rgg:" + n + ",radius=" + radius + ",seed=11");
    BigDecimal bound = BigDecimal.valueOf(radius * (1 << 30)).pow(2);
    for (int v = 0; v < n; v++) {
      List<Integer> expected = new ArrayList<>();
      for (int u = 0; u < n; u++) {
        if (u != v && BigDecimal.valueOf(points.squaredDistance(u, v)).compareTo(bound) <= 0) {
          expected.add(u);
        }
      }
      List<Integer> found = new ArrayList<>();
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        found.add(graph.neighbors()[a]);
        assertEquals(points.distance(graph.neighbors()[a], v), graph.weight(a));
      }
      assertEquals(expected, found, "neighbors of " + v);
    }
  }

  @Test
  void geometricGraphHasTheDegreeOfItsRadius() {
    int n = 1 << 16;
    Graph graph = GraphGenerators.generate("rgg:" + n + ",weights=none");
    // Of a circle's area all lies in the square, except at the border.
    double expected = Math.PI * 0.55 * 0.55 * Math.log(n);
    assertEquals(expected, (double) graph.arcs() / n, 0.03 * expected);
  }

  @Test
  void boxGridJoinsWhatDiffersByOneInOneCoordinate() {
    Graph graph = GraphGenerators.generate("grid3:3,rows=4,layers=5,weights=none");
    for (int v = 0; v < 60; v++) {
      Set<Integer> expected = new HashSet<>();
      for (int u = 0; u < 60; u++) {
        int steps =
            Math.abs(u % 3 - v % 3) + Math.abs(u / 3 % 4 - v / 3 % 4) + Math.abs(u / 12 - v / 12);
        if (steps == 1) {
          expected.add(u);
        }
      }
      Set<Integer> found = new HashSet<>();
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        found.add(graph.neighbors()[a]);
      }
      assertEquals(expected, found, "neighbors of " + v);
      assertEquals(expected.size(), graph.degree(v));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "roads:100            | 'roads' is no kind of graph; expected one of random, rmat, powerlaw, ba, web, grid, grid3, road, knn, rgg, star, path, complete",
        "''                   | '' is no kind of graph",
        "road                 | 'n' is missing",
        "road:                | 'n' is missing",
        "road:n=              | n=: expected a whole number from 0 to 2,147,483,638",
        "road:ten             | n=ten: expected a whole number from 0 to 2,147,483,638",
        "road:-1              | n=-1: expected",
        "road:3G              | n=3G: expected",
        "road:99999999999G    | n=99999999999G: expected",
        "road:10,degree=5     | degree=5: expected a number from 2.0 to 4.0",
        "road:10,degree=NaN   | degree=NaN: expected a number from 2.0 to 4.0",
        "road:10,k=5          | 'k' is no parameter of road",
        "road:10,20           | '20' has no name; only the first value may stand alone",
        "road:10,n=20         | 'n' is given twice",
        "road:10,seed=x       | seed=x: expected a whole number of 64 bits",
        "road:10,weights=9..3 | weights=9..3 is an empty range",
        "road:10,weights=big  | weights=big: expected a whole number from 0 to 2,147,483,647",
        "grid:10,weights=distance | only road, knn and rgg have distances; expected weights=L..H, max or none",
        "random:1,m=5         | m=5 edges between different vertices need n of at least 2",
        "random:9,m=2G        | m=2G: expected a whole number from 0 to 1,073,741,819",
        "powerlaw:1,m=5       | m=5 edges between different vertices need n of at least 2",
        "powerlaw:9,exponent=2 | exponent=2: expected a number from 2.01 to 10.0",
        "ba:9,d=0             | d=0: expected a whole number from 1 to 1,024",
        "web:1,m=5            | m=5 edges between different vertices need n of at least 2",
        "web:9,cap=0          | cap=0: expected a whole number from 1 to 4,096",
        "web:9,cap=5000       | cap=5000: expected a whole number from 1 to 4,096",
        "web:100,m=500,cap=4  | m=500: expected at most 400, as no more edges begin at a vertex than cap and n - 1 allow",
        "web:9,m=73           | m=73: expected at most 72, as no more edges begin at a vertex than cap and n - 1 allow",
        "web:9,exponent=2     | exponent=2: expected a number from 2.01 to 10.0",
        "web:9,local=1.5      | local=1.5: expected a number from 0.0 to 1.0",
        "rmat:31              | scale=31: expected a whole number from 0 to 30",
        "rmat:3,a=0.9,b=0.9   | a + b + c is",
        "rmat:seed=3          | 'scale' or 'n' is missing",
        "rmat:3,n=9           | 'scale' and 'n' are given, but each says how many vertices there are",
        "rmat:n=3G            | n=3G: expected a whole number from 0 to 2,147,483,638",
        "rmat:n=0,edges=3     | edges=3 need n of at least 1",
        "rmat:3,constants=none | constants=none: expected graph500 or gtgraph",
        "rmat:3,constants=gtgraph,b=.15 | 'b' is given, but constants=gtgraph already sets it",
        "grid:100000          | 100000 rows of 100000 are too many vertices; expected at most 2147483638",
        "grid3:2000           | 2000 x 2000 x 2000 are too many vertices; expected at most 2147483638",
        "grid3:100000,layers=0 | 100000 x 100000 x 0 are too many vertices",
        "rgg:10,radius=3      | radius=3: expected a number from 0.0 to 2.0",
        "knn:10,k=0           | k=0: expected a whole number from 1 to 1,024",
        "'road :10'           | 'road ' is no kind of graph; expected one of",
        "' road:10'           | ' road' is no kind of graph; expected one of",
        "'road: 10'           | n= 10: expected a whole number",
        "'road:n =10'         | 'n ' is no parameter of road",
        "road:+10             | n=+10: expected a whole number",
        "road:\u0663            | n=\u0663: expected a whole number",
        "road:10,seed=\u0663    | seed=\u0663: expected a whole number of 64 bits",
        "road:10,degree=3d    | degree=3d: expected a number from 2.0 to 4.0",
        "road:10,degree=0x1p1 | degree=0x1p1: expected a number from 2.0 to 4.0",
      })
  void badSpecsListWhatIsPossible(String spec, String problem) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> GraphGenerators.parse(spec));
    assertTrue(e.getMessage().startsWith("generator '" + spec + "': " + problem), e::getMessage);
    assertEquals(1, e.getMessage().lines().count(), e::getMessage);
    String kind = spec.replaceFirst(":.*", "") + ":";
    boolean known = GraphGenerators.usage().stream().anyMatch(each -> each.startsWith(kind));
    String end = known ? ". Expected " + kind : "star, path, complete";
    assertTrue(e.getMessage().contains(end), e::getMessage);
  }

  @ParameterizedTest
  @ValueSource(strings = {"complete:50000", "star:1100M", "knn:n=3M,k=1000", "grid3:1000"})
  void tooManyArcsAreRefusedBeforeTheyAreMade(String spec) {
    GraphTooLargeException e =
        assertThrows(GraphTooLargeException.class, () -> GraphGenerators.generate(spec));
    assertTrue(
        e.getMessage().matches("too large: [0-9]+ arcs, but a graph holds at most 2147483639"),
        e::getMessage);
  }

  @Test
  void heapTooSmallIsExplained() {
    GraphTooLargeException e =
        assertThrows(
            GraphTooLargeException.class, () -> GraphGenerators.generate("random:n=2100M,m=0"));
    assertTrue(
        e.getMessage()
            .matches("too large for the heap of [0-9]+ MiB; give Java more memory by -Xmx"),
        e::getMessage);
  }

  @Test
  void usageNamesEveryKind() {
    assertEquals(13, GraphGenerators.usage().size());
    assertFalse(GraphGenerators.usage().contains(""));
  }
}
