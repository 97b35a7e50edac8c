package io.magpie.examples.cli.commands;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Contestant;
import io.magpie.examples.compare.ContestantException;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.compare.Rounds;
import io.magpie.examples.compare.RunRecord;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** One comparison from its first device to its last record, told also if it ends early. */
final class ComparisonRun<O extends Options<O>> {
  /**
   * What is compared, and how.
   *
   * @param labels names of the variants
   * @param variants as many
   * @param baselines names of programs without a device
   * @param measure the time that is compared
   */
  record Plan<O extends Options<O>>(
      Comparison<O> comparison,
      ComparedInput input,
      List<String> labels,
      List<O> variants,
      List<String> baselines,
      List<Results> results,
      Rounds rounds,
      String measure) {
    /** The same with other variants. */
    Plan<O> with(List<String> others, List<O> them) {
      return new Plan<>(comparison, input, others, them, baselines, results, rounds, measure);
    }
  }

  /** Where the results of a variant go. */
  enum Results {
    NEW,
    KEPT,
    DEVICE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Where records say so of variants whose results are not in new arrays. */
  static final String RESULTS = "results";

  private final Plan<O> plan;
  private final ComparisonOutput output;
  private final List<Device> opened = new ArrayList<>();
  private final List<Contestant> contestants = new ArrayList<>();
  private final Measured measured = new Measured();
  private final AtomicReference<ComparisonReport> report;

  ComparisonRun(Plan<O> plan, ComparisonOutput output) {
    this.plan = plan;
    this.output = output;
    report = new AtomicReference<>(report(Map.of(), ""));
  }

  /**
   * Runs it. What fails on an input that a ladder names is written as a failure of that input, also
   * if nothing has been measured.
   *
   * @param devices to run each variant on
   * @param opener opens a device
   * @throws VerificationException if a result is wrong
   */
  void run(List<String> devices, Function<String, Device> opener) throws IOException {
    Throwable failure;
    try (FinalWork last = new FinalWork(() -> output.keep(report.get(), measured.copy()))) {
      failure = measure(devices, opener);
      if (failure instanceof ContestantException unsuitable
          && unsuitable.getCause() instanceof InputException
          && measured.isEmpty()
          && !plan.input().named()) {
        throw unsuitable; // there is nothing to keep
      }
      String why = why(failure);
      last.run(() -> output.write(report.get(), measured, why));
    }
    if (failure instanceof IOException unreadable) {
      throw unreadable;
    }
    Closing.rethrow(failure);
    requireRight();
    requireFinished();
  }

  /** Why a comparison ended early; null if it did not. */
  private static String why(Throwable failure) {
    boolean tells =
        failure instanceof ContestantException
            || failure instanceof InputException
            || failure instanceof IOException;
    return failure == null ? null : tells ? failure.getMessage() : failure.toString();
  }

  /**
   * Gives what ended the rounds early, so that what has been measured until then is kept, or what
   * kept an input that a ladder names from being prepared.
   */
  private Throwable measure(List<String> devices, Function<String, Device> opener)
      throws IOException {
    try (Progress progress = new PrefixedProgress(Terminal.progress(), plan.input().progress());
        Closing closing = new Closing()) {
      devices.forEach(each -> opened.add(closing.add(opener.apply(each))));
      Throwable failure = null;
      try {
        prepare(progress, closing);
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        if (!plan.input().named()) {
          throw e;
        }
        return closing.closeAfter(e);
      }
      try {
        plan.rounds().run(contestants, progress, measured::add, measured::leaveOut);
      } catch (RuntimeException | OutOfMemoryError e) {
        failure = e;
      }
      return closing.closeAfter(failure);
    }
  }

  private void prepare(Progress progress, Closing closing) throws IOException {
    Input source = plan.input().source();
    Comparison.Prepared<O> prepared =
        Reading.of(source, () -> plan.comparison().prepare(source, progress));
    addContestants(prepared, closing);
    report.set(report(prepared.sizes(), prepared.hash()));
  }

  private void addContestants(Comparison.Prepared<O> prepared, Closing closing) {
    for (Device device : opened) {
      for (int i = 0; i < plan.variants().size(); i++) {
        for (Results each : plan.results()) {
          contestants.add(contestant(prepared, device, i, each, closing));
        }
      }
    }
    for (String baseline : plan.baselines()) {
      contestants.add(
          new Contestant(
              baseline,
              Contestant.HOST,
              true,
              Map.of(),
              closing.add(prepared.baseline(baseline, plan.variants().get(0)))));
    }
  }

  private Contestant contestant(
      Comparison.Prepared<O> prepared, Device device, int index, Results results, Closing closing) {
    O variant = plan.variants().get(index);
    String label = plan.labels().get(index);
    String spec = device.description().spec();
    if (results == Results.NEW) {
      return new Contestant(
          label, spec, false, variant.written(), closing.add(prepared.variant(device, variant)));
    }
    Map<String, String> written = new LinkedHashMap<>(variant.written());
    written.put(RESULTS, results.word());
    ResultArrays arrays =
        closing.add(results == Results.KEPT ? new ResultArrays() : ResultArrays.onDevice(device));
    return new Contestant(
        label + " " + RESULTS + "=" + results.word(),
        spec,
        false,
        written,
        closing.add(prepared.variant(device, variant, arrays)));
  }

  private ComparisonReport report(Map<String, Long> sizes, String hash) {
    return new ComparisonReport(
        plan.comparison().name(),
        plan.input(),
        sizes,
        hash,
        opened.stream().map(Device::description).toList(),
        contestants.stream().map(ComparisonReport.Entry::of).toList(),
        plan.rounds(),
        plan.measure(),
        plan.comparison().shown());
  }

  private void requireRight() {
    Optional<RunRecord> wrong =
        measured.runs().stream().filter(r -> r.mistake() != null).findFirst();
    if (wrong.isPresent()) {
      Contestant who = contestants.get(wrong.get().contestant());
      throw new VerificationException(
          who.name() + " is wrong: " + wrong.get().mistake() + checks(who));
    }
  }

  private void requireFinished() {
    measured.unfinished().entrySet().stream()
        .findFirst()
        .ifPresent(
            each -> {
              Contestant who = contestants.get(each.getKey());
              throw new VerificationException(
                  who.name() + " did not finish: " + each.getValue() + moreTime(who) + checks(who));
            });
  }

  private static String moreTime(Contestant of) {
    return of.variant().containsKey(TransactionSettings.TIMEOUT.name())
        ? "; --variants timeout=SECONDS gives it longer"
        : "";
  }

  /** Where a region that leaves its arrays is found out, unless it ran there. */
  private static String checks(Contestant of) {
    return of.baseline() || of.device().startsWith("cpu-checked") || of.device().startsWith("sim")
        ? ""
        : "; try --devices cpu-checked:2, which checks indices";
  }
}
