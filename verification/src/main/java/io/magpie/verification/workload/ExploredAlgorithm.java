package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Recording;
import io.magpie.stm.RunRecorder;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Exploration;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Explores all regions that an algorithm runs on {@code sim}, each run, or round, where the
 * algorithm comes to it: with the arguments and the items that it has then, under many schedules,
 * and with all checks of {@link WorkloadSubject}, those of data among them. Then the arguments are
 * made as they were, and the algorithm goes on with a run of its own.
 *
 * <pre>{@code
 * device.define("msf", RegionWorkload.defines(device));
 * try (ExploredAlgorithm explored = new ExploredAlgorithm(device)) {
 *   explored.explore(Strategy.pct(2), 20, 1);
 *   MinimumSpanningForest.run(device, graph, options);
 *   explored.violations(); // none
 * }
 * }</pre>
 *
 * <p>Kernels between the regions run as they always do, and nothing is said of them: a launch
 * begins when the one before has ended, so that what they do is ordered before and after all that
 * transactions do.
 */
public final class ExploredAlgorithm implements RunRecorder, AutoCloseable {
  private final Device device;
  private final List<Search> searches = new ArrayList<>();
  private final Map<String, UpcomingWorkload.Comparisons> comparisons = new HashMap<>();
  private final Map<String, Expectation> expectations = new HashMap<>();
  private final List<Run> runs = new ArrayList<>();
  private long mostItems = Long.MAX_VALUE;
  private long leftOut;
  private boolean stops;

  private record Search(Strategy strategy, long runs, long seed) {}

  /** What must hold of a region's data after each run. */
  @FunctionalInterface
  public interface Expectation {
    /**
     * What is wrong with a run, if anything is.
     *
     * @param items ids of its items
     * @param before what arrays held when it began, as Java arrays by the names of fields
     * @param after what they hold now
     */
    Optional<String> complaint(int[] items, Map<String, Object> before, Map<String, Object> after);
  }

  /**
   * A run of a region that was explored.
   *
   * @param region its name
   * @param items how many it has
   * @param schedules how many were tried, the default one among them
   * @param tally how the items of all of them ended
   * @param met whether two items used the same object or datum under one of them
   * @param checksData whether the data of all of them were checked: else some were too long
   * @param uncompared {@link WorkloadSubject#uncompared()}
   * @param violations what was wrong under the first schedule that showed something, with that
   */
  public record Run(
      String region,
      long items,
      long schedules,
      Tally tally,
      boolean met,
      boolean checksData,
      Map<String, Long> uncompared,
      List<Violation> violations) {
    public Run {
      uncompared = Map.copyOf(uncompared);
      violations = List.copyOf(violations);
    }
  }

  /**
   * Begins: runs of regions on the device are explored until this is closed.
   *
   * @param device {@code sim}; its modules must be {@linkplain Device#define compiled} with {@link
   *     RegionWorkload#defines(Device)}
   * @throws IllegalArgumentException if it is another device
   */
  public ExploredAlgorithm(Device device) {
    if (device.machine() != Machine.SIM) {
      throw new IllegalArgumentException(
          device.description().spec() + " runs in no order that could be chosen: take 'sim'");
    }
    this.device = device;
    device.setRunRecorder(this);
  }

  /**
   * Adds schedules to those under which each run is explored; without any it is the default one
   * alone, and each attempt first made once and rolled back.
   *
   * @param mostRuns as of {@link Explorer#explore(io.magpie.verification.explore.Subject, Strategy,
   *     long, long)}
   * @param seed likewise
   */
  public void explore(Strategy strategy, long mostRuns, long seed) {
    searches.add(new Search(strategy, mostRuns, seed));
  }

  /** Leaves out runs of more items, which then go unseen: {@link #leftOut()} counts them. */
  public void setMostItems(long most) {
    mostItems = most;
  }

  /**
   * Compares items of the regions of this name with nothing that they do alone, in whatever order:
   * hints that are not looked at again choose among several results, all of which are right. What
   * right means then says {@link #expect}.
   */
  public void leaveOutSerialOrder(String region) {
    comparisons.put(region, UpcomingWorkload.Comparisons.NONE);
  }

  /** Says what must hold after each run of the regions of this name. */
  public void expect(String region, Expectation expectation) {
    expectations.put(region, expectation);
  }

  /**
   * Ends the algorithm at the first run that shows a violation, by a {@link
   * StoppedAtViolationException}: where that may leave data with which it would not end, or fail.
   */
  public void stopAtViolation() {
    stops = true;
  }

  /** The runs that were explored, in order. */
  public List<Run> runs() {
    return List.copyOf(runs);
  }

  /** Everything wrong with them. Nothing wrong is no verdict where nothing committed. */
  public List<Violation> violations() {
    return runs.stream().flatMap(run -> run.violations.stream()).toList();
  }

  /** Runs that had items, but too many to be explored. */
  public long leftOut() {
    return leftOut;
  }

  @Override
  public Recording begin(UpcomingRun run) {
    if (run.items() > mostItems) {
      leftOut++;
    } else if (run.items() > 0) {
      String name = run.region().name();
      try (UpcomingWorkload workload =
          new UpcomingWorkload(
              run,
              comparisons.getOrDefault(name, UpcomingWorkload.Comparisons.ALL),
              expectations.getOrDefault(name, (items, before, after) -> Optional.empty()))) {
        try {
          runs.add(explored(workload, run.options()));
        } finally {
          workload.reset();
        }
      }
      if (stops && !violations().isEmpty()) {
        throw new StoppedAtViolationException(violations().get(0));
      }
    }
    return null;
  }

  private Run explored(UpcomingWorkload workload, StmOptions options) {
    try (WorkloadSubject subject = new WorkloadSubject(workload, options, workload.items(), 0, 1)) {
      Observation first = subject.defaultRun();
      long schedules = 1;
      Tally tally = first.tally();
      List<Violation> wrong = under("the default schedule", first.violations());
      for (Search each : searches) {
        if (!wrong.isEmpty()) {
          break;
        }
        Exploration done = Explorer.explore(subject, each.strategy, each.runs, each.seed);
        schedules += done.runs();
        tally = tally.plus(done.tally());
        wrong =
            done.counterexample()
                .map(found -> under(found.schedule().toString(), found.violations()))
                .orElse(List.of());
      }
      return new Run(
          workload.region().name(),
          workload.items(),
          schedules,
          tally,
          subject.itemsMeet(),
          subject.checksData(),
          subject.uncompared(),
          wrong);
    }
  }

  private static List<Violation> under(String schedule, List<Violation> violations) {
    return violations.stream()
        .map(
            each ->
                new Violation(each.kind(), String.format("%s%nunder %s", each.text(), schedule)))
        .toList();
  }

  /** Nothing: a run that is explored is not recorded as well. */
  @Override
  public void end(RecordedRun run) {}

  /** Nothing, as {@link #end}. */
  @Override
  public void failed(String region) {}

  /** Explores no more. */
  @Override
  public void close() {
    device.setRunRecorder(null);
  }
}
