package io.magpie.algorithms.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Writes pictures as PNG (ISO/IEC 15948; W3C, Portable Network Graphics Specification): truecolour,
 * eight bits a sample, not interlaced, without ancillary chunks.
 *
 * <p>Rows go through the compressor one at a time, so besides the picture there are a row and a
 * chunk. They are not filtered: what is drawn in a few flat colors repeats byte for byte, and
 * differences to the left or above only hide that from the compressor.
 */
public final class PngImage {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  private static final byte BIT_DEPTH = 8;
  private static final byte TRUECOLOUR = 2;
  private static final byte NO_FILTER = 0;
  private static final int SAMPLES = 3;

  /** Where a chunk, which begins with its length, has its type and its data. */
  private static final int TYPE = 4;

  private static final int DATA = 8;

  /** The bytes of the check sum behind the data. */
  private static final int CHECK = 4;

  /** The most data in a chunk of this writer. */
  static final int CHUNK = 1 << 16;

  private final ByteSink sink;
  private final byte[] chunk = new byte[DATA + CHUNK + CHECK];
  private final ByteBuffer fields = ByteBuffer.wrap(chunk);
  private final CRC32 checksum = new CRC32();

  private PngImage(ByteSink sink) {
    this.sink = sink;
  }

  /** Writes a picture; work and bytes are linear in its pixels. */
  public static void write(PixelImage picture, ByteSink sink) throws IOException {
    sink.bytes(SIGNATURE);
    PngImage png = new PngImage(sink);
    png.header(picture);
    png.pixels(picture);
    png.chunk("IEND", 0);
  }

  private void header(PixelImage picture) throws IOException {
    fields.position(DATA);
    fields.putInt(picture.width()).putInt(picture.height()).put(BIT_DEPTH).put(TRUECOLOUR);
    // Compression, filtering and interlacing: by Deflate, with a type for each row, none.
    fields.put((byte) 0).put((byte) 0).put((byte) 0);
    chunk("IHDR", fields.position() - DATA);
  }

  private void pixels(PixelImage picture) throws IOException {
    Deflater deflater = new Deflater();
    try {
      byte[] row = new byte[Math.addExact(1, Math.multiplyExact(SAMPLES, picture.width()))];
      row[0] = NO_FILTER;
      int fill = 0;
      for (int y = 0; y < picture.height(); y++) {
        for (int x = 0; x < picture.width(); x++) {
          int color = picture.get(x, y);
          row[1 + SAMPLES * x] = (byte) (color >> 16);
          row[2 + SAMPLES * x] = (byte) (color >> 8);
          row[3 + SAMPLES * x] = (byte) color;
        }
        deflater.setInput(row);
        fill = deflate(deflater, fill);
      }
      deflater.finish();
      fill = deflate(deflater, fill);
      if (fill > 0) {
        chunk("IDAT", fill);
      }
    } finally {
      deflater.end();
    }
  }

  /** Takes what the compressor has, writes full chunks, and returns how full the next one is. */
  private int deflate(Deflater deflater, int fill) throws IOException {
    int full = fill;
    while (true) {
      int bytes = deflater.deflate(chunk, DATA + full, CHUNK - full);
      if (bytes == 0) {
        return full;
      }
      full += bytes;
      if (full == CHUNK) {
        chunk("IDAT", full);
        full = 0;
      }
    }
  }

  /** Writes a chunk whose data are in place; its check sum covers type and data. */
  private void chunk(String type, int length) throws IOException {
    fields.putInt(0, length);
    fields.put(TYPE, type.getBytes(StandardCharsets.US_ASCII));
    checksum.reset();
    checksum.update(chunk, TYPE, DATA - TYPE + length);
    fields.putInt(DATA + length, (int) checksum.getValue());
    sink.bytes(chunk, 0, DATA + length + CHECK);
  }
}
