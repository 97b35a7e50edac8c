package com.example.matching;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputKind;
import io.magpie.examples.input.Inputs;

/**
 * What {@code --input ring:N} and {@code --ring N} name: N vertices, each with an edge to the next.
 */
public final class RingKind implements InputKind {
  private static final int LEAST = 3;
  private static final int MOST = 100_000_000;

  @Override
  public String name() {
    return "ring";
  }

  @Override
  public Class<? extends Input> type() {
    return Ring.class;
  }

  @Override
  public String label() {
    return "N";
  }

  @Override
  public String description() {
    return "Ring of N vertices to generate, such as 200k.";
  }

  @Override
  public Input parse(String spec) {
    return new Ring((int) Inputs.count("vertices of a ring", spec, LEAST, MOST));
  }

  private record Ring(int vertices) implements GraphInput {
    @Override
    public String description() {
      return "ring:" + vertices;
    }

    @Override
    public boolean generated() {
      return true;
    }

    @Override
    public Graph graph() {
      GraphBuilder builder = new GraphBuilder(vertices, false);
      for (int v = 0; v < vertices; v++) {
        builder.addEdge(v, (v + 1) % vertices);
      }
      return builder.build();
    }
  }
}
