package io.magpie.algorithms.partition.internal.flow;

/**
 * A graph in Java's memory, as {@link FlowRefinement#of} takes it.
 *
 * @param offsets {@code vertices + 1} arc indices, ascending from 0
 * @param neighbors the target of each arc
 * @param weights the weight of each arc, or null if each weighs 1
 * @param vertexWeights the weight of each vertex, or null if each weighs 1
 * @param fixed the part that each vertex stays in, or -1; null if all may move
 */
record HostGraph(int[] offsets, int[] neighbors, int[] weights, int[] vertexWeights, int[] fixed) {
  int vertices() {
    return offsets.length - 1;
  }

  int degree(int v) {
    return offsets[v + 1] - offsets[v];
  }

  long weight(int arc) {
    return weights == null ? 1 : weights[arc];
  }

  long vertexWeight(int v) {
    return vertexWeights == null ? 1 : vertexWeights[v];
  }

  boolean isFixed(int v) {
    return fixed != null && fixed[v] >= 0;
  }
}
