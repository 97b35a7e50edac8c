package io.magpie.examples.compare;

import java.util.Map;

/**
 * Who takes part in a comparison.
 *
 * @param label a short name, unique on its device
 * @param device the device's specification; {@value #HOST} for a baseline
 * @param baseline whether it is a baseline
 * @param variant the variant's values by name; empty for a baseline
 * @param program what is run
 */
public record Contestant(
    String label,
    String device,
    boolean baseline,
    Map<String, String> variant,
    Comparison.Program program) {
  /** What stands in the place of a baseline's device. */
  public static final String HOST = "host";

  /** Who it is, in a message. */
  public String name() {
    return label + " on " + device;
  }
}
