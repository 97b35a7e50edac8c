package io.magpie.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.input.InputException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A folder that keeps the forests of partitions, so that a job that is started again with the same
 * edges and settings goes on from there. A manifest says what the job is; it and each forest are
 * written under another name, and have theirs once they are whole. A forest's file also says of
 * which job it is, and what its bytes add up to: one that is damaged, or of another job, is as good
 * as none.
 *
 * @param given the folder, as it was given
 * @param folder where it is
 * @param mark what the files of the job are known by
 */
record Checkpoint(String given, String folder, String mark) implements Serializable {
  private static final long serialVersionUID = 1L;

  static final String MANIFEST = "_checkpoint.json";
  private static final String FORMAT = "magpie-checkpoint-1";

  /** What names begin with of files that are not whole. */
  private static final String ATTEMPT = "_attempt-";

  private static final String FOREST = "forest-";
  private static final int BYTES_PER_EDGE = 24;

  /**
   * Opens the folder, or makes it.
   *
   * @param given as it was given
   * @param input what was given as edges, for people
   * @param job what decides the forests of the partitions, by name
   * @throws InputException if it has forests of another job, or something else
   * @throws OutputException if it cannot be written
   */
  static Checkpoint open(
      String given, String input, Map<String, String> job, Configuration configuration) {
    Path folder;
    JsonNode there;
    try {
      Path path = new Path(given);
      FileSystem system = path.getFileSystem(configuration);
      folder = system.makeQualified(path);
      Path manifest = new Path(folder, MANIFEST);
      if (!system.exists(manifest)) {
        if (system.exists(folder)) {
          if (system.getFileStatus(folder).isFile()) {
            throw new InputException(given + ": is a file; name a folder by --checkpoint");
          }
          requireNothing(given, system.listStatus(folder));
        }
        writeManifest(system, manifest, input, job);
      }
      try (InputStream in = system.open(manifest)) {
        there = new ObjectMapper().readTree(in);
      }
    } catch (InputException e) {
      throw e;
    } catch (JsonProcessingException e) {
      throw unknown(given, e);
    } catch (IOException | RuntimeException e) { // such as for want of a file system's jar
      throw failed(given, e);
    }
    compare(given, there, job);
    return new Checkpoint(given, folder.toString(), Digest.of(job.toString()));
  }

  private static void requireNothing(String given, FileStatus[] there) {
    for (FileStatus each : there) {
      if (!each.getPath().getName().startsWith(ATTEMPT)) {
        throw new InputException(
            given
                + ": has "
                + each.getPath().getName()
                + " and no checkpoint; name another folder by --checkpoint, or one that is empty");
      }
    }
  }

  private static InputException unknown(String given, Exception e) {
    return new InputException(
        given
            + "/"
            + MANIFEST
            + ": is not one of this version; remove the folder, or name another by --checkpoint",
        e);
  }

  private static OutputException failed(String given, Exception e) {
    return new OutputException(
        given
            + ": cannot be used: "
            + e.getMessage()
            + "; see that all executors can write there, or name another folder by --checkpoint",
        e);
  }

