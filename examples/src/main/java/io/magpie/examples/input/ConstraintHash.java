package io.magpie.examples.input;

import io.magpie.algorithms.pointsto.ConstraintSet;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The identity of constraints in result files: SHA-256 over the number of variables and then, for
 * each kind in the order of {@link Kind}, the number of constraints, their destinations and their
 * sources (4 bytes each, little-endian), so that equal ones have equal hashes wherever they come
 * from.
 */
public final class ConstraintHash {
  private static final int CHUNK = 1 << 14;

  private ConstraintHash() {}

  /** The hash, such as {@code sha256:12ab...} with 64 hexadecimal digits. */
  public static String of(ConstraintSet constraints) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      add(digest, new int[] {constraints.variables()});
      for (Kind kind : Kind.values()) {
        add(digest, new int[] {constraints.count(kind)});
        add(digest, constraints.destinations(kind));
        add(digest, constraints.sources(kind));
      }
      return "sha256:" + HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static void add(MessageDigest digest, int[] values) {
    ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES * CHUNK).order(ByteOrder.LITTLE_ENDIAN);
    for (int from = 0; from < values.length; from += CHUNK) {
      int count = Math.min(CHUNK, values.length - from);
      buffer.asIntBuffer().put(values, from, count);
      digest.update(buffer.array(), 0, Integer.BYTES * count);
    }
  }
}
