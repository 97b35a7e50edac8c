package io.magpie.algorithms.partition.internal.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jgrapht.alg.flow.PushRelabelMFImpl;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.builder.GraphTypeBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cuts of small networks, beside those that JGraphT finds, and beside all that there are. */
class FlowCutterProperties {
  /** Edges by lot, parallel ones among them, and weights and depths of vertices. */
  private record Network(int vertices, int[] from, int[] to, long[] capacities, long[] weights) {
    static Network drawn(int vertices, int edges, int most, Random random) {
      int[] from = new int[edges];
      int[] to = new int[edges];
      for (int e = 0; e < edges; e++) {
        from[e] = random.nextInt(vertices);
        to[e] = (from[e] + 1 + random.nextInt(vertices - 1)) % vertices;
      }
      return new Network(
          vertices,
          from,
          to,
          random.longs(edges, 1, most + 1L).toArray(),
          random.longs(vertices, 0, 5).toArray());
    }

    FlowCutter cutter(Random random) {
      int[] depth = new int[vertices];
      Arrays.setAll(depth, v -> (1 + random.nextInt(4)) * (random.nextBoolean() ? 1 : -1));
      FlowNetwork network = FlowNetwork.of(vertices, from.length, from, to, capacities);
      return new FlowCutter(network, weights, depth, random.nextLong());
    }

    long weight() {
      return Arrays.stream(weights).sum();
    }

    long weight(byte[] sides, int side) {
      long sum = 0;
      for (int v = 0; v < vertices; v++) {
        sum += sides[v] == side ? weights[v] : 0;
      }
      return sum;
    }

    long cut(byte... sides) {
      long sum = 0;
      for (int e = 0; e < from.length; e++) {
        sum += sides[from[e]] == sides[to[e]] ? 0 : capacities[e];
      }
      return sum;
    }

    /** Of all cuts that keep limits the least; -1 if none does. */
    long leastCut(long sourceLimit, long sinkLimit) {
      long least = -1;
      byte[] sides = new byte[vertices];
      for (int set = 0; set < 1 << (vertices - 2); set++) {
        for (int v = 0; v < vertices; v++) {
          sides[v] = (byte) (v < 2 ? v : (set >> (v - 2)) & 1);
        }
        if (weight(sides, FlowCutter.SOURCE) <= sourceLimit
            && weight(sides, FlowCutter.SINK) <= sinkLimit
            && (least < 0 || cut(sides) < least)) {
          least = cut(sides);
        }
      }
      return least;
    }

    double maximumFlow() {
      var graph =
          GraphTypeBuilder.<Integer, DefaultWeightedEdge>undirected()
              .weighted(true)
              .allowingMultipleEdges(true)
              .edgeClass(DefaultWeightedEdge.class)
              .buildGraph();
      for (int v = 0; v < vertices; v++) {
        graph.addVertex(v);
      }
      // One edge for all parallel ones: the algorithm there is not made for more.
      for (int e = 0; e < from.length; e++) {
        DefaultWeightedEdge edge = graph.getEdge(from[e], to[e]);
        double before = edge == null ? 0 : graph.getEdgeWeight(edge);
        edge = edge == null ? graph.addEdge(from[e], to[e]) : edge;
        graph.setEdgeWeight(edge, before + capacities[e]);
      }
      return new PushRelabelMFImpl<>(graph)
          .calculateMaximumFlow(FlowCutter.SOURCE, FlowCutter.SINK);
    }
  }

  private static void assertIsAsItSays(Network network, FlowCutter cutter, long limit) {
    byte[] sides = cutter.sides();
    assertEquals(FlowCutter.SOURCE, sides[FlowCutter.SOURCE]);
    assertEquals(FlowCutter.SINK, sides[FlowCutter.SINK]);
    assertEquals(network.cut(sides), cutter.cut());
    long heaviest =
        Math.max(network.weight(sides, FlowCutter.SOURCE), network.weight(sides, FlowCutter.SINK));
    assertEquals(heaviest, cutter.heaviest());
    assertTrue(heaviest <= limit, heaviest + " of " + limit);
  }

