package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;

/** Checks and establishes that every arc has its other direction. */
final class Symmetrizer {
  /** The seeds of the two sums that are compared. */
  static final long SEED = 0x5bd1e995L;

  static final long OTHER_SEED = 0x27d4eb2f165667c5L;

  private Symmetrizer() {}

  /** The arrays of a graph that may not be symmetric yet; never compared or printed. */
  @SuppressWarnings("ArrayRecordComponent")
  record Arcs(int[] offsets, int[] neighbors, ArcWeights weights) {
    int vertices() {
      return offsets.length - 1;
    }
  }

  /**
   * A graph of valid arrays that may lack directions. Under {@link Symmetry#REQUIRE} throws {@link
   * AsymmetricArcsException}, whose message counts vertices from {@code base}.
   */
  static Graph graph(
      int[] offsets,
      int[] neighbors,
      ArcWeights weights,
      int[] vertexWeights,
      Symmetry symmetry,
      int base) {
    if (isSymmetric(offsets, neighbors, weights)) {
      return Graph.trusted(offsets, neighbors, weights, vertexWeights);
    }
    if (symmetry == Symmetry.REQUIRE) {
      throw new AsymmetricArcsException(describeFirstUnmatched(offsets, neighbors, weights, base));
    }
    Arcs arcs = symmetrize(offsets, neighbors, weights);
    return Graph.trusted(arcs.offsets, arcs.neighbors, arcs.weights, vertexWeights);
  }

  /**
   * Whether the multiset of arcs equals that of the reversed arcs. Compares 128-bit fingerprints,
   * sums of hashes over all arcs: one pass, no memory; two different multisets of input that was
   * not made to deceive agree with probability 2^-128.
   */
  static boolean isSymmetric(int[] offsets, int[] neighbors, ArcWeights weights) {
    int vertices = offsets.length - 1;
    return difference(offsets, neighbors, weights, vertices, SEED) == 0
        && difference(offsets, neighbors, weights, vertices, OTHER_SEED) == 0;
  }

  /**
   * The hash of an arc, less than 0 in one direction what it is more in the other: its sum over all
   * arcs is 0 if every arc has its other direction.
   *
   * @param weight hashed with the seed; of arcs without weights, the seed
   */
  static long signedHash(int u, int v, long weight) {
    long pair = ((long) Math.min(u, v) << 32) | Math.max(u, v);
    long hash = SeededHash.mix(pair ^ weight);
    return u < v ? hash : u > v ? -hash : 0;
  }

  private static long difference(
      int[] offsets, int[] neighbors, ArcWeights weights, int vertices, long seed) {
    return Parallel.sum(
        vertices,
        (from, to) -> {
          long sum = 0;
          for (int u = from; u < to; u++) {
            for (int a = offsets[u]; a < offsets[u + 1]; a++) {
              int v = neighbors[a];
              long weight = weights == null ? seed : SeededHash.mix(seed + weights.key(a));
              sum += signedHash(u, v, weight);
            }
          }
          return sum;
        });
  }

  /** The arcs of all vertices in ascending order of target, then weight. */
  static Arcs sorted(int[] offsets, int[] neighbors, ArcWeights weights) {
    Arcs once = transpose(offsets, neighbors, weights);
    Arcs twice = transpose(once.offsets, once.neighbors, once.weights);
    sortTies(twice);
    return twice;
  }

  /** The reversed arcs; each list is in ascending order of target, parallel arcs in any order. */
  static Arcs transpose(int[] offsets, int[] neighbors, ArcWeights weights) {
    int vertices = offsets.length - 1;
    int[] resultOffsets = new int[vertices + 1];
    for (int v : neighbors) {
      resultOffsets[v + 1]++;
    }
    for (int v = 0; v < vertices; v++) {
      resultOffsets[v + 1] += resultOffsets[v];
    }
    int[] next = Arrays.copyOf(resultOffsets, vertices);
    int[] resultNeighbors = new int[neighbors.length];
    ArcWeights resultWeights = weights == null ? null : weights.blank(neighbors.length);
    for (int u = 0; u < vertices; u++) {
      for (int a = offsets[u]; a < offsets[u + 1]; a++) {
        int position = next[neighbors[a]]++;
        resultNeighbors[position] = u;
        if (weights != null) {
          resultWeights.setKey(position, weights.key(a));
        }
      }
    }
    return new Arcs(resultOffsets, resultNeighbors, resultWeights);
  }

