package com.example.matching;

import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputKind;
import io.magpie.examples.input.Inputs;

/** What {@code --input edges:FILE} and {@code --edges FILE} name. */
public final class EdgesKind implements InputKind {
  @Override
  public String name() {
    return "edges";
  }

  @Override
  public Class<? extends Input> type() {
    return EdgeFile.class;
  }

  @Override
  public String label() {
    return "FILE";
  }

  @Override
  public String description() {
    return "Edges to read: a line 'U,V' for each.";
  }

  @Override
  public Input parse(String spec) {
    return new EdgeFile(Inputs.file(spec));
  }
}
