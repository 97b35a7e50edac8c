package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.options.Devices;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.stm.Device;
import io.magpie.stm.Region;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.workload.Workload;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks that transactions were serializable: a region's, a drawn load's, or those of a file. */
@Command(
    name = "verify",
    description = {
      "Check that transactions are strictly serializable and opaque.",
      "",
      "Runs a region with its accesses recorded and checks the history; or explores how the region"
          + " behaves under many schedules, on the simulator; or checks a saved history.",
      "",
      VerifyCommand.EXPLORED,
      "",
      VerifyCommand.DATA,
      "",
      "Recorded on a processor, up to 1,000 items: " + VerifyCommand.TRACED,
      "",
      "Recorded on a GPU, or with more items: " + VerifyCommand.COMPARED,
      "",
      "Recorded on a GPU, up to 1,000 items: " + VerifyCommand.ON_PROCESSOR,
      "",
      "Recorded on sim, or under a policy whose reads leave no trace or whose writes are in place: "
          + VerifyCommand.SEEN,
      "",
      VerifyCommand.UNTRACED
    })
final class VerifyCommand implements Callable<Integer> {
  /** Which accesses past transactions are not seen where others are. */
  static final String UNTRACED =
      "Where accesses past tx are seen, so are memcpy, memmove and memset, but no other string"
          + " functions, nor copies of structs that a call takes or returns by value.";

  /** What the checks of a recorded region rest on. */
  static final String SEEN =
      "Only accesses through tx are seen: read, write, load, store, peek. A region's other reads and"
          + " writes, as in *p or values[i], are checked only by an --invariant; use --explore for"
          + " those.";

  /** What the checks of a recorded region rest on all of whose accesses are seen. */
  static final String TRACED =
      "Accesses to the arguments are seen, through tx and past it, as in *p or values[i], and each"
          + " run is compared with running its items one at a time, in their serial order, in another"
          + " order that their objects permit, and with each attempt first made once, and in short runs"
          + " also 16 times, and rolled back. What no run did may go unnoticed; --explore tries"
          + " schedules.";

  /** What the checks of a recorded region rest on whose data are compared. */
  static final String COMPARED =
      "Accesses through tx are seen with their data, other accesses by their effect: each run is"
          + " compared with running its items one at a time, in their serial order, in another order"
          + " that their objects permit, and with each attempt first made once and rolled back. A race"
          + " that did not happen may go unnoticed; --explore finds it.";

  /** What is seen of a region recorded on a GPU. */
  static final String ON_PROCESSOR =
      "After the first run the same items run some times on a processor, for which the region is"
          + " compiled as well. There accesses past tx are seen, too.";

  /** What is not seen without the other order. */
  static String noOtherOrder(Region region, boolean recorded) {
    return "Items did not run in another order ("
        + (region.orderDependent() ? "order_dependent of " + region.name() : "--no-other-order")
        + (recorded
            ? "), and data that come out differently in other orders were not compared: --explore"
                + " compares them."
            : "): a hint that decides without being checked again was found only if a run showed"
                + " it.");
  }

  /** What is explored although nobody said so. */
  static final String EXPLORED =
      "A --region on --device sim is explored too, as by --explore pct:2. With --transactions,"
          + " --clock, --skew or more than 1,000 items it is recorded instead.";

  /** What the checks of an explored region rest on. */
  static final String DATA =
      "When a --region is explored or replayed, accesses to its arguments are seen, through tx and"
          + " past it, as in *p or values[i], and each run is compared with running its items one at a"
          + " time, in their serial order. Over weak memory, and with states, that is so in the default"
          + " schedule only. Under obstruction_free, where writes are in place, and in runs of more"
          + " than 262,144 accesses, only those through tx are checked.";

  /** What nobody looked at where a region has no invariant. */
  static final String NO_INVARIANT =
      "No invariant was given: results were not checked against one. --invariant names a kernel that"
          + " does.";

  @Spec private CommandSpec spec;

  @Mixin private VerifyOptions given;

  @Override
  public Integer call() throws IOException {
    given.check();
    Outputs outputs = new Outputs(spec, given.filesRead());
    VerifyOutput output =
        new VerifyOutput(
            spec.commandLine().getOut(), outputs, given.json, given.save, given.ofRegion());
    output.drawTo(given.picture(outputs), given.pixels());
    if (given.history() != null) {
      new HistoryCheck(given, output).run();
      return ExitCode.OK;
    }
    try (RecordedCheck.Opened opened = opened()) {
      describe(opened.workload(), output);
      try {
        check(opened.workload(), output);
      } finally {
        output.writeJson();
      }
    }
    return ExitCode.OK;
  }

  /** The workload on its device, which closes with it. */
  private RecordedCheck.Opened opened() throws IOException {
    RecordedCheck.Opened opened = another();
    if (!opened.workload().region().lanesMeet() || !given.partLanes()) {
      return opened;
    }
    opened.close();
    return another();
  }

  /** The workload on another device of the same kind, which closes with it. */
  private RecordedCheck.Opened another() throws IOException {
    Device opened = Devices.open(spec, "--device", given.deviceSpec());
    try {
      return new RecordedCheck.Opened(opened, given.workload(opened));
    } catch (IOException | RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private void describe(Workload workload, VerifyOutput output) {
    String what = given.shape() != null ? "workload" : "region";
    String text =
        given.shape() != null
            ? given.shape() + ", seed " + given.seed()
            : workload.region().name()
                + (workload.region().opaque() ? "" : ", reads not validated");
    String rule = EnumOption.name(given.stm().policy());
    output.line(what, "%s", text);
    output.line("device", "%s", workload.device());
    output.line("policy", "%s", rule);
    output.put(what, text);
    output.put("device", DevicesCommand.json(workload.device().description()));
    output.put("policy", rule);
    given
        .invariant()
        .ifPresent(
            kernel -> {
              output.line(
                  "invariant",
                  "%s, after each run%s%s",
                  kernel,
                  workload.inRounds() ? " and round" : "",
                  !given.scheduled()
                      ? ""
                      : ", and after each commit in the serial order"
                          + (given.looksAtDataByDefaultAlone() ? " of the default schedule" : ""));
              output.put("invariant", kernel);
            });
  }

  private void check(Workload workload, VerifyOutput output) {
    try {
      if (given.strategy() != null) {
        new ScheduleCheck(given, output).explore(workload);
      } else if (given.schedule() != null) {
        new ScheduleCheck(given, output).replay(workload);
      } else {
        new RecordedCheck(given, output).run(workload, this::another);
      }
    } catch (RunOutOfTimeException e) {
      throw new StoppedEarlyException(
          e.getMessage() + ": no violation so far; give it more --timeout, or fewer --steps");
    }
  }
}
