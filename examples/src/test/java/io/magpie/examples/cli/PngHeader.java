package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** The size of a picture, from a file that begins and ends as a PNG does (ISO/IEC 15948). */
record PngHeader(int width, int height) {
  /** The signature, and the length and the type of the header. */
  private static final String BEGIN = "89504e470d0a1a0a" + "0000000d49484452";

  /** The last chunk, which is empty: length, type and check sum. */
  private static final String END = "0000000049454e44ae426082";

  static PngHeader of(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    HexFormat hex = HexFormat.of();
    assertEquals(BEGIN, hex.formatHex(bytes, 0, 16));
    assertEquals(END, hex.formatHex(bytes, bytes.length - 12, bytes.length));
    ByteBuffer size = ByteBuffer.wrap(bytes, 16, 8);
    return new PngHeader(size.getInt(), size.getInt());
  }
}
