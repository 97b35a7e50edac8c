package io.magpie.spark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.magpie.examples.cli.output.OutputException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The folder of a result. Attempts of tasks write files of their own in a folder next to it, where
 * those of the attempts that Spark took are put together with the manifest; then all are moved at
 * once. What others write to the folder meanwhile is left as it is. Without a result the folders
 * above it go, too, that were made for it and have nothing else in them.
 */
final class OutputFolder implements AutoCloseable {
  static final String MANIFEST = "_manifest.json";

  /** The file of a result that has one. */
  static final String PART = "part-00000.parquet";

  private final String given;
  private final PrintWriter warnings;
  private final Path folder;
  private final Path attempts;
  private final FileSystem system;

  /** The folders above it that were not there before, from the lowest on. */
  private final List<Path> parents = new ArrayList<>();

  private boolean isComplete;

  /**
   * @param warnings takes what is left undone when it is closed
   * @throws OutputException if it is there, or cannot be
   */
  OutputFolder(String given, Configuration configuration, PrintWriter warnings) {
    this(given, () -> new Path(given), configuration, warnings);
  }

  /** The same on this machine, whatever file system is the configuration's. */
  static OutputFolder local(
      java.nio.file.Path given, Configuration configuration, PrintWriter warnings) {
    return new OutputFolder(
        given.toString(), () -> new Path(given.toUri()), configuration, warnings);
  }

  private OutputFolder(
      String given, Supplier<Path> named, Configuration configuration, PrintWriter warnings) {
    this.given = given;
    this.warnings = warnings;
    try {
      Path path = named.get();
      system = path.getFileSystem(configuration);
      folder = system.makeQualified(path);
      if (system.exists(folder)) {
        throw isThere();
      }
      attempts = folder.suffix(".attempts-" + UUID.randomUUID());
      makeAttempts();
      system.deleteOnExit(attempts); // if the process is ended before this is closed
    } catch (OutputException e) {
      throw e;
    } catch (IOException | RuntimeException e) { // such as for want of a file system's jar
      throw failed(e);
    }
  }

  private void makeAttempts() throws IOException {
    for (Path each = folder.getParent(); !system.exists(each); each = each.getParent()) {
      parents.add(each);
    }
    boolean made = false;
    try {
      made = system.mkdirs(attempts);
    } finally {
      if (!made) {
        removeParents();
      }
    }
    if (!made) {
      throw new IOException("the folder " + attempts + " cannot be made");
    }
  }

  /** Others may have begun to use them: then they stay, and those above them. */
  private void removeParents() {
    try {
      for (Path each : parents) {
        if (!system.delete(each, false) && system.exists(each)) {
          return;
        }
      }
    } catch (IOException e) {
      return; // it has something in it
    }
  }

  private OutputException isThere() {
    return new OutputException(
        given + ": is there already; remove it, or name another folder by --out", null);
  }

  /** Tells that the folder cannot be written. */
  OutputException failed(Exception e) {
    return new OutputException(
        given + ": cannot be written: " + e.getMessage() + "; name another folder by --out", e);
  }

  /** The file system that it is on. */
  FileSystem system() {
    return system;
  }

  /** Where attempts write. */
  String attempts() {
    return attempts.toString();
  }

  /**
   * Puts files and the manifest together, and moves them.
   *
   * @param files what attempts wrote, by the names that they are to have
   * @param manifest what the result is; it gets the names
   * @throws OutputException if the folder has come to be there, or cannot be written
   */
  void complete(Map<String, String> files, Map<String, Object> manifest) {
    try {
      Path result = new Path(attempts, "result-" + UUID.randomUUID());
      system.mkdirs(result);
      for (Map.Entry<String, String> file : files.entrySet()) {
        if (!system.rename(new Path(file.getValue()), new Path(result, file.getKey()))) {
          throw new IOException("the file " + file.getValue() + " cannot be moved to it");
        }
      }
      manifest.put("files", files.keySet());
      byte[] text =
          new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(manifest);
      try (OutputStream out = system.create(new Path(result, MANIFEST), false)) {
        out.write(text);
        out.write('\n');
      }
      move(result);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void move(Path result) throws IOException {
    if (system.exists(folder)) {
      throw isThere();
    }
    boolean moved = system.rename(result, folder);
    // Into a folder that came to be there meanwhile most file systems move it under its own name.
    Path misplaced = new Path(folder, result.getName());
    if (system.exists(misplaced)) {
      system.delete(misplaced, true);
      throw isThere();
    }
    if (!moved) {
      throw new IOException("the result cannot be moved to it");
    }
    isComplete = true;
  }

  /** Removes what attempts left; what it cannot remove it tells. */
  @Override
  public void close() {
    String reason;
    try {
      if (system.delete(attempts, true) || !system.exists(attempts)) {
        system.cancelDeleteOnExit(attempts);
        if (!isComplete) {
          removeParents();
        }
        return;
      }
      reason = "";
    } catch (IOException e) {
      reason = ": " + e.getMessage();
    }
    warnings.println(
        "magpie: warning: " + attempts + ": cannot be removed" + reason + "; remove it");
  }
}
