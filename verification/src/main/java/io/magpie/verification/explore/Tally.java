package io.magpie.verification.explore;

import io.magpie.verification.history.History;

/**
 * How the items of one run ended, or of several together: what a verdict on them rests on.
 *
 * @param commits items that committed
 * @param cancels items that the region canceled
 * @param unfinished items that did neither
 * @param accesses reads and writes of the attempts that committed, through {@code tx}; if there are
 *     none, and the data of the run were checked, what they left past it
 * @param givenUp of the cancels those of items that were to commit, but an inner transaction of
 *     theirs had canceled; as far as runs were traced
 */
public record Tally(long commits, long cancels, long unfinished, long accesses, long givenUp) {
  /** Of no run. */
  public static final Tally NOTHING = new Tally(0, 0, 0, 0);

  /** With cancels of which no more is known. */
  public Tally(long commits, long cancels, long unfinished, long accesses) {
    this(commits, cancels, unfinished, accesses, 0);
  }

  /**
   * Counts a run's attempts.
   *
   * @param items that the run had
   */
  public static Tally of(History history, long items) {
    long commits = 0;
    long cancels = 0;
    long accesses = 0;
    for (int attempt = 0; attempt < history.size(); attempt++) {
      if (history.outcome(attempt) == History.COMMIT) {
        commits++;
        accesses += history.accessCount(attempt);
      } else if (history.completed(attempt)) {
        cancels++;
      }
    }
    return new Tally(commits, cancels, Math.max(0, items - commits - cancels), accesses);
  }

  /** Both together. */
  public Tally plus(Tally other) {
    return new Tally(
        commits + other.commits,
        cancels + other.cancels,
        unfinished + other.unfinished,
        accesses + other.accesses,
        givenUp + other.givenUp);
  }
}
