package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.internal.SeededPermutation;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecursiveMatrixTest {
  /**
   * What each entry of the matrix is drawn with, by splitting ranges as the paper's figure does.
   */
  private static final class Expected {
    final int n;
    final double[] quadrants;
    final double[] entries;

    Expected(int n, double... quadrants) {
      this.n = n;
      this.quadrants = quadrants;
      entries = new double[n * n];
      int levels = 0;
      while (1 << levels < n) {
        levels++;
      }
      split(levels, new double[] {0, n}, new double[] {0, n}, 1);
    }

    /** Ranges are of real numbers, and have the vertices between their rounded ends. */
    void split(int levels, double[] rows, double[] columns, double probability) {
      if (levels == 0) {
        entries[only(rows) * n + only(columns)] += probability;
        return;
      }
      for (int quadrant = 0; quadrant < 4; quadrant++) {
        split(
            levels - 1,
            half(rows, quadrant / 2, levels),
            half(columns, quadrant % 2, levels),
            probability * quadrants[quadrant]);
      }
    }

    double[] half(double[] range, int which, int levels) {
      long first = Math.round(range[0]);
      long count = Math.round(range[1]) - first;
      if (levels == 1 && count == 1) {
        return range;
      }
      double middle = levels == 1 ? first + 1 : (range[0] + range[1]) / 2;
      return which == 0 ? new double[] {range[0], middle} : new double[] {middle, range[1]};
    }

    int only(double[] range) {
      assertEquals(1, Math.round(range[1]) - Math.round(range[0]), "vertices of a range");
      return (int) Math.round(range[0]);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2, 0.57, 0.19, 0.19",
    "3, 0.57, 0.19, 0.19",
    "5, 0.45, 0.15, 0.15",
    "6, 0.1, 0.5, 0.2",
    "7, 0.25, 0.25, 0.25",
    "8, 0.45, 0.15, 0.15",
    "11, 0.57, 0.19, 0.05",
    "13, 0, 0.5, 0.5"
  })
  void everyEntryIsAsLikelyAsItsQuadrants(int n, double a, double b, double c) {
    double[] expected = new Expected(n, a, b, c, 1 - a - b - c).entries;
    assertEquals(1, IntStream.range(0, n * n).mapToDouble(i -> expected[i]).sum(), 1e-12);
    RecursiveMatrix matrix = new RecursiveMatrix(n, a, b, c, 5);
    int draws = 400_000;
    int[] found = new int[n * n];
    for (int i = 0; i < draws; i++) {
      long cell = matrix.cell(i);
      found[(int) (cell >>> 32) * n + (int) cell]++;
    }
    for (int i = 0; i < n * n; i++) {
      double mean = draws * expected[i];
      // Six standard deviations, and what rounding to 16 bits a level may add.
      double tolerance = 6 * Math.sqrt(mean) + 1e-4 * mean;
      assertEquals(mean, found[i], tolerance, "row " + i / n + ", column " + i % n);
    }
  }

  /** Up to the largest graph, where products need 64 bits. */
  @Test
  void theFirstAndTheLastVertexAreReached() {
    for (int n : new int[] {3, 9, 100, 1023, 1025, 6_200_000, Graph.MAX_VERTICES}) {
      // With d = 1 all choices are the high half.
      assertEquals(n - 1, (int) new RecursiveMatrix(n, 0, 0, 0, 1).cell(0));
      assertEquals(0, (int) new RecursiveMatrix(n, 1, 0, 0, 1).cell(0));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",constants=gtgraph", ",a=0.1,b=0.2,c=0.3"})
  void aPowerOfTwoIsAScale(String constants) {
    String more = ",edges=3000,seed=9" + constants;
    assertEquals(
        GraphGenerators.generate("rmat:scale=9" + more),
        GraphGenerators.generate("rmat:n=512" + more));
    assertNotEquals(
        GraphGenerators.generate("rmat:n=512" + more).sorted(),
        GraphGenerators.generate("rmat:n=511" + more).sorted());
  }

  /** As drawn when a scale was all that there was: records of runs tell inputs by their hashes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rmat:0                                        | 91c8c0d794341a06",
        "rmat:1,edges=9                                | d1591b496183b5ed",
        "rmat:10,edges=4k                              | 1e8a1a5060610489",
        "rmat:11,edges=20000,seed=-7                   | cdf9c05f5e745734",
        "rmat:6,edges=200,directed,seed=3,weights=none | 15309a5f681cd35a",
        "rmat:13,a=.45,b=.15,c=.15,weights=none        | e56bff5cba7f8db2",
        "rmat:13,constants=gtgraph,weights=none        | e56bff5cba7f8db2",
      })
  void graphsOfAScaleStayTheSame(String spec, String fingerprint) {
    GraphGenerator generator = GraphGenerators.parse(spec);
    long found =
        generator.isDirected()
            ? generator.generateDirected().fingerprint()
            : generator.generate().fingerprint();
    assertEquals(fingerprint, Long.toHexString(found));
  }

  /** Next to a power of two, on either side, the heaviest vertex has the same share as there. */
  @ParameterizedTest
  @ValueSource(ints = {-200, -1, 1, 200})
  void nextToAPowerOfTwoDegreesAreTheSame(int more) {
    assertEquals(1, largest(4096 + more) / largest(4096), 0.1);
  }

  private static double largest(int n) {
    Graph graph = GraphGenerators.generate("rmat:n=" + n + ",edges=80k,weights=none");
    assertEquals(n, graph.vertices());
    assertEquals(80_000, graph.edges());
    return IntStream.range(0, n).map(graph::degree).max().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 100, 1000, 1025, 4096, 65_535, 100_000})
  void renumberingIsAPermutation(int n) {
    SeededPermutation permutation = new SeededPermutation(n, 17);
    BitSet seen = new BitSet();
    int fixed = 0;
    for (int v = 0; v < n; v++) {
      int number = permutation.of(v);
      assertTrue(number >= 0 && number < n, v + " becomes " + number);
      seen.set(number);
      fixed += number == v ? 1 : 0;
    }
    assertEquals(n, seen.cardinality());
    assertTrue(n < 100 || fixed < 20, fixed + " keep their number");
  }
}