  private static void writeManifest(
      FileSystem system, Path manifest, String input, Map<String, String> job) throws IOException {
    if (!system.mkdirs(manifest.getParent())) {
      throw new IOException("the folder cannot be made");
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("format", FORMAT);
    all.put("input", input);
    all.put("job", job);
    byte[] text =
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(all);
    writeWhole(system, manifest, out -> out.write(text));
  }

  /** Something that writes a file. */
  private interface Content {
    void write(OutputStream to) throws IOException;
  }

  /** Writes a file that has its name once it is whole. */
  private static void writeWhole(FileSystem system, Path file, Content content) throws IOException {
    Path attempt = new Path(file.getParent(), ATTEMPT + UUID.randomUUID());
    boolean moved = false;
    try {
      try (OutputStream out = system.create(attempt, false)) {
        content.write(out);
      }
      moved = system.rename(attempt, file);
      if (!moved && !system.exists(file)) { // else another attempt was first, with the same
        throw new IOException(file.getName() + " cannot be moved to its place");
      }
    } finally {
      if (!moved) {
        system.delete(attempt, false);
      }
    }
  }

  private static void compare(String given, JsonNode manifest, Map<String, String> job) {
    JsonNode there = manifest.path("job");
    if (!manifest.path("format").asText().equals(FORMAT) || !there.isObject()) {
      throw unknown(given, null);
    }
    TreeSet<String> names = new TreeSet<>(job.keySet());
    there.fieldNames().forEachRemaining(names::add);
    List<String> differences = new ArrayList<>();
    for (String name : names) {
      String old = there.path(name).asText("none");
      String here = job.getOrDefault(name, "none");
      if (!old.equals(here)) {
        differences.add(name + " " + old + " there, " + here + " here");
      }
    }
    if (!differences.isEmpty()) {
      throw new InputException(
          given
              + ": has forests of another job: "
              + String.join("; ", differences)
              + ". Give that job's edges and settings, or name another folder by --checkpoint");
    }
  }

  private Path file(int partition) {
    return new Path(folder, FOREST + partition);
  }

  /** For how many partitions files are there; that they are whole shows where they are read. */
  int found(int partitions, Configuration configuration) {
    try {
      FileSystem system = new Path(folder).getFileSystem(configuration);
      int found = 0;
      for (FileStatus each : system.listStatus(new Path(folder))) {
        found += each.getPath().getName().startsWith(FOREST) ? 1 : 0;
      }
      return Math.min(found, partitions);
    } catch (IOException e) {
      throw failed(given, e);
    }
  }

  /** The forest of a partition; empty if there is none that is whole and of this job. */
  Optional<ForestArrays> read(int partition, Configuration configuration) {
    Path file = file(partition);
    try {
      FileSystem system = file.getFileSystem(configuration);
      if (!system.exists(file)) {
        return Optional.empty();
      }
      long length = system.getFileStatus(file).getLen();
      CRC32C sum = new CRC32C();
      try (DataInputStream in =
          new DataInputStream(
              new CheckedInputStream(new BufferedInputStream(system.open(file), 1 << 16), sum))) {
        if (!in.readUTF().equals(FORMAT)
            || !in.readUTF().equals(mark)
            || in.readInt() != partition) {
          return Optional.empty();
        }
        int edges = in.readInt();
        if (edges < 0 || length != header() + (long) BYTES_PER_EDGE * edges + Long.BYTES) {
          return Optional.empty();
        }
        ForestArrays forest =
            new ForestArrays(new long[edges], new int[edges], new int[edges], new long[edges]);
        for (int i = 0; i < edges; i++) {
          forest.numbers()[i] = in.readLong();
          forest.sources()[i] = in.readInt();
          forest.targets()[i] = in.readInt();
          forest.keys()[i] = in.readLong();
        }
        long expected = sum.getValue();
        return in.readLong() == expected ? Optional.of(forest) : Optional.empty();
      }
    } catch (IOException e) { // it is made again
      return Optional.empty();
    }
  }

  /** Bytes before the first edge: two texts with their lengths, the partition and a count. */
  private int header() {
    return Short.BYTES + FORMAT.length() + Short.BYTES + mark.length() + 2 * Integer.BYTES;
  }

  /**
   * Keeps the forest of a partition, in place of one that was not whole.
   *
   * @throws OutputException if it cannot be written; another attempt may
   */
  void write(int partition, ForestArrays forest, Configuration configuration) {
    Path file = file(partition);
    try {
      FileSystem system = file.getFileSystem(configuration);
      system.delete(file, false);
      writeWhole(system, file, to -> write(to, partition, forest));
    } catch (IOException e) {
      throw failed(given, e);
    }
  }

  private void write(OutputStream to, int partition, ForestArrays forest) throws IOException {
    CRC32C sum = new CRC32C();
    DataOutputStream out =
        new DataOutputStream(new CheckedOutputStream(new BufferedOutputStream(to, 1 << 16), sum));
    out.writeUTF(FORMAT);
    out.writeUTF(mark);
    out.writeInt(partition);
    out.writeInt(forest.edges());
    for (int i = 0; i < forest.edges(); i++) {
      out.writeLong(forest.numbers()[i]);
      out.writeInt(forest.sources()[i]);
      out.writeInt(forest.targets()[i]);
      out.writeLong(forest.keys()[i]);
    }
    out.writeLong(sum.getValue());
    out.flush();
  }
}
