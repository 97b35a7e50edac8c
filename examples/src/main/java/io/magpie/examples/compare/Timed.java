package io.magpie.examples.compare;

import io.magpie.algorithms.RunReport;
import io.magpie.examples.compare.Comparison.Outcome;
import io.magpie.examples.compare.Comparison.Program;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Programs that are timed by this process, from input to result. */
final class Timed {
  private Timed() {}

  /** Tells what a run did, given its result and the milliseconds that it took. */
  @FunctionalInterface
  interface Told<T> {
    Outcome outcome(T result, double total);
  }

  /** A program that runs an action each time. */
  static <T> Program program(Supplier<T> action, Told<T> told) {
    return () -> run(action, told);
  }

  private static <T> Outcome run(Supplier<T> action, Told<T> told) {
    long begin = System.nanoTime();
    T result = action.get();
    return told.outcome(result, (System.nanoTime() - begin) / 1e6);
  }

  /** Runs something once that only has a total time. */
  static <T> Outcome once(Supplier<T> action, Function<T, Optional<String>> mistake) {
    return run(
        action,
        (result, total) ->
            new Outcome(Map.of(Outcome.TOTAL, total), Map.of(), () -> mistake.apply(result)));
  }

  /** The times of a run that all reports have; others may be added. */
  static Map<String, Double> millis(RunReport report, double total) {
    Map<String, Double> millis = new LinkedHashMap<>();
    millis.put(Outcome.TOTAL, total);
    millis.put(Outcome.KERNELS, report.solveMillis());
    millis.put("upload", report.uploadMillis());
    return millis;
  }

  /** What verifiers found wrong, in one line; empty if that is nothing. */
  static Optional<String> mistake(List<String> wrong) {
    return wrong.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", wrong));
  }
}
