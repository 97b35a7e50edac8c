package io.magpie.algorithms.partition;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.FileReplacement;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Partitions in METIS's form: a line for each vertex in order with the number of its part, from 0.
 * The end of the name, {@code .gz} or {@code .xz}, tells the compression.
 */
public final class PartitionFormat {
  private PartitionFormat() {}

  /**
   * Writes a partition. The file appears complete or not at all; on failure an existing one stays
   * as it was.
   *
   * @param parts for each vertex its part, 0 or more
   * @param file where to
   * @throws IOException if it cannot be written
   */
  public static void write(int[] parts, Path file) throws IOException {
    try (FileReplacement replacement = new FileReplacement(file)) {
      for (int part : parts) {
        replacement.sink().number(part).newLine();
      }
      replacement.complete();
      replacement.commit();
    }
  }

  /**
   * Reads a partition.
   *
   * @param file what {@link #write} or METIS wrote
   * @param vertices how many lines there must be
   * @param count the number of parts, at least 1
   * @return for each vertex its part
   * @throws FileFormatException if a line is no number of a part, or if there are fewer or more
   *     lines than vertices
   * @throws IOException if it cannot be read
   */
  public static int[] read(Path file, int vertices, int count) throws IOException {
    return read(file, vertices, count, false, "a part, 0 to " + (count - 1));
  }

  /**
   * Reads which vertices are fixed, in the form of hMETIS and KaHyPar: a line for each vertex in
   * order with the number of its part, from 0, or -1 if it is free.
   *
   * @param file what to read
   * @param vertices how many lines there must be
   * @param count the number of parts, at least 1
   * @throws FileFormatException if a line is no number of a part and not -1, or if there are fewer
   *     or more lines than vertices
   * @throws IOException if it cannot be read
   */
  public static FixedVertices readFixed(Path file, int vertices, int count) throws IOException {
    String expected = "a part, 0 to " + (count - 1) + ", or -1 for a vertex that is free";
    return FixedVertices.of(read(file, vertices, count, true, expected));
  }

  private static int[] read(Path file, int vertices, int count, boolean mayBeFree, String expected)
      throws IOException {
    int[] parts = new int[vertices];
    int next = 0;
    Compression compression = Compression.of(String.valueOf(file.getFileName()));
    try (ByteSource source = new ByteSource(file, compression)) {
      Tokenizer in = new Tokenizer(source);
      while (in.nextLine()) {
        if (next == vertices) {
          throw in.error("more lines", vertices + " lines, one for each vertex of the graph");
        }
        parts[next++] = part(in, count, mayBeFree, expected);
        in.expectEndOfLine("the part");
      }
      if (next < vertices) {
        throw in.error(
            "the end of the file after " + next + " lines",
            vertices + " lines, one for each vertex of the graph",
            "the file may be truncated, or belong to another graph");
      }
    }
    return parts;
  }

  private static int part(Tokenizer in, int count, boolean mayBeFree, String expected)
      throws IOException {
    if (!mayBeFree || in.first() != '-') {
      return in.nextInt(0, count - 1, expected);
    }
    String text = in.nextText(expected);
    if (!text.equals("-1")) {
      throw in.error(Tokenizer.quote(text), expected);
    }
    return -1;
  }
}
