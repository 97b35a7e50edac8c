package io.magpie.algorithms.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/**
 * A file that appears complete or not at all. Bytes go to a temporary file beside it; {@link
 * #complete} brings them to the disk, {@link #commit} lets the temporary file take the other's
 * place. Closed before that, an existing file stays as it was and the temporary one goes.
 */
public final class FileReplacement implements AutoCloseable {
  private final Path target;
  private final Path temporary;
  private final FileChannel channel;
  private final ByteSink sink;

  /**
   * Opens the temporary file; the end of the name tells how to compress. Of a symbolic link it is
   * what the link leads to that is replaced.
   *
   * @throws FileSystemException if what has the name is no regular file, such as a device or a
   *     pipe, which must not be replaced, or is write-protected
   */
  public FileReplacement(Path file) throws IOException {
    target = place(file);
    temporary = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID());
    channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      sink =
          new ByteSink(
              compress(
                  Channels.newOutputStream(channel),
                  Compression.of(file.getFileName().toString())));
    } catch (IOException | RuntimeException e) {
      channel.close();
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  private static Path place(Path file) throws IOException {
    if (!Files.exists(file)) {
      return file.toAbsolutePath();
    }
    if (!Files.isRegularFile(file)) {
      throw new FileSystemException(file.toString(), null, "is no regular file; name another");
    }
    if (!Files.isWritable(file)) {
      throw new FileSystemException(file.toString(), null, "is write-protected; name another");
    }
    return file.toRealPath();
  }

  /** Where to write. */
  public ByteSink sink() {
    return sink;
  }

  /** Ends writing; the bytes are on the disk when it returns. */
  public void complete() throws IOException {
    sink.finish();
    channel.force(true);
    sink.close();
  }

  /** Lets the completed file take its place. */
  public void commit() throws IOException {
    try {
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Override
  public void close() throws IOException {
    try (channel;
        sink) {
      Files.deleteIfExists(temporary);
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
