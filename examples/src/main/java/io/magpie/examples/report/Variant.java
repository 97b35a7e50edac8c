package io.magpie.examples.report;

import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Summary;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * One way to solve a problem, with all its runs.
 *
 * @param label what tells it apart from other variants
 * @param subject what was run
 * @param all its runs, warm-ups included
 * @param summaries what comparisons say of it
 */
record Variant(String label, Subject subject, List<Run> all, List<Summarized> summaries) {
  /** The runs that count. */
  List<Run> runs() {
    return all.stream().filter(run -> !run.warmUp()).toList();
  }

  /** How many runs count, of which there may be a summary only. */
  long count() {
    return all.isEmpty()
        ? summaries.stream().mapToLong(each -> each.runs().longValue()).sum()
        : runs().size();
  }

  /** How a time varies; empty if no run has it. */
  Optional<Summary.Spread> spread(String time) {
    double[] values =
        runs().stream()
            .map(run -> run.millis().get(time))
            .filter(millis -> millis != null)
            .mapToDouble(millis -> millis)
            .toArray();
    if (values.length > 0) {
      return Optional.of(Summary.Spread.of(values));
    }
    return all.isEmpty() && summaries.size() == 1 && summaries.get(0).measure().equals(time)
        ? summaries.get(0).spread()
        : Optional.empty();
  }

  /**
   * The median run by its total time, the shorter one of two: unlike medians of parts, the parts of
   * one run add up.
   */
  Optional<Run> typical() {
    List<Run> timed =
        runs().stream()
            .filter(run -> run.millis().containsKey(Comparison.Outcome.TOTAL))
            .sorted(Comparator.comparing(run -> run.millis().get(Comparison.Outcome.TOTAL)))
            .toList();
    return timed.isEmpty() ? Optional.empty() : Optional.of(timed.get((timed.size() - 1) / 2));
  }

  /** The values of a figure in the runs that count. */
  List<BigDecimal> figures(String name) {
    return runs().stream()
        .map(run -> run.figures().get(name))
        .filter(value -> value != null)
        .toList();
  }

  /** The median of each cause's aborts; empty if none were counted. */
  Map<String, BigDecimal> aborts() {
    Map<String, List<BigDecimal>> values = new TreeMap<>();
    for (Run run : runs()) {
      run.aborts()
          .forEach(
              (cause, count) -> values.computeIfAbsent(cause, c -> new ArrayList<>()).add(count));
    }
    Map<String, BigDecimal> medians = new LinkedHashMap<>();
    values.forEach((cause, counts) -> medians.put(cause, Numbers.median(counts)));
    return medians;
  }

  /** The ratio to the first contestant, if one comparison tells it. */
  Optional<Summarized.Ratio> ratio() {
    return summaries.size() == 1 ? summaries.get(0).ratio() : Optional.empty();
  }

  /** Whether other programs took processor time, as far as is known. */
  boolean disturbed() {
    return summaries.stream().anyMatch(Summarized::disturbed);
  }

  /** How many runs, warm-ups included, have each verdict; those without one have an empty one. */
  Map<String, Long> verdicts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    all.forEach(run -> counts.merge(run.verdict(), 1L, Long::sum));
    if (all.isEmpty()) {
      long wrong = summaries.stream().mapToLong(each -> each.wrong().longValue()).sum();
      if (wrong > 0) {
        counts.put(Run.WRONG, wrong);
      }
    }
    return counts;
  }

  /** The names of what runs have, in the order in which they appear. */
  static List<String> names(List<Variant> variants, Function<Run, Map<String, ?>> part) {
    return variants.stream()
        .flatMap(variant -> variant.runs().stream())
        .flatMap(run -> part.apply(run).keySet().stream())
        .distinct()
        .toList();
  }
}
