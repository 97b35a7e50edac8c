package io.magpie.examples.compare;

import com.sun.management.OperatingSystemMXBean;
import io.magpie.stm.UnfinishedItemsException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Runs contestants in rounds, so that whatever changes on the machine meanwhile meets all of them.
 *
 * <p>Each round runs each contestant once: A B C in even rounds, C B A in odd ones, so that none
 * always follows the same other. Before each run garbage is collected; results are compared with
 * the reference after each run and outside of its time. A contestant whose transactions do not
 * finish runs no more; the others go on.
 *
 * @param warmUps rounds that are run first and left out of statistics
 * @param repeats rounds that count
 * @param verifyEach whether each run's result is verified; if not, the first one of each contestant
 */
public record Rounds(int warmUps, int repeats, boolean verifyEach) {
  /** Linux tells times of processes in hundredths of a second on every machine. */
  private static final long NANOS_OF_TICK = 10_000_000;

  /** Checks the ranges. */
  public Rounds {
    if (warmUps < 0 || repeats < 1) {
      throw new IllegalArgumentException(
          "expected warm-ups of at least 0 and repeats of at least 1, got "
              + warmUps
              + " and "
              + repeats);
    }
  }

  /**
   * Runs all.
   *
   * @param taker is handed each record as it comes
   * @param unfinished is handed the index of each contestant that did not finish, and why
   * @throws ContestantException if one fails, which ends all
   */
  public void run(
      List<Contestant> contestants,
      Progress progress,
      Consumer<RunRecord> taker,
      BiConsumer<Integer, String> unfinished) {
    progress.begin("running", (long) (warmUps + repeats) * contestants.size());
    boolean[] verified = new boolean[contestants.size()];
    boolean[] out = new boolean[contestants.size()];
    for (int round = -warmUps; round < repeats; round++) {
      for (int position = 0; position < contestants.size(); position++) {
        int index = round % 2 == 0 ? position : contestants.size() - 1 - position;
        if (!out[index]) {
          boolean verify = verifyEach || !verified[index];
          try {
            taker.accept(once(contestants.get(index), index, round, position, verify));
            verified[index] = true;
          } catch (UnfinishedItemsException e) {
            out[index] = true;
            unfinished.accept(index, e.getMessage());
          } catch (RuntimeException | Error e) { // a jar may throw whatever it likes
            throw new ContestantException(contestants.get(index), e);
          }
        }
        progress.advance();
      }
    }
  }

  private static RunRecord once(
      Contestant contestant, int index, int round, int position, boolean verify) {
    System.gc();
    long before = processorNanos();
    Comparison.Outcome outcome = contestant.program().run();
    long after = processorNanos();
    return new RunRecord(
        index,
        round,
        position,
        outcome.millis(),
        before < 0 || after < 0 ? -1 : (after - before) / 1e6,
        outcome.countersWithAborts(),
        outcome.aborts(),
        verify ? outcome.mistake().get().orElse(null) : null,
        verify);
  }

  private static long processorNanos() {
    long children = nanosOfEndedChildren();
    return children >= 0
            && ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            && system.getProcessCpuTime() >= 0
        ? system.getProcessCpuTime() + children
        : -1;
  }

  /**
   * Of the programs that a contestant has run to their end, which Java does not count: fields 16
   * and 17, of which the second field may have blanks and brackets in it. 0 where the system does
   * not say; -1 if it could not be asked now.
   */
  private static long nanosOfEndedChildren() {
    Path status = Path.of("/proc/self/stat");
    if (!Files.exists(status)) {
      return 0;
    }
    try {
      String all = Files.readString(status, StandardCharsets.ISO_8859_1);
      String[] fromThird = all.substring(all.lastIndexOf(')') + 2).split(" ");
      return (Long.parseLong(fromThird[13]) + Long.parseLong(fromThird[14])) * NANOS_OF_TICK;
    } catch (IOException | RuntimeException e) { // too many open files, or not as Linux has it
      return -1;
    }
  }
}
