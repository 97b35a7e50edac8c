package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.Parallel;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Evaluates partitions on the host, from the graph and the parts alone. */
public final class PartitionVerifier {
  private PartitionVerifier() {}

  /** Sums over a range of vertices. */
  private record Sums(
      long arcWeight, long[] partWeights, boolean[] used, long boundary, long volume) {}

  /**
   * Evaluates a partition. Cost: O(arcs + pieces * count) in parallel.
   *
   * @param graph what was partitioned
   * @param parts for each vertex its part
   * @param count the number of parts, at least 1
   * @param imbalance what was allowed, 0 to 1
   * @return what the partition is worth, feasible or not
   * @throws IllegalArgumentException if there is not one part for each vertex or if one is not in
   *     {@code 0 .. count - 1}, and the message names the vertex; or if the graph has weights that
   *     are not ints from 0
   */
  public static PartitionQuality evaluate(Graph graph, int[] parts, int count, double imbalance) {
    return evaluate(graph, parts, count, imbalance, PartShares.EVEN);
  }

  /**
   * Evaluates a partition into parts of given shares.
   *
   * @param graph what was partitioned
   * @param parts for each vertex its part
   * @param count the number of parts, at least 1
   * @param imbalance what was allowed, 0 to 1
   * @param shares what the parts are to have
   * @return what the partition is worth, feasible or not
   * @throws IllegalArgumentException as {@link #evaluate(Graph, int[], int, double)}, and if there
   *     is not one share for each part
   */
  public static PartitionQuality evaluate(
      Graph graph, int[] parts, int count, double imbalance, PartShares shares) {
    requireParts(graph, parts, count);
    graph.requireCounts("partitioning needs");
    List<Sums> pieces =
        Parallel.map(graph.vertices(), (from, to) -> sums(graph, parts, count, from, to));
    long arcWeight = 0;
    long boundary = 0;
    long volume = 0;
    long weight = 0;
    long[] partWeights = new long[count];
    boolean[] used = new boolean[count];
    for (Sums piece : pieces) {
      arcWeight += piece.arcWeight;
      boundary += piece.boundary;
      volume += piece.volume;
      for (int p = 0; p < piece.partWeights.length; p++) {
        partWeights[p] += piece.partWeights[p];
        weight += piece.partWeights[p];
        used[p] |= piece.used[p];
      }
    }
    int empty = 0;
    for (boolean any : used) {
      empty += any ? 0 : 1;
    }
    long[] targets = targets(weight, count, shares);
    long[] limits = new long[count];
    for (int p = 0; p < count; p++) {
      limits[p] =
          p > 0 && targets[p] == targets[p - 1] ? limits[p - 1] : limit(targets[p], imbalance);
    }
    return new PartitionQuality(
        arcWeight / 2, partWeights, targets, limits, empty, boundary, volume);
  }

  /**
   * Checks that a result is feasible and that its cut and weights are what it says.
   *
   * @param result what to check
   * @return what is wrong, one sentence each; empty if nothing is
   */
  public static List<String> verify(PartitionResult result) {
    return mistakes(result, true);
  }

  /**
   * Checks that the cut and the weights of a result are what it says, whether it is feasible or
   * not.
   *
   * @param result what to check
   * @return what differs, one sentence each; empty if nothing does
   */
  public static List<String> differences(PartitionResult result) {
    return mistakes(result, false);
  }

  private static List<String> mistakes(PartitionResult result, boolean overloads) {
    Balance balance = result.balance();
    PartitionQuality found;
    try {
      found =
          evaluate(
              result.graph(),
              result.parts(),
              balance.parts(),
              balance.imbalance(),
              balance.shares());
    } catch (IllegalArgumentException e) {
      return List.of(e.getMessage());
    }
    List<String> wrong = new ArrayList<>();
    for (int p = 0; p < balance.parts(); p++) {
      if (overloads && found.partWeights()[p] > found.limits()[p]) {
        wrong.add(
            String.format(
                Locale.ROOT,
                "part %d weighs %,d, more than the %,d allowed",
                p,
                found.partWeights()[p],
                found.limits()[p]));
      }
    }
    for (int p = 0; p < balance.parts(); p++) {
      if (found.limits()[p] != balance.limit(p)) {
        wrong.add(
            String.format(
                Locale.ROOT,
                "part %d may weigh %,d, the result says %,d",
                p,
                found.limits()[p],
                balance.limit(p)));
        break;
      }
    }
    wrong.addAll(moved(result.parts(), result.fixed()));
    if (found.cut() != result.cut()) {
      wrong.add(
          String.format(
              Locale.ROOT, "the cut is %,d, the result says %,d", found.cut(), result.cut()));
    }
    if (!Arrays.equals(found.partWeights(), result.partWeights())) {
      int p = Arrays.mismatch(found.partWeights(), result.partWeights());
      wrong.add(
          p < Math.min(found.partWeights().length, result.partWeights().length)
              ? String.format(
                  Locale.ROOT,
                  "part %d weighs %,d, the result says %,d",
                  p,
                  found.partWeights()[p],
                  result.partWeights()[p])
              : result.partWeights().length + " weights for " + balance.parts() + " parts");
    }
    return wrong;
  }

