package io.magpie.stm.internal.toolchain;

import io.magpie.stm.CodeStorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files on disk under names that determine their contents, shared by all processes of a user.
 *
 * <p>An entry is a file and, next to it, a record of its SHA-256 and its name, unless the caller
 * knows the SHA-256. An entry that is missing, does not match its record, or could have been
 * written by another user is produced again. Files appear by renaming, so a reader never sees half
 * of one; a lock per entry keeps two processes from producing the same one at the same time, and
 * where locks do not work they merely produce it twice. Entries are never removed: the folder may
 * be deleted whenever no process uses it.
 *
 * <p>What is here gets loaded, so the folder is a {@link PrivateFolder}, and what a caller has been
 * given stays what was hashed. Where no folder is private and can be written, a {@link
 * TemporaryFolder} takes its place, with a warning.
 */
final class ArtifactCache {
  private static final Logger LOG = LoggerFactory.getLogger(ArtifactCache.class);
  private static final Duration ABANDONED = Duration.ofDays(1);
  private static final String TEMPORARY = ".tmp";
  private static final ConcurrentHashMap<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

  private final List<Path> choices;
  private TemporaryFolder temporary;

  /** Makes the content of an entry. */
  @FunctionalInterface
  interface Producer {
    /** Writes the entry to {@code target}, which is empty. */
    void produce(Path target) throws IOException;
  }

  ArtifactCache(Path folder) {
    this(List.of(folder));
  }

  /**
   * @param choices folders; the first that is private and can be made is used
   */
  ArtifactCache(List<Path> choices) {
    this.choices = List.copyOf(choices);
  }

  private static final class Holder {
    static final ArtifactCache USERS = new ArtifactCache(CacheFolders.ofUser());
  }

  /** The cache of this user, in the first of the {@link CacheFolders} that is private. */
  static ArtifactCache ofUser() {
    return Holder.USERS;
  }

  /**
   * The entry of that name, produced first if it is missing or damaged.
   *
   * @param name a file name that determines the content
   */
  Path file(String name, Producer producer) {
    return in(root -> file(root, name, producer));
  }

  /** As {@link #file(String, Producer)}, in the folder that {@link #in} has chosen. */
  static Path file(Path root, String name, Producer producer) throws IOException {
    return soundFile(new Recorded(root.resolve(name)), producer);
  }

