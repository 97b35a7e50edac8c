package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.function.Supplier;

/** Time that a thread has a processor, however long others keep it waiting for one. */
public final class ProcessorTime {
  private ProcessorTime() {}

  /** The result of some work of this thread, which must not take longer. */
  public static <T> T within(Duration most, Supplier<T> work) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begin = threads.getCurrentThreadCpuTime();
    T result = work.get();
    Duration took = Duration.ofNanos(threads.getCurrentThreadCpuTime() - begin);
    assertTrue(took.compareTo(most) <= 0, () -> "takes " + took + " of a processor");
    return result;
  }
}
