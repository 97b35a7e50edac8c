package io.magpie.examples.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Text that a terminal shows and does not obey. Names of files and arguments may come from others:
 * their control characters would move the cursor, hide text, or rename the window. They are shown
 * as JSON writes them, {@code \}{@code u001b} for an escape.
 */
final class Printable {
  private Printable() {}

  /** A writer to what is given, with control characters made visible; lines and tabs stay. */
  static PrintWriter over(PrintWriter out, boolean autoFlush) {
    return new PrintWriter(new Visible(out), autoFlush);
  }

  /** A text in one line, such as a file's name: its line breaks are made visible as well. */
  static String line(String text) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      show(shown, text.charAt(i), true);
    }
    return shown.toString();
  }

  private static void show(StringBuilder shown, char c, boolean lineBreaks) {
    boolean layout = c == '\n' || c == '\t';
    if (layout ? lineBreaks : Character.isISOControl(c) || reorders(c)) {
      shown.append(String.format("\\u%04x", (int) c));
    } else {
      shown.append(c);
    }
  }

  /** Whether it makes a terminal show what follows in another order than it is. */
  private static boolean reorders(char c) {
    return (c >= '\u202a' && c <= '\u202e') || (c >= '\u2066' && c <= '\u2069');
  }

  private static final class Visible extends FilterWriter {
    Visible(Writer out) {
      super(out);
    }

    @Override
    public void write(int c) throws IOException {
      write(new char[] {(char) c}, 0, 1);
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
      write(new String(text, from, length), 0, length);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
      StringBuilder shown = new StringBuilder(length);
      for (int i = from; i < from + length; i++) {
        show(shown, text.charAt(i), false);
      }
      out.write(shown.toString());
    }
  }
}
