package io.magpie.algorithms.graph;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.magpie.algorithms.internal.ByteSink;
import java.io.IOException;
import java.util.Arrays;

/**
 * What Magpie's binary files begin with: 8 bytes of signature, a word that tells the order of
 * bytes, the version, and flags, of which three tell the weights.
 */
final class BinaryHeader {
  /** The flag of weights. */
  static final int WEIGHTS = 1;

  /** The flags of their type. */
  static final int TYPE = 8 | 16;

  private static final int WIDE = 8;
  private static final int FLOATING = 16;
  private static final int BYTE_ORDER_MARK = 0x01020304;

  private final String what;
  private final String letters;
  private final int version;
  private final byte[] signature;

  /**
   * @param what what files are, for messages
   * @param letters three that tell them from others
   * @param version of the format
   */
  BinaryHeader(String what, String letters, int version) {
    this.what = what;
    this.letters = letters;
    this.version = version;
    this.signature = ("?" + letters + "\r\n\u001a\n").getBytes(US_ASCII);
    signature[0] = (byte) 0x89;
  }

  /** Takes all before the version, and refuses what is no such file. */
  void take(BinaryInput in) throws IOException {
    if (in.atEnd()) {
      throw in.error("an empty file", what, null);
    }
    if (!Arrays.equals(in.upTo(signature.length), signature)) {
      throw in.error(
          "another signature", "that of " + what + ", 89 '" + letters + "' 0d 0a 1a 0a", null);
    }
    int mark = in.int32("the byte order mark");
    if (mark != BYTE_ORDER_MARK) {
      throw in.error(
          "byte order mark 0x" + Integer.toHexString(mark),
          "0x0" + Integer.toHexString(BYTE_ORDER_MARK) + ", little endian",
          mark == Integer.reverseBytes(BYTE_ORDER_MARK)
              ? "the file is big endian; write it again"
              : null);
    }
  }

  /** Writes all of it, and the reserved word behind. */
  void write(int flags, ByteSink out) throws IOException {
    out.bytes(signature).int32(BYTE_ORDER_MARK).int32(version).int32(flags).int32(0);
  }

  /** The type of weights that there are. */
  static WeightType type(int flags) {
    boolean wide = (flags & WIDE) != 0;
    return (flags & FLOATING) != 0
        ? wide ? WeightType.DOUBLE : WeightType.FLOAT
        : wide ? WeightType.LONG : WeightType.INT;
  }

  /**
   * The flags of weights.
   *
   * @param type theirs; null if there are none
   */
  static int flags(WeightType type) {
    return type == null
        ? 0
        : WEIGHTS | (type.isWide() ? WIDE : 0) | (type.isFloating() ? FLOATING : 0);
  }
}
