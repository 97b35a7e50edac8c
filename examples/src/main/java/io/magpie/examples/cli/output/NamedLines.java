package io.magpie.examples.cli.output;

import java.io.PrintWriter;
import java.util.Locale;

/** Text in lines of a name and what it stands for, with tables between them. */
public final class NamedLines {
  private final PrintWriter out;

  public NamedLines(PrintWriter out) {
    this.out = out;
  }

  /** A line of a name, of at most nine characters, and what it stands for. */
  public NamedLines line(String name, String format, Object... arguments) {
    return text("%-9s %s%n", name, String.format(Locale.ROOT, format, arguments));
  }

  /** Text without a name. */
  public NamedLines text(String format, Object... arguments) {
    out.printf(Locale.ROOT, format, arguments);
    return this;
  }

  /** A table after an empty line. */
  public NamedLines table(TextTable table) {
    return text("%n%s", table);
  }
}
