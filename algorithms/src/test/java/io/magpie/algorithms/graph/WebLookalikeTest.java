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
    assertTrue(Arrays.stream(links).anyMatch(each -> each == 25));
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
    "2.1, 0.75, 2.25",
    "2.5, 0.75, 2.7",
    "2.1, 0.9, 2.35"
  })
  void popularityFollowsAPowerLaw(double exponent, double local, double expected) {
    DirectedGraph graph = web("n=200k,m=1600k,exponent=" + exponent + ",local=" + local);
    assertEquals(expected, exponent(graph), 0.1);
    int most = Arrays.stream(linksTo(graph)).max().orElseThrow();
    assertTrue(most > 100 * graph.arcs() / graph.vertices(), "most links to a page " + most);
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

  /** The last page of the smallest number above a power of 16 is in a block of its own. */
  @ParameterizedTest
  @ValueSource(ints = {17, 257, 4097, 4111})
  void theLastBlockMayBeSmall(int n) {
    DirectedGraph graph = web("n=" + n + ",m=" + 8 * n + ",cap=16,local=0.9");
    int[] popularity = linksTo(graph);
    int last = 0;
    for (int v = n - n % 16; v < n; v++) {
      last += popularity[v];
    }
    assertTrue(last > 0, "links to the last block");
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
