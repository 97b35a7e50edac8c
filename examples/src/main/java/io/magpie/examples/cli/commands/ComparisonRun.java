package io.magpie.examples.cli.commands;

import io.magpie.algorithms.Options;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Contestant;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.compare.Rounds;
import io.magpie.examples.compare.RunRecord;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
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
  private final List<RunRecord> records = Collections.synchronizedList(new ArrayList<>());
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
    RuntimeException failure;
    try (FinalWork last = new FinalWork(() -> output.keep(begun.get(), records))) {
      failure = measure(devices, opener);
      if (failure instanceof InputException && records.isEmpty()) {
        throw failure; // there is nothing to show
      }
      String why = failure == null ? null : failure.toString();
      last.run(() -> output.write(begun.get(), records, why));
    }
    if (failure != null) {
      throw failure;
    }
    requireRight();
  }

  /** Gives what ended the rounds early: what has been measured until then is kept. */
  private RuntimeException measure(List<String> devices, Function<String, Device> opener)
      throws IOException {
    try (Progress progress = Terminal.progress()) {
      devices.forEach(each -> opened.add(opener.apply(each)));
      Comparison.Prepared<O> prepared = plan.comparison().prepare(plan.source(), progress);
      addContestants(prepared);
      begun.set(report(prepared));
      try {
        plan.rounds().run(contestants, progress, records::add);
        return null;
      } catch (RuntimeException e) {
        return e;
      }
    } finally {
      contestants.forEach(each -> each.program().close());
      opened.forEach(Device::close);
    }
  }

  private void addContestants(Comparison.Prepared<O> prepared) {
    for (Device device : opened) {
      for (int i = 0; i < plan.variants().size(); i++) {
        O variant = plan.variants().get(i);
        contestants.add(
            new Contestant(
                plan.labels().get(i),
                device.description().spec(),
                false,
                variant.written(),
                prepared.variant(device, variant)));
      }
    }
    for (String baseline : plan.baselines()) {
      contestants.add(
          new Contestant(
              baseline,
              Contestant.HOST,
              true,
              Map.of(),
              prepared.baseline(baseline, plan.variants().get(0))));
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
    Optional<RunRecord> wrong = records.stream().filter(r -> r.mistake() != null).findFirst();
    if (wrong.isPresent()) {
      Contestant who = contestants.get(wrong.get().contestant());
      throw new VerificationException(
          who.label() + " on " + who.device() + " is wrong: " + wrong.get().mistake());
    }
  }
}
