package io.magpie.stm.internal.toolchain;

import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files on disk under names that determine their contents, shared by all processes of a user.
 *
 * <p>An entry is a file and, beside it, a file with its SHA-256. An entry that is missing or does
 * not match is produced again. Files appear by renaming, so a reader never sees half of one; a lock
 * per entry keeps two processes from producing the same one at the same time, and where locks do
 * not work they merely produce it twice. Entries are never removed: the folder may be deleted
 * whenever no process uses it.
 *
 * <p>Where the folder cannot be written, a temporary one that lives as long as this process takes
 * its place, with a warning.
 */
final class ArtifactCache {
  /** Environment variable with the folder to use. */
  static final String VARIABLE = "MAGPIE_CACHE";

  /** System property with the folder to use; comes before the environment. */
  static final String PROPERTY = "magpie.cache";

  private static final Duration ABANDONED = Duration.ofDays(1);
  private static final ConcurrentHashMap<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();
  private static final AtomicLong TEMPORARIES = new AtomicLong();

  private final Path folder;
  private Path temporary;

  /** Makes the content of an entry. */
  @FunctionalInterface
  interface Producer {
    /** Writes the entry to {@code target}, which does not exist yet. */
    void produce(Path target) throws IOException;
  }

  ArtifactCache(Path folder) {
    this.folder = folder.toAbsolutePath();
  }

  private static final class Holder {
    static final ArtifactCache USERS = new ArtifactCache(usersFolder());

    private static Path usersFolder() {
      String property = System.getProperty(PROPERTY);
      if (property != null && !property.isBlank()) {
        return Path.of(property);
      }
      String variable = System.getenv(VARIABLE);
      if (variable != null && !variable.isBlank()) {
        return Path.of(variable);
      }
      return Path.of(System.getProperty("user.home", ""), ".cache", "magpie");
    }
  }

  /**
   * The cache of this user: {@code magpie.cache}, else {@code $MAGPIE_CACHE}, else {@code
   * ~/.cache/magpie}.
   */
  static ArtifactCache ofUser() {
    return Holder.USERS;
  }

  /**
   * The entry of that name, produced first if it is missing or damaged.
   *
   * @param name a file name that determines the content
   */
  Path file(String name, Producer producer) {
    return in(root -> soundFile(root.resolve(name), producer));
  }

  /**
   * A folder of files, produced first if it is missing or damaged.
   *
   * @param name a file name that determines the content
   * @param hash what {@link #hashOfTree} must give for it
   */
  Path tree(String name, String hash, Producer producer) {
    return in(root -> soundTree(root.resolve(name), hash, producer));
  }

