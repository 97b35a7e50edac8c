package io.magpie.algorithms.graph;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Reads and writes graphs in the formats that file names tell; see the package description. */
public final class GraphFormats {
  private GraphFormats() {}

  /**
   * Reads a graph with the {@linkplain ReadOptions#defaults() default options}.
   *
   * @param file the file; its suffix tells format and compression
   * @return the graph
   * @throws GraphFormatException when the file is malformed
   * @throws IOException when it cannot be read
   */
  public static Graph read(Path file) throws IOException {
    return read(file, ReadOptions.defaults());
  }

  /**
   * Reads a graph.
   *
   * @param file the file; its suffix tells format and compression
   * @param options how to treat what the file leaves open
   * @return the graph
   * @throws GraphFormatException when the file is malformed
   * @throws IOException when it cannot be read
   */
  public static Graph read(Path file, ReadOptions options) throws IOException {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".gz") || name.endsWith(".xz")) {
      name = name.substring(0, name.length() - 3);
    }
    if (!name.endsWith(".gr")) {
      throw new GraphFormatException(
          file, 0, "an unknown suffix", ".gr, alone or followed by .gz or .xz", null, null);
    }
    try (Tokenizer in = new Tokenizer(ByteSource.open(file))) {
      return GrFormat.read(in, options);
    }
  }
}
