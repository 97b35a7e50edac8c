package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.NamedLines;
import io.magpie.stm.DeviceDescription;
import java.util.Map;

/** What a run of an algorithm gave, and how it is told. */
interface Outcome {
  /** Whether it was verified, and found wrong. */
  boolean wrong();

  /**
   * Tells it to people.
   *
   * @param device that it was computed on; null if none was needed
   */
  void print(NamedLines to, DeviceDescription device);

  /**
   * Tells it to programs.
   *
   * @param json takes its members, behind those that every command's JSON begins with
   */
  void addTo(Map<String, Object> json);
}
