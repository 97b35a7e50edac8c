package io.magpie.algorithms;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Thrown when a file is malformed, or holds what its kind of input cannot: says where, what was
 * found, what was expected, and what to do about it where there is something to do.
 */
public final class FileFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final String file;
  private final long line;
  private final String token;
  private final String expected;
  private final String remedy;

  /**
   * Describes a fault.
   *
   * @param file what was read
   * @param line the line, counted from 1, or 0 where lines do not apply
   * @param token what was found, in quotes where it is text of the file; or null
   * @param expected what would have been right
   * @param remedy what can be done about it, or null
   * @param cause what the fault was noticed by, or null
   */
  public FileFormatException(
      Path file, long line, String token, String expected, String remedy, Throwable cause) {
    super(message(file, line, token, expected, remedy), cause);
    this.file = file.toString();
    this.line = line;
    this.token = token;
    this.expected = expected;
    this.remedy = remedy;
  }

  private static String message(
      Path file, long line, String token, String expected, String remedy) {
    StringBuilder text = new StringBuilder().append(file);
    if (line > 0) {
      text.append(':').append(line);
    }
    text.append(": ");
    if (token != null) {
      text.append("found ").append(token).append(", ");
    }
    text.append("expected ").append(expected);
    if (remedy != null) {
      text.append(" (").append(remedy).append(')');
    }
    return text.toString();
  }

  /**
   * The file that was read.
   *
   * @return its path as it was given
   */
  public String file() {
    return file;
  }

  /**
   * The line, counted from 1.
   *
   * @return 0 where lines do not apply: binary files, and faults of a file as a whole
   */
  public long line() {
    return line;
  }

  /**
   * What was found, in quotes where it is text of the file.
   *
   * @return empty where there is nothing to show
   */
  public Optional<String> token() {
    return Optional.ofNullable(token);
  }

  /**
   * What would have been right.
   *
   * @return a phrase
   */
  public String expected() {
    return expected;
  }

  /**
   * What can be done about it.
   *
   * @return empty where only another file helps
   */
  public Optional<String> remedy() {
    return Optional.ofNullable(remedy);
  }
}