  /** SHA-256 over relative names and contents of all files below a folder. */
  static String hashOfTree(Path folder) throws IOException {
    var digest = Hashes.sha256();
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file :
          tree.filter(Files::isRegularFile)
              .sorted(Comparator.comparing(path -> folder.relativize(path).toString()))
              .toList()) {
        Hashes.add(digest, folder.relativize(file).toString().replace('\\', '/'));
        Hashes.add(digest, Files.readAllBytes(file));
      }
    }
    return Hashes.hex(digest);
  }

  @FunctionalInterface
  private interface InFolder {
    Path apply(Path root) throws IOException;
  }

  private Path in(InFolder action) {
    Path instead;
    synchronized (this) {
      instead = temporary;
    }
    if (instead == null) {
      try {
        Files.createDirectories(folder);
        return action.apply(folder);
      } catch (IOException e) {
        instead = fallBack(e);
      }
    }
    try {
      return action.apply(instead);
    } catch (IOException e) {
      throw new MagpieException(
          "Cannot write compiled modules to "
              + folder
              + " nor to "
              + instead
              + ": "
              + describe(e)
              + "; set "
              + VARIABLE
              + " to a folder with space that can be written",
          e);
    }
  }

  private synchronized Path fallBack(IOException reason) {
    if (temporary == null) {
      try {
        temporary = Files.createTempDirectory("magpie-cache-");
      } catch (IOException e) {
        throw new MagpieException(
            "Cannot write compiled modules to "
                + folder
                + " ("
                + describe(reason)
                + ") nor make a temporary folder ("
                + describe(e)
                + "); set "
                + VARIABLE
                + " to a folder that can be written",
            e);
      }
      Path doomed = temporary;
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> deleteQuietly(doomed), "magpie-cache-cleaner"));
      Logger log = LoggerFactory.getLogger(ArtifactCache.class);
      log.warn(
          "Cannot write to the cache {} ({}); using {} for this process. Set {} to a folder that can be written.",
          folder,
          describe(reason),
          temporary,
          VARIABLE);
    }
    return temporary;
  }

  private static String describe(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  private static Path soundFile(Path file, Producer producer) throws IOException {
    if (isSound(file)) {
      return file;
    }
    return locked(
        file,
        () -> {
          if (isSound(file)) {
            return file;
          }
          removeAbandoned(file.getParent());
          Path made = temporaryBeside(file);
          Path checksum = temporaryBeside(file);
          try {
            producer.produce(made);
            Files.writeString(checksum, Hashes.ofFile(made) + "\n");
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            Files.move(checksum, checksumOf(file), StandardCopyOption.ATOMIC_MOVE);
          } finally {
            Files.deleteIfExists(made);
            Files.deleteIfExists(checksum);
          }
          return file;
        });
  }

  private static boolean isSound(Path file) throws IOException {
    try {
      String expected = Files.readString(checksumOf(file), StandardCharsets.ISO_8859_1).strip();
      return expected.equals(Hashes.ofFile(file));
    } catch (NoSuchFileException missing) {
      return false;
    }
  }

  private static Path checksumOf(Path file) {
    return file.resolveSibling(file.getFileName() + ".sha256");
  }

  private static Path soundTree(Path tree, String hash, Producer producer) throws IOException {
    if (Files.isDirectory(tree) && hashOfTree(tree).equals(hash)) {
      return tree;
    }
    return locked(
        tree,
        () -> {
          if (Files.isDirectory(tree)) {
            if (hashOfTree(tree).equals(hash)) {
              return tree;
            }
            Path damaged = temporaryBeside(tree);
            Files.move(tree, damaged, StandardCopyOption.ATOMIC_MOVE);
            deleteQuietly(damaged);
          }
          Path made = temporaryBeside(tree);
          try {
            Files.createDirectory(made);
            producer.produce(made);
            try {
              Files.move(made, tree, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileAlreadyExistsException madeBySomeoneElse) {
              return tree;
            }
          } finally {
            deleteQuietly(made);
          }
          return tree;
        });
  }

  private static Path temporaryBeside(Path file) {
    String unique = ProcessHandle.current().pid() + "-" + TEMPORARIES.incrementAndGet();
    return file.resolveSibling(file.getFileName() + "." + unique + ".tmp");
  }

  private static void removeAbandoned(Path folder) throws IOException {
    Instant limit = Instant.now().minus(ABANDONED);
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".tmp")).toList()) {
        try {
          if (Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
            deleteQuietly(file);
          }
        } catch (NoSuchFileException renamedMeanwhile) {
          // no longer there to be removed
        }
      }
    }
  }

  @FunctionalInterface
  private interface Body {
    Path run() throws IOException;
  }

  /**
   * Runs {@code body} alone among the threads of this process and, where file locks work, among all
   * processes.
   */
  private static Path locked(Path entry, Body body) throws IOException {
    ReentrantLock threads = LOCKS.computeIfAbsent(entry, path -> new ReentrantLock());
    threads.lock();
    try {
      Path lockFile = entry.resolveSibling(entry.getFileName() + ".lock");
      try (FileChannel channel =
          FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        FileLock lock = null;
        try {
          lock = channel.lock();
        } catch (IOException noLocksOnThisFileSystem) {
          LoggerFactory.getLogger(ArtifactCache.class)
              .debug("No lock on {}", lockFile, noLocksOnThisFileSystem);
        }
        try {
          return body.run();
        } finally {
          if (lock != null) {
            lock.release();
          }
        }
      }
    } finally {
      threads.unlock();
    }
  }

  /** Deletes a file or folder; what cannot be deleted stays. */
  static void deleteQuietly(Path path) {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(path)) {
      for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException leftBehind) {
      LoggerFactory.getLogger(ArtifactCache.class).debug("Cannot delete {}", path, leftBehind);
    }
  }
}