  @Property(tries = 300)
  void withoutLimitsTheCutIsAsSmallAsTheFlowIsLarge(
      @ForAll @IntRange(min = 2, max = 60) int vertices,
      @ForAll @IntRange(min = 0, max = 200) int edges,
      @ForAll @IntRange(min = 1, max = 20) int most,
      @ForAll long seed) {
    Random random = new Random(seed);
    Network network = Network.drawn(vertices, edges, most, random);
    FlowCutter cutter = network.cutter(random);
    assertTrue(cutter.run(Long.MAX_VALUE, network.weight(), network.weight()));
    assertEquals(network.maximumFlow(), cutter.cut());
    assertIsAsItSays(network, cutter, network.weight());
  }

  @Property(tries = 500)
  void ofAllCutsThatKeepLimitsNoneIsSmallerThanItCanBe(
      @ForAll @IntRange(min = 3, max = 11) int vertices,
      @ForAll @IntRange(min = 0, max = 30) int edges,
      @ForAll @IntRange(min = 0, max = 6) int room,
      @ForAll long seed) {
    Random random = new Random(seed);
    Network network = Network.drawn(vertices, edges, 4, random);
    long limit = (network.weight() + 1) / 2 + room;
    long least = network.leastCut(limit, limit);
    FlowCutter cutter = network.cutter(random);
    if (cutter.run(Long.MAX_VALUE, limit, limit)) {
      assertIsAsItSays(network, cutter, limit);
      assertTrue(least >= 0 && cutter.cut() >= least, cutter.cut() + ", least " + least);
    }
    assertFalse(network.cutter(random).run(least - 1, limit, limit), "least " + least);
  }

  /** How often, of 400 small networks, it is the least of all cuts that keep the limits. */
  @ParameterizedTest
  @CsvSource({"0, 0, 60", "2, 2, 120", "0, 6, 180", "6, 0, 180"})
  void oftenNoCutWithinLimitsIsSmaller(int sourceRoom, int sinkRoom, int often) {
    int found = 0;
    for (int seed = 1; seed <= 400; seed++) {
      Random random = new Random(seed);
      Network network = Network.drawn(10, 20, 4, random);
      long half = (network.weight() + 1) / 2;
      long least = network.leastCut(half + sourceRoom, half + sinkRoom);
      FlowCutter cutter = network.cutter(random);
      boolean any = cutter.run(Long.MAX_VALUE, half + sourceRoom, half + sinkRoom);
      found += any && cutter.cut() == least ? 1 : 0;
    }
    assertTrue(found >= often, found + " of 400");
  }

  /** Also where steps take several vertices at a time. */
  @Property(tries = 50)
  void equalVerticesWithoutEdgesAreDividedEvenly(
      @ForAll @IntRange(min = 2, max = 600) int vertices, @ForAll long seed) {
    long[] weights = new long[vertices];
    Arrays.fill(weights, 1);
    Network network = new Network(vertices, new int[0], new int[0], new long[0], weights);
    FlowCutter cutter = network.cutter(new Random(seed));
    long limit = (vertices + 1) / 2;
    assertTrue(cutter.run(0, limit, limit));
    assertIsAsItSays(network, cutter, limit);
  }

  /** A path, of whose cuts all are the same. */
  @Example
  void ofEqualCutsTheMostEvenIsTaken() {
    int length = 41;
    int[] from = new int[length - 1];
    int[] to = new int[length - 1];
    long[] capacities = new long[length - 1];
    int[] order = new int[length];
    for (int i = 0; i < length; i++) {
      order[i] = i == 0 ? FlowCutter.SOURCE : i == length - 1 ? FlowCutter.SINK : i + 1;
    }
    for (int i = 0; i + 1 < length; i++) {
      from[i] = order[i];
      to[i] = order[i + 1];
      capacities[i] = Integer.MAX_VALUE;
    }
    long[] weights = new long[length];
    Arrays.fill(weights, Integer.MAX_VALUE);
    Network network = new Network(length, from, to, capacities, weights);
    FlowCutter cutter = network.cutter(new Random(1));
    assertTrue(cutter.run(Integer.MAX_VALUE, network.weight(), network.weight()));
    assertEquals(Integer.MAX_VALUE, cutter.cut());
    assertEquals(21L * Integer.MAX_VALUE, cutter.heaviest());
  }
}
