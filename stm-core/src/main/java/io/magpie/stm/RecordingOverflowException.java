package io.magpie.stm;

import java.util.Locale;

/** Some records of a {@link Recording} found no room. */
public final class RecordingOverflowException extends MagpieException {
  private static final long serialVersionUID = 1L;

  private final long wordsPerThread;
  private final long neededWordsPerThread;

  /**
   * @param wordsPerThread words that each thread's log has
   * @param neededWordsPerThread words that the fullest log needed
   * @param threads threads that had too few
   */
  public RecordingOverflowException(long wordsPerThread, long neededWordsPerThread, long threads) {
    super(
        String.format(
            Locale.ROOT,
            "the recording's logs have %,d words for each thread, and %,d %s more, up to %,d: ask"
                + " for Recording.Options.withWordsPerThread(%d), or run fewer items",
            wordsPerThread,
            threads,
            threads == 1 ? "thread needed" : "threads needed",
            neededWordsPerThread,
            neededWordsPerThread));
    this.wordsPerThread = wordsPerThread;
    this.neededWordsPerThread = neededWordsPerThread;
  }

  /** Words that each thread's log has. */
  public long wordsPerThread() {
    return wordsPerThread;
  }

  /** Words that the fullest log needed: what to ask for. */
  public long neededWordsPerThread() {
    return neededWordsPerThread;
  }
}
