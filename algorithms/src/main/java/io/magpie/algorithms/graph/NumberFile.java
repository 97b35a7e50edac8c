package io.magpie.algorithms.graph;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Text files of numbers, such as weights to go with a graph, separated by white space or by one
 * comma each. {@code #} begins a comment that goes to the end of its line. The end of the name,
 * {@code .gz} or {@code .xz}, tells the compression. What types the numbers fit is left to whoever
 * reads them.
 */
public final class NumberFile {
  private static final String EXPECTED = "a number, such as 7, -2 or 0.5";

  /** Characters of one number that are kept: any number of a type that there is needs fewer. */
  private static final int LONGEST = 1 << 12;

  private final ByteSource source;
  private final List<Entry> entries = new ArrayList<>();
  private final StringBuilder token = new StringBuilder();
  private long line = 1;
  private boolean inComment;
  private boolean afterComma = true; // as at the beginning, where no comma may stand

  private NumberFile(ByteSource source) {
    this.source = source;
  }

  /**
   * One number.
   *
   * @param number finite, as it is written: digits with sign, point and exponent
   * @param line where it stands, counted from 1
   */
  public record Entry(String number, long line) {}

  /**
   * Reads a file.
   *
   * @param file the file
   * @return its numbers in order; none if it has none
   * @throws FileFormatException if anything in it is not a number, or a comma follows none
   * @throws IOException if it cannot be read; the message names it
   */
  public static List<Entry> read(Path file) throws IOException {
    Compression compression = Compression.of(String.valueOf(file.getFileName()));
    try (ByteSource source = new ByteSource(file, compression)) {
      return new NumberFile(source).entries();
    } catch (FileFormatException | FileSystemException e) {
      throw e; // these name the file
    } catch (IOException e) {
      throw new IOException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private List<Entry> entries() throws IOException {
    byte[] buffer = new byte[1 << 16];
    for (int read; (read = source.read(buffer, 0, buffer.length)) >= 0; ) {
      for (int i = 0; i < read; i++) {
        take((char) (buffer[i] & 0xff));
      }
    }
    endNumber();
    return List.copyOf(entries);
  }

  private void take(char c) throws FileFormatException {
    if (c == '\n') {
      endNumber();
      inComment = false;
      line++;
    } else if (inComment) {
      return;
    } else if (c == '#') {
      endNumber();
      inComment = true;
    } else if (c == ',') {
      endNumber();
      takeComma();
    } else if (c == ' ' || c >= '\t' && c <= '\r') {
      endNumber();
    } else if (token.length() < LONGEST) {
      token.append(c);
    } else {
      throw error(token, EXPECTED + ", of at most " + LONGEST + " characters");
    }
  }

  private void takeComma() throws FileFormatException {
    if (afterComma) {
      throw error(",", "a number before each comma");
    }
    afterComma = true;
  }

  /** Ends the number that was being taken, if there is one. */
  private void endNumber() throws FileFormatException {
    if (token.isEmpty()) {
      return;
    }
    String number = token.toString();
    if (!isNumber(number)) {
      throw error(number, EXPECTED);
    }
    entries.add(new Entry(number, line));
    token.setLength(0);
    afterComma = false;
  }

  private static boolean isNumber(String text) {
    try {
      return text.matches("[-+0-9.eE]+") && Double.isFinite(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private FileFormatException error(CharSequence found, String expected) {
    return new FileFormatException(
        source.file(), line, Tokenizer.quote(found), expected, null, null);
  }
}
