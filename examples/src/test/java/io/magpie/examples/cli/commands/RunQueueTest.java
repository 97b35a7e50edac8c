package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.cli.ExitStatus;
import io.magpie.verification.workload.RecordedRuns;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunQueueTest {
  /** What a thread has where nobody looks at runs. */
  private record Nothing() implements RunQueue.Worker {
    @Override
    public RecordedRuns runs() {
      return null;
    }

    @Override
    public void close() {}
  }

  /** Each waits for all the others, so one after the other they would not end. */
  @Test
  void asManyRunsAsWereAskedForAreUnderWayAtOnce() {
    CountDownLatch underWay = new CountDownLatch(3);
    RunQueue.Run waits =
        (runs, items, number) -> {
          underWay.countDown();
          try {
            assertTrue(underWay.await(60, TimeUnit.SECONDS), "alone");
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return null;
        };
    try (RunQueue queue = new RunQueue(null, 3, Nothing::new, waits)) {
      Set<Long> numbers = new HashSet<>();
      while (queue.hasRoom()) {
        queue.ask(1);
      }
      while (queue.pending() > 0) {
        RunQueue.Ended ended = queue.next();
        assertNull(ended.failure());
        numbers.add(ended.number());
      }
      assertEquals(Set.of(0L, 1L, 2L), numbers);
    }
  }

  /** The others make what was asked for. */
  @Test
  void aThreadThatCannotBeginIsNamed() {
    RunQueue.Opener fails =
        () -> {
          throw new NoSuchFileException("arguments.txt");
        };
    try (RunQueue queue = new RunQueue(null, 2, fails, (runs, items, number) -> null)) {
      RunQueue.Ended ended = queue.next();
      JobException failure = (JobException) ended.failure();
      assertEquals(-1, ended.number());
      assertEquals("job 2 of 2", failure.job());
      assertEquals(NoSuchFileException.class, failure.getCause().getClass());
      assertEquals(ExitStatus.BAD_INPUT, ExitStatus.of(failure));
      queue.ask(1);
      assertEquals(0, queue.next().number());
    }
  }
}
