package io.magpie.algorithms.internal;

import io.magpie.algorithms.FileFormatException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipException;
import org.tukaani.xz.MemoryLimitException;
import org.tukaani.xz.UnsupportedOptionsException;
import org.tukaani.xz.XZIOException;
import org.tukaani.xz.XZInputStream;

/**
 * The bytes of a file, or of what comes through a pipe, from its beginning to its end,
 * decompressed, with faults told in the file's terms. Compressed data may be of several members
 * (gzip) or streams (xz), with zero bytes after them as gzip and xz allow: gzip any number at the
 * end, xz multiples of four after each stream. Anything else behind them is a fault.
 */
public final class ByteSource implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  /** For the dictionary that an xz file asks for: the other half of the heap is for its content. */
  private static final int MOST_KIB =
      (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() >> 11);

  private final Path file;
  private final Compression compression;
  private final InputStream in;

  /** The file where the bytes that are read are its own and have places; else null. */
  private final FileChannel places;

  /** Opens a file. */
  public ByteSource(Path file, Compression compression) throws IOException {
    this.file = file;
    this.compression = compression;
    boolean hasPlaces = compression == Compression.NONE && Files.isRegularFile(file);
    places = hasPlaces ? FileChannel.open(file) : null;
    InputStream raw =
        new Sequential(hasPlaces ? Channels.newInputStream(places) : Files.newInputStream(file));
    try {
      in =
          switch (compression) {
            case NONE -> raw;
            case GZIP -> new GzipInput(raw, BUFFER);
            case XZ -> new XZInputStream(new BufferedInputStream(raw, BUFFER), MOST_KIB);
          };
    } catch (IOException e) {
      raw.close();
      throw translate(e);
    }
  }

  /** Is not asked how much there is, which a pipe cannot tell. */
  private static final class Sequential extends FilterInputStream {
    Sequential(InputStream in) {
      super(in);
    }

    @Override
    public int available() {
      return 0;
    }
  }

  /** The file, as it was given. */
  public Path file() {
    return file;
  }

  /** Reads at least one byte into a place of at least one; returns how many, or -1 at the end. */
  public int read(byte[] buffer, int from, int length) throws IOException {
    try {
      return in.read(buffer, from, length);
    } catch (IOException e) {
      throw translate(e);
    }
  }

  /**
   * How many bytes there are from a place on, if they can be read there by several threads at once:
   * 0 where the file is compressed, or a pipe.
   */
  public long bytesFrom(long place) throws IOException {
    return places == null ? 0 : Math.max(0, places.size() - place);
  }

  /**
   * Fills a buffer with the bytes from a place on, whatever {@link #read} has read; from any
   * thread. Returns false if the file, which may have been cut since, has fewer.
   */
  public boolean fill(ByteBuffer buffer, long place) throws IOException {
    for (long next = place; buffer.hasRemaining(); ) {
      int read = places.read(buffer, next);
      if (read < 0) {
        return false;
      }
      next += read;
    }
    return true;
  }

  /** Lets {@link #read} go on at a place of a file whose bytes have places. */
  public void goTo(long place) throws IOException {
    places.position(place);
  }

  private IOException translate(IOException e) {
    if (e instanceof MemoryLimitException memory) {
      return new FileFormatException(
          file,
          0,
          "an xz dictionary that takes " + (memory.getMemoryNeeded() >> 10) + " MiB",
          "one that takes at most half of the heap, " + (MOST_KIB >> 10) + " MiB",
          "compress it again by xz -6, or give Java more memory by -Xmx",
          e);
    }
    if (e instanceof UnsupportedOptionsException) {
      return new FileFormatException(
          file,
          0,
          "xz data that is beyond this reader: " + e.getMessage(),
          "data as xz -6 writes it",
          "compress it again",
          e);
    }
    if (compression == Compression.NONE
        || !(e instanceof ZipException
            || e instanceof EOFException
            || e instanceof XZIOException)) {
      return e;
    }
    String found =
        e instanceof EOFException
            ? "the end of the file inside the compressed data"
            : "damaged compressed data" + (e.getMessage() == null ? "" : ": " + e.getMessage());
    return new FileFormatException(
        file,
        0,
        found,
        "a complete " + compression.title() + " file",
        "fetch or compress it again; a file that is not compressed must not be named "
            + compression.suffix(),
        e);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
