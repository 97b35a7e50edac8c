package com.example.matching;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file with a line {@code U,V} for each edge between vertices U and V, counted from 0. */
record EdgeFile(Path file) implements GraphInput {
  private static final Pattern EDGE = Pattern.compile("\\s*(\\d{1,9})\\s*,\\s*(\\d{1,9})\\s*");

  @Override
  public String description() {
    return file.toString();
  }

  @Override
  public boolean generated() {
    return false;
  }

  @Override
  public Graph graph() throws IOException {
    if (Files.isDirectory(file)) {
      throw new InputException(file + ": is a folder; name a file");
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    int[] from = new int[lines.size()];
    int[] to = new int[lines.size()];
    int vertices = 0;
    for (int e = 0; e < lines.size(); e++) {
      Matcher edge = EDGE.matcher(lines.get(e));
      if (!edge.matches()) {
        throw new FileFormatException(
            file,
            e + 1,
            "'" + lines.get(e) + "'",
            "two vertices, as in '3,5', of at most nine digits",
            null,
            null);
      }
      from[e] = Integer.parseInt(edge.group(1));
      to[e] = Integer.parseInt(edge.group(2));
      vertices = Math.max(vertices, Math.max(from[e], to[e]) + 1);
    }
    GraphBuilder builder = new GraphBuilder(vertices, false);
    for (int e = 0; e < from.length; e++) {
      builder.addEdge(from[e], to[e]);
    }
    return builder.build();
  }
}
