package io.magpie.examples.report;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** A PNG image, to be shown within a page. */
public final class Picture {
  /** What the address of a picture within the page begins with. */
  static final String DATA = "data:image/png;base64,";

  /** Most bytes of all images of a page together: browsers fail on larger pages. */
  static final int MOST_MEBIBYTES = 64;

  /** What is encoded at a time: a multiple of the three bytes that become four letters. */
  private static final int PIECE = 3 << 12;

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
   * Reads images. The caption of each is its file's name, without suffix and with blanks for {@code
   * -} and {@code _}.
   *
   * @param files regular files or pipes, with at most 64 MiB in all
   * @throws FileFormatException if a file is no complete PNG image, or they are too large
   * @throws IOException if one cannot be read
   */
  public static List<Picture> read(List<Path> files) throws IOException {
    List<Picture> pictures = new ArrayList<>();
    int left = MOST_MEBIBYTES << 20;
    for (Path each : files) {
      Picture picture = read(each, left);
      left -= picture.content.length;
      pictures.add(picture);
    }
    return pictures;
  }

  private static Picture read(Path file, int most) throws IOException {
    InputFiles.requireFile(file, "a PNG image");
    byte[] content = content(file, most + 1);
    if (content.length > most) {
      throw new FileFormatException(
          file,
          0,
          null,
          "images of at most " + MOST_MEBIBYTES + " MiB in all",
          "draw smaller ones with fewer --pixels, or leave some out",
          null);
    }
    if (!isComplete(content)) {
      throw new FileFormatException(
          file, 0, null, "a complete PNG image", "draw it again with --png", null);
    }
    String name = String.valueOf(file.getFileName());
    return new Picture(
        name.replaceFirst("(?i)\\.png$", "").replaceAll("[-_]+", " ").strip(), content);
  }

  private static byte[] content(Path file, int most) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(most);
    } catch (IOException e) {
      throw InputFiles.unreadable(file, e);
    }
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
    return Element.of("figure", this::writeTo, Element.of("figcaption", caption)).styled("picture");
  }

  /** Writes the image piece by piece: as a text it would take a multiple of its memory. */
  private void writeTo(Appendable page) throws IOException {
    page.append("<img alt=\"");
    Text.escape(caption, page);
    page.append("\" width=\"").append(String.valueOf(number(content, 0)));
    page.append("\" height=\"").append(String.valueOf(number(content, 1)));
    page.append("\" src=\"").append(DATA);
    for (int from = 0; from < content.length; from += PIECE) {
      byte[] piece = Arrays.copyOfRange(content, from, Math.min(content.length, from + PIECE));
      page.append(Base64.getEncoder().encodeToString(piece));
    }
    page.append("\"/>");
  }
}
