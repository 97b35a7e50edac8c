package io.magpie.examples.cli.commands;

import java.util.List;
import java.util.stream.Collectors;

/** Lines of comma-separated values (RFC 4180). */
final class Csv {
  private Csv() {}

  /** One line; cells are quoted where they need it. */
  static String line(List<?> cells) {
    return cells.stream().map(Object::toString).map(Csv::cell).collect(Collectors.joining(","));
  }

  private static String cell(String text) {
    return text.matches("(?s).*[\",\r\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
