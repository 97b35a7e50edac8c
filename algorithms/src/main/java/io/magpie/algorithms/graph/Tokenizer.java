package io.magpie.algorithms.graph;

import java.io.IOException;

/**
 * Splits the bytes of a text file into lines and blank-separated tokens without making strings.
 * Blanks are spaces, tabs and carriage returns; a line ends at a line feed or at the end of the
 * file.
 *
 * <p>Use: {@link #nextLine} moves to the start of a line; the {@code next..} methods then take its
 * tokens and fail at its end; {@link #endOfLine} asks whether there are more. What is left of a
 * line is skipped by the next {@link #nextLine}.
 */
final class Tokenizer {
  private static final int SHOWN = 40;
  private static final int LONGEST_TEXT = 4096;

  private final ByteSource source;
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int limit;
  private int afterDigits;
  private long line;

  Tokenizer(ByteSource source) {
    this.source = source;
  }

  /** The byte at the position, not taken, or -1 at the end of the file. */
  private int peek() throws IOException {
    if (position == limit) {
      int read = source.read(buffer, 0, buffer.length);
      if (read < 0) {
        return -1;
      }
      position = 0;
      limit = read;
    }
    return buffer[position] & 0xff;
  }

  private static boolean blank(int c) {
    return c == ' ' || c == '\t' || c == '\r';
  }

  /** Moves to the start of the next line, empty or not; false when there is none. */
  boolean nextLine() throws IOException {
    if (line > 0) {
      int c = peek();
      while (c != '\n' && c != -1) {
        position++;
        c = peek();
      }
      if (c == -1) {
        return false;
      }
      position++;
    }
    if (peek() == -1) {
      return false;
    }
    line++;
    return true;
  }

  /** Skips blanks; true when no token is left in the line. */
  boolean endOfLine() throws IOException {
    int c = peek();
    while (blank(c)) {
      position++;
      c = peek();
    }
    return c == '\n' || c == -1;
  }

  /** The first byte of the next token, or -1 at the end of the line; takes nothing. */
  int first() throws IOException {
    return endOfLine() ? -1 : peek();
  }

  /** Takes the next token if it is this single letter. */
  boolean takeLetter(char letter) throws IOException {
    if (endOfLine() || peek() != letter) {
      return false;
    }
    if (position + 1 < limit) {
      int after = buffer[position + 1];
      if (!blank(after) && after != '\n') {
        return false;
      }
      position++;
      return true;
    }
    // The letter is the last byte of the buffer: keep it in front of what follows.
    int read = source.read(buffer, 1, buffer.length - 1);
    buffer[0] = (byte) letter;
    position = 0;
    limit = 1 + Math.max(0, read);
    if (limit == 1) {
      position = 1;
      return true;
    }
    return takeLetter(letter);
  }

  /** Takes a token as text. */
  String nextText(String expected) throws IOException {
    if (endOfLine()) {
      throw error("the end of the line", expected);
    }
    StringBuilder text = new StringBuilder();
    int c = peek();
    while (!blank(c) && c != '\n' && c != -1) {
      if (text.length() < LONGEST_TEXT) {
        text.append((char) c);
      }
      position++;
      c = peek();
    }
    return text.toString();
  }

  /**
   * The value of the next token where it is a number of up to 18 digits that lies, with the byte
   * after it, inside the buffer; otherwise -1. Takes nothing: {@link #afterDigits} is where to go
   * on.
   */
  private long digits() throws IOException {
    if (endOfLine()) {
      return -1;
    }
    long value = 0;
    int p = position;
    int stop = Math.min(limit, p + 19);
    while (p < stop && buffer[p] >= '0' && buffer[p] <= '9') {
      value = value * 10 + (buffer[p] - '0');
      p++;
    }
    afterDigits = p;
    return p > position && p < stop && (blank(buffer[p]) || buffer[p] == '\n') ? value : -1;
  }

  /** Takes a whole number from {@code min}, which is not negative, to {@code max}. */
  long nextLong(long min, long max, String expected) throws IOException {
    long value = digits();
    if (value >= min && value <= max) {
      position = afterDigits;
      return value;
    }
    String text = nextText(expected);
    if (text.matches("\\+?[0-9]+")) {
      try {
        value = Long.parseLong(text);
        if (value >= min && value <= max) {
          return value;
        }
      } catch (NumberFormatException e) {
        // More digits than a long has: out of range like any other.
      }
    }
    throw error(quote(text), expected);
  }

  /** Takes a whole number that fits an int. */
  int nextInt(int min, int max, String expected) throws IOException {
    return (int) nextLong(min, max, expected);
  }

  /** Takes a weight. */
  int nextWeight() throws IOException {
    return nextInt(0, Integer.MAX_VALUE, "a weight, a whole number from 0 to 2147483647");
  }

  /** Takes a vertex as the file counts them, from 1; returns it counted from 0. */
  int nextVertex(int vertices) throws IOException {
    long value = digits();
    if (value >= 1 && value <= vertices) {
      position = afterDigits;
      return (int) value - 1;
    }
    // Only a fault, or a number at the end of the buffer, pays for the message.
    return nextInt(
            1,
            vertices,
            vertices == 0 ? "no edge, as there are no vertices" : "a vertex, 1 to " + vertices)
        - 1;
  }

  /** Takes a vertex that is counted from 0 in a graph of unknown size. */
  int nextLabel() throws IOException {
    long value = digits();
    if (value >= 0 && value < Graph.MAX_VERTICES) {
      position = afterDigits;
      return (int) value;
    }
    String expected = "a vertex, a whole number from 0 to " + (Graph.MAX_VERTICES - 1);
    String text = nextText(expected);
    if (text.matches("\\+?[0-9]+")) {
      try {
        value = Long.parseLong(text);
        if (value < Graph.MAX_VERTICES) {
          return (int) value;
        }
      } catch (NumberFormatException e) {
        // More digits than a long has: out of range like any other.
      }
      throw error(quote(text), expected, "relabel the vertices while reading");
    }
    throw error(quote(text), expected);
  }

  /** Fails unless the line has no more tokens. */
  void expectEndOfLine(String after) throws IOException {
    if (!endOfLine()) {
      String expected = "the end of the line after " + after;
      throw error(quote(nextText(expected)), expected);
    }
  }

  /** Text of a file as messages show it: cut, printable, in quotes. */
  static String quote(CharSequence text) {
    StringBuilder shown = new StringBuilder("'");
    for (int i = 0; i < text.length() && i < SHOWN; i++) {
      char c = text.charAt(i);
      shown.append(c < ' ' || c > '~' ? '?' : c);
    }
    return shown.append(text.length() > SHOWN ? "...'" : "'").toString();
  }

  /** The number of the line, from 1; 0 before the first. */
  long line() {
    return line;
  }

  GraphFormatException error(String found, String expected) {
    return error(found, expected, null);
  }

  GraphFormatException error(String found, String expected, String remedy) {
    return new GraphFormatException(source.file(), line, found, expected, remedy, null);
  }
}
