package io.magpie.examples.input;

import io.magpie.algorithms.nbody.Bodies;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The identity of bodies in result files: SHA-256 over their number (4 bytes), and of each its
 * mass, position and velocity (8 bytes for each number, its bits), all little-endian, so that equal
 * bodies have equal hashes wherever they come from.
 */
public final class BodiesHash {
  private static final int DIMENSIONS = 3;

  private BodiesHash() {}

  /** The hash, such as {@code sha256:12ab...} with 64 hexadecimal digits. */
  public static String of(Bodies bodies) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
    ByteBuffer buffer =
        ByteBuffer.allocate((1 + 2 * DIMENSIONS) * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    digest.update(buffer.putInt(bodies.count()).array(), 0, buffer.position());
    for (int i = 0; i < bodies.count(); i++) {
      buffer.clear().putDouble(bodies.mass(i));
      for (int k = 0; k < DIMENSIONS; k++) {
        buffer.putDouble(bodies.position(i, k));
      }
      for (int k = 0; k < DIMENSIONS; k++) {
        buffer.putDouble(bodies.velocity(i, k));
      }
      digest.update(buffer.array());
    }
    return "sha256:" + HexFormat.of().formatHex(digest.digest());
  }
}
