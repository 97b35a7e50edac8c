package io.magpie.examples.report;

import io.magpie.examples.compare.Summary;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * What a comparison says of one contestant.
 *
 * @param subject what was run
 * @param runs how many runs count
 * @param wrong how many results were wrong
 * @param measure the time that was compared; empty if unknown
 * @param spread of that time
 * @param ratio of it to the first contestant's
 * @param processors processor time by wall time, median
 * @param disturbed whether other programs took processor time
 * @param shown figures that the comparison's own table shows, by name
 */
record Summarized(
    Subject subject,
    BigDecimal runs,
    BigDecimal wrong,
    String measure,
    Optional<Summary.Spread> spread,
    Optional<Ratio> ratio,
    Optional<BigDecimal> processors,
    boolean disturbed,
    List<String> shown) {
  /**
   * How many times as long as the first contestant.
   *
   * @param median of the rounds
   * @param low lower end of its interval
   * @param high upper end of its interval
   * @param verdict in a few words
   */
  record Ratio(double median, double low, double high, String verdict) {}
}
