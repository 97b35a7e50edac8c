package io.magpie.algorithms.internal;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.util.Arrays;

/**
 * Splits the bytes of a text file into lines and blank-separated tokens without making strings.
 * Blanks are spaces, tabs and carriage returns; a line ends at a line feed, at the end of the file
 * or, where there is one, at the character that starts comments.
 *
 * <p>Use: {@link #nextLine} moves to the start of a line; the {@code next..} methods then take its
 * tokens and fail at its end; {@link #endOfLine} asks whether there are more. What is left of a
 * line is skipped by the next {@link #nextLine}.
 */
public final class Tokenizer {
  private static final int NO_COMMENTS = -2;
  private static final int MOST_DIGITS = 18;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
  private static final int SHOWN = 40;
  private static final int SHOWN_MESSAGE = 200;

  /** Characters of a token that are kept; no number is longer. */
  private static final int LONGEST_TEXT = 4096;

  private final ByteSource source;
  private final int comment;
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int limit;
  private int afterDigits;
  private boolean cut;
  private long line;

  /** For files in which no character starts a comment in any place. */
  public Tokenizer(ByteSource source) {
    this(source, NO_COMMENTS);
  }

  /** For files in which the rest of a line from the character {@code comment} on is a comment. */
  public Tokenizer(ByteSource source, int comment) {
    this.source = source;
    this.comment = comment;
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
    return at(position);
  }

  /** A byte in the buffer, from 0 to 255: -1, which 0xff is when signed, is the end of the file. */
  private int at(int index) {
    return buffer[index] & 0xff;
  }

  private static boolean blank(int c) {
    return c == ' ' || c == '\t' || c == '\r';
  }

  /** Moves to the start of the next line, empty or not; false when there is none. */
  public boolean nextLine() throws IOException {
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
    if (line == 0) {
      skipByteOrderMark();
    }
    if (peek() == -1) {
      return false;
    }
    line++;
    return true;
  }

  /** Moves to the next word, in this line or after it; false when there is none. */
  public boolean nextWord() throws IOException {
    while (line == 0 || endOfLine()) {
      if (!nextLine()) {
        return false;
      }
    }
    return true;
  }

  /**
   * The same, where there must be one.
   *
   * @param expected what it should be, for the message
   */
  public void requireWord(String expected) throws IOException {
    if (!nextWord()) {
      throw error(line == 0 ? "an empty file" : "the end of the file", expected);
    }
  }

  /** That of UTF-8, at the start of a file. */
  private void skipByteOrderMark() throws IOException {
    while (limit < BYTE_ORDER_MARK.length) {
      int read = source.read(buffer, limit, buffer.length - limit);
      if (read < 0) {
        return;
      }
      limit += read;
    }
    if (Arrays.equals(
        buffer, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length)) {
      position = BYTE_ORDER_MARK.length;
    }
  }

  /** Skips blanks; true when no token is left in the line. */
  public boolean endOfLine() throws IOException {
    int c = peek();
    while (blank(c)) {
      position++;
      c = peek();
    }
    return ends(c);
  }

  /** Whether a line, as far as it has tokens, ends at a byte. */
  private boolean ends(int c) {
    return c == '\n' || c == -1 || c == comment;
  }

  /** The first byte of the next token, or -1 at the end of the line; takes nothing. */
  public int first() throws IOException {
    return endOfLine() ? -1 : peek();
  }

