package io.magpie.examples.input;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A graph's identity in result files: SHA-256 over its number of vertices, offsets, targets and
 * weights, and if its vertices have weights, over -1 and these (4 bytes each, little-endian), so
 * that equal graphs have equal hashes wherever they come from. Longs and doubles are 8 bytes each.
 * Before all that is a negative number where weights of edges are not ints from 0: -1 for ints, -2
 * for longs, -3 for floats, -4 for doubles.
 */
public final class GraphHash {
  private static final int CHUNK = 1 << 14;

  /** Before the weights of vertices. */
  private static final int VERTEX_WEIGHTS = -1;

  private final MessageDigest digest;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(Long.BYTES * CHUNK).order(ByteOrder.LITTLE_ENDIAN);

  private GraphHash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The hash, such as {@code sha256:12ab...} with 64 hexadecimal digits. */
  public static String of(Graph graph) {
    GraphHash hash = new GraphHash();
    WeightType type = graph.weightType();
    if (type != WeightType.INT || graph.hasNegativeWeights()) {
      hash.add(new int[] {-1 - type.ordinal()});
    }
    hash.addStructure(graph.offsets(), graph.neighbors());
    if (graph.weighted()) {
      switch (type) {
        case INT -> hash.add(graph.weights());
        case LONG -> hash.add(graph.longWeights());
        case FLOAT -> hash.add(graph.floatWeights());
        case DOUBLE -> hash.add(graph.doubleWeights());
      }
    }
    if (graph.vertexWeights() != null) {
      hash.add(new int[] {VERTEX_WEIGHTS});
      hash.add(graph.vertexWeights());
    }
    return hash.text();
  }

  /** The hash of a directed graph: that of an undirected one of the same arrays. */
  public static String of(DirectedGraph graph) {
    GraphHash hash = new GraphHash();
    WeightType type = graph.weightType();
    if (type != WeightType.INT) {
      hash.add(new int[] {-1 - type.ordinal()});
    }
    hash.addStructure(graph.offsets(), graph.neighbors());
    if (type == WeightType.FLOAT) {
      hash.add(graph.floatWeights());
    } else if (graph.weighted()) {
      hash.add(graph.weights());
    }
    return hash.text();
  }

  private void addStructure(int[] offsets, int[] neighbors) {
    add(new int[] {offsets.length - 1});
    add(offsets);
    add(neighbors);
  }

  private void add(int[] values) {
    for (int from = 0; from < values.length; from += CHUNK) {
      int count = Math.min(CHUNK, values.length - from);
      buffer.asIntBuffer().put(values, from, count);
      digest.update(buffer.array(), 0, Integer.BYTES * count);
    }
  }

  private void add(long[] values) {
    for (int from = 0; from < values.length; from += CHUNK) {
      int count = Math.min(CHUNK, values.length - from);
      buffer.asLongBuffer().put(values, from, count);
      digest.update(buffer.array(), 0, Long.BYTES * count);
    }
  }

  private void add(float[] values) {
    for (int from = 0; from < values.length; from += CHUNK) {
      int count = Math.min(CHUNK, values.length - from);
      buffer.asFloatBuffer().put(values, from, count);
      digest.update(buffer.array(), 0, Float.BYTES * count);
    }
  }

  private void add(double[] values) {
    for (int from = 0; from < values.length; from += CHUNK) {
      int count = Math.min(CHUNK, values.length - from);
      buffer.asDoubleBuffer().put(values, from, count);
      digest.update(buffer.array(), 0, Double.BYTES * count);
    }
  }

  private String text() {
    return "sha256:" + HexFormat.of().formatHex(digest.digest());
  }
}
