package io.magpie.examples.cli.commands;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Connected components, of a graph or of edges that came one by one. */
interface LabelsOutcome extends CheckedOutcome {
  /** For each vertex the least one of its component. */
  int[] labels();

  /** Writes a line for each vertex, with the least vertex of its component. */
  default void writeLabels(OutputStream stream) throws IOException {
    int block = 1 << 15;
    StringBuilder lines = new StringBuilder();
    for (int label : labels()) {
      lines.append(label).append('\n');
      if (lines.length() > block) {
        stream.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
        lines.setLength(0);
      }
    }
    stream.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
  }
}
