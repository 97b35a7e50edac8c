package io.magpie.algorithms.internal.driver;

import io.magpie.algorithms.Phase;
import java.util.List;
import java.util.Locale;

/** Phases as text. */
public final class PhaseLines {
  private PhaseLines() {}

  /** A line for each phase, indented by two spaces. */
  public static String of(List<Phase> phases) {
    StringBuilder text = new StringBuilder();
    for (Phase phase : phases) {
      text.append(
          String.format(
              Locale.ROOT,
              "  %-26s %-13s %4d launches %,14d items %10.3f ms",
              phase.name(),
              phase.rule().name().toLowerCase(Locale.ROOT).replace('_', '-'),
              phase.launches(),
              phase.items(),
              phase.millis()));
      if (phase.rule() == Phase.Rule.TRANSACTIONAL) {
        text.append(
            String.format(
                Locale.ROOT, " %,d commits, %,d aborts", phase.commits(), phase.aborts()));
      }
      text.append(System.lineSeparator());
    }
    return text.toString();
  }
}