  /** Orders parallel arcs by weight in lists that are in order of target. */
  private static void sortTies(Arcs arcs) {
    if (arcs.weights == null) {
      return;
    }
    Parallel.forRanges(
        arcs.offsets.length - 1,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            int end = arcs.offsets[v + 1];
            int start = arcs.offsets[v];
            for (int a = start + 1; a <= end; a++) {
              if (a == end || arcs.neighbors[a] != arcs.neighbors[start]) {
                if (a - start > 1) {
                  arcs.weights.sort(start, a);
                }
                start = a;
              }
            }
          }
        });
  }

  /** The symmetric closure that {@link Symmetry#SYMMETRIZE} describes, in sorted order. */
  static Arcs symmetrize(int[] offsets, int[] neighbors, ArcWeights weights) {
    Arcs backward = transpose(offsets, neighbors, weights);
    Arcs forward = transpose(backward.offsets, backward.neighbors, backward.weights);
    sortTies(backward);
    sortTies(forward);
    int vertices = offsets.length - 1;
    int[] resultOffsets = new int[vertices + 1];
    long arcs = 0;
    for (int v = 0; v < vertices; v++) {
      arcs += merge(forward, backward, v, null, null, 0);
      if (arcs > Graph.MAX_ARCS) {
        throw new GraphTooLargeException("arcs", arcs, Graph.MAX_ARCS);
      }
      resultOffsets[v + 1] = (int) arcs;
    }
    int[] resultNeighbors = new int[(int) arcs];
    ArcWeights resultWeights = weights == null ? null : weights.blank((int) arcs);
    Parallel.forRanges(
        vertices,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            merge(forward, backward, v, resultNeighbors, resultWeights, resultOffsets[v]);
          }
        });
    return new Arcs(resultOffsets, resultNeighbors, resultWeights);
  }

  /** Union of two sorted lists with the larger multiplicity; returns its length. */
  private static int merge(
      Arcs left, Arcs right, int vertex, int[] neighbors, ArcWeights weights, int position) {
    int i = left.offsets[vertex];
    int j = right.offsets[vertex];
    int iEnd = left.offsets[vertex + 1];
    int jEnd = right.offsets[vertex + 1];
    int count = 0;
    while (i < iEnd || j < jEnd) {
      int order = i == iEnd ? 1 : j == jEnd ? -1 : compare(left, i, right, j);
      Arcs from = order <= 0 ? left : right;
      int index = order <= 0 ? i : j;
      if (neighbors != null) {
        neighbors[position + count] = from.neighbors[index];
        if (weights != null) {
          weights.setKey(position + count, from.weights.key(index));
        }
      }
      count++;
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
    return count;
  }

  private static int compare(Arcs left, int i, Arcs right, int j) {
    int order = Integer.compare(left.neighbors[i], right.neighbors[j]);
    return order != 0 || left.weights == null
        ? order
        : Long.compare(left.weights.key(i), right.weights.key(j));
  }

  /** Names an arc without its other direction, vertices counted from {@code base}. */
  static String describeFirstUnmatched(
      int[] offsets, int[] neighbors, ArcWeights weights, int base) {
    Arcs backward = transpose(offsets, neighbors, weights);
    Arcs forward = transpose(backward.offsets, backward.neighbors, backward.weights);
    sortTies(backward);
    sortTies(forward);
    for (int u = 0; u < offsets.length - 1; u++) {
      int i = forward.offsets[u];
      int j = backward.offsets[u];
      int iEnd = forward.offsets[u + 1];
      int jEnd = backward.offsets[u + 1];
      while (i < iEnd || j < jEnd) {
        int order = i == iEnd ? 1 : j == jEnd ? -1 : compare(forward, i, backward, j);
        if (order != 0) {
          Arcs side = order < 0 ? forward : backward;
          int index = order < 0 ? i : j;
          long from = (long) base + (order < 0 ? u : side.neighbors[index]);
          long to = (long) base + (order < 0 ? side.neighbors[index] : u);
          return "the arc from vertex "
              + from
              + " to vertex "
              + to
              + (weights == null ? "" : " of weight " + side.weights.get(index))
              + " has no arc in the other direction";
        }
        i++;
        j++;
      }
    }
    return "every arc has its other direction";
  }
}
