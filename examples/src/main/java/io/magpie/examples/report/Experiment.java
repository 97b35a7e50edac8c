package io.magpie.examples.report;

import io.magpie.examples.compare.Comparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * All that was run on one input by one algorithm.
 *
 * @param problem the algorithm and the input
 * @param title that no other experiment on the page has
 * @param variants in the order of the records; those of a comparison, whose rounds run in
 *     alternating order, in that of its summaries
 * @param measure the name of the time that is compared
 */
record Experiment(Problem problem, String title, List<Variant> variants, String measure) {
  /** One for each problem, in the order of the records. */
  static List<Experiment> of(Records records) {
    Map<Problem, Map<Subject, List<Run>>> runs = new LinkedHashMap<>();
    Map<Subject, List<Summarized>> summaries = new LinkedHashMap<>();
    records.problems().forEach(problem -> runs.put(problem, new LinkedHashMap<>()));
    Map<Session, List<Subject>> ordered = new LinkedHashMap<>();
    for (Summarized summary : records.summaries()) {
      Subject subject = summary.subject();
      ordered.computeIfAbsent(subject.session(), s -> new ArrayList<>()).add(subject);
      summaries.computeIfAbsent(subject, s -> new ArrayList<>()).add(summary);
    }
    for (Run run : records.runs()) {
      List<Subject> all = ordered.remove(run.subject().session());
      if (all != null) {
        all.forEach(each -> subjects(runs, each));
      }
      subjects(runs, run.subject()).add(run);
    }
    ordered.values().forEach(all -> all.forEach(each -> subjects(runs, each)));
    List<Experiment> experiments = new ArrayList<>();
    List<String> titles = Problem.titles(records.problems());
    runs.forEach(
        (problem, all) ->
            experiments.add(of(problem, titles.get(experiments.size()), all, summaries)));
    return experiments;
  }

  private static List<Run> subjects(Map<Problem, Map<Subject, List<Run>>> runs, Subject subject) {
    return runs.get(subject.problem()).computeIfAbsent(subject, s -> new ArrayList<>());
  }

  private static Experiment of(
      Problem problem,
      String title,
      Map<Subject, List<Run>> runs,
      Map<Subject, List<Summarized>> summaries) {
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
    return new Experiment(problem, title, variants, measure(variants));
  }

  /** Those whose times are performance. */
  List<Variant> timed() {
    return variants.stream()
        .filter(variant -> !variant.subject().environment().isSimulated())
        .toList();
  }

  /** The comparisons that its variants were part of, in the order of the records. */
  List<Session> sessions() {
    return variants.stream()
        .map(variant -> variant.subject().session())
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  /** The label of what a comparison's ratios are to; empty if it has none, or not this one. */
  Optional<String> first(Session session) {
    List<Variant> all =
        variants.stream().filter(each -> session.equals(each.subject().session())).toList();
    return all.stream().noneMatch(each -> each.ratio().isPresent())
        ? Optional.empty()
        : all.stream()
            .filter(each -> each.ratio().isEmpty())
            .filter(each -> each.summaries().stream().anyMatch(s -> s.spread().isPresent()))
            .map(Variant::label)
            .findFirst();
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
