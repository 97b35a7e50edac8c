package com.example.matching;

import io.magpie.algorithms.graph.Graph;
import io.magpie.examples.input.GraphFileKind;
import java.io.IOException;
import java.nio.file.Path;

/** What {@code --input edges:FILE} and {@code --edges FILE} name. */
public final class EdgesKind extends GraphFileKind {
  public EdgesKind() {
    super("edges", "Edges to read: a line 'U,V' for each.");
  }

  @Override
  protected Graph read(Path file) throws IOException {
    String line = "\\s*(\\d{1,9})\\s*,\\s*(\\d{1,9})\\s*";
    return edges(file, line, "two vertices, as in '3,5', of at most nine digits");
  }
}
