package io.magpie.examples.benchmarks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * An input's identity in result files: SHA-256 over its arrays, each behind its length, in
 * little-endian bytes.
 */
final class ContentHash {
  private static final int CHUNK = 1 << 14;

  private final MessageDigest digest;
  private final ByteBuffer buffer = ByteBuffer.allocate(8 * CHUNK).order(ByteOrder.LITTLE_ENDIAN);

  ContentHash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The hash of an instance, such as {@code sha256:12ab...} with 64 hexadecimal digits. */
  static String of(Instance instance) {
    ContentHash hash = new ContentHash();
    instance.addTo(hash);
    return "sha256:" + HexFormat.of().formatHex(hash.digest.digest());
  }

  ContentHash add(long... values) {
    number(values.length);
    for (int from = 0; from < values.length; from += CHUNK) {
      int count = Math.min(CHUNK, values.length - from);
      buffer.clear();
      buffer.asLongBuffer().put(values, from, count);
      digest.update(buffer.array(), 0, 8 * count);
    }
    return this;
  }

  ContentHash add(int[] values) {
    number(values.length);
    for (int from = 0; from < values.length; from += CHUNK) {
      int count = Math.min(CHUNK, values.length - from);
      buffer.clear();
      buffer.asIntBuffer().put(values, from, count);
      digest.update(buffer.array(), 0, 4 * count);
    }
    return this;
  }

  private void number(long value) {
    buffer.clear();
    buffer.putLong(value);
    digest.update(buffer.array(), 0, 8);
  }
}
