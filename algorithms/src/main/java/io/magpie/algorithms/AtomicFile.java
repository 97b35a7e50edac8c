package io.magpie.algorithms;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file that appears complete or not at all: bytes go to a temporary file next to it, which takes
 * its place by {@link #commit}. Closed before that, an existing file stays as it was and the
 * temporary one goes. What is replaced keeps its permissions, which the temporary file has from the
 * start.
 *
 * <p>The temporary file of {@code result} is {@code .result.magpie-N.tmp} with N of 16 hexadecimal
 * digits. Its writer holds a lock on it. Where a writer was killed it stays behind without one, and
 * the next that writes {@code result} removes it.
 *
 * <p>A process that is ended in an orderly way (SIGINT, SIGTERM, SIGHUP, {@link System#exit})
 * removes its temporary files itself, as {@link #complete} and {@link #commit} then say by an
 * exception. It leaves alone what is complete, as its place is a moment away and other files of a
 * group may have taken theirs, what {@link #lasting} opened, and what is opened while it ends.
 */
public final class AtomicFile implements AutoCloseable {
  private static final List<Path> SYSTEM = List.of(Path.of("/dev"), Path.of("/proc"));
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final int MOST_LINKS = 40;
  private static final String SUFFIX = ".tmp";

  /** Bytes of a name of which its temporary one is made: file systems allow 255 in all. */
  private static final int MOST_NAME = 200;

  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * Temporary files of this process. They are not looked into: the system drops all of a process's
   * locks on a file when it closes the file, by whatever channel.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path place;
  private final Path folder;
  private final Path temporary;
  private final FileChannel channel;

  /** Removes the temporary file when the process ends; null where nothing is to do that. */
  private final Thread atEnd;

  /** Guarded by this: all is on the disk, and only the end of the process's life can stop it. */
  private boolean complete;

  /** Guarded by this: the process has ended, and the temporary file is gone. */
  private boolean removed;

  /**
   * Opens the temporary file, and removes those of the same place that nobody writes any more.
   *
   * @param file what is to appear, see {@link #place}
   * @throws IOException if it cannot be
   */
  public AtomicFile(Path file) throws IOException {
    this(file, false);
  }

  /**
   * A file that is written to its end even when the process is being ended, for as long as
   * something keeps it alive: a thread that {@link Runtime#addShutdownHook} was given must wait for
   * it.
   *
   * @param file what is to appear, see {@link #place}
   * @return the open file
   * @throws IOException if it cannot be opened
   */
  public static AtomicFile lasting(Path file) throws IOException {
    return new AtomicFile(file, true);
  }

  private AtomicFile(Path file, boolean lasting) throws IOException {
    place = place(file);
    folder = place.getParent().toRealPath();
    removeAbandoned();
    Path opened = null;
    FileChannel own = null;
    while (own == null) {
      String number = HexFormat.of().toHexDigits(RANDOM.nextLong());
      opened = folder.resolve(prefix() + number + SUFFIX);
      OWN.add(opened);
      own = opened(opened);
    }
    temporary = opened;
    channel = own;
    atEnd = lasting ? null : removal();
  }

  /** What the end of the process does; nothing if it is ending: this is part of its last work. */
  private Thread removal() {
    Thread removal = new Thread(this::removeAtEnd, "removal of a temporary file");
    try {
      Runtime.getRuntime().addShutdownHook(removal);
      return removal;
    } catch (IllegalStateException e) {
      return null;
    }
  }

  private synchronized void removeAtEnd() {
    if (!complete) {
      removed = true;
      try {
        Files.deleteIfExists(temporary);
      } catch (IOException e) {
        // The next that writes this place tries again.
      }
    }
  }

  /** What the temporary files of this place begin with. */
  private String prefix() {
    String name = place.getFileName().toString();
    int end = name.length();
    while (name.substring(0, end).getBytes(StandardCharsets.UTF_8).length > MOST_NAME) {
      end = name.offsetByCodePoints(end, -1); // never between the halves of a character
    }
    return "." + name.substring(0, end) + ".magpie-";
  }

  /**
   * A new file with a lock on it; null where another process has just taken it for abandoned, as it
   * was not locked yet.
   */
  private FileChannel opened(Path path) throws IOException {
    FileChannel opened = null;
    boolean kept = false;
    try {
      opened =
          FileChannel.open(
              path,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              permissions().map(PosixFilePermissions::asFileAttribute).stream()
                  .toArray(FileAttribute<?>[]::new));
      kept = locked(opened) && Files.exists(path);
      return kept ? opened : null;
    } finally {
      if (!kept) {
        OWN.remove(path);
        if (opened != null) {
          opened.close();
        }
      }
    }
  }

  /** Takes the lock; where a file system has none, nobody can take it, and nothing is removed. */
  private static boolean locked(FileChannel opened) {
    try {
      return opened.tryLock() != null;
    } catch (IOException e) {
      return true;
    }
  }

  private void removeAbandoned() {
    String prefix = prefix();
    try (DirectoryStream<Path> left =
        Files.newDirectoryStream(
            folder,
            path -> {
              String name = path.getFileName().toString();
              return name.startsWith(prefix)
                  && name.substring(prefix.length()).matches("[0-9a-f]{16}\\" + SUFFIX)
                  && !OWN.contains(path);
            })) {
      for (Path each : left) {
        removeUnlessLocked(each);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // A folder that cannot be listed keeps what lies there.
    }
  }

  private static void removeUnlessLocked(Path left) {
    try (FileChannel opened =
        FileChannel.open(left, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (opened.tryLock() != null) {
        Files.delete(left);
      }
    } catch (IOException | OverlappingFileLockException e) {
      // Another's, or gone by now, or without locks: not ours to remove.
    }
  }

  /** Those of the file that is there, where files have such permissions. */
  private Optional<Set<PosixFilePermission>> permissions() throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(place, PosixFileAttributeView.class);
    return view == null || !Files.exists(place)
        ? Optional.empty()
        : Optional.of(view.readAttributes().permissions());
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
   * @return where to write; it stays open until this is closed
   */
  public FileChannel channel() {
    return channel;
  }

  /**
   * Writes to the temporary file.
   *
   * @return a stream whose closing leaves the file open, and with it the lock
   */
  public OutputStream stream() {
    return new OutputStream() {
      private final OutputStream out = Channels.newOutputStream(channel);

      @Override
      public void write(int b) throws IOException {
        out.write(b);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
      }
    };
  }

  /**
   * Brings what was written to the disk.
   *
   * @throws IOException if that cannot be, or the process is ending
   */
  public void complete() throws IOException {
    channel.force(true);
    synchronized (this) {
      if (removed) {
        throw new IOException("the process is being ended");
      }
      complete = true;
    }
  }

  /**
   * Brings what was written to the disk, and lets the file take its place.
   *
   * @throws IOException if that cannot be, or the process is ending; an existing file is as it was
   */
  public void commit() throws IOException {
    complete();
    Optional<Set<PosixFilePermission>> permissions = permissions();
    if (permissions.isPresent()) { // the process's mask may have taken some away
      Files.setPosixFilePermissions(temporary, permissions.get());
    }
    Files.move(
        temporary, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      Files.deleteIfExists(temporary);
    } finally {
      OWN.remove(temporary);
      forgetEnd();
    }
  }

  private void forgetEnd() {
    try {
      if (atEnd != null) {
        Runtime.getRuntime().removeShutdownHook(atEnd);
      }
    } catch (IllegalStateException e) {
      // The process is ending: nothing is left to be removed.
    }
  }
}
