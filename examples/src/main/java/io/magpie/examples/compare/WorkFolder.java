package io.magpie.examples.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A folder for temporary files, {@code magpie-NAME-N} where the system has such, which goes when it
 * is closed. Its owner holds a lock on the file {@code .owner} in it; where the owner was killed,
 * the folder stays behind without one, and the next folder of that name removes it.
 */
final class WorkFolder implements AutoCloseable {
  private static final String OWNER = ".owner";

  /**
   * Folders of this process. They are not looked into: the system drops all of a process's locks on
   * a file when it closes the file, by whatever channel.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel owner;

  /**
   * A new folder; those of the same name and user that nobody owns any more are removed.
   *
   * @param parent where it lies
   * @param name what it is for
   * @throws IOException if it cannot be made
   */
  WorkFolder(Path parent, String name) throws IOException {
    String prefix = "magpie-" + name + "-";
    path = Files.createTempDirectory(parent, prefix);
    OWN.add(path);
    try {
      owner =
          FileChannel.open(
              path.resolve(OWNER), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException e) {
      remove(path);
      OWN.remove(path);
      throw e;
    }
    lock(owner);
    removeAbandoned(parent, prefix);
  }

  /** Where a file system has no locks, nobody can take this one, and nothing is removed. */
  private static void lock(FileChannel opened) {
    try {
      opened.tryLock();
    } catch (IOException e) {
      // Then the folder stays if its owner is killed.
    }
  }

  /** The folder. */
  Path path() {
    return path;
  }

  private void removeAbandoned(Path parent, String prefix) {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, prefix + "*")) {
      UserPrincipal user = Files.getOwner(path);
      for (Path each : left) {
        if (!OWN.contains(each)
            && Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)
            && Files.getOwner(each, LinkOption.NOFOLLOW_LINKS).equals(user)) {
          removeUnlessOwned(each);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Somebody else removes them, too, or the folder cannot be listed.
    }
  }

  private static void removeUnlessOwned(Path left) {
    try (FileChannel opened =
        FileChannel.open(
            left.resolve(OWNER), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (opened.tryLock() != null) {
        remove(left);
      }
    } catch (IOException | OverlappingFileLockException e) {
      // Another's, or just being made, or without locks: not ours to remove.
    }
  }

  /** As far as its files are there. */
  private static void remove(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // Somebody else has removed them, or will.
    }
  }

  /** Removes it with all its files; what was done with them matters more than a failure here. */
  @Override
  public void close() {
    remove(path);
    try {
      owner.close();
    } catch (IOException e) {
      // The lock goes with the process.
    }
    OWN.remove(path);
  }
}
