package io.magpie.stm.internal.toolchain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folders and files that only this process's user can have written: what is loaded from them runs
 * with that user's rights.
 *
 * <p>A folder is private if this user owns it, nobody else may write to it, and nobody else can put
 * another one in its place: each folder above it belongs to this user or to root and is written by
 * nobody else, or is sticky, as {@code /tmp} is. A group of the owner's own name counts as the
 * owner. Root is no exception: what belongs to another user is not root's.
 */
final class PrivateFolder {
  private static final Logger LOG = LoggerFactory.getLogger(PrivateFolder.class);
  private static final int OTHERS_WRITE = 0002;
  private static final int GROUP_WRITES = 0020;
  private static final int STICKY = 01000;
  private static final int PERMISSIONS = 07777;

  /** For folders that are made: whatever the umask, for this user alone. */
  static final FileAttribute<Set<PosixFilePermission>> ONLY_OWNER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** For files that are made: whatever the umask, for this user alone. */
  static final FileAttribute<Set<PosixFilePermission>> ONLY_OWNER_READS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private PrivateFolder() {}

  /** Why a folder is not private, and what to do about it. */
  static final class NotPrivateException extends IOException {
    NotPrivateException(String reason) {
      super(reason);
    }
  }

  private static final class Process {
    /** The user whose files this process makes, as the system counts users. */
    static final int USER = user();

    private static int user() {
      try {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      } catch (IOException e) {
        return -1; // owns nothing
      }
    }
  }

  /**
   * A private folder, made if it does not exist.
   *
   * @return its path without links, which nobody else can lead elsewhere
   * @throws NotPrivateException if it is not private, or would not be; then nothing is made
   * @throws IOException if it cannot be made
   */
  static Path at(Path folder) throws IOException {
    if (!folder.isAbsolute()) {
      throw new NotPrivateException(
          folder + " is relative, so another folder in each working directory; give a full path");
    }
    Path existing = folder.normalize();
    Deque<Path> missing = new ArrayDeque<>();
    while (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
      missing.push(existing.getFileName());
      existing = existing.getParent();
    }
    Path real = existing.toRealPath();
    check(real, missing.isEmpty());
    if (missing.isEmpty()) {
      return real;
    }
    for (Path name : missing) {
      real = real.resolve(name);
      try {
        Files.createDirectory(real, ONLY_OWNER);
      } catch (FileAlreadyExistsException e) {
        // made by another process meanwhile, and checked below
      }
    }
    Path made = real.toRealPath();
    check(made, true);
    return made;
  }

  private static void check(Path real, boolean itself) throws IOException {
    if (!Files.isDirectory(real)) {
      throw new NotPrivateException(real + " is not a folder");
    }
    for (Path each = real; each != null; each = each.getParent()) {
      checkOwner(each, itself && each.equals(real));
      checkWriters(each, itself && each.equals(real));
    }
  }

  private static void checkOwner(Path folder, boolean itself) throws IOException {
    int owner = (Integer) Files.getAttribute(folder, "unix:uid");
    if (owner != Process.USER && (itself || owner != 0)) {
      throw new NotPrivateException(
          folder + " belongs to user " + owner + ", and this process is user " + Process.USER);
    }
  }

  private static void checkWriters(Path folder, boolean itself) throws IOException {
    int mode = (Integer) Files.getAttribute(folder, "unix:mode") & PERMISSIONS;
    boolean kept = !itself && (mode & STICKY) != 0;
    boolean shared =
        (mode & OTHERS_WRITE) != 0
            || (mode & GROUP_WRITES) != 0 && (itself || !isGroupOfOwner(folder));
    if (shared && !kept) {
      throw new NotPrivateException(
          String.format(
              "others can write to %s (mode %04o): 'chmod go-w %s' makes it safe",
              folder, mode, folder));
    }
  }

  private static boolean isGroupOfOwner(Path folder) throws IOException {
    PosixFileAttributes attributes = Files.readAttributes(folder, PosixFileAttributes.class);
    return attributes.group().getName().equals(attributes.owner().getName());
  }

  /** Whether a file in a private folder is there, is this user's, and is written by nobody else. */
  static boolean holds(Path file) throws IOException {
    try {
      Map<String, Object> attributes =
          Files.readAttributes(file, "unix:isRegularFile,uid,mode", LinkOption.NOFOLLOW_LINKS);
      int mode = (Integer) attributes.get("mode");
      return (Boolean) attributes.get("isRegularFile")
          && (Integer) attributes.get("uid") == Process.USER
          && (mode & (GROUP_WRITES | OTHERS_WRITE)) == 0;
    } catch (NoSuchFileException missing) {
      return false;
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
      LOG.debug("Cannot delete {}", path, leftBehind);
    }
  }
}
