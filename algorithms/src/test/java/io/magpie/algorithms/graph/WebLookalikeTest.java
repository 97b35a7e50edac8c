package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebLookalikeTest {
  private static DirectedGraph web(String parameters) {
    return GraphGenerators.parse("web:" + parameters + ",directed,weights=none").generateDirected();
  }

  private static int[] linksOf(DirectedGraph graph) {
    return IntStream.range(0, graph.vertices()).map(graph::outDegree).toArray();
  }

  private static int[] linksTo(DirectedGraph graph) {
    return linksOf(graph.transposed());
  }

  /**
   * From one page to complete graphs, blocks that do not come out even, and links that cannot be.
   */
  @ParameterizedTest
  @CsvSource({
    "'0', 0, 0",
    "'1', 0, 0",
    "'2', 2, 1",
    "'17,cap=16,m=272', 272, 16",
    "'17,m=271', 271, 16",
    "'300,cap=299,m=89700,local=1', 89700, 299",
    "'16,m=3,cap=9', 3, 3",
    "'5000,cap=1,m=2500', 2500, 1",
    "'5000,cap=1,m=5000,local=0', 5000, 1",
    "'257', 2056, 255",
    "'65537,m=100k', 100000, 255",
    "'100k,cap=4096,m=200k,exponent=2.01', 200000, 4096",
    "'4097,cap=50,m=40k,local=1', 40000, 50"
  })
  void everyLinkIsThereOnceAndTheCapIsReached(String parameters, int links, int most) {
    DirectedGraph graph = web(parameters);
    assertEquals(links, graph.arcs());
    assertEquals(most, Arrays.stream(linksOf(graph)).max().orElse(0));
    for (int v = 0; v < graph.vertices(); v++) {
      int previous = -1;
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        int target = graph.neighbors()[a];
        assertTrue(target > previous && target != v, v + " links to " + target);
        previous = target;
      }
    }
    // Checks the arrays.
    assertEquals(graph, DirectedGraph.of(graph.offsets(), graph.neighbors(), null));
  }

  /**
   * What node splitting (Kumar and Vadhiyar) is to see: of ten equal ranges of out-degrees up to
   * the largest, 255, the lowest is the fullest by far, and has vertices of its largest degree.
   */
  @Test
  void mostPagesHaveFewLinks() {
    int[] links = linksOf(web("n=282k,m=2300k"));
    int[] ranges = new int[11];
    for (int each : links) {
      ranges[Math.max(0, each - 1) / 25]++;
    }
    assertTrue(ranges[0] > 0.9 * links.length, Arrays.toString(ranges));
    // Of those of 25 links or more, 1 - (25 / 26)^1.72 have just as many.
    double last = Arrays.stream(links).filter(each -> each == 25).count();
    double from25 = Arrays.stream(links).filter(each -> each >= 25).count();
    assertEquals(1 - Math.pow(25.0 / 26, 1.72), last / from25, 0.005);
    for (int i = 1; i < 9; i++) {
      assertTrue(ranges[i] > ranges[i + 1], Arrays.toString(ranges));
    }
    // Of a power law of exponent 2.72, beyond four times the links 4^-1.72 of the pages are left.
    for (int low = 8; low <= 32; low *= 2) {
      int bound = low;
      double beyond = Arrays.stream(links).filter(each -> each >= bound).count();
      double far = Arrays.stream(links).filter(each -> each >= 4 * bound).count();
      assertEquals(Math.pow(4, -1.72), far / beyond, 0.01, "beyond " + bound);
    }
  }

  /** Which pages have many links is drawn. */
  @Test
  void pagesOfManyLinksLieAnywhere() {
    int[] links = linksOf(web("n=64k"));
    double first = Arrays.stream(links, 0, 32_000).sum();
    assertEquals(0.5, first / Arrays.stream(links).sum(), 0.02);
    assertNotEquals(
        Arrays.stream(links, 0, 1000).boxed().toList(),
        Arrays.stream(linksOf(web("n=64k,seed=2")), 0, 1000).boxed().toList());
  }

  /** By Hill's estimator from the most popular pages, one in 200. */
  private static double exponent(DirectedGraph graph) {
    int[] popularity = linksTo(graph);
    Arrays.sort(popularity);
    int n = popularity.length;
    int tail = n / 200;
    double least = popularity[n - 1 - tail];
    double sum = 0;
    for (int i = n - tail; i < n; i++) {
      sum += Math.log(popularity[i] / least);
    }
    return 1 + tail / sum;
  }

  @ParameterizedTest
  @CsvSource({
    "2.1, 0, 2.1",
    "2.3, 0, 2.3",
    "2.5, 0, 2.5",
    "2.1, 0.75, 2.33",
    "2.5, 0.75, 2.9",
    "2.1, 0.9, 2.55"
  })
  void popularityFollowsAPowerLaw(double exponent, double local, double expected) {
    DirectedGraph graph = web("n=200k,m=1600k,exponent=" + exponent + ",local=" + local);
    assertEquals(expected, exponent(graph), 0.1);
    int most = Arrays.stream(linksTo(graph)).max().orElseThrow();
    assertTrue(most > 100 * graph.arcs() / graph.vertices(), "most links to a page " + most);
  }

  /**
   * As many links lead to the most popular page, and as many stay near, just below a power of 16,
   * at it and above it.
   */
  @ParameterizedTest
  @ValueSource(ints = {4096, 65536})
  void powersOf16AreNothingSpecial(int power) {
    int[] most = new int[3];
    double[] near = new double[3];
    for (int i = 0; i < 3; i++) {
      int n = power - 1 + i;
      DirectedGraph graph = web("n=" + n + ",m=" + 8 * n);
      most[i] = Arrays.stream(linksTo(graph)).max().orElseThrow();
      near[i] = (double) linksWithin(graph, 256) / graph.arcs();
    }
    for (int i = 0; i < 3; i++) {
      assertEquals(1, (double) most[i] / most[1], 0.1, Arrays.toString(most));
      assertEquals(near[1], near[i], 0.01, Arrays.toString(near));
    }
  }

  /** Links to pages whose numbers differ by less than a distance. */
  private static int linksWithin(DirectedGraph graph, int distance) {
    int within = 0;
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        within += Math.abs(graph.neighbors()[a] - v) < distance ? 1 : 0;
      }
    }
    return within;
  }

  /**
   * Each rank is that of one page, whatever sizes blocks have: with so many links, and nearly all
   * pages alike, none could be left out by chance.
   */
  @ParameterizedTest
  @CsvSource({
    "159, 0",
    "160, 0",
    "161, 0",
    "2559, 0",
    "2560, 0",
    "4095, 0",
    "4096, 0",
    "4097, 0",
    "4111, 0",
    "5000, 0",
    "4097, 0.5",
    "2561, 0.9",
    "4095, 1",
    "5003, 1"
  })
  void everyPageIsLinkedTo(int n, double local) {
    DirectedGraph graph = web("n=" + n + ",m=" + 100 * n + ",cap=140,exponent=10,local=" + local);
    int least = Arrays.stream(linksTo(graph)).min().orElseThrow();
    assertTrue(least > 40, "least links to a page " + least);
  }

  /** Real crawls have pages without links; this has none where the number of links allows it. */
  @Test
  void pagesHaveLinks() {
    assertEquals(1, Arrays.stream(linksOf(web("n=10k,m=21k"))).min().orElseThrow());
    assertEquals(0, Arrays.stream(linksOf(web("n=10k,m=18k"))).min().orElseThrow());
  }

  /**
   * A link stays in a block of 16, 256, ... pages as often as it goes on to blocks, or by chance.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.3, 0.75, 0.9})
  void linksStayInTheirBlocks(double local) {
    // Few links of a page, so that hardly one is drawn twice, and blocks come out even.
    DirectedGraph graph = web("n=65536,m=65536,cap=4,exponent=4,local=" + local);
    double[] stays = {Math.pow(local, 3), Math.pow(local, 2), local};
    for (int i = 0; i < 3; i++) {
      int shift = 4 * (i + 1);
      int found = 0;
      for (int v = 0; v < graph.vertices(); v++) {
        for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
          found += v >> shift == graph.neighbors()[a] >> shift ? 1 : 0;
        }
      }
      // From a larger block a link comes back by chance, with a probability of 1 in 16 or less.
      double share = (double) found / graph.arcs();
      double chance = (1 - stays[i]) / 16;
      assertTrue(
          share > stays[i] - 0.05 && share < stays[i] + chance + 0.02,
          share + " of the links stay within " + (1 << shift) + " pages, expected " + stays[i]);
    }
  }

  /** Where all links are local, none leaves the smallest blocks that all of them go on to. */
  @ParameterizedTest
  @CsvSource({"300, 16", "4095, 16", "4096, 256", "4097, 256", "5003, 256", "65535, 256"})
  void blocksAreEvenParts(int n, int blocks) {
    DirectedGraph graph = web("n=" + n + ",m=" + 2 * n + ",cap=4,exponent=10,local=1");
    for (int v = 0; v < n; v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        assertEquals(block(v, n, blocks), block(graph.neighbors()[a], n, blocks), "from " + v);
      }
    }
  }

  /** By going through all: block b begins at b n / blocks, rounded down. */
  private static int block(int page, int n, int blocks) {
    int block = 0;
    while (block + 1 < blocks && (long) (block + 1) * n / blocks <= page) {
      block++;
    }
    return block;
  }

  @ParameterizedTest
  @CsvSource({"10, 0, 5", "10, 7, 5", "10, 49, 5", "10, 50, 5", "1000, 8000, 255", "3, 2, 2"})
  void numbersOfLinksAddUp(int n, long m, int most) {
    int[] pages = WebLookalike.pagesWithMore(n, m, most);
    assertEquals(m, Arrays.stream(pages).asLongStream().sum());
    int previous = n;
    for (int k = 0; k < most; k++) {
      assertTrue(pages[k] <= previous && pages[k] >= (k < m ? 1 : 0), Arrays.toString(pages));
      previous = pages[k];
    }
  }
}
