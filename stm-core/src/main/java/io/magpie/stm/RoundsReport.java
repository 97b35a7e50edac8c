package io.magpie.stm;

import io.magpie.stm.RegionReport.HotObject;
import java.util.List;
import java.util.Locale;

/**
 * What a {@linkplain Region#runRounds run in rounds} did. Nothing is lost: every item that was in
 * the worklist or pushed has committed, was canceled by the region itself, is {@linkplain
 * #unfinishedItems() unfinished} with a cause, or waits in the worklist.
 */
public final class RoundsReport {
  /**
   * One round of a {@linkplain Region#runRounds run in rounds}. Each of its items ended, was
   * deferred, or is unfinished.
   *
   * @param round its number, from 0
   * @param carried how many of its items the round before deferred
   * @param waiting items of the next round: those deferred and those pushed
   * @param region what its launches did, with the counts of commits, aborts and so on
   */
  public record Round(int round, long carried, long waiting, RegionReport region) {
    /** Number of items at its beginning. */
    public long items() {
      return region.items();
    }

    /** Items that committed. */
    public long commits() {
      return region.commits();
    }

    /** Items that the region canceled. */
    public long cancels() {
      return region.cancels();
    }

    /** Items that were left to the next round. */
    public long deferred() {
      return region.deferred();
    }

    /** Items that commits pushed. */
    public long pushed() {
      return region.pushed();
    }

    /** Of the deferred items, those for which a pool had no slot. */
    public long withoutSlot() {
      return region.withoutSlot();
    }

    /** Items that ended for good: by commit or cancel. */
    public long ended() {
      return region.items() - region.deferred() - region.unfinished();
    }

    /** Time in kernels, in milliseconds. */
    public double kernelMillis() {
      return region.kernelMillis();
    }
  }

  private final String region;
  private final List<Round> rounds;
  private final long waiting;
  private final boolean stalled;

  RoundsReport(String region, List<Round> rounds, long waiting, boolean stalled) {
    this.region = region;
    this.rounds = List.copyOf(rounds);
    this.waiting = waiting;
    this.stalled = stalled;
  }

  /** The rounds, in order. */
  public List<Round> rounds() {
    return rounds;
  }

  /** Items that wait in the worklist. */
  public long waiting() {
    return waiting;
  }

  /**
   * Whether the run ended because {@value Region#IDLE_ROUNDS} rounds in a row ended no item: the
   * region defers forever, a pool is exhausted, or the policy lets items abort one another.
   */
  public boolean stalled() {
    return stalled;
  }

  /** Whether the run ended because time was up in a round; what it did not get to waits. */
  public boolean timedOut() {
    return rounds.stream().anyMatch(round -> round.region().timedOut());
  }

  /** Whether every item committed or was canceled. */
  public boolean complete() {
    return waiting == 0 && rounds.stream().allMatch(round -> round.region().complete());
  }

  /**
   * This report, if it is complete.
   *
   * @throws UnfinishedItemsException if a round left items unfinished, or items wait; the message
   *     says why
   */
  public RoundsReport requireComplete() {
    rounds.forEach(round -> round.region().requireComplete());
    if (waiting > 0) {
      throw new UnfinishedItemsException(
          rounds.get(rounds.size() - 1).region(),
          rounds.size(),
          waiting,
          timedOut()
              ? "time was up"
              : stalled ? "the last rounds ended no item" : "the bound of rounds is reached");
    }
    return this;
  }

  /** Items that did not finish and wait no longer, as unsigned 32-bit ids, round by round. */
  public long[] unfinishedItems() {
    return rounds.stream()
        .flatMapToLong(round -> java.util.Arrays.stream(round.region().unfinishedItems()))
        .toArray();
  }

  /** Items that committed. */
  public long commits() {
    return sum(Round::commits);
  }

  /** Items that the region canceled. */
  public long cancels() {
    return sum(Round::cancels);
  }

  /** Attempts that ended without commit. */
  public long aborts() {
    return sum(round -> round.region().aborts());
  }

  /** How often an item was left to the next round. */
  public long deferred() {
    return sum(Round::deferred);
  }

  /** Items that commits pushed. */
  public long pushed() {
    return sum(Round::pushed);
  }

  /** Time in kernels, in milliseconds. */
  public double kernelMillis() {
    return rounds.stream().mapToDouble(Round::kernelMillis).sum();
  }

  /**
   * The objects that transactions met at in all rounds, as {@link RegionReport#hotObjects()} of
   * each.
   *
   * @throws IllegalStateException if the run did not have {@link StmOptions#conflictSampling()}
   */
  public List<HotObject> hotObjects() {
    return HotObject.of(sampled());
  }

  /**
   * All conflicts, {@link #lostConflicts()} among them.
   *
   * @throws IllegalStateException if the run did not have {@link StmOptions#conflictSampling()}
   */
  public long sampledConflicts() {
    return sampled().total();
  }

  /**
   * Conflicts whose object is not known: in a round transactions met at more objects than there was
   * room for.
   *
   * @throws IllegalStateException if the run did not have {@link StmOptions#conflictSampling()}
   */
  public long lostConflicts() {
    return sampled().lost();
  }

  private ConflictCounts sampled() {
    return ConflictCounts.sum(rounds.stream().map(round -> round.region().sampled()).toList());
  }

  private long sum(java.util.function.ToLongFunction<Round> part) {
    return rounds.stream().mapToLong(part).sum();
  }

  /** A small table: a line for each round. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "region %s: %,d rounds in %.3f ms, %,d items wait%n",
            region,
            rounds.size(),
            kernelMillis(),
            waiting));
    text.append(
        String.format(
            Locale.ROOT,
            "  %5s %13s %13s %13s %13s %13s %11s%n",
            "round",
            "items",
            "ended",
            "deferred",
            "pushed",
            "aborts",
            "ms"));
    for (Round round : rounds) {
      text.append(
          String.format(
              Locale.ROOT,
              "  %5d %,13d %,13d %,13d %,13d %,13d %11.3f%n",
              round.round(),
              round.items(),
              round.ended(),
              round.deferred(),
              round.pushed(),
              round.region().aborts(),
              round.kernelMillis()));
    }
    if (!rounds.isEmpty() && rounds.get(0).region().options().conflictSampling()) {
      sampled().appendTo(text);
    }
    return text.toString();
  }
}
