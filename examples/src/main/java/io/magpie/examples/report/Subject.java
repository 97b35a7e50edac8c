package io.magpie.examples.report;

import java.util.Map;

/**
 * What was run: runs of which all this is the same are repetitions of one another.
 *
 * @param problem the algorithm and its input
 * @param environment where it ran
 * @param session the comparison that it was part of; null for a run on its own
 * @param contestant what a comparison calls it; empty for a run on its own
 * @param baseline whether it is another program, to compare with
 * @param settings of the algorithm, by name
 */
record Subject(
    Problem problem,
    Environment environment,
    Session session,
    String contestant,
    boolean baseline,
    Map<String, String> settings) {
  /** The same, whatever comparison it was part of. */
  Subject withoutSession() {
    return new Subject(problem, environment, null, contestant, baseline, settings);
  }
}
