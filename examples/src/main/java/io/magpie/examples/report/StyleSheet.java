package io.magpie.examples.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * What a page looks like.
 *
 * @param rules CSS, which HTML takes as it is: without {@code <} and {@code &}
 */
record StyleSheet(String rules) implements Node {
  private static final String FILE = "report.css";

  StyleSheet {
    if (rules.contains("<") || rules.contains("&")) {
      throw new IllegalArgumentException("a style sheet with markup");
    }
  }

  /** The one of reports, with the colors of the palette. */
  static StyleSheet ofReports() {
    try (InputStream in = StyleSheet.class.getResourceAsStream(FILE)) {
      String rules = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new StyleSheet(Palette.rules() + rules);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void writeTo(Appendable page) throws IOException {
    page.append("<style>\n").append(rules).append("</style>");
  }
}
