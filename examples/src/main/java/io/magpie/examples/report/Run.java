package io.magpie.examples.report;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * One run, as a record has it. What it lacks is empty.
 *
 * @param subject what was run
 * @param warmUp whether it is left out of statistics
 * @param millis times in milliseconds by name
 * @param figures what the result is like, and other numbers, by name
 * @param aborts aborted attempts by cause
 * @param phases kernels, where each was timed
 * @param verdict in a word, such as {@code verified}
 */
record Run(
    Subject subject,
    boolean warmUp,
    Map<String, Double> millis,
    Map<String, BigDecimal> figures,
    Map<String, BigDecimal> aborts,
    List<KernelTime> phases,
    String verdict) {
  static final String WRONG = "wrong";
  static final String VERIFIED = "verified";
}