  /** Takes the next token if it is this single letter. */
  public boolean takeLetter(char letter) throws IOException {
    if (endOfLine() || peek() != letter) {
      return false;
    }
    if (position + 1 < limit) {
      int after = at(position + 1);
      if (!blank(after) && !ends(after)) {
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

  /** Takes a token as text, of which at most 4096 characters are kept. */
  public String nextText(String expected) throws IOException {
    cut = false;
    if (endOfLine()) {
      throw error("the end of the line", expected);
    }
    StringBuilder text = new StringBuilder();
    int c = peek();
    while (!blank(c) && !ends(c)) {
      if (text.length() < LONGEST_TEXT) {
        text.append((char) c);
      } else {
        cut = true;
      }
      position++;
      c = peek();
    }
    return text.toString();
  }

  /** Takes a token as the text of a number, of which every character counts. */
  public String nextNumber(String expected) throws IOException {
    String text = nextText(expected);
    if (cut) {
      throw error(
          quote(text) + " of more than " + LONGEST_TEXT + " characters",
          expected,
          "write numbers with fewer digits");
    }
    return text;
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
    return p > position && p < stop && (blank(at(p)) || ends(at(p))) ? value : -1;
  }

  /** Takes a whole number from {@code min}, which is not negative, to {@code max}. */
  public long nextLong(long min, long max, String expected) throws IOException {
    return nextLong(min, max, expected, null);
  }

  /**
   * Takes a whole number from {@code min}, which is not negative, to {@code max}; {@code remedy} is
   * for numbers out of that range.
   */
  public long nextLong(long min, long max, String expected, String remedy) throws IOException {
    long value = digits();
    if (value >= min && value <= max) {
      position = afterDigits;
      return value;
    }
    String text = nextNumber(expected);
    if (!text.matches("\\+?[0-9]+")) {
      throw error(quote(text), expected);
    }
    try {
      value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // More digits than a long has: out of range like any other.
    }
    throw error(quote(text), expected, remedy);
  }

  /**
   * Takes the next token if it is a whole number of up to 18 digits, negative or not, that lies
   * inside the buffer; otherwise takes nothing and returns {@link Long#MIN_VALUE}.
   */
  public long takeWhole() throws IOException {
    if (endOfLine()) {
      return Long.MIN_VALUE;
    }
    boolean negative = buffer[position] == '-' && position + 1 < limit && !blank(at(position + 1));
    position += negative ? 1 : 0;
    long value = digits();
    if (value < 0) {
      position -= negative ? 1 : 0;
      return Long.MIN_VALUE;
    }
    position = afterDigits;
    return negative ? -value : value;
  }

  /**
   * Takes the next token if it is a decimal number whose double, the nearest one, is easy to find;
   * otherwise takes nothing and returns NaN.
   */
  public double takeDecimal() throws IOException {
    return shortDecimal(false);
  }

  /**
   * The same for callers to whom whole numbers are no approximations: a number whose double is
   * whole is taken only if it is that whole number, and less than 2^53.
   */
  public double takeExactWholeOrFraction() throws IOException {
    return shortDecimal(true);
  }

  /** Takes a whole number that fits an int. */
  public int nextInt(int min, int max, String expected) throws IOException {
    return (int) nextLong(min, max, expected);
  }

  /** Takes a vertex as the file counts them, from {@code first}; returns it counted from 0. */
  public int nextVertex(int first, int vertices) throws IOException {
    long value = digits() - first;
    if (value >= 0 && value < vertices) {
      position = afterDigits;
      return (int) value;
    }
    // Only a fault, or a number at the end of the buffer, pays for the message.
    return (int)
        (nextLong(
                first,
                first + vertices - 1L,
                vertices == 0
                    ? "no vertex, as there are none"
                    : "a vertex, " + first + " to " + (first + vertices - 1L))
            - first);
  }

  /** Takes a whole number that fits an int and may be negative. */
  public int nextSignedInt(String expected) throws IOException {
    long value = digits();
    if (value >= 0 && value <= Integer.MAX_VALUE) {
      position = afterDigits;
      return (int) value;
    }
    String text = nextNumber(expected);
    if (text.matches("[-+]?[0-9]+")) {
      try {
        return Integer.parseInt(text);
      } catch (NumberFormatException e) {
        // More digits than an int has: out of range.
      }
    }
    throw error(quote(text), expected);
  }

  /** Takes a decimal number, which must be finite; the nearest double, ties to even. */
  public double nextDouble(String expected) throws IOException {
    double value = shortDecimal(false);
    if (!Double.isNaN(value)) {
      return value;
    }
    String text = nextNumber(expected);
    if (text.matches("[-+0-9.eE]+")) {
      try {
        value = Double.parseDouble(text);
        if (Double.isFinite(value)) {
          return value;
        }
      } catch (NumberFormatException e) {
        // Falls through to the message for all bad values.
      }
    }
    throw error(quote(text), expected);
  }

  /**
   * Takes the next token where it is a decimal number of up to 18 digits that lies, with the byte
   * after it, inside the buffer, and whose double is easy to find; otherwise takes nothing and
   * returns NaN.
   *
   * @param exactWhole whether numbers that would be rounded to whole ones are not taken
   */
  private double shortDecimal(boolean exactWhole) throws IOException {
    if (endOfLine()) {
      return Double.NaN;
    }
    int p = position;
    boolean negative = buffer[p] == '-';
    if (negative || buffer[p] == '+') {
      p++;
    }
    long significand = 0;
    int exponent = 0;
    int point = -1;
    int first = p;
    int zeros = 0;
    for (; p < limit; p++) {
      int digit = buffer[p] - '0';
      if (digit >= 0 && digit <= 9) {
        significand = significand * 10 + digit;
        if (significand == 0) {
          zeros++;
        }
      } else if (buffer[p] == '.' && point < 0) {
        point = p;
      } else {
        break;
      }
    }
    int digits = p - first - (point < 0 ? 0 : 1);
    if (digits == 0 || digits - zeros > MOST_DIGITS) {
      return Double.NaN;
    }
    if (point >= 0) {
      exponent = point + 1 - p;
    }
    if (p < limit && (buffer[p] | 0x20) == 'e') {
      p++;
      boolean down = p < limit && buffer[p] == '-';
      if (down || (p < limit && buffer[p] == '+')) {
        p++;
      }
      int from = p;
      int written = 0;
      for (; p < limit && p - from < 4 && buffer[p] >= '0' && buffer[p] <= '9'; p++) {
        written = written * 10 + (buffer[p] - '0');
      }
      if (p == from) {
        return Double.NaN;
      }
      exponent += down ? -written : written;
    }
    if (p >= limit || !(blank(at(p)) || ends(at(p)))) {
      return Double.NaN;
    }
    double value = Decimals.scaled(significand, exponent);
    if (exactWhole
        && value == Math.rint(value)
        && (value >= 0x1p53 || !isWhole(significand, exponent))) {
      return Double.NaN;
    }
    if (!Double.isNaN(value)) {
      position = p;
    }
    return negative ? -value : value;
  }

  /** Whether a number of a significand, not negative, and a power of ten is whole. */
  private static boolean isWhole(long significand, int exponent) {
    long rest = significand;
    int power = exponent;
    while (power < 0 && rest != 0 && rest % 10 == 0) {
      rest /= 10;
      power++;
    }
    return power >= 0 || rest == 0;
  }

  /** Fails unless the line has no more tokens. */
  public void expectEndOfLine(String after) throws IOException {
    if (!endOfLine()) {
      String expected = "the end of the line after " + after;
      throw error(quote(nextText(expected)), expected);
    }
  }

  /** Text of a file as messages show it: cut, printable, in quotes. */
  public static String quote(CharSequence text) {
    StringBuilder shown = new StringBuilder("'");
    for (int i = 0; i < text.length() && i < SHOWN; i++) {
      char c = text.charAt(i);
      shown.append(c < ' ' || c > '~' ? '?' : c);
    }
    return shown.append(text.length() > SHOWN ? "...'" : "'").toString();
  }

  /** What another program says of a file, as messages show it: one line, cut, printable. */
  public static String oneLine(String message) {
    String line = message.strip().replaceAll("\\s+", " ").replaceAll("[^ -~]", "?");
    return line.length() > SHOWN_MESSAGE ? line.substring(0, SHOWN_MESSAGE) + "..." : line;
  }

  /** The number of the line, from 1; 0 before the first. */
  public long line() {
    return line;
  }

  public FileFormatException error(String found, String expected) {
    return error(found, expected, null);
  }

  public FileFormatException error(String found, String expected, String remedy) {
    return new FileFormatException(source.file(), line, found, expected, remedy, null);
  }
}
