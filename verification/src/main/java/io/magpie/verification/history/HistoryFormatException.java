package io.magpie.verification.history;

import java.io.IOException;

/** Thrown when the text of a history is malformed: says where, what was found and expected. */
public final class HistoryFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final long line;
  private final String token;
  private final String expected;

  HistoryFormatException(String source, long line, String token, String expected) {
    super(
        source
            + ":"
            + line
            + ": "
            + (token == null ? "the line ends" : "found \"" + token + '"')
            + ", expected "
            + expected);
    this.line = line;
    this.token = token;
    this.expected = expected;
  }

  /** The line, counted from 1. */
  public long line() {
    return line;
  }

  /** What was found, or null if the line or the text ended. */
  public String token() {
    return token;
  }

  /** What would have been right. */
  public String expected() {
    return expected;
  }
}
