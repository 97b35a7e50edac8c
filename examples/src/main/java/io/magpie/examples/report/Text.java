package io.magpie.examples.report;

import java.io.IOException;

/**
 * Text of a page. Characters that mean something to HTML are escaped; those that control a terminal
 * or the order of what follows, and those that XML does not have, are shown as {@code \}{@code
 * u001b}.
 *
 * @param text as it is to be read
 */
record Text(String text) implements Node {
  @Override
  public void writeTo(Appendable page) throws IOException {
    escape(text, page);
  }

  /** Adds a text so that it stays one, in an element as well as in an attribute's quotes. */
  static void escape(String text, Appendable page) throws IOException {
    for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
      escape(text.codePointAt(i), page);
    }
  }

  private static void escape(int c, Appendable page) throws IOException {
    switch (c) {
      case '&' -> page.append("&amp;");
      case '<' -> page.append("&lt;");
      case '>' -> page.append("&gt;");
      case '"' -> page.append("&quot;");
      case '\'' -> page.append("&#39;");
      default -> {
        if (isShown(c)) {
          page.append(Character.toString(c));
        } else {
          page.append(String.format("\\u%04x", c));
        }
      }
    }
  }

  private static boolean isShown(int c) {
    boolean half = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    boolean reorders = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    boolean none = (c & 0xfffe) == 0xfffe;
    return c == '\n' || !(Character.isISOControl(c) || half || reorders || none);
  }
}
