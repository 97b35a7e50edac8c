package io.magpie.algorithms.internal;

import io.magpie.algorithms.FileFormatException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.tukaani.xz.XZIOException;
import org.tukaani.xz.XZInputStream;

/** The bytes of a file, decompressed as its name says, with faults told in the file's terms. */
public final class ByteSource implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final Path file;
  private final Compression compression;
  private final InputStream in;

  /** Opens a file. */
  public ByteSource(Path file, Compression compression) throws IOException {
    this.file = file;
    this.compression = compression;
    InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    try {
      in =
          switch (compression) {
            case NONE -> raw;
            case GZIP -> new GZIPInputStream(raw, BUFFER);
            case XZ -> new XZInputStream(raw);
          };
    } catch (IOException e) {
      raw.close();
      throw translate(e);
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

  private IOException translate(IOException e) {
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
