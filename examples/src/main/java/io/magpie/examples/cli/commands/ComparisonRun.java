package io.magpie.examples.cli.commands;

import io.magpie.algorithms.Options;
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
import java.util.List;
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
      Input source,
      List<String> labels,
      List<O> variants,
      List<String> baselines,
      Rounds rounds,
      String measure) {}

  private final Plan<O> plan;
  private final ComparisonOutput output;
  private final List<Device> opened = new ArrayList<>();
  private final List<Contestant> contestants = new ArrayList<>();
  private final Measured measured = new Measured();
  private final AtomicReference<ComparisonReport> begun = new AtomicReference<>();

  ComparisonRun(Plan<O> plan, ComparisonOutput output) {
    this.plan = plan;
    this.output = output;
  }

  /**
   * Runs it.
   *
   * @param devices to run each variant on
   * @param opener opens a device
   * @throws VerificationException if a result is wrong
   */
  void run(List<String> devices, Function<String, Device> opener) throws IOException {
    Throwable failure;
    try (FinalWork last = new FinalWork(() -> output.keep(begun.get(), measured.copy()))) {
      failure = measure(devices, opener);
      if (failure instanceof ContestantException unsuitable
          && unsuitable.getCause() instanceof InputException
          && measured.isEmpty()) {
        throw unsuitable; // there is nothing to keep
      }
      String why =
          failure == null
              ? null
              : failure instanceof ContestantException ? failure.getMessage() : failure.toString();
      last.run(() -> output.write(begun.get(), measured, why));
    }
    Closing.rethrow(failure);
    requireRight();
    requireFinished();
  }

  /** Gives what ended the rounds early: what has been measured until then is kept. */
  private Throwable measure(List<String> devices, Function<String, Device> opener)
      throws IOException {
    try (Progress progress = Terminal.progress();
        Closing closing = new Closing()) {
      devices.forEach(each -> opened.add(closing.add(opener.apply(each))));
      Comparison.Prepared<O> prepared =
          Reading.of(plan.source(), () -> plan.comparison().prepare(plan.source(), progress));
      addContestants(prepared, closing);
      begun.set(report(prepared));
      Throwable failure = null;
      try {
        plan.rounds().run(contestants, progress, measured::add, measured::leaveOut);
      } catch (RuntimeException | OutOfMemoryError e) {
        failure = e;
      }
      return closing.closeAfter(failure);
    }
  }

  private void addContestants(Comparison.Prepared<O> prepared, Closing closing) {
    for (Device device : opened) {
      for (int i = 0; i < plan.variants().size(); i++) {
        O variant = plan.variants().get(i);
        contestants.add(
            new Contestant(
                plan.labels().get(i),
                device.description().spec(),
                false,
                variant.written(),
                closing.add(prepared.variant(device, variant))));
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

  private ComparisonReport report(Comparison.Prepared<O> prepared) {
    return new ComparisonReport(
        plan.comparison().name(),
        plan.source(),
        prepared.sizes(),
        prepared.hash(),
        opened.stream().map(Device::description).toList(),
        contestants,
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
