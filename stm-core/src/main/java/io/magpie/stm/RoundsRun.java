package io.magpie.stm;

import io.magpie.stm.RoundsReport.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A run in rounds, within the device's queue: rounds over a worklist until it is empty, time is up,
 * a bound is reached, or nothing gets done. New items get ranks from one interval that falls from
 * round to round; when it is used up, all that wait are renumbered in their order.
 */
final class RoundsRun {
  private final String region;
  private final StmOptions options;
  private final Worklist work;
  private final Function<Fields, RegionRun> launcher;
  private final long mostPerLaunch;

  /**
   * @param region its name, for messages
   * @param launcher makes the run of one round with these fields
   * @param mostPerLaunch most items of one launch
   */
  RoundsRun(
      String region,
      StmOptions options,
      Worklist work,
      Function<Fields, RegionRun> launcher,
      long mostPerLaunch) {
    this.region = region;
    this.options = options;
    this.work = work;
    this.launcher = launcher;
    this.mostPerLaunch = mostPerLaunch;
  }

  /**
   * @param afterRound gives the next round's fields, null = the same; null = always the same
   */
  RoundsReport run(Function<Round, Fields> afterRound, Fields fields) {
    List<Round> rounds = new ArrayList<>();
    RegionRun next = launcher.apply(fields); // also without items: they are checked
    next.checkArguments();
    long nextRank = work.renumber();
    int idle = 0;
    boolean stopped = false;
    while (work.waiting() > 0
        && !stopped
        && idle < Region.IDLE_ROUNDS
        && (options.mostRounds() == 0 || rounds.size() < options.mostRounds())) {
      long carried = work.carried();
      long fresh = work.waiting() - carried;
      if (fresh > nextRank) {
        nextRank = work.renumber();
      }
      RegionReport report;
      try {
        report = next.runRound(work, nextRank, mostPerLaunch);
      } catch (ArgumentMismatchException | DeviceOutOfMemoryException e) {
        throw e; // before the round: what waits is as it was
      } catch (RuntimeException | Error e) {
        work.clear();
        throw e;
      }
      nextRank -= fresh;
      Round round = new Round(rounds.size(), carried, work.waiting(), report);
      rounds.add(round);
      idle = report.deferred() == report.items() ? idle + 1 : 0;
      stopped = report.timedOut() || next.roundCutShort();
      if (afterRound != null) {
        Fields changed = afterRound.apply(round);
        if (changed != null) {
          fields = changed;
        }
      }
      next = launcher.apply(fields);
    }
    return new RoundsReport(region, rounds, work.waiting(), idle == Region.IDLE_ROUNDS);
  }
}
