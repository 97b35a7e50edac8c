package io.magpie.spark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.magpie.examples.cli.output.OutputException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The folder of a result. Attempts of tasks write files of their own in a folder beside it; that of
 * the attempt that Spark took is moved, and the manifest is written last. What has none is no
 * result.
 */
final class OutputFolder implements AutoCloseable {
  static final String MANIFEST = "_manifest.json";
  private static final String PART = "part-00000.parquet";

  private final String given;
  private final Path folder;
  private final Path attempts;
  private final FileSystem system;
  private boolean begun;
  private boolean complete;

  /**
   * @throws OutputException if it is there, or cannot be
   */
  OutputFolder(String given, Configuration configuration) {
    this.given = given;
    try {
      Path path = new Path(given);
      system = path.getFileSystem(configuration);
      folder = system.makeQualified(path);
      if (system.exists(folder)) {
        throw new OutputException(
            given + ": is there already; remove it, or name another folder by --out", null);
      }
      attempts = folder.suffix(".attempts-" + UUID.randomUUID());
      system.mkdirs(attempts);
    } catch (IOException | IllegalArgumentException e) {
      throw failed(e);
    }
  }

  private OutputException failed(Exception e) {
    return new OutputException(
        given + ": cannot be written: " + e.getMessage() + "; name another folder by --out", e);
  }

  /** Where attempts write. */
  String attempts() {
    return attempts.toString();
  }

  /**
   * Moves the file of an attempt, and writes the manifest.
   *
   * @param file what the attempt wrote
   * @param manifest what the result is
   */
  void complete(String file, Map<String, Object> manifest) {
    try {
      begun = true;
      system.mkdirs(folder);
      if (!system.rename(new Path(file), new Path(folder, PART))) {
        throw new IOException("the forest's file cannot be moved to it");
      }
      manifest.put("files", new String[] {PART});
      byte[] text =
          new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(manifest);
      Path written = new Path(attempts, MANIFEST);
      try (OutputStream out = system.create(written, false)) {
        out.write(text);
        out.write('\n');
      }
      if (!system.rename(written, new Path(folder, MANIFEST))) {
        throw new IOException("the manifest cannot be moved to it");
      }
      complete = true;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Removes what attempts left, and what is not complete. */
  @Override
  public void close() {
    try {
      system.delete(attempts, true);
      if (begun && !complete) {
        system.delete(folder, true);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
