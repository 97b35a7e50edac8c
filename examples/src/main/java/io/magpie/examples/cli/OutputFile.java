package io.magpie.examples.cli;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * A file that appears complete or not at all: bytes go to a temporary file beside it, which takes
 * its place in the end. Whether it can be written is checked when it is named, before the work
 * whose result it holds.
 */
final class OutputFile {
  /** What fills a file. */
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** What writes whole files, complete or not at all. */
  @FunctionalInterface
  interface Writer {
    void write(Path path) throws IOException;
  }

  private final Path path;

  private OutputFile(Path path) {
    this.path = path;
  }

  /**
   * The file of a path. Of a symbolic link it is what the link leads to.
   *
   * @throws OutputException if it clearly cannot be written, or what has the name is no regular
   *     file, such as a device or a pipe, which must not be replaced
   */
  static OutputFile at(Path path) {
    Path folder = place(path).getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new OutputException(
          path + ": there is no folder " + folder + "; create it first (mkdir -p)", null);
    }
    if (Files.isDirectory(path)) {
      throw new OutputException(path + ": is a folder; name a file", null);
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new OutputException(path + ": is no regular file; name another", null);
    }
    if (Files.exists(path) && !Files.isWritable(path)) {
      throw new OutputException(path + ": is write-protected; name another (or chmod u+w)", null);
    }
    if (!Files.isWritable(folder)) {
      throw new OutputException(path + ": the folder " + folder + " is not writable", null);
    }
    return new OutputFile(path);
  }

  /** Where the file lies, or will. */
  private static Path place(Path path) {
    try {
      return Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
    } catch (IOException e) { // gone meanwhile, or in a folder that cannot be looked into
      return path.toAbsolutePath();
    }
  }

  /** Whether a file's name tells a format of graphs. */
  static boolean namesGraph(Path path) {
    String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
    String bare = name.replaceFirst("\\.(gz|xz)$", "");
    return GraphFormats.suffixes().stream().anyMatch(bare::endsWith);
  }

  Path path() {
    return path;
  }

  /** Writes the file, or leaves what was there. */
  void write(Content content) {
    Path target = place(path);
    Path temporary = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID());
    try {
      try (FileChannel channel =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        try (OutputStream out =
            new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
          content.writeTo(out);
          out.flush();
          channel.force(true);
        }
      }
      try {
        Files.move(
            temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw failed(e);
    } finally {
      try {
        Files.deleteIfExists(temporary);
      } catch (IOException e) {
        // The failure to write is what matters; the name tells what the left-over file is.
      }
    }
  }

  /** Writes lines of text. */
  void writeLines(List<String> lines) {
    write(
        out -> {
          for (String line : lines) {
            out.write(line.getBytes(StandardCharsets.UTF_8));
            out.write('\n');
          }
        });
  }

  /**
   * Writes a graph in the format that the file's name tells.
   *
   * @throws IllegalArgumentException if the format cannot hold it
   */
  void write(Graph graph) {
    writeBy(place -> GraphFormats.write(graph, place));
  }

  /** Lets something else write the file. */
  void writeBy(Writer writer) {
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
    if (e instanceof NoSuchFileException) {
      return "no file can be made there; name one in another folder";
    }
    if (e instanceof AccessDeniedException) {
      return "access is denied; name one in another folder";
    }
    return e instanceof FileSystemException system && system.getReason() != null
        ? system.getReason()
        : e.getMessage();
  }
}
