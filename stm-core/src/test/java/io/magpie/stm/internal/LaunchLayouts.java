package io.magpie.stm.internal;

import java.util.Locale;

/** Layouts for tests without a module: each field and counter behind the one before. */
public final class LaunchLayouts {
  private LaunchLayouts() {}

  /** The lines of a module's table. */
  static String lines() {
    StringBuilder lines = new StringBuilder();
    int at = 0;
    for (ControlField field : ControlField.values()) {
      int bytes = field == ControlField.POLLS ? 4 : 8;
      lines.append(
          String.format(
              Locale.ROOT,
              "control %s %d %d %d%n",
              field.nameInTable(),
              at,
              bytes,
              field.elements()));
      at += 8 * field.elements();
    }
    at = 0;
    for (Counter counter : Counter.values()) {
      lines.append(
          String.format(
              Locale.ROOT, "counter %s %d %d%n", counter.nameInTable(), at, counter.words()));
      at += counter.words();
    }
    return lines.toString().replace("\r\n", "\n");
  }

  /** What the lines say. */
  public static LaunchLayout layout() {
    return ModuleTable.parse("magpie 11 cpu plain quiet\n" + lines()).layout();
  }
}
