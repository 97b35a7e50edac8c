package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.FieldKind;
import io.magpie.stm.Fields;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RunRecorder.UpcomingRun;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.stm.Worklist;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.explore.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A run that an algorithm is about to make, as a workload: its arguments are the algorithm's own,
 * and {@link #reset()} makes them as they were when this was made. Of a run in rounds it is one
 * round.
 */
final class UpcomingWorkload implements Workload {
  private final Device device;
  private final Region region;
  private final Fields fields;
  private final List<String> objectNames = new ArrayList<>();
  private final List<StmObjects> objects = new ArrayList<>();
  private final Map<String, DeviceArray<?>> arrays = new LinkedHashMap<>();
  private final int[] items;
  private final Comparisons comparisons;
  private final ExploredAlgorithm.Expectation expectation;
  private final Map<String, Object> before;
  private final Saved saved;
  private final List<AutoCloseable> open = new ArrayList<>();
  private Worklist work; // null outside of rounds
  private DeviceArray<int[]> list; // null if the items are 0 to n - 1
  private List<Integer> deferred = List.of();

  /** What a run is compared with. */
  enum Comparisons {
    /** Its items one after the other, in their order and in another one. */
    ALL,
    NONE
  }

  /**
   * Keeps what the run's arguments hold now.
   *
   * @param expectation of the data after each run
   */
  UpcomingWorkload(
      UpcomingRun run, Comparisons comparisons, ExploredAlgorithm.Expectation expectation) {
    this.region = run.region();
    this.device = region.device();
    this.fields = Fields.of(run.arguments());
    this.items = run.itemIds();
    this.comparisons = comparisons;
    this.expectation = expectation;
    try {
      run.arguments()
          .forEach(
              (name, value) -> {
                if (value instanceof DeviceArray<?> array) {
                  arrays.put(name, array);
                } else if (value instanceof StmObjects some && !objects.contains(some)) {
                  objectNames.add(name);
                  objects.add(some);
                }
              });
      saved = new SavedArguments(device, run.arguments().values());
      open.add(saved);
      if (run.isRound()) {
        work = device.newWorklist(1);
        open.add(work);
      } else if (!Arrays.equals(items, IntStream.range(0, items.length).toArray())) {
        list = device.copyOf(items);
        open.add(list);
      }
      before = contents();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Items of the run. */
  int items() {
    return items.length;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public Region region() {
    return region;
  }

  @Override
  public List<StmObjects> objects() {
    return objects;
  }

  @Override
  public List<String> objectNames() {
    return objectNames;
  }

  @Override
  public void reset() {
    saved.restore();
    objects.forEach(StmObjects::reset);
    if (work != null) {
      work.fill();
    }
  }

  @Override
  public RegionReport record(Recording recording, StmOptions options, long count, long number) {
    if (work != null) {
      work.fill(items);
      RegionReport report =
          region
              .recordRounds(recording, options.withMostRounds(1), work, null, fields)
              .rounds()
              .get(0)
              .region();
      deferred = Arrays.stream(work.items()).limit(work.deferred()).boxed().toList();
      return report;
    }
    return list == null
        ? region.record(recording, options, items.length, fields)
        : region.recordList(recording, options, list, items.length, fields);
  }

  @Override
  public boolean inRounds() {
    return work != null;
  }

  @Override
  public long waiting() {
    return work == null ? 0 : work.size();
  }

  /** Also of a run that is none: its list may have any ids, and one of them twice. */
  @Override
  public Optional<Round> lastRound() {
    return work == null && list == null
        ? Optional.empty()
        : Optional.of(new Round(0, Arrays.stream(items).boxed().toList(), deferred));
  }

  @Override
  public Optional<Violation> complaint() {
    return expectation
        .complaint(items.clone(), before, contents())
        .map(what -> new Violation(Violation.Kind.INVARIANT, what));
  }

  @Override
  public List<AccessTrace.Memory> memory() {
    Map<String, FieldKind> kinds = region.fields();
    return region.memory(fields).stream()
        .map(each -> each.withKind(kinds.get(each.name())))
        .toList();
  }

  @Override
  public Map<String, Object> contents() {
    Map<String, Object> contents = new HashMap<>();
    arrays.forEach((name, array) -> contents.put(name, array.toArray()));
    return contents;
  }

  @Override
  public Optional<String> sourceLine(long place) {
    return region.sourceLine(place);
  }

  @Override
  public boolean isComparedInAnotherOrder() {
    return comparisons == Comparisons.ALL && !region.orderDependent();
  }

  @Override
  public boolean isComparedInTurn() {
    return comparisons != Comparisons.NONE;
  }

  @Override
  public void close() {
    OpenThings.close(open);
  }
}
