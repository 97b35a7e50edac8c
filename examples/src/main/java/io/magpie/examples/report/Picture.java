package io.magpie.examples.report;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;

/** A picture of PNG's format, to be shown within a page. */
public final class Picture {
  /** What the address of a picture within the page begins with. */
  static final String DATA = "data:image/png;base64,";

  /** Larger ones would make a page that browsers cannot show. */
  static final long MOST_BYTES = 32L << 20;

  /** Signature, length and kind of the first chunk, which begins with width and height. */
  private static final byte[] HEAD = {
    (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'
  };

  /** The last chunk. */
  private static final byte[] TAIL = {
    0, 0, 0, 0, 'I', 'E', 'N', 'D', (byte) 0xae, 0x42, 0x60, (byte) 0x82
  };

  private final String caption;
  private final byte[] content;

  private Picture(String caption, byte[] content) {
    this.caption = caption;
    this.content = content;
  }

  /**
   * Reads a picture. Its caption is the file's name, without suffix and with blanks for {@code -}
   * and {@code _}.
   *
   * @param file at most 32 MiB
   * @throws FileFormatException if the file is no complete PNG, or too large
   * @throws IOException if it cannot be read
   */
  public static Picture read(Path file) throws IOException {
    InputFiles.requireFile(file, "a picture");
    long size = Files.size(file);
    if (size > MOST_BYTES) {
      throw new FileFormatException(
          file, 0, size + " bytes", "at most " + MOST_BYTES, "draw it with fewer --pixels", null);
    }
    byte[] content = Files.readAllBytes(file);
    if (!isComplete(content)) {
      throw new FileFormatException(
          file, 0, null, "a complete picture in PNG's format", "draw it again by --png", null);
    }
    String name = String.valueOf(file.getFileName());
    return new Picture(
        name.replaceFirst("(?i)\\.png$", "").replaceAll("[-_]+", " ").strip(), content);
  }

  private static boolean isComplete(byte[] content) {
    int size = content.length;
    return size >= HEAD.length + 8 + TAIL.length
        && Arrays.equals(content, 0, HEAD.length, HEAD, 0, HEAD.length)
        && Arrays.equals(content, size - TAIL.length, size, TAIL, 0, TAIL.length)
        && number(content, 0) > 0
        && number(content, 1) > 0;
  }

  private static int number(byte[] content, int index) {
    return ByteBuffer.wrap(content).getInt(HEAD.length + 4 * index);
  }

  /** What it is called. */
  String caption() {
    return caption;
  }

  /** With its caption. */
  Element figure() {
    Element image =
        Element.of("img")
            .with("src", DATA + Base64.getEncoder().encodeToString(content))
            .with("alt", caption)
            .with("width", number(content, 0))
            .with("height", number(content, 1));
    return Element.of("figure", image, Element.of("figcaption", caption)).styled("picture");
  }
}
