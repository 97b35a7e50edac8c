package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Recording;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RunRecorder;
import io.magpie.stm.RunRecorder.RecordedRun;
import io.magpie.stm.simulator.Schedule;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.History;
import java.util.ArrayList;
import java.util.List;

/**
 * Records all regions that an algorithm runs on a device, and checks each run, or round, by itself:
 * strict serializability, opacity where reads are validated, every item ended once, no word left
 * claimed.
 *
 * <pre>{@code
 * device.define("partition", Map.of("MAGPIE_RECORD", "1"));
 * try (RecordedAlgorithm recorded = new RecordedAlgorithm(device, Recording.Options.defaults())) {
 *   GraphPartitioner.run(device, graph, options);
 *   recorded.violations(); // none
 * }
 * }</pre>
 *
 * <p>A verdict covers what regions access through their transactions: a version of an object stands
 * for all of its data. What they read past them, as all that {@code seek} does, and what kernels
 * between the regions do, is the algorithm's own: its result is checked for that. Runs follow each
 * other, so that an order within each is one of all.
 */
public final class RecordedAlgorithm implements RunRecorder, AutoCloseable {
  private final Device device;
  private final Recording recording;
  private final long skew;
  private final List<Run> runs = new ArrayList<>();
  private Schedule schedule;
  private long mostSteps;

  /**
   * A checked run of a region.
   *
   * @param report what it did
   * @param verdict what the checker says of its history
   * @param accesses reads and writes of the attempts that committed: 0 says that the verdict on
   *     them is of nothing
   * @param violations everything wrong, the verdict's findings among it. Items that the report
   *     names as unfinished are not
   */
  public record Run(
      RegionReport report, Verdict verdict, long accesses, List<Violation> violations) {
    public Run {
      violations = List.copyOf(violations);
    }
  }

  /**
   * Begins: the device's runs of regions are recorded until this is closed.
   *
   * @param device where the algorithm will run; its modules must be {@linkplain Device#define
   *     compiled} for it
   * @param options what is recorded; a run that outgrows its logs fails with an {@link
   *     io.magpie.stm.Recording.OverflowException}
   */
  public RecordedAlgorithm(Device device, Recording.Options options) {
    this.device = device;
    this.recording = device.recording(options);
    this.skew =
        device.machine() == Machine.CUDA && recording.clock() == Recording.Clock.TIMER
            ? ClockSkew.measure(device).nanos()
            : 0;
    device.setRunRecorder(this);
  }

  /**
   * Says how {@code sim} schedules the regions that follow, each of them from its step 0; other
   * kernels are left to the device. A region that does not end under it does not return either,
   * unless the schedule has a {@linkplain Schedule#withMostSteps bound} or the device its own; at
   * that, as at any fault, the algorithm ends with a {@link io.magpie.stm.KernelFaultException}.
   *
   * @param next null, as at first, leaves regions to the device too
   */
  public void setSchedule(Schedule next) {
    schedule = next;
  }

  /** Steps of the longest region that had a schedule. */
  public long mostSteps() {
    return mostSteps;
  }

  /** The runs so far, in order. */
  public List<Run> runs() {
    return List.copyOf(runs);
  }

  /**
   * Everything wrong with them. Nothing wrong is no verdict where nothing committed, or no commit
   * had {@linkplain Run#accesses accesses}.
   */
  public List<Violation> violations() {
    return runs.stream().flatMap(run -> run.violations.stream()).toList();
  }

  /** Forgets the runs so far. */
  public void clear() {
    runs.clear();
  }

  @Override
  public Recording begin(UpcomingRun run) {
    recording.reset();
    if (schedule != null) {
      device.simulator().setSchedule(schedule);
    }
    return recording;
  }

  @Override
  public void end(RecordedRun run) {
    boolean weak = false;
    if (schedule != null) {
      device.simulator().setSchedule(null);
      mostSteps = Math.max(mostSteps, device.simulator().lastTrace().steps());
      weak = schedule.weakMemory();
    }
    History history = RunChecks.history(recording);
    Verdict verdict =
        RunChecks.verdict(run.objects(), recording, history, skew, run.opaque() && !weak);
    List<Violation> wrong = new ArrayList<>(RunChecks.violations(verdict));
    if (run.opaque() && weak && wrong.isEmpty()) {
      RunChecks.opacityOverWeakMemory(history).map(RunChecks::notOpaque).ifPresent(wrong::add);
    }
    wrong.addAll(RunChecks.leftClaimed(run.objects()));
    wrong.addAll(
        RunChecks.lostPositions(
            history,
            run.report().items(),
            run.ranks(),
            run.left(),
            run.report().unfinished() + run.report().deferred()));
    runs.add(new Run(run.report(), verdict, accessesOfCommits(history), wrong));
  }

  @Override
  public void failed(String region) {
    if (schedule != null) {
      device.simulator().setSchedule(null);
    }
  }

  private static long accessesOfCommits(History history) {
    long sum = 0;
    for (int attempt = 0; attempt < history.size(); attempt++) {
      sum += history.outcome(attempt) == History.COMMIT ? history.accessCount(attempt) : 0;
    }
    return sum;
  }

  /** Records no more, and frees the memory. */
  @Override
  public void close() {
    device.setRunRecorder(null);
    recording.close();
  }
}
