package io.magpie.spark;

import io.magpie.examples.input.ForestEngine;
import java.util.Optional;

/** The engine {@code spark} of {@code magpie msf} and {@code magpie components}. */
public final class SparkEngine implements ForestEngine {
  /** For the service loader. */
  public SparkEngine() {}

  @Override
  public String name() {
    return "spark";
  }

  @Override
  public Optional<Object> command(String name) {
    return switch (name) {
      case Forest.NAME -> Optional.of(new Forest());
      case Components.NAME -> Optional.of(new Components());
      default -> Optional.empty();
    };
  }
}
