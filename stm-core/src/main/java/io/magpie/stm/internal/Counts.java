package io.magpie.stm.internal;

import java.util.Arrays;

/** The values of a launch's counters, or of several launches together. */
public final class Counts {
  private final LaunchLayout layout;
  private final long[] words;

  /** All zero, laid out as in modules of this layout. */
  public Counts(LaunchLayout layout) {
    this.layout = layout;
    this.words = new long[layout.counterWords()];
  }

  /** The words as the device has them; to be written by whoever reads them back. */
  public long[] words() {
    return words;
  }

  /** A counter of one word. */
  public long of(Counter counter) {
    return words[layout.place(counter)];
  }

  /** One word of a counter that has several. */
  public long of(Counter counter, int which) {
    return words[layout.place(counter) + which];
  }

  /** All words of a counter. */
  public long[] all(Counter counter) {
    int from = layout.place(counter);
    return Arrays.copyOfRange(words, from, from + counter.words());
  }

  /** Adds to a counter of one word. */
  public void add(Counter counter, long more) {
    words[layout.place(counter)] += more;
  }

  /** Adds what another launch counted. */
  public void add(Counts launch) {
    int maximum = layout.place(Counter.MAX_ATTEMPTS);
    for (int i = 0; i < words.length; i++) {
      words[i] = i == maximum ? Math.max(words[i], launch.words[i]) : words[i] + launch.words[i];
    }
  }

  /** What was counted here and by another launch of a module of this layout, in a new object. */
  public Counts plus(Counts launch) {
    Counts sum = new Counts(layout);
    sum.add(this);
    sum.add(launch);
    return sum;
  }

  /** Sets all to zero. */
  public void clear() {
    Arrays.fill(words, 0);
  }
}
