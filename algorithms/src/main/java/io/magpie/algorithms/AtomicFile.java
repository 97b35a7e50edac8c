package io.magpie.algorithms;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;
import java.util.UUID;

/**
 * A file that appears complete or not at all: bytes go to a temporary file beside it, which takes
 * its place by {@link #commit}. Closed before that, an existing file stays as it was and the
 * temporary one goes. What is replaced keeps its permissions.
 */
public final class AtomicFile implements AutoCloseable {
  private static final List<Path> SYSTEM = List.of(Path.of("/dev"), Path.of("/proc"));
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final int MOST_LINKS = 40;

  private final Path place;
  private final Path temporary;
  private final FileChannel channel;

  /**
   * Opens the temporary file.
   *
   * @param file what is to appear, see {@link #place}
   * @throws IOException if it cannot be
   */
  public AtomicFile(Path file) throws IOException {
    place = place(file);
    temporary = place.resolveSibling("." + UUID.randomUUID());
    channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /**
   * Where a result of this name lies, or will: the path, or where symbolic links lead from it.
   *
   * @param file a path
   * @return the place, absolute; there is a regular file that can be written, or nothing
   * @throws FileSystemException if there is something else, such as a folder, a pipe or a device,
   *     which must not be replaced; if the file is write-protected; if links lead nowhere; or if
   *     the system makes the file, such as {@code /dev/stdout}
   * @throws IOException if a link cannot be read
   */
  public static Path place(Path file) throws IOException {
    Path place = file.toAbsolutePath();
    for (int links = 0; ; links++) {
      Path plain = place.normalize();
      if (SYSTEM.stream().anyMatch(plain::startsWith) && !plain.startsWith(SHARED_MEMORY)) {
        throw refused(file, "is no place for a file");
      }
      if (!Files.isSymbolicLink(place)) {
        if (links > 0 && !Files.exists(place)) {
          throw refused(file, "is a link that leads nowhere");
        }
        break;
      }
      if (links == MOST_LINKS) {
        throw refused(file, "is a link that leads nowhere");
      }
      place = place.resolveSibling(Files.readSymbolicLink(place));
    }
    if (Files.exists(place)) {
      if (!Files.isRegularFile(place)) {
        throw refused(file, "is no regular file");
      }
      if (!Files.isWritable(place)) {
        throw refused(file, "is write-protected");
      }
    }
    return place;
  }

  private static FileSystemException refused(Path file, String why) {
    return new FileSystemException(file.toString(), null, why + "; name another");
  }

  /**
   * The temporary file.
   *
   * @return where to write
   */
  public FileChannel channel() {
    return channel;
  }

  /**
   * Brings what was written to the disk, and lets the file take its place. The channel may be
   * closed, if it was forced before.
   *
   * @throws IOException if that cannot be; an existing file is as it was
   */
  public void commit() throws IOException {
    if (channel.isOpen()) {
      channel.force(true);
      channel.close();
    }
    if (Files.exists(place)) {
      PosixFileAttributeView before =
          Files.getFileAttributeView(place, PosixFileAttributeView.class);
      PosixFileAttributeView after =
          Files.getFileAttributeView(temporary, PosixFileAttributeView.class);
      if (before != null && after != null) {
        after.setPermissions(before.readAttributes().permissions());
      }
    }
    Files.move(
        temporary, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      Files.deleteIfExists(temporary);
    }
  }
}
