package io.magpie.examples.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A contestant's runs in short.
 *
 * @param contestant its index
 * @param runs number of runs that count
 * @param wrong number of runs with a wrong result, warm-ups included
 * @param medianMillis median of each time, by name
 * @param spread of the time that is compared; null if the contestant has no such time
 * @param ratio of that time to the first contestant's, paired by round; null for the first one and
 *     where one of both has no such time
 * @param processors processor time by wall time, median; not a number if it is unknown, as of runs
 *     too short for the processor's clock
 * @param medianCounters median of each counter, by name; aborts in all among them
 */
public record Summary(
    int contestant,
    int runs,
    int wrong,
    Map<String, Double> medianMillis,
    Spread spread,
    Ratio ratio,
    double processors,
    Map<String, Long> medianCounters) {
  /** Of shorter runs that share is unknown: the processor's clock ticks in steps of 10 ms. */
  private static final double LEAST_MILLIS = 50;

  /**
   * How a time varies between runs, in milliseconds.
   *
   * @param least the least
   * @param lowerQuartile a quarter is below
   * @param median half is below
   * @param upperQuartile three quarters are below
   * @param largest the largest
   */
  public record Spread(
      double least, double lowerQuartile, double median, double upperQuartile, double largest) {
    /**
     * How those times vary.
     *
     * @param values in milliseconds, in any order; all is 0 of none
     */
    public static Spread of(double... values) {
      return new Spread(
          quantile(values, 0),
          quantile(values, 0.25),
          quantile(values, 0.5),
          quantile(values, 0.75),
          quantile(values, 1));
    }
  }

  /**
   * How many times as long as the first contestant.
   *
   * @param median of the rounds' ratios
   * @param low lower end of an interval for the median
   * @param high its upper end: of six rounds or more it holds the median with 95 % confidence
   *     (order statistics, no assumption on the distribution); of fewer it spans all rounds
   * @param rounds how many ratios there are
   */
  public record Ratio(double median, double low, double high, int rounds) {
    /** Rounds without which nothing can be said with 95 % confidence. */
    public static final int LEAST_ROUNDS = 6;

    /** The verdict where other programs took processor time. */
    public static final String VOID = "void";

    /** What can be said with 95 % confidence. */
    public String verdict() {
      if (rounds < LEAST_ROUNDS) {
        return "too few rounds";
      }
      return low > 1 ? "slower" : high < 1 ? "faster" : "no difference";
    }
  }

  /**
   * Summaries of all contestants.
   *
   * @param records all runs
   * @param contestants how many there are
   * @param measure name of the time to compare
   */
  public static List<Summary> of(List<RunRecord> records, int contestants, String measure) {
    List<Summary> summaries = new ArrayList<>();
    Map<Integer, Double> first = byRound(records, 0, measure);
    for (int each = 0; each < contestants; each++) {
      int index = each;
      List<RunRecord> all = records.stream().filter(r -> r.contestant() == index).toList();
      List<RunRecord> runs = all.stream().filter(r -> !r.warmUp()).toList();
      Map<Integer, Double> own = byRound(records, index, measure);
      double[] ratios =
          own.entrySet().stream()
              .filter(round -> first.containsKey(round.getKey()))
              .mapToDouble(round -> round.getValue() / first.get(round.getKey()))
              .sorted()
              .toArray();
      summaries.add(
          new Summary(
              index,
              runs.size(),
              (int) all.stream().filter(r -> r.mistake() != null).count(),
              medianMillis(runs),
              own.isEmpty() ? null : Spread.of(own.values().stream().mapToDouble(d -> d).toArray()),
              index == 0 || ratios.length == 0 ? null : ratio(ratios),
              processors(runs),
              medianCounters(runs)));
    }
    return summaries;
  }

  private static double processors(List<RunRecord> runs) {
    List<RunRecord> known = runs.stream().filter(r -> r.processorMillis() >= 0).toList();
    return median(known, Summary::total) < LEAST_MILLIS
        ? Double.NaN
        : median(known, r -> r.processorMillis() / total(r));
  }

  private static double total(RunRecord run) {
    return run.millis().get(Comparison.Outcome.TOTAL);
  }

  private static double median(List<RunRecord> runs, ToDoubleFunction<RunRecord> value) {
    return median(runs.stream().mapToDouble(value).toArray());
  }

  private static Map<Integer, Double> byRound(
      List<RunRecord> records, int contestant, String measure) {
    Map<Integer, Double> times = new LinkedHashMap<>();
    for (RunRecord each : records) {
      if (each.contestant() == contestant && !each.warmUp() && each.millis().containsKey(measure)) {
        times.put(each.round(), each.millis().get(measure));
      }
    }
    return times;
  }

  private static Map<String, Double> medianMillis(List<RunRecord> runs) {
    Map<String, Double> medians = new LinkedHashMap<>();
    for (RunRecord run : runs) {
      for (String name : run.millis().keySet()) {
        medians.computeIfAbsent(
            name,
            n ->
                median(
                    runs.stream()
                        .filter(r -> r.millis().containsKey(n))
                        .mapToDouble(r -> r.millis().get(n))
                        .toArray()));
      }
    }
    return medians;
  }

  private static Map<String, Long> medianCounters(List<RunRecord> runs) {
    Map<String, Long> medians = new LinkedHashMap<>();
    for (RunRecord run : runs) {
      for (String name : run.counters().keySet()) {
        medians.computeIfAbsent(
            name,
            n ->
                Math.round(
                    median(
                        runs.stream()
                            .mapToDouble(r -> r.counters().getOrDefault(n, 0L))
                            .toArray())));
      }
    }
    return medians;
  }

  /** The median; 0 of nothing. */
  static double median(double[] values) {
    return quantile(values, 0.5);
  }

  /** A quantile by linear interpolation between order statistics; 0 of nothing. */
  static double quantile(double[] values, double share) {
    if (values.length == 0) {
      return 0;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** The ratio's median and interval, of ascending ratios. */
  static Ratio ratio(double[] sorted) {
    int n = sorted.length;
    // The interval leaves out k runs on each side, with P(at most k of n fair coins) <= 0.025.
    int k = 0;
    double term = Math.pow(0.5, n);
    double below = term;
    while (below <= 0.025 && k < n / 2) {
      k++;
      term = term * (n - k + 1) / k;
      below += term;
    }
    int left = Math.max(0, k - 1);
    return new Ratio(median(sorted), sorted[left], sorted[n - 1 - left], n);
  }
}
