package io.magpie.algorithms.internal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads the PNGs that Magpie writes (ISO/IEC 15948), truecolour of eight bits in unfiltered rows,
 * and refuses all else: other chunks, check sums that are wrong, and anything left over.
 */
public final class PngReader {
  private static final String SIGNATURE = "\u0089PNG\r\n\u001a\n";

  /** Bits of a sample, truecolour, and the methods of compressing, filtering and interlacing. */
  private static final byte[] KIND = {8, 2, 0, 0, 0};

  private PngReader() {}

  /**
   * The picture in a file.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static PixelImage read(byte[] file) {
    ByteBuffer rest = ByteBuffer.wrap(file);
    require(text(bytes(rest, 8)).equals(SIGNATURE), "the signature");
    ByteBuffer header = ByteBuffer.wrap(chunk(rest, "IHDR"));
    require(header.remaining() == 13, "the header's length");
    PixelImage picture = new PixelImage(header.getInt(), header.getInt());
    require(Arrays.equals(bytes(header, KIND.length), KIND), "truecolour of eight bits");
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    while (type(rest).equals("IDAT")) {
      byte[] part = chunk(rest, "IDAT");
      require(part.length > 0, "an empty chunk");
      data.writeBytes(part);
    }
    require(chunk(rest, "IEND").length == 0, "the end's length");
    require(!rest.hasRemaining(), "something behind the end");
    ByteBuffer rows = ByteBuffer.wrap(inflate(data.toByteArray(), picture));
    for (int y = 0; y < picture.height(); y++) {
      require(rows.get() == 0, "a filter");
      for (int x = 0; x < picture.width(); x++) {
        int red = rows.get() & 255;
        int green = rows.get() & 255;
        picture.set(x, y, red << 16 | green << 8 | rows.get() & 255);
      }
    }
    return picture;
  }

  private static byte[] inflate(byte[] data, PixelImage picture) {
    byte[] rows = new byte[picture.height() * (1 + 3 * picture.width())];
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(data);
      int length = 0;
      int more;
      do {
        more = inflater.inflate(rows, length, rows.length - length);
        length += more;
      } while (more > 0);
      more = inflater.inflate(new byte[1]); // none: what follows is the check sum
      require(length == rows.length && more == 0, "how many samples there are");
      require(inflater.finished(), "the end of the samples");
      require(inflater.getRemaining() == 0, "something behind the samples");
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("not a PNG: " + e.getMessage(), e);
    } finally {
      inflater.end();
    }
    return rows;
  }

  private static byte[] chunk(ByteBuffer rest, String type) {
    require(type(rest).equals(type), "the chunk " + type);
    int length = rest.getInt();
    byte[] named = bytes(rest, 4L + length);
    CRC32 sum = new CRC32();
    sum.update(named);
    require(ByteBuffer.wrap(bytes(rest, 4)).getInt() == (int) sum.getValue(), "the sum of " + type);
    return Arrays.copyOfRange(named, 4, named.length);
  }

  /** The next chunk's type, without reading it. */
  private static String type(ByteBuffer rest) {
    ByteBuffer ahead = rest.duplicate();
    return text(Arrays.copyOfRange(bytes(ahead, 8), 4, 8));
  }

  private static byte[] bytes(ByteBuffer rest, long count) {
    require(count >= 4 && count <= rest.remaining(), "its length");
    byte[] bytes = new byte[(int) count];
    rest.get(bytes);
    return bytes;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static void require(boolean fine, String what) {
    if (!fine) {
      throw new IllegalArgumentException("not a PNG of Magpie: " + what);
    }
  }
}
