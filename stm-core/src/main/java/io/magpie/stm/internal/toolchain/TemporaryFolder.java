package io.magpie.stm.internal.toolchain;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * A private folder that goes when it is closed or this process is told to end.
 *
 * <p>Its name ends in 16 hexadecimal digits. Its process holds a lock on the file {@code NAME.lock}
 * next to it. Where a process was killed both stay behind without a lock, and go when another
 * folder of their kind is made.
 */
public final class TemporaryFolder implements Leftovers.Folder {
  private static final String LOCK = ".lock";
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * Locks of this process. They are not looked into: the system drops all of a process's locks on a
   * file when it closes the file, by whatever channel.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final Path lock;
  private final FileChannel channel;

  private TemporaryFolder(Path parent, String kind) throws IOException {
    Path folder = null;
    FileChannel held = null;
    while (held == null) {
      folder = parent.resolve(kind + HexFormat.of().toHexDigits(RANDOM.nextLong()));
      held = locked(lockOf(folder));
    }
    path = folder;
    lock = lockOf(folder);
    channel = held;
  }

  /**
   * Makes a folder.
   *
   * @param parent where: a folder in which nobody else can remove or replace what is this user's
   * @param kind what the names of all folders of this kind begin with
   * @throws PrivateFolder.NotPrivateException if it would not be private
   * @throws IOException if it cannot be made
   */
  static TemporaryFolder in(Path parent, String kind) throws IOException {
    Path real = parent.toRealPath();
    removeAbandoned(real, kind);
    TemporaryFolder folder = new TemporaryFolder(real, kind);
    try {
      PrivateFolder.at(folder.path);
    } catch (IOException e) {
      folder.close();
      throw e;
    }
    Leftovers.add(folder);
    return folder;
  }

  /**
   * Makes a folder in the system's folder for such; see {@link #in}.
   *
   * @param kind what the names of all folders of this kind begin with
   * @throws IOException if it cannot be made, or would not be private
   */
  public static TemporaryFolder ofSystem(String kind) throws IOException {
    return in(system(), kind);
  }

  /** The system's folder for temporary ones. */
  static Path system() {
    return Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
  }

  private static Path lockOf(Path folder) {
    return folder.resolveSibling(folder.getFileName() + LOCK);
  }

  /**
   * A new file with a lock on it; null where another process has just taken it for abandoned, as it
   * was not locked yet.
   */
  private static FileChannel locked(Path path) throws IOException {
    FileChannel opened = null;
    boolean kept = false;
    OWN.add(path);
    try {
      opened =
          FileChannel.open(
              path,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PrivateFolder.ONLY_OWNER_READS);
      kept = tryLock(opened) && Files.exists(path);
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
  private static boolean tryLock(FileChannel opened) {
    try {
      return opened.tryLock() != null;
    } catch (IOException e) {
      return true;
    }
  }

  private static void removeAbandoned(Path parent, String kind) {
    String names = Pattern.quote(kind) + "[0-9a-f]{16}";
    try (DirectoryStream<Path> locks = Files.newDirectoryStream(parent, "*" + LOCK)) {
      for (Path each : locks) {
        String name = each.getFileName().toString();
        String folder = name.substring(0, name.length() - LOCK.length());
        if (folder.matches(names) && !OWN.contains(each)) {
          removeUnlessLocked(parent.resolve(folder));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // A folder that cannot be listed keeps what lies there.
    }
  }

  private static void removeUnlessLocked(Path folder) {
    Path lock = lockOf(folder);
    try {
      // In a sticky folder anybody can have made what looks like one of ours.
      if (!PrivateFolder.holds(lock)) {
        return;
      }
      try (FileChannel opened =
          FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
        if (opened.tryLock() != null) {
          remove(folder);
        }
      }
    } catch (IOException | OverlappingFileLockException e) {
      // Another's, or gone by now, or without locks: not ours to remove.
    }
  }

  /** Removes a folder and then its lock, without which nobody would look for it. */
  private static void remove(Path folder) throws IOException {
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      PrivateFolder.at(folder);
      PrivateFolder.deleteQuietly(folder);
    }
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(lockOf(folder));
    }
  }

  /** Where it is: a path without links, which nobody else can lead elsewhere. */
  public Path path() {
    return path;
  }

  /** Removes the folder; what cannot be removed stays until the next of its kind is made. */
  @Override
  public void close() {
    Leftovers.remove(this);
    try (channel) {
      remove(path);
    } catch (IOException e) {
      // as said
    } finally {
      OWN.remove(lock);
    }
  }
}
