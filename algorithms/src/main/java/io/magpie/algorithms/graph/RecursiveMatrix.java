package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.internal.SeededPermutation;
import java.util.HashMap;
import java.util.Map;

/**
 * The edges of a recursive matrix, R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004), for any number n
 * of vertices.
 *
 * <p>An edge begins with the whole adjacency matrix, and at each of {@code L = ceil(log2 n)} levels
 * chooses a quadrant of what is left, with the probabilities a, b, c and d; that is one bit of its
 * row and one of its column. The first k bits of an end point, as a number p, stand for the
 * vertices from {@code p n / 2^k} to before {@code (p + 1) n / 2^k}, both rounded to the nearest
 * number: each range is split into two halves whose lengths differ by one at most. Before the last
 * level all have one or two vertices; one of two is split as ever, and one of one is no longer
 * split: either bit is that vertex. If n is a power of two, all halves are equal, and this is the
 * R-MAT of the paper. If it is near one, so is the graph: rounding lets vertex 0, the heaviest as a
 * rule, be split off at the last level where most others are. Were it always down, the largest
 * degree would be {@code 1 / (a + b)} times as large for {@code 2^L - 1} vertices as for {@code
 * 2^L}.
 *
 * <p>So every edge takes L choices, and none is rejected. To draw in the next power of two, and
 * again if an end point is n or more, would be another distribution: it leaves out the last
 * vertices, which are the lightest, and so makes the others' skew depend on how far n is from the
 * power. It can also take any number of attempts, as with {@code a = d = 0}, where rows and columns
 * add up to the power less one, so that nearly all edges have an end beyond n.
 *
 * <p>In the end vertices are renumbered by a {@linkplain SeededPermutation permutation}. The
 * probabilities are the same at all levels: GTgraph's and others' random changes to them are left
 * out.
 */
final class RecursiveMatrix implements NumberedEnds {
  private final int n;
  private final int levels;
  private final int untilA;
  private final int untilB;
  private final int untilC;
  private final long key;
  private final SeededPermutation numbers;

  /**
   * @param n the number of vertices, 1 or more if an edge is asked for
   * @param a the probability of the quadrant of low rows and low columns
   * @param b of low rows and high columns
   * @param c of high rows and low columns
   */
  RecursiveMatrix(int n, double a, double b, double c, long seed) {
    this.n = n;
    levels = SeededPermutation.bits(n);
    // One 16-bit random number a level decides the quadrant.
    untilA = (int) Math.round(a * 65536);
    untilB = (int) Math.round((a + b) * 65536);
    untilC = (int) Math.round((a + b + c) * 65536);
    key = SeededHash.key(seed);
    numbers = new SeededPermutation(n, seed);
  }

  @Override
  public long edge(long index) {
    long cell = cell(index);
    return ReplayedEdges.pack(numbers.of((int) (cell >>> 32)), numbers.of((int) cell));
  }

  @Override
  public Map<String, Number> constants() {
    Map<String, Number> all = new HashMap<>();
    all.put("vertices", n);
    all.put("levels", levels);
    all.put("until_a", untilA);
    all.put("until_b", untilB);
    all.put("until_c", untilC);
    all.put("key", key);
    numbers.constants().forEach((name, value) -> all.put("numbers." + name, value));
    return all;
  }

  /** Row and column of an edge before vertices are renumbered. */
  long cell(long index) {
    int u = 0;
    int v = 0;
    long bits = 0;
    for (int level = 0; level < levels; level++) {
      if ((level & 3) == 0) {
        bits = SeededHash.draw(key, (index << 3) | (level >>> 2));
      }
      int draw = (int) (bits & 0xffff);
      bits >>>= 16;
      // Each is 1 where the draw has reached the bound; without branches, which would be
      // mispredicted at every other level.
      int pastA = (untilA - 1 - draw) >>> 31;
      int pastB = (untilB - 1 - draw) >>> 31;
      int pastC = (untilC - 1 - draw) >>> 31;
      int row = pastB;
      int column = pastA - pastB + pastC;
      u = (u << 1) | row;
      v = (v << 1) | column;
    }
    return ReplayedEdges.pack(vertex(u), vertex(v));
  }

  /** The vertex that all the bits of an end point stand for. */
  private int vertex(int bits) {
    if (n == 1L << levels) {
      return bits;
    }
    // Its range before the last level, of one or two vertices; there are at least two levels.
    long range = bits >>> 1;
    int shift = levels - 1;
    long half = 1L << (shift - 1);
    int first = (int) ((range * n + half) >>> shift);
    int next = (int) (((range + 1) * n + half) >>> shift);
    return first + (bits & (next - first - 1));
  }
}
