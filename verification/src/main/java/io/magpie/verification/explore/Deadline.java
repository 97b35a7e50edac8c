package io.magpie.verification.explore;

import java.time.Duration;

/** When something that is done bit by bit has to end. */
final class Deadline {
  /** One that does not come. */
  static final Deadline NEVER = new Deadline(Long.MAX_VALUE);

  private final long begin = System.nanoTime();
  private final long nanos;

  private Deadline(long nanos) {
    this.nanos = nanos;
  }

  /** One that comes after a time; zero = never. */
  static Deadline in(Duration time) {
    return time.isZero() ? NEVER : new Deadline(time.toNanos());
  }

  /** Whether it has come. */
  boolean passed() {
    return System.nanoTime() - begin >= nanos;
  }
}
