package io.magpie.spark;

import io.magpie.examples.input.ForestEngine;

/** The engine {@code spark} of {@code magpie msf}. */
public final class SparkEngine implements ForestEngine {
  /** For the service loader. */
  public SparkEngine() {}

  @Override
  public String name() {
    return "spark";
  }

  @Override
  public Object command() {
    return new Forest();
  }
}
