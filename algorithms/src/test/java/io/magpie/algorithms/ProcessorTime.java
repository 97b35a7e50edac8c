package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Time that a thread has a processor, however long others keep it waiting for one. It ends nothing:
 * tests need a timeout, too, far above it, in case that work never ends.
 */
public final class ProcessorTime {
  private ProcessorTime() {}

  /**
   * The result of some work, which must not take this thread longer; what other threads do for it
   * is not counted.
   */
  public static <T> T within(Duration most, Supplier<T> work) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begin = threads.getCurrentThreadCpuTime();
    T result = work.get();
    long end = threads.getCurrentThreadCpuTime();
    assertTrue(begin >= 0 && end >= 0, "the time of threads is not measured here");
    Duration took = Duration.ofNanos(end - begin);
    assertTrue(took.compareTo(most) <= 0, () -> "takes " + took + " of a processor");
    return result;
  }
}
