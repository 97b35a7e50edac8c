package io.magpie.examples.compare;

import java.util.Map;

/**
 * One run of one contestant.
 *
 * @param contestant its index
 * @param round the round, from 0; negative while warming up
 * @param position its place in the round, from 0
 * @param millis times in milliseconds by name
 * @param processorMillis processor time of the whole process and of programs that it ran, during
 *     the run, in milliseconds; -1 if it is unknown
 * @param counters other numbers by name
 * @param aborts aborted attempts by cause
 * @param mistake what is wrong with the result; null if nothing is, or it was not verified
 * @param verified whether the result was compared with the reference
 */
public record RunRecord(
    int contestant,
    int round,
    int position,
    Map<String, Double> millis,
    double processorMillis,
    Map<String, Long> counters,
    Map<String, Long> aborts,
    String mistake,
    boolean verified) {
  /** Whether the run is left out of statistics. */
  public boolean warmUp() {
    return round < 0;
  }

  /** In a word. */
  public String verdict() {
    return mistake != null ? "wrong" : verified ? "verified" : "not verified";
  }
}
