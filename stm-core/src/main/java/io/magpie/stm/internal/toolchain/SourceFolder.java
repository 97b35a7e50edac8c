package io.magpie.stm.internal.toolchain;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A folder of sources that anyone may change, which is read at each use: that takes less time than
 * a compiler does to preprocess one of them.
 */
final class SourceFolder {
  /** More are not read: the folder is one of other things, too, such as a home folder. */
  private static final int MOST_FILES = 200;

  private static final long MOST_BYTES = 4L << 20;

  /** Others are not read: whoever has locked a file loses the lock where his process reads it. */
  private static final Pattern SOURCE =
      Pattern.compile("(?s).*\\.(cuh?|c|cc|cpp|cxx|h|hh|hpp|hxx|inc|inl|ipp)");

  private SourceFolder() {}

  /** Whether a file counts for {@link #hash}, which its name tells. */
  static boolean isSource(String name) {
    return SOURCE.matcher(name).matches();
  }

  /**
   * SHA-256 over the names and contents of all sources in a folder and the folders in it.
   *
   * @return null if there are many files, or large sources; if a link leads out of the folder; or
   *     if a source cannot be read, or asks which other files there are
   */
  static String hash(Path folder) {
    Map<String, byte[]> files = new TreeMap<>();
    try {
      Visitor visitor = new Visitor(folder, files);
      Files.walkFileTree(folder, visitor);
      if (!visitor.complete) {
        return null;
      }
    } catch (IOException unreadable) {
      return null;
    }
    MessageDigest digest = Hashes.sha256();
    files.forEach(
        (name, content) -> {
          Hashes.add(digest, name);
          Hashes.add(digest, content);
        });
    return Hashes.hex(digest);
  }

  private static final class Visitor extends SimpleFileVisitor<Path> {
    private final Path folder;
    private final Map<String, byte[]> files;
    private int seen;
    private long bytes;
    private boolean complete = true;

    Visitor(Path folder, Map<String, byte[]> files) {
      this.folder = folder;
      this.files = files;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes is) {
      return ++seen > MOST_FILES ? givenUp() : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path each, BasicFileAttributes is) throws IOException {
      if (++seen > MOST_FILES || is.isSymbolicLink()) {
        return givenUp();
      }
      if (!is.isRegularFile() || !isSource(each.toString())) {
        return FileVisitResult.CONTINUE;
      }
      bytes += is.size();
      if (bytes > MOST_BYTES) {
        return givenUp();
      }
      byte[] content = Files.readAllBytes(each);
      if (new String(content, StandardCharsets.ISO_8859_1).contains(ModuleBuilder.ASKS_FOR_FILES)) {
        return givenUp();
      }
      files.put(folder.relativize(each).toString(), content);
      return FileVisitResult.CONTINUE;
    }

    private FileVisitResult givenUp() {
      complete = false;
      return FileVisitResult.TERMINATE;
    }
  }
}
