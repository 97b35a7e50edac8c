package io.magpie.examples.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table of text in columns as wide as their content. */
public final class TextTable {
  private static final String GAP = "  ";

  private final boolean[] right;
  private final List<String[]> rows = new ArrayList<>();

  /**
   * @param head names of the columns; those that begin with {@code >} are aligned to the right
   */
  public TextTable(String... head) {
    right = new boolean[head.length];
    String[] names = new String[head.length];
    for (int i = 0; i < head.length; i++) {
      right[i] = head[i].startsWith(">");
      names[i] = right[i] ? head[i].substring(1) : head[i];
    }
    rows.add(names);
  }

  /** Adds a row; missing cells at its end are empty. */
  public TextTable row(String... cells) {
    String[] row = new String[right.length];
    Arrays.fill(row, "");
    System.arraycopy(cells, 0, row, 0, cells.length);
    rows.add(row);
    return this;
  }

  @Override
  public String toString() {
    int[] width = new int[right.length];
    for (String[] row : rows) {
      for (int i = 0; i < width.length; i++) {
        width[i] = Math.max(width[i], row[i].length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < width.length; i++) {
        String pad = " ".repeat(width[i] - row[i].length());
        line.append(i == 0 ? "" : GAP).append(right[i] ? pad + row[i] : row[i] + pad);
      }
      text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }
}
