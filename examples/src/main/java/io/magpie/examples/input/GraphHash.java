package io.magpie.examples.input;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.Graph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A graph's identity in result files: SHA-256 over its number of vertices, offsets, targets and
 * weights, and if its vertices have weights, over -1 and these (4 bytes each, little-endian), so
 * that equal graphs have equal hashes wherever they come from.
 */
public final class GraphHash {
  private static final int CHUNK = 1 << 14;

  /** Before the weights of vertices: what no weight of an edge can be. */
  private static final int VERTEX_WEIGHTS = -1;

  private GraphHash() {}

  /** The hash, such as {@code sha256:12ab...} with 64 hexadecimal digits. */
  public static String of(Graph graph) {
    return of(graph.offsets(), graph.neighbors(), graph.weights(), graph.vertexWeights());
  }

  /** The hash of a directed graph: that of an undirected one of the same arrays. */
  public static String of(DirectedGraph graph) {
    return of(graph.offsets(), graph.neighbors(), graph.weights(), null);
  }

  private static String of(int[] offsets, int[] neighbors, int[] weights, int[] vertexWeights) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      ByteBuffer buffer = ByteBuffer.allocate(4 * CHUNK).order(ByteOrder.LITTLE_ENDIAN);
      add(digest, buffer, new int[] {offsets.length - 1});
      add(digest, buffer, offsets);
      add(digest, buffer, neighbors);
      if (weights != null) {
        add(digest, buffer, weights);
      }
      if (vertexWeights != null) {
        add(digest, buffer, new int[] {VERTEX_WEIGHTS});
        add(digest, buffer, vertexWeights);
      }
      return "sha256:" + HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void add(MessageDigest digest, ByteBuffer buffer, int[] values) {
    for (int from = 0; from < values.length; from += CHUNK) {
      int count = Math.min(CHUNK, values.length - from);
      buffer.clear();
      buffer.asIntBuffer().put(values, from, count);
      digest.update(buffer.array(), 0, 4 * count);
    }
  }
}
