package io.magpie.algorithms.graph;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Splits the bytes of a text file into lines and blank-separated tokens without making strings.
 * Blanks are spaces, tabs and carriage returns; a line ends at a line feed or at the end of the
 * file.
 *
 * <p>Use: {@link #nextLine} moves to the start of a line; the {@code next..} methods then take its
 * tokens and fail at its end; {@link #endOfLine} asks whether there are more. What is left of a
 * line is skipped by the next {@link #nextLine}.
 */
final class Tokenizer implements AutoCloseable {
  private static final int SHOWN = 40;

  private final ByteSource source;
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int limit;
  private long line;
  private boolean started;

  Tokenizer(ByteSource source) {
    this.source = source;
  }

  /** The byte at the position, not taken, or -1 at the end of the file. */
  private int peek() throws IOException {
    if (position == limit) {
      int read = source.read(buffer);
      if (read < 0) {
        return -1;
      }
      position = 0;
      limit = read;
    }
    return buffer[position];
  }

  private static boolean blank(int c) {
    return c == ' ' || c == '\t' || c == '\r';
  }

  /** Moves to the start of the next line, empty or not; false when there is none. */
  boolean nextLine() throws IOException {
    if (started) {
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
    started = true;
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

  /** Whether the line's next byte, blanks not skipped, is this one. */
  boolean at(int c) throws IOException {
    return peek() == c;
  }

  /** Takes a token as text. */
  String nextText(String expected) throws IOException {
    if (endOfLine()) {
      throw error("the end of the line", expected);
    }
    StringBuilder text = new StringBuilder();
    int c = peek();
    while (!blank(c) && c != '\n' && c != -1) {
      if (text.length() < 4096) {
        text.append((char) (c & 0xff));
      }
      position++;
      c = peek();
    }
    return text.toString();
  }

  /** Takes a whole number from {@code min} to {@code max}. */
  long nextLong(long min, long max, String expected) throws IOException {
    if (endOfLine()) {
      throw error("the end of the line", expected);
    }
    int c = peek();
    boolean negative = c == '-';
    StringBuilder taken = null;
    if (c == '-' || c == '+') {
      taken = new StringBuilder().append((char) c);
      position++;
      c = peek();
    }
    long value = 0;
    int digits = 0;
    boolean overflow = false;
    while (c >= '0' && c <= '9') {
      overflow |= value > (Long.MAX_VALUE - (c - '0')) / 10;
      value = value * 10 + (c - '0');
      digits++;
      position++;
      c = peek();
    }
    boolean complete = blank(c) || c == '\n' || c == -1;
    long signed = negative ? -value : value;
    if (digits == 0 || !complete || overflow || signed < min || signed > max) {
      StringBuilder token = new StringBuilder(taken == null ? "" : taken);
      if (digits > 0) {
        token.append(overflow ? "a number of " + digits + " digits" : Long.toString(value));
      }
      String rest = complete ? "" : nextText(expected);
      throw error(overflow ? token.append(rest).toString() : quote(token.append(rest)), expected);
    }
    return signed;
  }

  /** Takes a whole number that fits an int. */
  int nextInt(int min, int max, String expected) throws IOException {
    return (int) nextLong(min, max, expected);
  }

  /** Takes a weight. */
  int nextWeight() throws IOException {
    return nextInt(0, Integer.MAX_VALUE, "a weight, a whole number from 0 to 2147483647");
  }

  /** Fails unless the line has no more tokens. */
  void expectEndOfLine(String after) throws IOException {
    if (!endOfLine()) {
      String expected = "the end of the line after " + after;
      throw error(quote(nextText(expected)), expected);
    }
  }

  static String quote(CharSequence text) {
    StringBuilder shown = new StringBuilder("'");
    for (int i = 0; i < text.length() && i < SHOWN; i++) {
      char c = text.charAt(i);
      shown.append(c < ' ' || c > '~' ? '?' : c);
    }
    return shown.append(text.length() > SHOWN ? "...'" : "'").toString();
  }

  long line() {
    return line;
  }

  GraphFormatException error(String found, String expected) {
    return error(found, expected, null);
  }

  GraphFormatException error(String found, String expected, String remedy) {
    return new GraphFormatException(source.file(), line, found, expected, remedy, null);
  }

  /** An error about the file as a whole, found at its end. */
  GraphFormatException errorAtEnd(String found, String expected, String remedy) {
    return new GraphFormatException(source.file(), 0, found, expected, remedy, null);
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
