package io.magpie.examples.input;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphTooLargeException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kind of input for graphs in files of a format of one's own: extend this with a constructor
 * without parameters, and say how a file is read. See {@link InputKind} for how to register it.
 */
public abstract class GraphFileKind implements InputKind {
  /** Characters of a line that messages show. */
  private static final int SHOWN = 60;

  private final String name;
  private final String description;

  /**
   * A kind of files.
   *
   * @param name {@link InputKind#name()}
   * @param description {@link InputKind#description()}
   */
  protected GraphFileKind(String name, String description) {
    this.name = name;
    this.description = description;
  }

  /**
   * Reads a file, which is no folder.
   *
   * @throws FileFormatException if it is malformed; the message names file and line
   * @throws IOException if it cannot be read
   */
  protected abstract Graph read(Path file) throws IOException;

  /**
   * The graph of a text file that has a line for each edge, for {@link #read}. It has as many
   * vertices, counted from 0, as the largest that is named needs.
   *
   * @param line what a line looks like, as a regular expression whose groups are whole numbers: the
   *     two ends, and a third one, if there is any, the weight
   * @param expected the same in words, for messages
   * @throws FileFormatException if a line looks otherwise, a number is negative or too large, or
   *     there are more edges than a graph can hold
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the expression has another number of groups
   */
  protected static Graph edges(Path file, String line, String expected) throws IOException {
    Matcher matcher = Pattern.compile(line).matcher("");
    boolean weighted = matcher.groupCount() == 3;
    if (!weighted && matcher.groupCount() != 2) {
      throw new IllegalArgumentException("'" + line + "' has not two groups, or three");
    }
    GraphBuilder graph = new GraphBuilder(weighted);
    long lines = 0;
    // Of any encoding: what is no digit is refused by the expression.
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      for (String text; (text = reader.readLine()) != null; ) {
        lines++;
        int[] edge = numbers(matcher.reset(text));
        if (edge == null) {
          throw new FileFormatException(file, lines, quote(text), expected, null, null);
        }
        add(graph, edge, file, lines);
      }
    }
    return graph.build();
  }

  /** Adds an edge, with a weight if it has one, telling excess in terms of the file. */
  static void add(GraphBuilder graph, int[] edge, Path file, long line) throws FileFormatException {
    try {
      graph.addEdge(edge[0], edge[1], edge.length > 2 ? edge[2] : 1);
    } catch (GraphTooLargeException e) {
      throw new FileFormatException(
          file,
          line,
          "a graph that is " + e.getMessage(),
          "a graph within these limits",
          "check the largest vertex and the number of lines of the file",
          e);
    }
  }

  /** A line as messages of all formats show text of a file: cut, printable, in quotes. */
  private static String quote(String line) {
    StringBuilder shown = new StringBuilder("'");
    for (int i = 0; i < line.length() && i < SHOWN; i++) {
      char c = line.charAt(i);
      shown.append(c < ' ' || c > '~' ? '?' : c);
    }
    return shown.append(line.length() > SHOWN ? "...'" : "'").toString();
  }

  /** What the groups match; null if nothing does, or it is no number that a graph can have. */
  private static int[] numbers(Matcher line) {
    if (!line.matches()) {
      return null;
    }
    int[] numbers = new int[line.groupCount()];
    for (int i = 0; i < numbers.length; i++) {
      try {
        numbers[i] = Integer.parseInt(line.group(i + 1));
      } catch (NumberFormatException e) {
        return null;
      }
      if (numbers[i] < 0 || i < 2 && numbers[i] >= Graph.MAX_VERTICES) {
        return null;
      }
    }
    return numbers;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Class<? extends Input> type() {
    return GraphInput.class;
  }

  @Override
  public final String label() {
    return "FILE";
  }

  @Override
  public final String description() {
    return description;
  }

  @Override
  public final Input parse(String spec) {
    return new OfFile(this, Inputs.file(spec));
  }

  private record OfFile(GraphFileKind kind, Path file) implements GraphInput, FileInput {
    @Override
    public Graph graph() throws IOException {
      if (Files.isDirectory(file)) {
        throw new InputException(file + ": is a folder; name a file");
      }
      return kind.read(file);
    }
  }
}
