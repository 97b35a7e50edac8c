package io.magpie.examples.report;

import io.magpie.examples.compare.Comparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that was run on one input by one algorithm.
 *
 * @param problem the algorithm and the input
 * @param variants in the order of the records
 * @param measure the name of the time that is compared
 */
record Experiment(Problem problem, List<Variant> variants, String measure) {
  /** One for each problem, in the order of the records. */
  static List<Experiment> of(Records records) {
    Map<Problem, Map<Subject, List<Run>>> runs = new LinkedHashMap<>();
    Map<Subject, List<Summarized>> summaries = new LinkedHashMap<>();
    records.problems().forEach(problem -> runs.put(problem, new LinkedHashMap<>()));
    for (Run run : records.runs()) {
      subjects(runs, run.subject()).add(run);
    }
    for (Summarized summary : records.summaries()) {
      subjects(runs, summary.subject());
      summaries.computeIfAbsent(summary.subject(), s -> new ArrayList<>()).add(summary);
    }
    List<Experiment> experiments = new ArrayList<>();
    runs.forEach((problem, all) -> experiments.add(of(problem, all, summaries)));
    return experiments;
  }

  private static List<Run> subjects(Map<Problem, Map<Subject, List<Run>>> runs, Subject subject) {
    return runs.get(subject.problem()).computeIfAbsent(subject, s -> new ArrayList<>());
  }

  private static Experiment of(
      Problem problem, Map<Subject, List<Run>> runs, Map<Subject, List<Summarized>> summaries) {
    List<Subject> subjects = List.copyOf(runs.keySet());
    List<String> labels = Labels.of(subjects);
    List<Variant> variants = new ArrayList<>();
    for (int i = 0; i < subjects.size(); i++) {
      Subject subject = subjects.get(i);
      variants.add(
          new Variant(
              labels.get(i),
              subject,
              runs.get(subject),
              summaries.getOrDefault(subject, List.of())));
    }
    return new Experiment(problem, variants, measure(variants));
  }

  /** What all comparisons compared; the total time if they differ or do not say. */
  private static String measure(List<Variant> variants) {
    List<String> measures =
        variants.stream()
            .flatMap(variant -> variant.summaries().stream())
            .map(Summarized::measure)
            .filter(measure -> !measure.isEmpty())
            .distinct()
            .toList();
    return measures.size() == 1 ? measures.get(0) : Comparison.Outcome.TOTAL;
  }
}
