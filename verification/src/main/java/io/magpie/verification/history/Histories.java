package io.magpie.verification.history;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.StringTokenizer;

/** Reads and writes the text form; {@link io.magpie.verification.history} describes it. */
public final class Histories {
  private static final String HEADER = "magpie-history 1";
  private static final long UNSIGNED_INT = 0xffffffffL;

  private Histories() {}

  /**
   * Reads a file.
   *
   * @throws HistoryFormatException if it is malformed
   * @throws IOException if it cannot be read
   */
  public static History read(Path file) throws IOException {
    try (Reader reader = Files.newBufferedReader(file)) {
      return read(reader, file.toString());
    }
  }

  /**
   * Reads a text to its end.
   *
   * @param source what messages call it
   * @throws HistoryFormatException if it is malformed
   * @throws IOException if it cannot be read
   */
  public static History read(Reader text, String source) throws IOException {
    return new Parser(text, source).parse();
  }

  /**
   * Writes a file.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(History history, Path file) throws IOException {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      write(history, writer);
    }
  }

  /**
   * Writes a text.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(History history, Writer text) throws IOException {
    text.write(HEADER + "\n# thread item attempt rank outcome begin end accesses\n");
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < history.size(); i++) {
      line.setLength(0);
      int thread = history.thread(i);
      line.append(thread < 0 ? "-" : thread)
          .append(' ')
          .append(Integer.toUnsignedLong(history.item(i)))
          .append(' ')
          .append(Integer.toUnsignedLong(history.number(i)))
          .append(' ')
          .append(Integer.toUnsignedLong(history.rank(i)))
          .append(' ')
          .append(outcome(history.outcome(i)))
          .append(' ')
          .append(history.begin(i))
          .append(' ')
          .append(history.end(i));
      for (int k = 0; k < history.accessCount(i); k++) {
        line.append(' ').append(Access.toString(history.access(i, k)));
      }
      text.append(line.append('\n'));
    }
  }

  /** The text form of an outcome. */
  public static String outcome(int outcome) {
    switch (outcome) {
      case History.COMMIT:
        return "commit";
      case History.CANCEL:
        return "cancel";
      default:
        return "abort:" + (outcome - History.ABORT);
    }
  }

  /** The text of a whole history. */
  public static String toString(History history) {
    java.io.StringWriter text = new java.io.StringWriter();
    try {
      write(history, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static final class Parser {
    private final BufferedReader text;
    private final String source;
    private final HistoryBuilder builder = new HistoryBuilder();
    private long line;
    private StringTokenizer tokens;
    private long[] accesses = new long[16];

    Parser(Reader text, String source) {
      this.text = new BufferedReader(text);
      this.source = source;
    }

    History parse() throws IOException {
      String first = text.readLine();
      line = 1;
      if (first == null || !first.strip().equals(HEADER)) {
        throw new HistoryFormatException(source, line, first, "\"" + HEADER + "\"");
      }
      for (String next = text.readLine(); next != null; next = text.readLine()) {
        line++;
        int comment = next.indexOf('#');
        tokens = new StringTokenizer(comment < 0 ? next : next.substring(0, comment));
        if (tokens.hasMoreTokens()) {
          parseLine();
        }
      }
      return builder.build();
    }

    private void parseLine() throws HistoryFormatException {
      String token = token("a thread or -");
      builder.thread(
          token.equals("-") ? -1 : (int) number(token, 0, Integer.MAX_VALUE, "a thread or -"));
      int item = (int) number(0, UNSIGNED_INT, "an item");
      int attempt = (int) number(1, UNSIGNED_INT, "an attempt, from 1");
      int rank = (int) number(0, UNSIGNED_INT, "a rank");
      int outcome = outcome();
      long begin = number(0, Long.MAX_VALUE, "a begin time");
      long end = number(begin, Long.MAX_VALUE, "an end time, not before " + begin);
      int n = 0;
      while (tokens.hasMoreTokens()) {
        if (n == accesses.length) {
          accesses = Arrays.copyOf(accesses, 2 * n);
        }
        accesses[n++] = access(tokens.nextToken());
        if (n > History.MAX_ACCESSES) {
          throw new HistoryFormatException(
              source, line, n + " accesses", "at most " + History.MAX_ACCESSES);
        }
      }
      builder.add(item, attempt, rank, outcome, begin, end, Arrays.copyOf(accesses, n));
    }

    private String token(String expected) throws HistoryFormatException {
      if (!tokens.hasMoreTokens()) {
        throw new HistoryFormatException(source, line, null, expected);
      }
      return tokens.nextToken();
    }

    private long number(long least, long greatest, String expected) throws HistoryFormatException {
      return number(token(expected), least, greatest, expected);
    }

    private long number(String token, long least, long greatest, String expected)
        throws HistoryFormatException {
      long value = decimal(token);
      if (value < least || value > greatest) {
        throw new HistoryFormatException(source, line, token, expected);
      }
      return value;
    }

    private int outcome() throws HistoryFormatException {
      String expected = "commit, cancel or abort:CAUSE with a cause of 0 to 239";
      String token = token(expected);
      if (token.equals("commit")) {
        return History.COMMIT;
      }
      if (token.equals("cancel")) {
        return History.CANCEL;
      }
      long cause = token.startsWith("abort:") ? decimal(token.substring(6)) : -1;
      if (cause < 0 || cause > 0xff - History.ABORT) {
        throw new HistoryFormatException(source, line, token, expected);
      }
      return History.ABORT + (int) cause;
    }

    private long access(String token) throws HistoryFormatException {
      char kind = token.charAt(0);
      int at = token.indexOf('@');
      if ((kind == 'r' || kind == 'w') && at > 0) {
        long object = decimal(token.substring(1, at));
        long stamp = decimal(token.substring(at + 1));
        if (object >= 0 && object <= Integer.MAX_VALUE && stamp >= 0 && stamp <= UNSIGNED_INT) {
          return kind == 'r'
              ? Access.read((int) object, (int) stamp)
              : Access.write((int) object, (int) stamp);
        }
      }
      throw new HistoryFormatException(
          source,
          line,
          token,
          "rOBJECT@STAMP or wOBJECT@STAMP with an object below 2^31 and a stamp below 2^32");
    }

    /** A number of decimal digits only, below 2^63; otherwise -1. */
    private static long decimal(String digits) {
      if (digits.isEmpty() || digits.length() > 19) {
        return -1;
      }
      long value = 0;
      for (int i = 0; i < digits.length(); i++) {
        int digit = digits.charAt(i) - '0';
        if (digit < 0 || digit > 9) {
          return -1;
        }
        value = 10 * value + digit;
      }
      return value < 0 ? -1 : value;
    }
  }
}
