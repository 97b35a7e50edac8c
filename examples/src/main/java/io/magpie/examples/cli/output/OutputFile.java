package io.magpie.examples.cli.output;

import io.magpie.algorithms.AtomicFile;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A file that appears complete or not at all. Whether it can be written is checked when it is
 * named, before the work whose result it holds.
 */
public final class OutputFile {
  /** What fills a file. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** What writes whole files, complete or not at all. */
  @FunctionalInterface
  public interface Writer {
    void write(Path path) throws IOException;
  }

  private final Path path;

  private OutputFile(Path path) {
    this.path = path;
  }

  /**
   * The file of a path.
   *
   * @throws OutputException if it clearly cannot be written, or must not be replaced, see {@link
   *     AtomicFile#place}
   */
  public static OutputFile at(Path path) {
    refuseFolder(path);
    Path folder;
    try {
      folder = AtomicFile.place(path).getParent();
    } catch (IOException e) {
      throw new OutputException(path + ": " + reason(e), e);
    }
    if (!Files.isDirectory(folder)) {
      throw new OutputException(
          path + ": there is no folder " + folder + "; create it first (mkdir -p)", null);
    }
    if (!Files.isWritable(folder)) {
      throw new OutputException(path + ": the folder " + folder + " is not writable", null);
    }
    return new OutputFile(path);
  }

  /**
   * What is written as several files.
   *
   * @param base what their names begin with
   * @throws OutputException as {@link #at}, of any of them
   */
  public static OutputFile of(Path base, List<Path> files) {
    refuseFolder(base); // its name may have been meant as theirs
    files.forEach(OutputFile::at);
    return new OutputFile(base);
  }

  private static void refuseFolder(Path path) {
    if (Files.isDirectory(path)) {
      throw new OutputException(path + ": is a folder; name a file", null);
    }
  }

  /** Whether a file's name tells a format of graphs. */
  public static boolean namesGraph(Path path) {
    String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
    String bare = name.replaceFirst("\\.(gz|xz)$", "");
    return GraphFormats.suffixes().stream().anyMatch(bare::endsWith);
  }

  public Path path() {
    return path;
  }

  /** Writes the file, or leaves what was there. */
  public void write(Content content) {
    try (AtomicFile file = new AtomicFile(path);
        OutputStream out = new BufferedOutputStream(file.stream(), 1 << 16)) {
      content.writeTo(out);
      out.flush();
      file.commit();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Writes lines of text. */
  public void writeLines(List<String> lines) {
    write(out -> write(out, lines));
  }

  private static void write(OutputStream out, List<String> lines) throws IOException {
    for (String line : lines) {
      out.write(line.getBytes(StandardCharsets.UTF_8));
      out.write('\n');
    }
  }

  /**
   * Writes files of one state: all are complete on the disk before the first takes its place, and
   * then they do so one right after the other, in their order. A process that is killed between
   * these two calls of the system leaves the first new and the next as it was. Where one cannot be
   * completed, all stay as they were. An end from outside does not stop this work; see {@link
   * AtomicFile#lasting} for who keeps the process alive meanwhile.
   *
   * @param files the files with their lines
   * @throws OutputException if one cannot be written; then none takes its place after that
   */
  public static void writeTogether(Map<OutputFile, List<String>> files) {
    Map<OutputFile, AtomicFile> complete = new LinkedHashMap<>();
    List<OutputException> failures = new ArrayList<>();
    OutputFile current = null;
    try {
      for (Map.Entry<OutputFile, List<String>> each : files.entrySet()) {
        current = each.getKey();
        complete.put(current, current.completed(each.getValue()));
      }
      for (Map.Entry<OutputFile, AtomicFile> each : complete.entrySet()) {
        current = each.getKey();
        each.getValue().commit();
      }
    } catch (IOException e) {
      failures.add(current.failed(e));
    } finally {
      complete.forEach((file, written) -> file.close(written, failures));
    }
    if (!failures.isEmpty()) {
      OutputException first = failures.remove(0);
      failures.forEach(first::addSuppressed);
      throw first;
    }
  }

  /** A temporary file with these lines, on the disk. */
  private AtomicFile completed(List<String> lines) throws IOException {
    AtomicFile file = AtomicFile.lasting(path);
    try (OutputStream out = new BufferedOutputStream(file.stream(), 1 << 16)) {
      write(out, lines);
      out.flush();
      file.complete();
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private void close(AtomicFile file, List<OutputException> failures) {
    try {
      file.close();
    } catch (IOException e) {
      failures.add(failed(e));
    }
  }

  /**
   * Writes a graph in the format that the file's name tells.
   *
   * @throws IllegalArgumentException if the format cannot hold it
   */
  public void write(Graph graph) {
    writeBy(place -> GraphFormats.write(graph, place));
  }

  /**
   * Writes a directed graph in the format that the file's name tells.
   *
   * @throws IllegalArgumentException if the format cannot hold it
   */
  public void write(DirectedGraph graph) {
    writeBy(place -> GraphFormats.write(graph, place));
  }

  /** Lets something else write the file. */
  public void writeBy(Writer writer) {
    try {
      writer.write(path);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private OutputException failed(IOException e) {
    return new OutputException(path + ": cannot be written: " + reason(e), e);
  }

  /** What went wrong; some exceptions of file systems have only the file's name to say. */
  private static String reason(IOException e) {
    if (e instanceof FileSystemException system && system.getReason() != null) {
      return system.getReason();
    }
    if (e instanceof NoSuchFileException) {
      return "no file can be made in that folder; name one in another";
    }
    return e instanceof AccessDeniedException
        ? "access is denied; name one in another folder"
        : e.getMessage();
  }
}
