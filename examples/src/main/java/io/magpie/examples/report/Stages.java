package io.magpie.examples.report;

import io.magpie.examples.compare.Comparison;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The stages of a run: times that add up to its total. */
final class Stages {
  /** Stages that the time in kernels is the sum of, where a run has any of them. */
  private static final Set<String> KERNELS =
      Set.of("coarsen", "initial", "uncoarsen", "select", "refine", "solve");

  private static final String REST = "rest";

  /** Less of the stages than this is an error of rounding. */
  private static final double LEAST_REST = 1e-6;

  private Stages() {}

  /** The stages of a run with their milliseconds; empty if it has none but its total. */
  static Map<String, Double> of(Run run) {
    Map<String, Double> stages = new LinkedHashMap<>(run.millis());
    Double total = stages.remove(Comparison.Outcome.TOTAL);
    boolean divided = stages.keySet().stream().anyMatch(KERNELS::contains);
    if (divided || (total != null && sum(stages) > total)) {
      stages.remove(Comparison.Outcome.KERNELS);
    }
    if (stages.isEmpty()) {
      return stages;
    }
    double rest = total == null ? 0 : total - sum(stages);
    if (rest > LEAST_REST * sum(stages)) {
      stages.put(REST, rest);
    }
    return stages;
  }

  private static double sum(Map<String, Double> stages) {
    return stages.values().stream().mapToDouble(value -> value).sum();
  }
}
