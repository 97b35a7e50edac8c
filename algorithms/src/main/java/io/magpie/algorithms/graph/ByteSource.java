package io.magpie.algorithms.graph;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.tukaani.xz.XZIOException;
import org.tukaani.xz.XZInputStream;

/** The bytes of a file, decompressed as its name says, with faults told in the file's terms. */
final class ByteSource implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final Path file;
  private final InputStream in;
  private final String compression;

  private ByteSource(Path file, InputStream in, String compression) {
    this.file = file;
    this.in = in;
    this.compression = compression;
  }

  static ByteSource open(Path file) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    String compression = name.endsWith(".gz") ? "gzip" : name.endsWith(".xz") ? "xz" : null;
    try {
      return switch (compression == null ? "" : compression) {
        case "gzip" -> new ByteSource(file, new GZIPInputStream(raw, BUFFER), compression);
        case "xz" -> new ByteSource(file, new XZInputStream(raw), compression);
        default -> new ByteSource(file, raw, null);
      };
    } catch (IOException e) {
      raw.close();
      throw translate(file, compression, e);
    }
  }

  Path file() {
    return file;
  }

  /** Fills at least one byte of the buffer; returns how many, or -1 at the end. */
  int read(byte[] buffer) throws IOException {
    return read(buffer, 0, buffer.length);
  }

  int read(byte[] buffer, int from, int length) throws IOException {
    try {
      return in.read(buffer, from, length);
    } catch (IOException e) {
      throw translate(file, compression, e);
    }
  }

  private static IOException translate(Path file, String compression, IOException e) {
    if (compression == null
        || !(e instanceof ZipException || e instanceof EOFException || e instanceof XZIOException)) {
      return e;
    }
    String found =
        e instanceof EOFException
            ? "the end of the file inside the compressed data"
            : "damaged data (" + e.getMessage() + ")";
    return new GraphFormatException(
        file,
        0,
        found,
        "a complete " + compression + " file",
        "fetch or compress it again; a file that is not compressed must not end in "
            + (compression.equals("gzip") ? ".gz" : ".xz"),
        e);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
