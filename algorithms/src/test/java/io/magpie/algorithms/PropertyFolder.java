package io.magpie.algorithms;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder for the files of a container's properties, for which JUnit's temporary ones are not. */
public final class PropertyFolder {
  private PropertyFolder() {}

  public static Path make(String name) throws IOException {
    return Files.createTempDirectory(name);
  }

  /** Removes it with the files in it. */
  public static void remove(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
