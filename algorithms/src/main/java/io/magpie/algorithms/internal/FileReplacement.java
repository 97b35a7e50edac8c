package io.magpie.algorithms.internal;

import io.magpie.algorithms.AtomicFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/**
 * An {@link AtomicFile} of text or numbers, compressed as its name says. {@link #complete} brings
 * its bytes to the disk, {@link #commit} lets it take its place.
 */
public final class FileReplacement implements AutoCloseable {
  private final AtomicFile file;
  private final ByteSink sink;

  /** Opens the temporary file; the end of the name tells how to compress. */
  public FileReplacement(Path path) throws IOException {
    file = new AtomicFile(path);
    try {
      sink = new ByteSink(compress(file.stream(), Compression.of(path.getFileName().toString())));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Where to write. */
  public ByteSink sink() {
    return sink;
  }

  /** Ends writing; the bytes are on the disk when it returns. */
  public void complete() throws IOException {
    sink.finish();
    sink.close();
    file.complete();
  }

  /** Lets the completed file take its place. */
  public void commit() throws IOException {
    file.commit();
  }

  @Override
  public void close() throws IOException {
    try (file;
        sink) {
      // The sink first: closing it may still write, to what then goes.
    }
  }

  private static OutputStream compress(OutputStream out, Compression compression)
      throws IOException {
    // Both settings trade a few percent of size for most of the time.
    return switch (compression) {
      case NONE -> out;
      case GZIP -> new FastGzip(out);
      case XZ -> new XZOutputStream(out, new LZMA2Options(1));
    };
  }

  /** Gzip at its fastest level that still looks for long matches. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, 1 << 16);
      def.setLevel(Deflater.BEST_SPEED + 2);
    }
  }
}
