package io.magpie.examples.input;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;

/** A kind of input as somebody else may add it: a hub with spokes of weight 2 and a rim of 1. */
public final class WheelKind implements InputKind {
  @Override
  public String name() {
    return "wheel";
  }

  @Override
  public Class<? extends Input> type() {
    return GraphInput.class;
  }

  @Override
  public String label() {
    return "SPOKES";
  }

  @Override
  public String description() {
    return "Wheel of at least three spokes.";
  }

  @Override
  public Input parse(String spec) {
    if (!spec.matches("[0-9]{1,6}") || Integer.parseInt(spec) < 3) {
      throw new IllegalArgumentException("wheel of '" + spec + "': expected 3 to 999999 spokes");
    }
    return new Wheel(Integer.parseInt(spec));
  }

  private record Wheel(int spokes) implements GraphInput {
    @Override
    public String description() {
      return "wheel of " + spokes;
    }

    @Override
    public boolean generated() {
      return true;
    }

    @Override
    public Graph graph() {
      GraphBuilder builder = new GraphBuilder(spokes + 1, true);
      for (int v = 1; v <= spokes; v++) {
        builder.addEdge(0, v, 2);
        builder.addEdge(v, v % spokes + 1, 1);
      }
      return builder.build();
    }
  }
}
