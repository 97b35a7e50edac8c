package io.magpie.verification.workload;

import io.magpie.stm.KernelFaultException;
import io.magpie.stm.MagpieException;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Runs, on a processor, of the items that a GPU has run: there every access is seen, past
 * transactions too, and named with its line. On a GPU much shows only by what comes of it, and what
 * changes no result not at all, such as a slot that is lost.
 */
final class RunsOnProcessor {
  /** How often the items run: a processor runs a few in less time than it takes to compile them. */
  static final int RUNS = 32;

  /**
   * That a run may take, and after which no other begins: all take a fraction of a second, unless
   * one does not end.
   */
  private static final Duration MOST_TIME = Duration.ofSeconds(10);

  private static final long LEAST_LOG_BYTES = 1 << 20;

  /** How what such runs show begins. */
  static final String HOW = "the same items on a processor: ";

  private final StmOptions options;
  private final long mostLogBytes;
  private volatile RecordedRuns underWay; // null if none are
  private volatile boolean ended;
  private long began; // when the last run did
  private boolean seesAll;

  RunsOnProcessor(StmOptions options, long mostLogBytes) {
    Duration asked = options.timeout();
    boolean shorter = !asked.isZero() && asked.compareTo(MOST_TIME) < 0;
    this.options = options.withThreadsInFlight(0).withTimeout(shorter ? asked : MOST_TIME);
    this.mostLogBytes = mostLogBytes;
  }

  /**
   * What is wrong with any of the runs; nothing where they cannot be made. What only time ends
   * there proves nothing, as the processor may be busy.
   *
   * @param workload the one on the GPU
   */
  List<Violation> violations(Workload workload, long items, long mostRounds) {
    Optional<Workload> there = ended ? Optional.empty() : workload.tracedOnProcessor();
    if (there.isEmpty()) {
      return List.of();
    }
    Recording.Options recorded =
        Recording.Options.defaults()
            .withTotalBytes(
                Math.max(LEAST_LOG_BYTES, RecordedRuns.estimatedLogBytes(there.get(), items)));
    began = System.nanoTime();
    try (RecordedRuns runs = new RecordedRuns(there.get(), options, recorded, 0, mostLogBytes, 2)) {
      underWay = runs;
      return violations(runs, items, mostRounds);
    } catch (FaultFoundException e) {
      return told(List.of(e.violation()));
    } catch (KernelFaultException e) {
      boolean late = System.nanoTime() - began >= options.timeout().toNanos();
      return late ? List.of() : told(List.of(new Violation(Kind.FAULT, e.getMessage())));
    } catch (MagpieException | CancellationException e) {
      return List.of(); // it lacks memory, or did not end
    } finally {
      underWay = null;
    }
  }

  private List<Violation> violations(RecordedRuns runs, long items, long mostRounds) {
    long end = System.nanoTime() + options.timeout().toNanos();
    int made = 0;
    while (made < RUNS && !ended && System.nanoTime() < end) {
      began = System.nanoTime();
      CheckedRounds run = runs.rounds(items, made++, mostRounds, options.timeout());
      if (!run.last().violations().isEmpty()) {
        return told(run.last().violations());
      }
      if (run.timedOut() || !run.last().report().complete()) {
        return List.of();
      }
    }
    seesAll = made > 0 && runs.seesAllAccesses();
    return List.of();
  }

  private static List<Violation> told(List<Violation> found) {
    return found.stream().map(each -> new Violation(each.kind(), HOW + each.text())).toList();
  }

  /** Whether the items ran there, and every access was seen. */
  boolean seesAll() {
    return seesAll;
  }

  /** Ends what is under way, as {@link RecordedRuns#end} does. */
  void end() {
    ended = true;
    RecordedRuns runs = underWay;
    if (runs != null) {
      runs.end();
    }
  }
}