  /**
   * Checks that vertices are in the parts that they are fixed to.
   *
   * @param parts for each vertex its part
   * @param fixed vertices of the same graph
   * @return one sentence that counts those that are not, and names the first; empty if all are
   */
  public static List<String> moved(int[] parts, FixedVertices fixed) {
    int count = 0;
    int first = -1;
    for (int v = 0; v < parts.length && fixed.count() > 0; v++) {
      if (fixed.part(v) >= 0 && fixed.part(v) != parts[v]) {
        first = count == 0 ? v : first;
        count++;
      }
    }
    return count == 0
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "%,d %s: vertex %d is in part %d, not %d",
                count,
                count == 1
                    ? "fixed vertex is in another part"
                    : "fixed vertices are in other parts",
                first,
                parts[first],
                fixed.part(first)));
  }

  /**
   * How many connected pieces each part has; an empty part has none. Cost: O(vertices + arcs),
   * sequential.
   *
   * @param graph what was partitioned
   * @param parts for each vertex its part
   * @param count the number of parts, at least 1
   * @return one number for each part
   * @throws IllegalArgumentException as {@link #evaluate}
   */
  public static int[] pieces(Graph graph, int[] parts, int count) {
    requireParts(graph, parts, count);
    int[] pieces = new int[count];
    boolean[] seen = new boolean[graph.vertices()];
    int[] stack = new int[graph.vertices()];
    for (int start = 0; start < graph.vertices(); start++) {
      if (seen[start]) {
        continue;
      }
      pieces[parts[start]]++;
      seen[start] = true;
      stack[0] = start;
      int size = 1;
      while (size > 0) {
        int v = stack[--size];
        for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
          int u = graph.neighbors()[a];
          if (!seen[u] && parts[u] == parts[v]) {
            seen[u] = true;
            stack[size++] = u;
          }
        }
      }
    }
    return pieces;
  }

  private static void requireParts(Graph graph, int[] parts, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, got " + count);
    }
    if (parts.length != graph.vertices()) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%,d parts for %,d vertices", parts.length, graph.vertices()));
    }
    for (int v = 0; v < parts.length; v++) {
      if (parts[v] < 0 || parts[v] >= count) {
        throw new IllegalArgumentException(
            "the part of vertex " + v + ", " + parts[v] + ", is not in 0 .. " + (count - 1));
      }
    }
  }

  private static Sums sums(Graph graph, int[] parts, int count, int from, int to) {
    if (from == to) {
      return new Sums(0, new long[0], new boolean[0], 0, 0);
    }
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    int[] vertexWeights = graph.vertexWeights();
    long[] partWeights = new long[count];
    boolean[] used = new boolean[count];
    int[] seenBy = new int[count];
    Arrays.fill(seenBy, -1);
    long arcWeight = 0;
    long boundary = 0;
    long volume = 0;
    for (int v = from; v < to; v++) {
      partWeights[parts[v]] += vertexWeights == null ? 1 : vertexWeights[v];
      used[parts[v]] = true;
      boolean inside = true;
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        int other = parts[neighbors[a]];
        if (other != parts[v]) {
          inside = false;
          arcWeight += graph.weight(a);
          if (seenBy[other] != v) {
            seenBy[other] = v;
            volume++;
          }
        }
      }
      if (!inside) {
        boundary++;
      }
    }
    return new Sums(arcWeight, partWeights, used, boundary, volume);
  }

  /** {@code ceil(share * weight / sum of shares)} in whole numbers, shares being decimals. */
  private static long[] targets(long weight, int count, PartShares shares) {
    double[] given = shares.even() ? new double[] {1} : shares.toArray();
    if (!shares.even() && given.length != count) {
      throw new IllegalArgumentException(given.length + " shares for " + count + " parts");
    }
    BigDecimal sum = BigDecimal.ZERO;
    for (double share : given) {
      sum = sum.add(BigDecimal.valueOf(share));
    }
    if (shares.even()) {
      sum = sum.multiply(BigDecimal.valueOf(count));
    }
    long[] targets = new long[count];
    for (int p = 0; p < count; p++) {
      if (shares.even() && p > 0) {
        targets[p] = targets[0];
        continue;
      }
      BigDecimal[] division =
          BigDecimal.valueOf(given[p]).multiply(BigDecimal.valueOf(weight)).divideAndRemainder(sum);
      targets[p] = division[0].longValueExact() + division[1].signum();
    }
    return targets;
  }

  /** {@code floor((1 + e) target)} in whole numbers, e being a decimal fraction. */
  private static long limit(long target, double imbalance) {
    BigDecimal share = BigDecimal.valueOf(imbalance).add(BigDecimal.ONE);
    return share
        .unscaledValue()
        .multiply(BigInteger.valueOf(target))
        .divide(BigInteger.TEN.pow(share.scale()))
        .longValueExact();
  }
}
