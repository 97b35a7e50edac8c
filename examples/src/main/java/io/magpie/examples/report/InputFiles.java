package io.magpie.examples.report;

import io.magpie.examples.input.InputException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What can be wrong with a file before it is read. */
final class InputFiles {
  private InputFiles() {}

  /**
   * Refuses what cannot be read at all.
   *
   * @param wanted what the file should be
   */
  static void requireFile(Path file, String wanted) throws IOException {
    if (Files.isDirectory(file)) {
      throw new InputException(file + ": is a folder; name " + wanted);
    }
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    if (!Files.isReadable(file)) {
      throw new AccessDeniedException(file.toString());
    }
  }

  /** A failure to read, with the file's name, which not all failures have. */
  static IOException unreadable(Path file, IOException e) {
    return e instanceof FileSystemException
        ? e
        : new IOException(file + ": cannot be read: " + e.getMessage(), e);
  }
}
