package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/** How many components were found, as text and as JSON. */
final class FoundComponents {
  private FoundComponents() {}

  /**
   * Prints a line.
   *
   * @param wrong whether labels are wrong, and so need not be vertices
   * @param largest how many vertices the largest component has
   */
  static void print(NamedLines to, int components, boolean wrong, IntSupplier largest) {
    String rest =
        wrong ? "" : ", the largest of " + Counts.number(largest.getAsInt(), "vertex", "vertices");
    to.line("found", "%s%s", Counts.number(components, "component", "components"), rest);
  }

  /** The same as JSON. */
  static Map<String, Object> json(int components, boolean wrong, IntSupplier largest) {
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("components", components);
    if (!wrong) {
      found.put("largest", largest.getAsInt());
    }
    return found;
  }
}