  /**
   * The entry of that name, produced first if it has another content than it should.
   *
   * @param name a file name that determines the content
   * @param sha256 the content's SHA-256
   */
  Path file(String name, String sha256, Producer producer) {
    return in(root -> soundFile(new Known(root.resolve(name), sha256), producer));
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

  /** A folder for files whose names others choose, such as those that a library unpacks. */
  Path folder(String name) {
    return in(root -> PrivateFolder.at(root.resolve(name)));
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

  /** What reads and writes in the cache's folder. */
  @FunctionalInterface
  interface InFolder<T> {
    T apply(Path root) throws IOException;
  }

  /**
   * Does something in the folder; where that fails, again in a temporary one.
   *
   * @throws CodeStorageException if it fails there as well
   */
  <T> T in(InFolder<T> action) {
    TemporaryFolder instead;
    synchronized (this) {
      instead = temporary;
    }
    if (instead == null) {
      try {
        return apply(action, root());
      } catch (IOException e) {
        Interruptions.rethrow(e, "Interrupted while looking for compiled code in the cache");
        instead = fallBack(e);
      }
    }
    try {
      return apply(action, instead.path());
    } catch (IOException e) {
      Interruptions.rethrow(e, "Interrupted while looking for compiled code in the cache");
      throw new CodeStorageException(
          "Cannot keep compiled code in "
              + inWords()
              + " nor in "
              + instead.path()
              + ": "
              + describe(e)
              + "; set "
              + CacheFolders.VARIABLE
              + " to a folder with space that can be written",
          e);
    }
  }

  /** Streams of files throw what they meet unchecked. */
  private static <T> T apply(InFolder<T> action, Path root) throws IOException {
    try {
      return action.apply(root);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private Path root() throws IOException {
    IOException reason = null;
    for (Path folder : choices) {
      try {
        return PrivateFolder.at(folder);
      } catch (IOException e) {
        reason = reason == null ? e : reason;
      }
    }
    throw reason != null
        ? reason
        : new PrivateFolder.NotPrivateException(
            "neither XDG_CACHE_HOME nor HOME is the full path of a folder");
  }

  private String inWords() {
    return choices.isEmpty() ? "a cache" : "the cache " + choices.get(0);
  }

  private synchronized TemporaryFolder fallBack(IOException reason) {
    if (temporary == null) {
      try {
        temporary = TemporaryFolder.ofSystem("magpie-cache-");
      } catch (IOException e) {
        throw new CodeStorageException(
            "Cannot keep compiled code in "
                + inWords()
                + " ("
                + describe(reason)
                + ") nor in a temporary folder ("
                + describe(e)
                + "); set "
                + CacheFolders.VARIABLE
                + " to a folder that you alone can write to",
            e);
      }
      LOG.warn(
          "Not using {}: {}. Compiled code goes to {}, for this process only; {} can name a folder"
              + " that you alone can write to.",
          inWords(),
          describe(reason),
          temporary.path(),
          CacheFolders.VARIABLE);
    }
    return temporary;
  }

  private static String describe(IOException e) {
    return e instanceof PrivateFolder.NotPrivateException
        ? e.getMessage()
        : e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  /** A file in the cache. */
  private interface Entry {
    Path file();

    /** Whether the content is there and is what it should be. */
    boolean isSound() throws IOException;

    /** Notes what the content should be; called before {@code made} becomes {@link #file}. */
    default void record(Path made) throws IOException {}
  }

  /** An entry whose content the caller knows. */
  private record Known(Path file, String sha256) implements Entry {
    @Override
    public boolean isSound() throws IOException {
      return PrivateFolder.holds(file) && Hashes.ofFile(file).equals(sha256);
    }
  }

  /**
   * An entry with a record, as sha256sum writes it: an entry under another's name does not match.
   */
  private record Recorded(Path file) implements Entry {
    private Path recordFile() {
      return file.resolveSibling(file.getFileName() + ".sha256");
    }

    private String line(Path content) throws IOException {
      return Hashes.ofFile(content) + "  " + file.getFileName() + "\n";
    }

    @Override
    public boolean isSound() throws IOException {
      return PrivateFolder.holds(file)
          && PrivateFolder.holds(recordFile())
          && Arrays.equals(
              Files.readAllBytes(recordFile()), line(file).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void record(Path made) throws IOException {
      Path line = temporaryFor(file);
      try {
        Files.writeString(line, line(made));
        Files.move(line, recordFile(), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(line);
      }
    }
  }

  private static Path soundFile(Entry entry, Producer producer) throws IOException {
    Path file = entry.file();
    if (entry.isSound()) {
      return file;
    }
    return locked(
        file,
        () -> {
          if (entry.isSound()) {
            return file;
          }
          removeAbandoned(file.getParent());
          Path made = temporaryFor(file);
          try {
            producer.produce(made);
            entry.record(made);
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
          } finally {
            Files.deleteIfExists(made);
          }
          return file;
        });
  }

  private static Path soundTree(Path tree, String hash, Producer producer) throws IOException {
    if (isSound(tree, hash)) {
      return tree;
    }
    return locked(
        tree,
        () -> {
          if (isSound(tree, hash)) {
            return tree;
          }
          PrivateFolder.deleteQuietly(tree);
          Path made = temporaryFolderFor(tree);
          try {
            producer.produce(made);
            Files.move(made, tree, StandardCopyOption.ATOMIC_MOVE);
          } catch (FileSystemException e) {
            // Where locks do not work, another process can have put the same tree there meanwhile.
            if (!isSound(tree, hash)) {
              throw e;
            }
          } finally {
            PrivateFolder.deleteQuietly(made);
          }
          return tree;
        });
  }

  private static boolean isSound(Path tree, String hash) throws IOException {
    return Files.isDirectory(tree) && hashOfTree(tree).equals(hash);
  }

  private static Path temporaryFor(Path file) throws IOException {
    return Files.createTempFile(file.getParent(), file.getFileName() + ".", TEMPORARY);
  }

  private static Path temporaryFolderFor(Path tree) throws IOException {
    return Files.createTempDirectory(tree.getParent(), tree.getFileName() + TEMPORARY);
  }

  private static void removeAbandoned(Path folder) throws IOException {
    Instant limit = Instant.now().minus(ABANDONED);
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file :
          files.filter(path -> path.getFileName().toString().contains(TEMPORARY)).toList()) {
        try {
          if (Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
            PrivateFolder.deleteQuietly(file);
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
          FileChannel.open(
              lockFile,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              PrivateFolder.ONLY_OWNER_READS)) {
        FileLock lock = null;
        try {
          lock = channel.tryLock();
          if (lock == null) {
            LOG.info("waiting for another process, which is making {}", entry.getFileName());
            lock = channel.lock();
          }
        } catch (ClosedByInterruptException | FileLockInterruptionException interrupted) {
          throw interrupted;
        } catch (IOException noLocksOnThisFileSystem) {
          LOG.debug("No lock on {}", lockFile, noLocksOnThisFileSystem);
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
}
