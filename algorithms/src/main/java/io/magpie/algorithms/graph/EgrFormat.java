package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import java.io.IOException;
import java.util.Arrays;

/** The 32-bit binary CSR format of the ECL codes, suffix {@code .egr}. */
final class EgrFormat implements GraphFormat {
  private static final String WIDE = "only the 32-bit variant of .egr is supported";

  @Override
  public int firstVertex() {
    return 0;
  }

  @Override
  public <G> G read(ByteSource source, ReadOptions options, GraphForm<G> form) throws IOException {
    BinaryInput in = new BinaryInput(source);
    if (in.atEnd()) {
      throw in.error("an empty file", "the number of vertices", null);
    }
    int vertices = in.int32("the number of vertices");
    int arcs = in.int32("the number of arcs");
    if (vertices < 0 || vertices > Graph.MAX_VERTICES) {
      throw in.error(vertices + " vertices", "0 to " + Graph.MAX_VERTICES + " vertices", WIDE);
    }
    if (arcs < 0 || arcs > Graph.MAX_ARCS) {
      throw in.error(arcs + " arcs", "0 to " + Graph.MAX_ARCS + " arcs", WIDE);
    }
    int[] offsets = in.int32s(vertices + 1, "offset");
    in.checkOffsets(offsets, arcs, false, WIDE);
    int[] neighbors = in.int32s(arcs, "target of arc");
    ArcWeights weights = in.atEnd() ? null : in.weights(WeightType.INT, arcs);
    if (!in.atEnd()) {
      throw in.error("more bytes", "the end of the file after the weights", WIDE);
    }
    // Files of the format's authors may have arcs beyond the last offset, which belong to no
    // vertex.
    int used = offsets[vertices];
    if (used < arcs) {
      neighbors = Arrays.copyOf(neighbors, used);
      weights = weights == null ? null : weights.first(used);
    }
    return in.graph(offsets, neighbors, weights, null, options, form);
  }

  @Override
  public String refusal(Graph graph) {
    String refusal = refusal(graph.weightType());
    return refusal != null ? refusal : GraphFormat.super.refusal(graph);
  }

  @Override
  public String refusal(DirectedGraph graph) {
    return refusal(graph.weightType());
  }

  private static String refusal(WeightType type) {
    return type == WeightType.INT
        ? null
        : "has " + type + " weights, and those of .egr are ints (use .mtx, .wel, .txt or .mpg)";
  }

  @Override
  public void write(Graph graph, ByteSink out) throws IOException {
    write(graph.inArrays(), graph.weights(), out);
  }

  @Override
  public void write(DirectedGraph graph, ByteSink out) throws IOException {
    write(graph.inArrays(), graph.weights(), out);
  }

  private static void write(Symmetrizer.Arcs graph, int[] weights, ByteSink out)
      throws IOException {
    out.int32(graph.vertices()).int32(graph.neighbors().length);
    out.int32s(graph.offsets()).int32s(graph.neighbors());
    if (weights != null) {
      out.int32s(weights);
    }
  }
}
