package io.magpie.algorithms.partition.internal.initial;

import java.util.Arrays;

/**
 * A graph for sequential work: compressed sparse rows without self-loops. The weights of all arcs
 * add up to less than 2^31, so sums of them are ints.
 */
final class SmallGraph {
  final int vertices;
  final int[] offsets;
  final int[] neighbors;
  final int[] weights;
  final int[] vertexWeights;

  /** For each vertex the part that it stays in, or -1; null if all may move. */
  final int[] fixed;

  /** For each vertex the sum of its arcs' weights. */
  final int[] degrees;

  /** The sum of the vertices' weights. */
  final long weight;

  /** The largest weight of a vertex; 0 without vertices. */
  final int heaviest;

  private SmallGraph(
      int[] offsets, int[] neighbors, int[] weights, int[] vertexWeights, int[] fixed) {
    this.vertices = vertexWeights.length;
    this.offsets = offsets;
    this.neighbors = neighbors;
    this.weights = weights;
    this.vertexWeights = vertexWeights;
    this.fixed = fixed;
    this.degrees = new int[vertices];
    long sum = 0;
    int most = 0;
    for (int v = 0; v < vertices; v++) {
      int degree = 0;
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        degree += weights[a];
      }
      degrees[v] = degree;
      sum += vertexWeights[v];
      most = Math.max(most, vertexWeights[v]);
    }
    this.weight = sum;
    this.heaviest = most;
  }

  /**
   * Copies a graph without its self-loops.
   *
   * @param offsets {@code vertices + 1} arc indices, ascending from 0
   * @param neighbors the target of each arc
   * @param weights the weight of each arc, or null if each weighs 1; divided by a power of two, and
   *     kept at 1 or more if above 0, where their sum needs it
   * @param vertexWeights the weight of each vertex; not copied
   * @param fixed the part that each vertex stays in, or -1; null if all may move; not copied
   */
  static SmallGraph of(
      int[] offsets, int[] neighbors, int[] weights, int[] vertexWeights, int[] fixed) {
    int vertices = vertexWeights.length;
    int[] starts = new int[vertices + 1];
    int[] targets = new int[neighbors.length];
    int[] kept = new int[neighbors.length];
    int shift = weights == null ? 0 : shift(weights);
    int next = 0;
    for (int v = 0; v < vertices; v++) {
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        if (neighbors[a] != v) {
          targets[next] = neighbors[a];
          int w = weights == null ? 1 : weights[a];
          kept[next++] = w == 0 ? 0 : Math.max(1, w >> shift);
        }
      }
      starts[v + 1] = next;
    }
    return new SmallGraph(starts, targets, kept, vertexWeights, fixed);
  }

  /** By how many bits weights must shrink so that their sum, each at least 1, is below 2^31. */
  private static int shift(int[] weights) {
    long sum = 0;
    for (int w : weights) {
      sum += w;
    }
    int shift = 0;
    while ((sum >> shift) + weights.length > Integer.MAX_VALUE) {
      shift++;
    }
    return shift;
  }

  /** The same graph, of which vertices stay on sides of a bisection: 0 for parts below a bound. */
  SmallGraph withFixedSides(int bound) {
    if (fixed == null) {
      return this;
    }
    int[] sides = new int[vertices];
    for (int v = 0; v < vertices; v++) {
      sides[v] = fixed[v] < 0 ? -1 : fixed[v] < bound ? 0 : 1;
    }
    return new SmallGraph(offsets, neighbors, weights, vertexWeights, sides);
  }

  boolean isFixed(int v) {
    return fixed != null && fixed[v] >= 0;
  }

  int arcs() {
    return offsets[vertices];
  }

  /**
   * The graph whose vertices are groups of this one's, and whose arcs have the summed weights. A
   * group with a fixed vertex is fixed; it has none of another part.
   *
   * @param group for each vertex its group, 0 to {@code groups - 1}
   */
  SmallGraph contract(int[] group, int groups) {
    // Members of each group, by a counting sort.
    int[] start = new int[groups + 1];
    for (int v = 0; v < vertices; v++) {
      start[group[v] + 1]++;
    }
    for (int g = 0; g < groups; g++) {
      start[g + 1] += start[g];
    }
    int[] members = new int[vertices];
    int[] fill = Arrays.copyOf(start, groups);
    for (int v = 0; v < vertices; v++) {
      members[fill[group[v]]++] = v;
    }
    int[] starts = new int[groups + 1];
    int[] targets = new int[arcs()];
    int[] sums = new int[arcs()];
    int[] weightOf = new int[groups];
    int[] fixedTo = fixed == null ? null : new int[groups];
    int[] slot = new int[groups];
    Arrays.fill(slot, -1);
    int next = 0;
    for (int g = 0; g < groups; g++) {
      int first = next;
      if (fixed != null) {
        fixedTo[g] = -1;
      }
      for (int m = start[g]; m < start[g + 1]; m++) {
        int v = members[m];
        weightOf[g] += vertexWeights[v];
        if (isFixed(v)) {
          fixedTo[g] = fixed[v];
        }
        for (int a = offsets[v]; a < offsets[v + 1]; a++) {
          int h = group[neighbors[a]];
          if (h == g) {
            continue;
          }
          // Slots of earlier groups lie below `first`, so they need no clearing.
          if (slot[h] >= first) {
            sums[slot[h]] += weights[a];
          } else {
            slot[h] = next;
            targets[next] = h;
            sums[next++] = weights[a];
          }
        }
      }
      starts[g + 1] = next;
    }
    return new SmallGraph(
        starts, Arrays.copyOf(targets, next), Arrays.copyOf(sums, next), weightOf, fixedTo);
  }

  /**
   * The graph on the vertices of one side, numbered in ascending order, and the arcs among them.
   *
   * @param side for each vertex its side
   * @param number for each vertex of this side its number
   */
  SmallGraph induced(byte[] side, int wanted, int[] number, int count) {
    int[] starts = new int[count + 1];
    int arcs = 0;
    int next = 0;
    for (int v = 0; v < vertices; v++) {
      if (side[v] == wanted) {
        for (int a = offsets[v]; a < offsets[v + 1]; a++) {
          if (side[neighbors[a]] == wanted) {
            arcs++;
          }
        }
        starts[++next] = arcs;
      }
    }
    int[] targets = new int[arcs];
    int[] kept = new int[arcs];
    int[] weightOf = new int[count];
    int[] fixedTo = fixed == null ? null : new int[count];
    int arc = 0;
    next = 0;
    for (int v = 0; v < vertices; v++) {
      if (side[v] == wanted) {
        if (fixed != null) {
          fixedTo[next] = fixed[v];
        }
        weightOf[next++] = vertexWeights[v];
        for (int a = offsets[v]; a < offsets[v + 1]; a++) {
          if (side[neighbors[a]] == wanted) {
            targets[arc] = number[neighbors[a]];
            kept[arc++] = weights[a];
          }
        }
      }
    }
    return new SmallGraph(starts, targets, kept, weightOf, fixedTo);
  }
}
